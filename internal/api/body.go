package api

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
)

// The bounds of a body: its bytes, and how long it may take to arrive.
// A body of up to freeBody bytes reserves none of the bytes that all bodies share. A larger one
// reserves them as it arrives, in pieces of freeBody.
const (
	mostBody    = 1 << 20
	freeBody    = 16 << 10
	longestBody = 15 * time.Second
)

// body is the body of one request as it arrives.
type body struct {
	io.ReadCloser
	most    int // bytes
	control *http.ResponseController
	held    *gate.Reservation // nil while the body is small
}

// boundBodies bounds the bytes and the time of each body, even if no handler reads it, because
// net/http reads the rest before it responds.
func (a *api) boundBodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		b := &body{ReadCloser: r.Body, most: mostBody, control: http.NewResponseController(w)}
		_ = b.control.SetReadDeadline(time.Now().Add(a.Patience(a.BodyTime))) // a writer without deadlines has no slow client
		bounded := r.WithContext(r.Context())                                 // net/http needs the body of its own request to decide whether to close the connection
		bounded.Body = b
		defer b.release()
		next.ServeHTTP(w, bounded)
	})
}

// release returns the bytes that the body holds.
func (b *body) release() {
	if b.held != nil {
		b.held.Release()
	}
}

// releaseBody returns the bytes that the body of a request holds.
func releaseBody(c *gin.Context) {
	if b, is := c.Request.Body.(*body); is {
		b.release()
	}
}

// object reads a body that is one JSON object. Errors: invalidJSON, unsupportedMedia, tooLarge,
// tooSlow, Unavailable.
func object(c *gin.Context) (*form, error) {
	forms, err := readForms(c)
	if err != nil {
		return nil, err
	}
	if forms.wrapped {
		return nil, fault.New(invalidJSON, "the body must be a JSON object, not an array")
	}
	return forms.only()
}

// wrappable reads a body that is one JSON object, bare or in an array of one. Errors as object.
func wrappable(c *gin.Context) (*form, error) {
	forms, err := readForms(c)
	if err != nil {
		return nil, err
	}
	return forms.only()
}

// identifying reads a body that names a record: absent, a JSON object, or one in an array of one.
// Errors as object; ConflictingIdentifiers: an array of more.
func identifying(c *gin.Context) (*form, error) {
	forms, err := readForms(c)
	switch {
	case err != nil:
		return nil, err
	case forms.several:
		return nil, fault.New(fault.ConflictingIdentifiers, "the body names several records; one request is about one")
	case forms.object == nil:
		return &form{}, nil
	}
	return forms.object, nil
}

// readForms reads and parses a body that is labelled as JSON, or not labelled. Errors as object.
func readForms(c *gin.Context) (forms, error) {
	b, is := c.Request.Body.(*body)
	if !is {
		return forms{absent: true}, nil
	}
	first, err := b.begin()
	if errors.Is(err, io.EOF) {
		return parseSent(c, first)
	}
	if err != nil {
		return forms{}, b.failed(c, err)
	}
	a := serving(c)
	b.held = a.bodies.Reserve(a.gate.Sharer(c.Request), func() {
		_ = b.control.SetReadDeadline(time.Unix(1, 0)) // every connection that reserves has deadlines
	}, nil)
	pieces, err := b.rest(first)
	if err != nil {
		b.release()
		return forms{}, b.failed(c, err)
	}
	a.parsing.Lock()
	defer a.parsing.Unlock()
	return parseSent(c, slices.Concat(pieces...))
}

// passOver reads a body that is not needed to its end. Until then net/http does not notice that
// the client hangs up. Errors: tooSlow, tooLarge, invalidJSON.
func passOver(c *gin.Context) error {
	b, is := c.Request.Body.(*body)
	if !is {
		return nil
	}
	n, err := io.Copy(io.Discard, io.LimitReader(b, freeBody+1))
	if n > freeBody {
		endConnection(c) // what still arrives is not a request
		return fault.New(tooLarge, "the body is larger than %d bytes; this request needs none", freeBody)
	}
	if err != nil {
		return b.failed(c, err)
	}
	return nil
}

// drain reads what has arrived of a body that was ignored, after the response, if the connection then closes.
// If it closes over bytes that nobody read, the system drops what the client has not received yet. net/http
// also closes a connection over a longer rest than it discards.
func drain(c *gin.Context) {
	const moment, discarded = 100 * time.Millisecond, 256 << 10
	b, is := c.Request.Body.(*body)
	if of := c.Request; is && (of.Close || of.ContentLength < 0 || of.ContentLength > discarded) {
		_ = b.control.SetReadDeadline(time.Now().Add(moment)) // a writer without deadlines has no connection
		_, _ = io.Copy(io.Discard, io.LimitReader(b, mostBody))
	}
}

