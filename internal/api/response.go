package api

import (
	"errors"
	"net/url"
	"strconv"
	"sync"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// mostHeld is how many bytes the large bodies of one client, and its large responses, may hold by default.
const mostHeld = 64 << 20

// The bounds of responses. A response of up to freeResponse bytes reserves none of the bytes that all
// responses share. A larger one reserves them in pieces of that size while it is made, and returns each
// piece when it is sent.
const (
	freeResponse = 64 << 10
	// listHeld is what a list reserves that is longer than one piece: for the piece, and for the
	// pages that are read before it is sent.
	listHeld = 512 << 10
)

// response collects the body of one response.
type response struct {
	c      *request
	size   int
	first  []byte            // the whole of a small response
	pieces [][]byte          // of a large one
	held   *gate.Reservation // nil while the response is small
}

// responses are reused, with their memory for a small body.
var responses = sync.Pool{New: func() any { return &response{} }}

func newResponse(c *request) *response {
	r, _ := responses.Get().(*response) // nothing else is put there
	r.c = c
	return r
}

// Write adds to the response. Unavailable: it is large, and no bytes are left for it. Invalid: it
// is larger than what one client may hold.
func (r *response) Write(p []byte) (n int, err error) {
	r.size += len(p)
	if r.size <= freeResponse {
		r.first = append(r.first, p...)
		return len(p), nil
	}
	if r.held == nil {
		r.held = r.c.api.responses.Reserve(r.c.client())
		if err := r.held.Grow(cap(r.first)); err != nil {
			return 0, err
		}
		r.pieces, r.first = append(r.pieces, r.first), nil
	}
	for n < len(p) {
		last := len(r.pieces) - 1
		free := cap(r.pieces[last]) - len(r.pieces[last])
		if free == 0 {
			if err := r.addPiece(); err != nil {
				return n, err
			}
			continue
		}
		part := p[n:min(len(p), n+free)]
		r.pieces[last] = append(r.pieces[last], part...)
		n += len(part)
	}
	return n, nil
}

// addPiece reserves an empty piece. Errors as Write.
func (r *response) addPiece() error {
	if share := r.c.api.responses.Share(); r.held.Held()+freeResponse > share {
		return fault.New(fault.Invalid, "the answer would be larger than %d MiB; ask for less by a filter or a smaller limit", share>>20)
	}
	if err := r.held.Grow(freeResponse); err != nil {
		return err
	}
	r.pieces = append(r.pieces, make([]byte, 0, freeResponse))
	return nil
}

// send sends what was collected. A client that has gone is not an error.
func (r *response) send(status int) {
	writeHead(r.c, status, "application/json", r.size)
	if r.held == nil {
		_, _ = r.c.Writer.Write(r.first)
		return
	}
	for i, piece := range r.pieces {
		if _, err := r.c.Writer.Write(piece); err != nil {
			return
		}
		r.pieces[i] = nil
		r.held.Shrink(cap(piece))
	}
}

// close returns the reserved bytes, or keeps the response for the next.
func (r *response) close() {
	if r.held != nil {
		r.held.Release()
		return
	}
	r.c, r.size, r.first = nil, 0, r.first[:0]
	responses.Put(r)
}

// writeHead sets status and headers of a response of a known size. All its data has been read.
func writeHead(c *request, status int, contentType string, size int) {
	c.release()
	tellWritten(c)
	c.Header("Content-Type", contentType)
	c.Header("Content-Length", strconv.Itoa(size))
	c.Status(status)
}

// A write may say why in reasonHeader, percent-encoded because a header has ASCII only. Its response gives
// the numbers of its journal entries in writtenHeader.
const (
	reasonHeader  = "X-Reason"
	writtenHeader = "X-Journal-Seq"
)

// checkWrite refuses a write with an invalid key or reason, and takes the reason. A read may have both, which
// have no effect. Invalid.
func (a *api) checkWrite(c *request) error {
	if a.reads.have(c) {
		return nil
	}
	var wrong fault.Fields
	checkKey(c, &wrong)
	if raw, sent := header(c, reasonHeader, &wrong); sent {
		reason, err := parseReason(raw)
		wrong.Check(reasonHeader, err)
		origin := c.origin
		origin.Reason = string(reason)
		c.from(origin)
	}
	return wrong.Err()
}

func parseReason(raw string) (text.Reason, error) {
	decoded, err := url.PathUnescape(raw)
	if err != nil {
		return "", errors.New("must be percent-encoded, such as Invoice%204711: a % stands before two hexadecimal digits")
	}
	return text.ParseReason(decoded)
}

// header returns a header that may be given once.
func header(c *request, name string, wrong *fault.Fields) (value string, sent bool) {
	values := c.Request.Header[name]
	if len(values) == 0 {
		return "", false
	}
	if len(values) > 1 {
		wrong.Add(name, "must be given once, not %d times", len(values))
	}
	return values[0], true
}

// tellWritten says in the response which journal entries the request left. A repeated request has those of
// the first time.
func tellWritten(c *request) {
	if written := journal.WrittenIn(c.Request.Context()); written != (journal.Range{}) {
		c.Header(writtenHeader, written.String())
	}
}
