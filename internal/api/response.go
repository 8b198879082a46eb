package api

import (
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
)

// mostHeld is how many bytes all large bodies, and all large responses, may hold by default.
const mostHeld = 64 << 20

// The bounds of responses. A response of up to freeResponse bytes reserves none of the bytes that
// all responses share. A larger one reserves them in pieces of that size while it is made, and
// returns each piece when it is sent.
const (
	freeResponse = 64 << 10
	// listHeld is what a list reserves that is longer than one piece: for the piece, and for the
	// pages that are read before it is sent.
	listHeld = 512 << 10
	// responsePatience is how long a client may take to read a piece while others need its bytes.
	responsePatience = time.Second
)

// outgoing sends a large response, and reserves bytes for it.
type outgoing struct {
	*gate.Reservation
	w io.Writer
}

// newOutgoing reserves nothing yet. If its wait for the client is ended, the connection is cut, or
// the stream of HTTP/2. If it is stopped at another time, it ends as soon as it needs more or sends; a list
// reads no more.
func newOutgoing(c *gin.Context) *outgoing {
	a, control := serving(c), http.NewResponseController(c.Writer)
	end := func() { _ = control.SetWriteDeadline(time.Unix(1, 0)) } // every connection that reserves has deadlines
	return &outgoing{w: c.Writer, Reservation: a.responses.Reserve(a.gate.Sharer(c.Request), end, stopOf(c))}
}

// errCut is the error of a response that was ended for another.
var errCut = fault.New(fault.Unavailable, "the response was cut, because others needed the memory that it held")

// send writes a piece, and reports whether the client took it. A client that has gone is not an
// error. Unavailable: errCut.
func (o *outgoing) send(piece []byte) (taken bool, err error) {
	if !o.BeginWait() {
		return false, errCut
	}
	_, err = o.w.Write(piece)
	if !o.EndWait() {
		return false, errCut
	}
	return err == nil, nil
}

// response collects the body of one response.
type response struct {
	c        *gin.Context
	size     int
	first    []byte    // the whole of a small response
	pieces   [][]byte  // of a large one
	outgoing *outgoing // nil while the response is small
}

// responses are reused, with their memory for a small body.
var responses = sync.Pool{New: func() any { return &response{} }}

func newResponse(c *gin.Context) *response {
	r, _ := responses.Get().(*response) // nothing else is put there
	r.c = c
	return r
}

// Write adds to the response. Unavailable: it is large, and no bytes are left for it. Invalid: it
// is larger than all responses together may be.
func (r *response) Write(p []byte) (n int, err error) {
	r.size += len(p)
	if r.size <= freeResponse {
		r.first = append(r.first, p...)
		return len(p), nil
	}
	if r.outgoing == nil {
		r.outgoing = newOutgoing(r.c)
		if err := r.outgoing.Grow(cap(r.first)); err != nil {
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
	if most := serving(r.c).responses.Most(); r.outgoing.Held()+freeResponse > most {
		return fault.New(fault.Invalid, "the response would be larger than the %d MiB that all responses may hold; ask for less by a filter or a smaller limit", most>>20)
	}
	if err := r.outgoing.Grow(freeResponse); err != nil {
		return err
	}
	r.pieces = append(r.pieces, make([]byte, 0, freeResponse))
	return nil
}

// send sends what was collected. Unavailable: errCut.
func (r *response) send(status int) error {
	writeHead(r.c, status, "application/json", r.size)
	if r.outgoing == nil {
		_, _ = r.c.Writer.Write(r.first) // a client that has gone is not an error
		return nil
	}
	for i, piece := range r.pieces {
		if taken, err := r.outgoing.send(piece); !taken {
			return err
		}
		r.pieces[i] = nil
		r.outgoing.Shrink(cap(piece))
	}
	return nil
}

// close returns the reserved bytes, or keeps the response for the next.
func (r *response) close() {
	if r.outgoing != nil {
		r.outgoing.Release()
		return
	}
	r.c, r.size, r.first = nil, 0, r.first[:0]
	responses.Put(r)
}

// writeHead sets status and headers of a response of a known size. All its data has been read, so that a client that
// is slow to take it holds neither a slot nor room for bodies.
func writeHead(c *gin.Context, status int, contentType string, size int) {
	releaseSlot(c)
	releaseBody(c)
	c.Header("Content-Type", contentType)
	c.Header("Content-Length", strconv.Itoa(size))
	c.Status(status)
}

// listResponse sends a list piece by piece. It reserves bytes if there is more than one.
type listResponse struct {
	c        *gin.Context
	outgoing *outgoing // nil before the first piece was sent
}

// send sends a piece that is not the last, and reports whether the client took it. Unavailable: no
// bytes are left for the list, or errCut.
func (l *listResponse) send(piece []byte) (taken bool, err error) {
	if l.outgoing == nil {
		l.outgoing = newOutgoing(l.c)
		if err := l.outgoing.Grow(listHeld); err != nil {
			return false, err
		}
	}
	return l.outgoing.send(piece)
}

// end sends the last piece. Unavailable: errCut.
func (l *listResponse) end(piece []byte) error {
	if l.outgoing == nil {
		_, _ = l.c.Writer.Write(piece) // a client that has gone is not an error
		return nil
	}
	_, err := l.outgoing.send(piece)
	return err
}

// failed returns the error of a list that could not be read on. Unavailable: errCut.
func (l *listResponse) failed(err error) error {
	if l.outgoing != nil && l.outgoing.Ended() {
		return errCut
	}
	return err
}

// close returns the reserved bytes.
func (l *listResponse) close() {
	if l.outgoing != nil {
		l.outgoing.Release()
	}
}
