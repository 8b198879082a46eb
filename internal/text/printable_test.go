package text

import "testing"

// TestPrintable: characters that could change a terminal or reorder its text are escaped.
func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"Büro 7 €":                  "Büro 7 €",
		"\uFFFD":                    "\uFFFD",
		"a\nb\x1b[2J":               `a\nb\x1b[2J`,
		"\xffx":                     `\xffx`,
		"\u202eabc\u2028\U000E0041": `\u202eabc\u2028\U000e0041`,
		"it's \"so\"":               `it's "so"`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

// TestShellWord: a word is quoted so that a shell reads it as one word.
func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{"/data/app-1.db": "/data/app-1.db", "": "''", "my data": "'my data'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "#7": "'#7'"} {
		if got := ShellWord(word); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
