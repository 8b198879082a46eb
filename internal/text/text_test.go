package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"daybook/internal/text"
)

// The readers, by the rules they share.
var readers = map[string]struct {
	parse    func(string) (string, error)
	most     int
	mayEmpty bool
	allowed  string
}{
	"code":  {func(s string) (string, error) { v, err := text.ParseCode(s); return string(v), err }, 64, false, ""},
	"name":  {func(s string) (string, error) { v, err := text.ParseName(s); return string(v), err }, 255, false, ""},
	"label": {func(s string) (string, error) { v, err := text.ParseLabel(s); return string(v), err }, 255, true, ""},
	"note":  {func(s string) (string, error) { v, err := text.ParseNote(s); return string(v), err }, 4000, true, "\n\t"},
}

func TestReaders(t *testing.T) {
	for name, r := range readers {
		for raw, want := range map[string]string{
			"a":                              "a",
			"  trimmed\t\r\n":                "trimmed",
			"\u00a0\u2003inner  space\u3000": "inner  space",
			"Größe 漢字 🙂":                     "Größe 漢字 🙂",
			strings.Repeat("漢", r.most):      strings.Repeat("漢", r.most),
			strings.Repeat(" ", 5000) + "x":  "x",
			`<b>"quoted" & 'more'</b>; --`:   `<b>"quoted" & 'more'</b>; --`,
		} {
			if got, err := r.parse(raw); err != nil || got != want {
				t.Errorf("%s %.40q: got %.40q, %v, want %.40q", name, raw, got, err, want)
			}
		}
		for _, raw := range []string{
			strings.Repeat("漢", r.most+1), strings.Repeat("x", 1<<20),
			"\xff", "a\xc3", "\xed\xa0\x80", // invalid, cut short, a surrogate
			"a\x00b", "a\x1fb", "a\x7fb", "a\u0085b", "a\rb",
		} {
			if got, err := r.parse(raw); err == nil || got != "" || !strings.HasPrefix(err.Error(), "must ") {
				t.Errorf("%s %.40q: got %.40q, %v, want an error that continues a field's name", name, raw, got, err)
			}
		}
		for _, raw := range []string{"", " ", "\n\t"} {
			if got, err := r.parse(raw); got != "" || (err == nil) != r.mayEmpty {
				t.Errorf("%s %q: got %q, %v, want an error: %t", name, raw, got, err, !r.mayEmpty)
			}
		}
		for _, raw := range []string{"one\ntwo", "one\ttwo"} {
			if got, err := r.parse(raw); (err == nil) != (r.allowed != "") {
				t.Errorf("%s %q: got %q, %v, want it allowed: %t", name, raw, got, err, r.allowed != "")
			}
		}
	}
}

func TestNoteKeepsItsLines(t *testing.T) {
	got, err := text.ParseNote("\r\none\r\n\ttwo\n\r\nthree\r\n")
	if want := text.Note("one\n\ttwo\n\nthree"); err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// FuzzReaders: whatever is read is within the rules and reads as itself.
func FuzzReaders(f *testing.F) {
	for _, seed := range []string{"", "a", " é ", "one\r\ntwo", "\xff", "\x00", "\u0085", "\ufeffx", strings.Repeat("é", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for name, r := range readers {
			got, err := r.parse(raw)
			if err != nil {
				continue
			}
			again, err := r.parse(got)
			if err != nil || again != got {
				t.Errorf("%s %q: got %q, %v when read again", name, got, again, err)
			}
			if n := utf8.RuneCountInString(got); n > r.most || n == 0 && !r.mayEmpty || !utf8.ValidString(got) {
				t.Errorf("%s %q: got %q, want 1 to %d characters", name, raw, got, r.most)
			}
			if strings.ContainsFunc(got, func(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune(r.allowed, c) }) {
				t.Errorf("%s %q: got %q, want no control characters", name, raw, got)
			}
		}
		if got := text.Shorten(raw); utf8.RuneCountInString(got) > 41 {
			t.Errorf("%q: got %q, want it short", raw, got)
		}
	})
}

// TestFold: codes that any case mapping makes equal fold alike, whatever the script.
func TestFold(t *testing.T) {
	fold := func(r rune) string { return text.Code(r).Fold() }
	for r := range unicode.MaxRune + 1 {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, other := range []rune{unicode.SimpleFold(r), unicode.ToLower(r), unicode.ToUpper(r), unicode.ToTitle(r)} {
			if other == r {
				continue
			}
			if got, want := fold(other), fold(r); got != want {
				t.Errorf("%c %U: got %q, want %q as of %c %U", other, other, got, want, r, r)
			}
		}
	}
	for _, pair := range [][2]text.Code{{"a", "b"}, {"é", "e"}, {"A1", "A2"}, {"ß", "ss"}} {
		if pair[0].Fold() == pair[1].Fold() {
			t.Errorf("%q and %q fold alike, want them apart", pair[0], pair[1])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.String().Draw(t, "code")
		want := text.Code(c).Fold()
		for _, other := range []string{strings.ToUpper(c), strings.ToLower(c), want} {
			if got := text.Code(other).Fold(); got != want {
				t.Errorf("%q: got %q, want %q as of %q", other, got, want, c)
			}
		}
	})
}

func TestShorten(t *testing.T) {
	for s, want := range map[string]string{
		"":                      "",
		strings.Repeat("é", 40): strings.Repeat("é", 40),
		strings.Repeat("é", 41): strings.Repeat("é", 40) + "…",
	} {
		if got := text.Shorten(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}
