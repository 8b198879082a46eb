package api

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
)

// The bounds of a body: its bytes, and how long it may take to arrive. A body of up to freeBody bytes reserves
// none of the bytes that all bodies share. A larger one reserves them as it arrives.
const (
	mostBody    = 1 << 20
	freeBody    = 16 << 10
	longestBody = 15 * time.Second
)

// body is the body of one request as it arrives.
type body struct {
	io.Reader
	most    int // bytes
	control *http.ResponseController
	held    *gate.Reservation // nil while the body is small
}

// release returns the bytes that the body holds.
func (b *body) release() {
	if b.held != nil {
		b.held.Release()
	}
}

// object reads a body that is one JSON object. Errors: invalidJSON, unsupportedMedia, tooLarge,
// tooSlow, Unavailable.
func object(c *request) (*form, error) {
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
func wrappable(c *request) (*form, error) {
	forms, err := readForms(c)
	if err != nil {
		return nil, err
	}
	return forms.only()
}

// identifying reads a body that names a record: absent, a JSON object, or one in an array of one.
// Errors as object; ConflictingIdentifiers: an array of more.
func identifying(c *request) (*form, error) {
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
func readForms(c *request) (forms, error) {
	if c.body == nil {
		return forms{absent: true}, nil
	}
	sent, err := c.body.read(c)
	if err != nil {
		c.body.release()
		return forms{}, c.body.failed(c, err)
	}
	return parseSent(c, sent)
}

// passOver reads a body that is not needed to its end. Until then net/http does not notice that
// the client hangs up. Errors: tooSlow, tooLarge, invalidJSON.
func passOver(c *request) error {
	b := c.body
	if b == nil {
		return nil
	}
	n, err := io.Copy(io.Discard, io.LimitReader(b, freeBody+1))
	if n > freeBody {
		c.Header("Connection", "close") // what still arrives is not a request
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
func drain(c *request) {
	const moment, discarded = 100 * time.Millisecond, 256 << 10
	b := c.body
	if of := c.Request; b != nil && (of.Close || of.ContentLength < 0 || of.ContentLength > discarded) {
		_ = b.control.SetReadDeadline(time.Now().Add(moment)) // a writer without deadlines has no connection
		_, _ = io.Copy(io.Discard, io.LimitReader(b, mostBody))
	}
}

// read reads the whole body. Beyond freeBody bytes it reserves the memory that the body takes. Unavailable: there
// is none left for this client.
func (b *body) read(c *request) ([]byte, error) {
	sent := make([]byte, 0, 512)
	for {
		n, err := b.Read(sent[len(sent):cap(sent)])
		sent = sent[:len(sent)+n]
		switch {
		case len(sent) > b.most:
			return nil, errLarge
		case errors.Is(err, io.EOF):
			return sent, nil
		case err != nil:
			return nil, err
		case len(sent) == cap(sent):
			if sent, err = b.grow(c, sent); err != nil {
				return nil, err
			}
		}
	}
}

// grow makes a full buffer about twice as large, and never larger than shows that a body is too large. Beyond
// freeBody bytes it first reserves them twice, because the parser makes a text of the bytes.
func (b *body) grow(c *request, full []byte) ([]byte, error) {
	if len(full) <= freeBody {
		return append(make([]byte, 0, min(2*len(full), freeBody+1, b.most+1)), full...), nil
	}
	size := min(2*len(full), b.most+1)
	if b.held == nil {
		b.held = c.api.bodies.Reserve(c.client())
	}
	if err := b.held.Grow(2*size - int(b.held.Held())); err != nil {
		return nil, err
	}
	return append(make([]byte, 0, size), full...), nil
}

var errLarge = errors.New("the body is too large")

// failed is the error of a body that was not read to its end.
func (b *body) failed(c *request, err error) error {
	switch {
	case fault.KindOf(err) == fault.Unavailable:
		c.Header("Connection", "close") // what still arrives is not a request
		return err
	case errors.Is(err, errLarge):
		return fault.New(tooLarge, "the body is larger than %d bytes", b.most)
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.Header("Connection", "close")
		return fault.New(tooSlow, "the body did not arrive in time; send it without pauses")
	}
	return fault.Wrap(invalidJSON, err, "the body broke off before its end")
}

// parseSent parses a whole body, if its label allows it. Errors: invalidJSON, unsupportedMedia.
func parseSent(c *request, sent []byte) (forms, error) {
	if len(sent) > 0 {
		if err := checkLabels(c); err != nil {
			return forms{}, err
		}
	}
	if c.Request.Header[keyHeader] != nil {
		c.fingerprint = new(fingerprint(c.Request, sent))
	}
	if len(bytes.TrimSpace(sent)) == 0 {
		return forms{absent: true}, nil
	}
	return parseBody(sent)
}

// bytes reads the whole body, which is labelled as JSON.
func (c *request) bytes() ([]byte, error) {
	if c.body == nil {
		return nil, notJSON(io.EOF)
	}
	read, err := c.body.read(c)
	if err != nil {
		return nil, c.body.failed(c, err)
	}
	c.fingerprint = new(fingerprint(c.Request, read))
	return read, checkLabels(c)
}

// checkLabels refuses a body whose headers say that it is not JSON, not UTF-8, or encoded. Errors:
// unsupportedMedia.
func checkLabels(c *request) error {
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
func labelled(c *request) error {
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
