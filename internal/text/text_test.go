package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"daybook/internal/text"
)

// readers are the parsers of texts, each with its rules.
var readers = map[string]struct {
	parse    func(string) (string, error)
	most     int
	mayEmpty bool
	allowed  string
	compared bool
}{
	"code":   {func(s string) (string, error) { v, err := text.ParseCode(s); return string(v), err }, 64, false, "", true},
	"source": {func(s string) (string, error) { v, err := text.ParseSource(s); return string(v), err }, 255, true, "", true},
	"name":   {func(s string) (string, error) { v, err := text.ParseName(s); return string(v), err }, 255, false, "", false},
	"label":  {func(s string) (string, error) { v, err := text.ParseLabel(s); return string(v), err }, 255, true, "", false},
	"reason": {func(s string) (string, error) { v, err := text.ParseReason(s); return string(v), err }, 500, true, "", false},
	"note":   {func(s string) (string, error) { v, err := text.ParseNote(s); return string(v), err }, 4000, true, "\n\t", false},
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

// TestUnshown: a text that is compared, such as a code, must have no invisible character. A text that is
// only read keeps such characters, because some scripts need them.
func TestUnshown(t *testing.T) {
	unshown := []rune{
		0x61C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, // all of Bidi_Control
		0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xAD, 0x180E, 0x34F, // without width
		0x2061, 0x2064, 0x206A, 0x206F, 0xFFF9, 0xFFFB, 0x1D173, 0xE0001, 0xE0041, 0xE007F, // format characters
		0xFE00, 0xFE0F, 0xE0100, 0xE01EF, 0x180B, 0x180F, // variation selectors
		0x115F, 0x1160, 0x17B4, 0x3164, 0xFFA0, 0x2065, 0xFFF0, 0xE0FFF, // fillers, and code points reserved for them
		0x2028, 0x2029, // separators of lines and paragraphs
		0x2800, // blank Braille
	}
	for r := range unicode.MaxRune + 1 {
		if unicode.In(r, unicode.Bidi_Control, unicode.Join_Control, unicode.Variation_Selector) {
			unshown = append(unshown, r)
		}
	}
	for _, c := range unshown {
		raw := "a" + string(c) + "b"
		for name, r := range readers {
			got, err := r.parse(raw)
			if r.compared && (err == nil || !strings.HasPrefix(err.Error(), "must not contain invisible characters, got U+")) {
				t.Errorf("%s with %U: got %q, %v, want it refused", name, c, got, err)
			}
			if !r.compared && (err != nil || got != raw) {
				t.Errorf("%s with %U: got %q, %v, want it kept", name, c, got, err)
			}
		}
	}
	for _, c := range []rune{'é', 'ß', '漢', 'ا', 'ש', 'ไ', '🙂', '\u0600', '\u06dd', '\u0301', '\u00a0', '€'} {
		raw := "a" + string(c) + "b"
		for name, r := range readers {
			if got, err := r.parse(raw); err != nil || norm.NFC.String(got) != norm.NFC.String(raw) {
				t.Errorf("%s with %U: got %q, %v, want it kept", name, c, got, err)
			}
		}
	}
}

// TestATextThatShowsNothingIsEmpty: a text with only invisible characters counts as empty, however many
// it has. A parser that compares refuses it.
func TestATextThatShowsNothingIsEmpty(t *testing.T) {
	for _, raw := range []string{
		"\u200b", "\u2060", "\u00ad", "\ufeff", "\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\u034f", "\u180e", "\ufe0f", "\u2063",
		"\u200b \u00a0\u200d", " \u200e\u3000\u2800 ", "\u2028", strings.Repeat("\u200b", 64),
	} {
		for name, r := range readers {
			got, err := r.parse(raw)
			if got != "" || (err == nil) != r.mayEmpty && !r.compared || err == nil && !r.mayEmpty {
				t.Errorf("%s %+q: got %+q, %v, want an empty text, with an error unless the text may be empty (%t)", name, raw, got, err, r.mayEmpty)
			}
		}
	}
	for _, raw := range []string{"a\u200b", "\u200bא", "\u200d🙂\u200d", "\u2800a", "\u0301", "-", "\u0600"} {
		if got, err := text.ParseName(raw); err != nil || string(got) != raw {
			t.Errorf("%+q: got %+q, %v, want it kept", raw, got, err)
		}
	}
	if got, err := text.ParseCode("\u2800\u2800"); err == nil {
		t.Errorf("got the code %+q, want it refused", got)
	}
}

// TestNFC: a text that is compared is made NFC before its characters are counted. A text that is only
// read stays as it was sent.
func TestNFC(t *testing.T) {
	const decomposed, composed = "E\u0301tudes \u212b", "\u00c9tudes \u00c5"
	for name, r := range readers {
		want := decomposed
		if r.compared {
			want = composed
		}
		if got, err := r.parse(decomposed); err != nil || got != want {
			t.Errorf("%s: got %+q, %v, want %+q", name, got, err, want)
		}
	}
	if got, err := text.ParseCode(strings.Repeat("e\u0301", 64)); err != nil || got != text.Code(strings.Repeat("é", 64)) {
		t.Errorf("got %q, %v, want 64 letters", got, err)
	}
	if got, err := text.ParseCode(strings.Repeat("\u0958", 33)); err == nil { // two characters each in NFC
		t.Errorf("got %q, want 66 characters refused", got)
	}
	if got, err := text.ParseCode("a" + strings.Repeat("\u0301", 40)); err == nil {
		t.Errorf("got %q, want a letter with 40 marks refused", got)
	}
}

func TestNoteKeepsItsLines(t *testing.T) {
	got, err := text.ParseNote("\r\none\r\n\ttwo\n\r\nthree\r\n")
	if want := text.Note("one\n\ttwo\n\nthree"); err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// FuzzReaders: a text that a parser accepts obeys the rules, and parsing it again gives the same text.
func FuzzReaders(f *testing.F) {
	for _, seed := range []string{"", "a", " é ", "one\r\ntwo", "\xff", "\x00", "\u0085", "\ufeffx", "E\u0301tudes", "a\u202eb", "\u0958", "\u1100\u1161", strings.Repeat("é", 300)} {
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
			if r.compared && (!norm.NFC.IsNormalString(got) || strings.ContainsFunc(got, func(c rune) bool { return unicode.In(c, unicode.Bidi_Control, unicode.Join_Control) })) {
				t.Errorf("%s %q: got %+q, want NFC without invisible characters", name, raw, got)
			}
			if strings.ContainsFunc(got, func(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune(r.allowed, c) }) {
				t.Errorf("%s %q: got %q, want no control characters", name, raw, got)
			}
		}
		if got := text.Shorten(raw); utf8.RuneCountInString(got) > 41 {
			t.Errorf("%q: got %q, want at most 41 characters", raw, got)
		}
	})
}