// begin reads until the body ends, which is io.EOF, or until it is large.
func (b *body) begin() ([]byte, error) {
	first := make([]byte, 0, 512)
	for len(first) <= freeBody {
		if len(first) == cap(first) {
			first = append(first, 0)[:len(first)]
		}
		n, err := b.Read(first[len(first):cap(first)])
		first = first[:len(first)+n]
		if len(first) > b.most {
			return nil, errLarge
		}
		if err != nil {
			return first, err
		}
	}
	return first, nil
}

// rest reads what follows the beginning of a large body, to its end.
func (b *body) rest(first []byte) (pieces [][]byte, err error) {
	if err := b.held.Grow(cap(first)); err != nil {
		return nil, err
	}
	pieces = [][]byte{first}
	for size := len(first); ; {
		if err := b.held.Grow(freeBody); err != nil {
			return nil, err
		}
		piece, err := b.fill(make([]byte, freeBody))
		pieces = append(pieces, piece)
		size += len(piece)
		switch {
		case size > b.most:
			return nil, errLarge
		case errors.Is(err, io.EOF):
			return pieces, nil
		case err != nil:
			return nil, err
		}
	}
}

// fill reads until a piece is full, and returns what was read.
func (b *body) fill(piece []byte) ([]byte, error) {
	for size := 0; size < len(piece); {
		b.held.BeginWait() // nobody ends a body that does not wait
		n, err := b.Read(piece[size:])
		size += n
		if !b.held.EndWait() {
			return nil, errEnded
		}
		if err != nil {
			return piece[:size], err
		}
	}
	return piece, nil
}

var (
	errLarge = errors.New("the body is too large")
	errEnded = errors.New("the body had to make room for another")
)

// failed is the error of a body that was not read to its end.
func (b *body) failed(c *gin.Context, err error) error {
	switch {
	case fault.KindOf(err) == fault.Unavailable:
		return err
	case errors.Is(err, errLarge):
		return fault.New(tooLarge, "the body is larger than %d bytes", b.most)
	case errors.Is(err, errEnded):
		endConnection(c) // what still arrives is not a request
		return fault.New(tooSlow, "the body paused while others needed its memory; send it without pauses")
	case errors.Is(err, os.ErrDeadlineExceeded):
		endConnection(c)
		return fault.New(tooSlow, "the body did not arrive in time; send it without pauses")
	}
	return fault.Wrap(invalidJSON, err, "the body broke off before its end")
}

// parseSent parses a whole body, if its label allows it. Errors: invalidJSON, unsupportedMedia.
func parseSent(c *gin.Context, sent []byte) (forms, error) {
	if len(sent) > 0 {
		if err := checkLabels(c); err != nil {
			return forms{}, err
		}
	}
	if c.Request.Header[keyHeader] != nil {
		c.Set(fingerprintOfBody, fingerprint(c.Request, sent))
	}
	if len(bytes.TrimSpace(sent)) == 0 {
		return forms{absent: true}, nil
	}
	return parseBody(sent)
}

// checkLabels refuses a body whose headers say that it is not JSON, not UTF-8, or encoded. Errors:
// unsupportedMedia.
func checkLabels(c *gin.Context) error {
	label := c.GetHeader("Content-Type")
	if !saysJSON(c.Request.Header) {
		return fault.New(unsupportedMedia, "the body must be labelled Content-Type: application/json, not %q", label)
	}
	if !saysUTF8(label) {
		return fault.New(unsupportedMedia, "the body must be in UTF-8, labelled without a charset or with charset=utf-8, not %q", label)
	}
	for coding := range strings.SplitSeq(strings.Join(c.Request.Header["Content-Encoding"], ","), ",") {
		if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
			c.Header("Accept-Encoding", "identity")
			return fault.New(unsupportedMedia, "the body must be sent as it is, without Content-Encoding or with identity, not %q", coding)
		}
	}
	return nil
}

// labelled refuses a request that is not labelled as JSON, with a body or without. A form of
// another site cannot send this label. It protects operations that need no body. Errors:
// unsupportedMedia.
func labelled(c *gin.Context) error {
	if label := c.GetHeader("Content-Type"); !isJSON(label) {
		return fault.New(unsupportedMedia,
			"the request must be labelled Content-Type: application/json, with a body or without, not %q", label)
	}
	return nil
}

// saysJSON reports whether the headers label a body as JSON, or leave it unlabelled.
// The form label is what curl adds by itself; from a browser it is a form.
func saysJSON(h http.Header) bool {
	label := h.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(label); err == nil && media == "application/x-www-form-urlencoded" {
		return h.Get("Origin") == "" && h.Get("Sec-Fetch-Site") == ""
	}
	return label == "" || isJSON(label)
}

// saysUTF8 reports whether a label leaves the charset open, or names UTF-8.
func saysUTF8(label string) bool {
	_, parameters, err := mime.ParseMediaType(label)
	charset, named := parameters["charset"]
	return err != nil || !named || strings.EqualFold(charset, "utf-8")
}

// isJSON reports whether a label is that of JSON.
func isJSON(label string) bool {
	media, _, err := mime.ParseMediaType(label)
	return err == nil && (media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json"))
}
