package api

import (
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime"
	"slices"
	"strings"
	"time"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/imports"
	"daybook/internal/spool"
)

// The bounds of a body with many records: its bytes, packed and unpacked, how fast it must arrive at least, and how
// many arrive at once.
const (
	mostSent     = 256 << 20
	leastSpeed   = 16 << 10 // bytes a second
	mostReceived = 4
)

// received is a body in a file, unpacked.
type received struct {
	file *spool.File
	size int64
	free func()
}

func (r *received) close() {
	_ = r.file.Close() // nothing depends on it
	r.free()
}

// receive keeps the body in a file. Errors: unsupportedMedia, tooLarge, tooSlow, and the kind of a full server;
// Unreadable: it is not compressed as it says; Unavailable: the disk refuses.
func (c *request) receive(what sendable) (*received, error) {
	if c.body == nil {
		return nil, fault.New(imports.Unreadable, "the body is empty; send the %s in it", what.name)
	}
	packed, err := what.check(c)
	if err != nil {
		return nil, err
	}
	select {
	case c.api.receiving <- struct{}{}:
	default:
		c.Header("Retry-After", "5")
		c.Header("Connection", "close") // what still arrives is not a request
		return nil, fault.New(what.full, "%d large bodies arrive already; try again", mostReceived)
	}
	r := &received{free: func() { <-c.api.receiving }}
	if r.file, err = c.api.Spool.New(); err != nil {
		r.free()
		return nil, fault.Wrap(fault.Unavailable, err, "the server cannot keep the body on its disk; nothing was stored")
	}
	if err := r.fill(c, what, packed); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// fill writes the body into the file, and makes the fingerprint of the request.
func (r *received) fill(c *request, what sendable, packed bool) error {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %s\n", c.Request.Method, c.Request.URL.RequestURI())
	arriving := &arrivingBody{body: c.body, advice: what.advice, deadline: time.Now().Add(c.api.BodyTime)}
	from := io.TeeReader(arriving, hash)
	rest := from
	if packed {
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return arriving.failed(c, err)
		}
		from = unpacked
	}
	written := &spooled{to: r.file}
	_, err := io.Copy(written, io.LimitReader(from, mostSent+1))
	switch r.size = written.size; {
	case written.err != nil:
		c.Header("Connection", "close")
		return fault.Wrap(fault.Unavailable, written.err, "the server cannot keep the body on its disk; nothing was stored")
	case err == nil && r.size > mostSent:
		err = errLarge
	case err == nil:
		_, err = io.Copy(io.Discard, rest) // what follows the compressed bytes
	}
	if err != nil {
		return arriving.failed(c, err)
	}
	c.fingerprint = new(idempotency.Fingerprint(hash.Sum(nil)))
	return nil
}

// spooled writes to a file, and keeps its error, which io.Copy mixes with that of the reader.
type spooled struct {
	to   *spool.File
	size int64
	err  error
}

func (s *spooled) Write(b []byte) (n int, err error) {
	n, err = s.to.Write(b)
	s.size, s.err = s.size+int64(n), err
	return n, err
}

// arrivingBody is a body that must keep up a speed, and may have only so many bytes.
type arrivingBody struct {
	*body
	advice   string    // to the sender of one that is too large
	deadline time.Time // without a byte
	bytes    int64
	err      error // of the body itself
}

func (a *arrivingBody) Read(b []byte) (n int, err error) {
	n, err = a.body.Read(b)
	a.bytes += int64(n)
	if a.bytes > mostSent {
		err = errLarge
	}
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = err
	}
	_ = a.control.SetReadDeadline(a.deadline.Add(time.Duration(a.bytes) * (time.Second / leastSpeed)))
	return n, err
}

// failed is the error of a body that could not be read.
func (a *arrivingBody) failed(c *request, err error) error {
	switch {
	case errors.Is(err, errLarge):
		c.Header("Connection", "close")
		return fault.New(tooLarge, "the body is larger than %d MiB; %s", mostSent>>20, a.advice)
	case a.err == nil:
		c.Header("Connection", "close")
		return fault.Wrap(imports.Unreadable, err, "the body is labelled Content-Encoding: gzip, but its bytes are not gzip, or break off")
	}
	return a.body.failed(c, a.err)
}

// sendable is what a body may hold that is kept in a file.
type sendable struct {
	name   string
	labels []string   // besides that of JSON
	named  string     // some of the labels, for who sent another
	utf8   bool       // it must be
	full   fault.Kind // of the fault that too many arrive already
	advice string     // to the sender of one that is too large
}

var (
	sentRows = sendable{"rows", []string{"text/csv", "application/x-ndjson", "application/csv", "application/ndjson", "application/jsonl", "application/octet-stream"}, "text/csv, application/x-ndjson", true, gate.TooMany, "send its rows in several requests"}
	// sentFile may have any encoding, and its content decides what it is.
	sentFile = sendable{"file", append(slices.Clone(sentRows.labels), "text/tab-separated-values", "text/plain", "application/vnd.ms-excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"), "application/octet-stream, whatever the file is, text/csv", false, imports.TooMany, "divide it into several files"}
)

// check checks the labels of a body, and reports whether it is compressed. Errors: unsupportedMedia.
func (s sendable) check(c *request) (packed bool, err error) {
	label := c.GetHeader("Content-Type")
	if media, _, err := mime.ParseMediaType(label); !saysJSON(c.Request.Header) && (err != nil || !slices.Contains(s.labels, media)) {
		return false, fault.New(unsupportedMedia, "the body must be labelled Content-Type: %s or application/json, not %q", s.named, label)
	}
	if s.utf8 && !saysUTF8(label) {
		return false, fault.New(unsupportedMedia, "the body must be in UTF-8, labelled without a charset or with charset=utf-8, not %q", label)
	}
	switch coding := strings.ToLower(strings.TrimSpace(strings.Join(c.Request.Header["Content-Encoding"], ","))); coding {
	case "", "identity":
		return false, nil
	case "gzip", "x-gzip":
		return true, nil
	default:
		c.Header("Accept-Encoding", "gzip")
		return false, fault.New(unsupportedMedia, "the body must be sent as it is, or with Content-Encoding: gzip, not %q", coding)
	}
}
