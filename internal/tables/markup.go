package tables

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// markup reads the XML of a part, token by token, with bounded memory.
type markup struct {
	decoder *xml.Decoder
	from    *tokenReader
	name    string
}

// maxToken bounds a tag or a text. A text of 32,767 characters has at most ten bytes a
// character, as &#x1F600; does.
const maxToken = 512 << 10

func newMarkup(p *part) *markup {
	from := &tokenReader{from: bufio.NewReaderSize(p, 32<<10)}
	d := xml.NewDecoder(from)
	d.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, refuse(Malformed, "The workbook's part %q is in the encoding %q. Open it in a spreadsheet program and save it again.", p.name, charset)
	}
	return &markup{decoder: d, from: from, name: p.name}
}

// next returns the next tag or text, and io.EOF at the end of the part. A text is valid until
// the next call.
func (m *markup) next() (xml.Token, error) {
	for {
		m.from.read = 0
		token, err := m.decoder.RawToken()
		if err != nil {
			return nil, m.explain(err)
		}
		switch t := token.(type) {
		case xml.StartElement, xml.EndElement, xml.CharData:
			return token, nil
		case xml.Directive:
			return nil, refuse(Malformed, "The workbook's part %q has a declaration <!%s>, which no workbook has. Open it in a spreadsheet program and save it again.", m.name, firstWord(string(t)))
		}
	}
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word[:min(len(word), 20)]
}

// text returns the text up to the end of the element whose start was read last. Elements inside
// it count too.
func (m *markup) text() (string, error) {
	var b strings.Builder
	for depth := 1; depth > 0; {
		token, err := m.inside()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			b.Write(t)
		}
		if b.Len() > maxToken {
			return "", m.explain(errLongToken)
		}
	}
	return b.String(), nil
}

// skip reads to the end of the element whose start was read last.
func (m *markup) skip() error {
	for depth := 1; depth > 0; {
		token, err := m.inside()
		if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return nil
}

// inside is next where the part must not end.
func (m *markup) inside() (xml.Token, error) {
	token, err := m.next()
	if errors.Is(err, io.EOF) {
		return nil, m.broken()
	}
	return token, err
}

func (m *markup) broken() error {
	return refuse(Malformed, "The workbook's part %q ends in the middle. Get the whole file, or open it in a spreadsheet program and save it again.", m.name)
}

func (m *markup) explain(err error) error {
	if e, ours := errors.AsType[*Error](err); ours {
		return e
	}
	if errors.Is(err, errLongToken) {
		return refuse(TooLarge, "The workbook's part %q has a text or tag of more than %s. Shorten it.", m.name, bytesOf(maxToken))
	}
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		if strings.Contains(syntax.Msg, "unexpected EOF") {
			return m.broken()
		}
		return refuse(Malformed, "The workbook's part %q is not XML: %s. Open it in a spreadsheet program and save it again.", m.name, syntax.Msg)
	}
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return err
}

// attribute returns an attribute of a tag, whatever its name space.
func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// tokenReader bounds the bytes of one token. The decoder takes single bytes of it and does not
// read ahead.
type tokenReader struct {
	from *bufio.Reader
	read int
}

var errLongToken = errors.New("a token is too long")

func (r *tokenReader) ReadByte() (byte, error) {
	r.read++
	if r.read > maxToken {
		return 0, errLongToken
	}
	return r.from.ReadByte()
}

func (r *tokenReader) Read(p []byte) (int, error) { return r.from.Read(p) }