// TestFold: codes that are equal after some case mapping or composition fold to the same text, in any
// script.
func TestFold(t *testing.T) {
	fold := func(r rune) string { return text.Code(r).Fold() }
	for r := range unicode.MaxRune + 1 {
		if !utf8.ValidRune(r) {
			continue
		}
		if decomposed := norm.NFD.String(string(r)); decomposed != string(r) {
			if got, want := text.Code(decomposed).Fold(), fold(r); got != want || !norm.NFC.IsNormalString(want) {
				t.Errorf("%c %U: got %+q decomposed, want %+q, in NFC", r, r, got, want)
			}
		}
		if r == 'İ' || r == 'ı' {
			continue // their other case is that of the letter i, which they are not
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
	for _, pair := range [][2]text.Code{{"a", "b"}, {"é", "e"}, {"A1", "A2"}, {"İ", "i"}, {"ı", "i"}, {"İST", "ist"}, {"é", "è"}, {"Å", "A"}, {"ż", "z"}} {
		if pair[0].Fold() == pair[1].Fold() {
			t.Errorf("%q and %q: got the same fold, want different ones", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]text.Code{
		{"ÉTUDES", "e\u0301tudes"}, {"\u212bngstro\u0308m", "ÅNGSTRÖM"}, {"\u1fb4", "Α\u0301\u0399"}, {"q\u0323\u0307", "Q\u0307\u0323"},
		{"İST", "i\u0307st"}, {"STRASSE", "straße"}, {"ẞ", "ß"}, {"ﬁ", "FI"}, {"ΌΣΟΣ", "όσος"}, {"각", "\u1100\u1161\u11a8"},
	} {
		if pair[0].Fold() != pair[1].Fold() {
			t.Errorf("%+q and %+q: got the folds %+q and %+q, want the same", pair[0], pair[1], pair[0].Fold(), pair[1].Fold())
		}
	}
	letters := rapid.StringOfN(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("iIjſKÅαᾳΑẞßéǰ\u0301\u0307\u0308\u0323\u0327"))), -1, -1, -1)
	rapid.Check(t, func(t *rapid.T) {
		c := norm.NFC.String(letters.Draw(t, "code")) // as every code is
		want := text.Code(c).Fold()
		if strings.ContainsAny(c, "İı") {
			return
		}
		for _, other := range []string{strings.ToUpper(c), strings.ToLower(c), norm.NFC.String(c), norm.NFD.String(c), want} {
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

// TestALongTextIsNotComposed: a text of a mebibyte is refused before it is made NFC, so that it takes
// little memory. As a control, a text that has the allowed length after composition is accepted.
func TestALongTextIsNotComposed(t *testing.T) {
	long := strings.Repeat("\ufb2c", 1<<20/3)
	if n := testing.AllocsPerRun(3, func() {
		if _, err := text.ParseCode(long); err == nil || !strings.HasPrefix(err.Error(), "must have at most") {
			t.Errorf("got %v, want an error that the text is too long", err)
		}
	}); n > 8 {
		t.Errorf("got %v allocations, want at most 8, for the error", n)
	}
	decomposed := strings.Repeat("e\u0323\u0302", text.MaxCode)
	if got, err := text.ParseCode(decomposed); err != nil || got != text.Code(strings.Repeat("\u1ec7", text.MaxCode)) {
		t.Errorf("got %q, %v, want it composed", got, err)
	}
}
