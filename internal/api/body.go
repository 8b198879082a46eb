package api

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"sync"
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
	if c.Request.Header[keyHeader] != nil {
		c.Set(bodyBytes, body)
	}
	return body, nil
}

// labelled refuses a request that does not say it is JSON, with a body or without: no form
// of another site can say so. It is for what needs no body. UnsupportedMedia.
func labelled(c *gin.Context) error {
	if label := c.GetHeader("Content-Type"); !isJSON(label) {
		return fault.New(fault.UnsupportedMedia,
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

// isJSON reports whether a label is that of JSON.
func isJSON(label string) bool {
	media, _, err := mime.ParseMediaType(label)
	return err == nil && (media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json"))
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
	d, _ := decoders.Get().(*jsontext.Decoder) // nothing else is put there
	defer decoders.Put(d)
	d.Reset(bytes.NewBuffer(body))
	p := parser{d, string(body)}
	switch p.PeekKind() {
	case '{':
		object, err := p.object()
		if err != nil {
			return f, err
		}
		f.objects = append(f.objects, object)
	case '[':
		f.wrapped = true
		if err := p.array(&f); err != nil {
			return f, err
		}
	default:
		if _, err := p.ReadToken(); err != nil {
			return f, notJSON(err)
		}
		return f, fault.New(fault.InvalidJSON, "the body must be a JSON object")
	}
	if _, err := p.ReadToken(); !errors.Is(err, io.EOF) {
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

// decoders are kept for the next body: most of what a decoder allocates is the place
// where it keeps the names of an object.
var decoders = sync.Pool{New: func() any { return jsontext.NewDecoder(&bytes.Buffer{}) }}

// parser reads a body. The fields it finds are parts of its one text.
type parser struct {
	*jsontext.Decoder
	text string
}

func (p parser) array(f *forms) error {
	if _, err := p.ReadToken(); err != nil {
		return notJSON(err)
	}
	for p.PeekKind() == '{' {
		object, err := p.object()
		if err != nil {
			return err
		}
		f.objects = append(f.objects, object)
	}
	end, err := p.ReadToken()
	if err != nil {
		return notJSON(err)
	}
	if end.Kind() != ']' {
		return fault.New(fault.InvalidJSON, "the array must hold JSON objects only")
	}
	return nil
}

func (p parser) object() (*form, error) {
	if _, err := p.ReadToken(); err != nil {
		return nil, notJSON(err)
	}
	const usual = 12 // more fields than a record has
	object := &form{fields: make([]formField, 0, usual)}
	for p.PeekKind() != '}' {
		name, err := p.value()
		if err != nil {
			return nil, notJSON(err)
		}
		v, err := p.value()
		if err != nil {
			return nil, notJSON(err)
		}
		object.set(name.text, v)
	}
	_, err := p.ReadToken()
	return object, err
}

// value reads the next value, or the next name.
func (p parser) value() (value, error) {
	raw, err := p.ReadValue()
	if err != nil {
		return value{}, err
	}
	end := int(p.InputOffset())
	text := p.text[end-len(raw) : end]
	switch {
	case raw.Kind() != '"':
	case strings.IndexByte(text, '\\') < 0:
		text = text[1 : len(text)-1]
	default:
		content, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return value{}, err
		}
		text = string(content)
	}
	return value{raw.Kind(), text}, nil
}

func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(fault.InvalidJSON, "the body is empty or ends before its JSON does")
	}
	return fault.New(fault.InvalidJSON, "the body is not valid JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
}
