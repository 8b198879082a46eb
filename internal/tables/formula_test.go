package tables_test

import (
	"regexp"
	"testing"

	"daybook/internal/tables"
)

var (
	formula = regexp.MustCompile(`^'*[=+\-@\t\r\n＝＋－＠]`)
	guarded = regexp.MustCompile(`^'+[=+\-@\t\r\n＝＋－＠]`)
)

func TestGuard(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "=1": "'=1", "'=1": "''=1", "''=1": "'''=1", "it's": "it's", "'": "'", "'a": "'a", "＠x": "'＠x", "\tx": "'\tx", "-5 days": "'-5 days", " =1": " =1",
	} {
		if got := tables.Guard(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// FuzzGuard: the guard does what its rule says, and Unguard takes it back, for any text.
func FuzzGuard(f *testing.F) {
	for _, s := range []string{"=1", "''＝x", "'it", "\xff=", "'\n", "", "\u202e=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		safe := tables.Guard(s)
		if want := formula.MatchString(s); want != (safe != s) {
			t.Fatalf("%q: got %q, want a guard %t", s, safe, want)
		}
		if back := tables.Unguard(safe); back != s {
			t.Fatalf("%q: got %q, and back %q", s, safe, back)
		}
		want := s
		if guarded.MatchString(s) {
			want = s[1:]
		}
		if got := tables.Unguard(s); got != want {
			t.Fatalf("%q without its guard: got %q, want %q", s, got, want)
		}
	})
}
