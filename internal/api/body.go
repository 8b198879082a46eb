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

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/fault"
)

// The bounds of the body of one record: its bytes, how long it may take to arrive, and
// how many arrays and objects may stand inside each other.
const (
	mostBody    = 1 << 20
	longestBody = 15 * time.Second
	mostLevels  = 32
)

// bodiesInTime lets a body arrive within its time and no later, also one that no handler
// reads: net/http takes the rest of it in before it answers. A handler that reads for
// longer gives its connection another deadline, as it goes.
func (a *api) bodiesInTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(a.BodyTime)) // what has none has no slow peer
		}
		next.ServeHTTP(w, r)
	})
}

// object reads a body that is one JSON object. InvalidJSON, UnsupportedMedia,
// TooLarge.
func object(c *gin.Context) (*form, error) {
	body, err := readBody(c)
	if err != nil {
		return nil, err
	}
	forms, err := parseBody(body)
	if err != nil {
		return nil, err
	}
	if forms.wrapped {
		return nil, fault.New(fault.InvalidJSON, "the body must be a JSON object, not an array")
	}
	return forms.only()
}

// wrappable reads a body that is one JSON object, bare or in an array of one.
func wrappable(c *gin.Context) (*form, error) {
	body, err := readBody(c)
	if err != nil {
		return nil, err
	}
	forms, err := parseBody(body)
	if err != nil {
		return nil, err
	}
	return forms.only()
}

// identifying reads a body that names a record: absent, a JSON object, or one in an
// array of one. ConflictingIdentifiers: an array of more.
func identifying(c *gin.Context) (*form, error) {
	body, err := readBody(c)
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return &form{}, err
	}
	forms, err := parseBody(body)
	switch {
	case err != nil:
		return nil, err
	case len(forms.objects) == 0:
		return &form{}, nil
	case len(forms.objects) > 1:
		return nil, fault.New(fault.ConflictingIdentifiers, "the body names %d records; one request is about one", len(forms.objects))
	}
	return forms.only()
}

// readBody reads the bytes of a body that says it is JSON, or says nothing. TooSlow,
// TooLarge, InvalidJSON, UnsupportedMedia.
func readBody(c *gin.Context) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, mostBody))
	if large, is := errors.AsType[*http.MaxBytesError](err); is {
		return nil, fault.New(fault.TooLarge, "the body is larger than %d bytes", large.Limit)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.Header("Connection", "close") // whatever still comes is no request
		return nil, fault.New(fault.TooSlow, "the body did not arrive in time; send it without pauses")
	}
	if err != nil {
		return nil, fault.Wrap(fault.InvalidJSON, err, "the body broke off before its end")
	}
	if len(body) > 0 && !saysJSON(c.Request.Header) {
		return nil, fault.New(fault.UnsupportedMedia, "the body must be labelled Content-Type: application/json, not %q", c.GetHeader("Content-Type"))
	}
	c.Set(bodyBytes, body)
	return body, nil
}

// saysJSON reports whether the headers label a body as JSON, or leave it unlabelled.
// The form label is what curl adds by itself; from a browser it is a form.
func saysJSON(h http.Header) bool {
	label := h.Get("Content-Type")
	if label == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(label)
	switch {
	case err != nil:
		return false
	case media == "application/x-www-form-urlencoded":
		return h.Get("Origin") == "" && h.Get("Sec-Fetch-Site") == ""
	}
	return media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")
}

// forms is a parsed body: one object, or the objects of an array.
type forms struct {
	objects []*form
	wrapped bool
}

// only returns the one object. InvalidJSON: there is none, or more.
func (f forms) only() (*form, error) {
	if len(f.objects) != 1 {
		return nil, fault.New(fault.InvalidJSON, "the body must hold one JSON object, not %d", len(f.objects))
	}
	return f.objects[0], nil
}

// parseBody reads exactly one JSON value, an object or an array of objects, in valid
// UTF-8, without duplicate names and without more levels than there may be. InvalidJSON.
func parseBody(body []byte) (forms, error) {
	var f forms
	if tooDeep(body) {
		return f, fault.New(fault.InvalidJSON, "the body nests arrays and objects more than %d levels deep", mostLevels)
	}
	d := jsontext.NewDecoder(bytes.NewReader(body))
	switch d.PeekKind() {
	case '{':
		object, err := parseObject(d)
		if err != nil {
			return f, err
		}
		f.objects = append(f.objects, object)
	case '[':
		f.wrapped = true
		if err := parseArray(d, &f); err != nil {
			return f, err
		}
	default:
		if _, err := d.ReadToken(); err != nil {
			return f, notJSON(err)
		}
		return f, fault.New(fault.InvalidJSON, "the body must be a JSON object")
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return f, fault.New(fault.InvalidJSON, "the body must hold one JSON value and nothing after it")
	}
	return f, nil
}

// tooDeep reports whether a body has more levels than there may be. It takes it for
// JSON: up to where it is not, the levels are right.
func tooDeep(body []byte) bool {
	level, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch b := body[i]; {
		case quoted && b == '\\':
			i++ // the next byte is of the text
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[' || b == '{':
			level++
		case b == ']' || b == '}':
			level--
		}
		if level > mostLevels {
			return true
		}
	}
	return false
}

func parseArray(d *jsontext.Decoder, f *forms) error {
	if _, err := d.ReadToken(); err != nil {
		return notJSON(err)
	}
	for d.PeekKind() == '{' {
		object, err := parseObject(d)
		if err != nil {
			return err
		}
		f.objects = append(f.objects, object)
	}
	end, err := d.ReadToken()
	if err != nil {
		return notJSON(err)
	}
	if end.Kind() != ']' {
		return fault.New(fault.InvalidJSON, "the array must hold JSON objects only")
	}
	return nil
}

func parseObject(d *jsontext.Decoder) (*form, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, notJSON(err)
	}
	object := &form{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, notJSON(err)
		}
		field := name.String()
		raw, err := d.ReadValue()
		if err != nil {
			return nil, notJSON(err)
		}
		object.set(field, valueOf(raw))
	}
	_, err := d.ReadToken()
	return object, err
}

func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(fault.InvalidJSON, "the body is empty or ends before its JSON does")
	}
	return fault.New(fault.InvalidJSON, "the body is not valid JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
}
