package tables_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"daybook/internal/tables"
)

// TestMarkEvidence: the mark that the texts of a file prove.
func TestMarkEvidence(t *testing.T) {
	for _, c := range []struct {
		texts   []string
		mark    tables.Mark
		decided bool
		counts  [3]int // point, comma, either
	}{
		{[]string{"FIN", "6100", "2027"}, tables.Point, true, [3]int{}},
		{[]string{"1.234", "12.000"}, tables.Point, false, [3]int{0, 0, 2}},
		{[]string{"1.234", "1,5"}, tables.Comma, true, [3]int{0, 1, 1}},
		{[]string{"1.234", "1.5"}, tables.Point, true, [3]int{1, 0, 1}},
		{[]string{"1.5", "1,5"}, tables.Point, false, [3]int{1, 1, 0}},
		{[]string{"0.123"}, tables.Point, true, [3]int{1, 0, 0}},
		{[]string{".123"}, tables.Point, true, [3]int{1, 0, 0}},
		{[]string{"1234.567"}, tables.Point, true, [3]int{1, 0, 0}},
		{[]string{"1 234.567"}, tables.Point, true, [3]int{1, 0, 0}},
		{[]string{"1,234.567"}, tables.Point, true, [3]int{1, 0, 0}},
		{[]string{"1,234,567"}, tables.Point, true, [3]int{1, 0, 0}},
		{[]string{"1.234.567"}, tables.Comma, true, [3]int{0, 1, 0}},
		{[]string{"12,34,567"}, tables.Point, true, [3]int{1, 0, 0}},
		{[]string{"1'234", "1 234", "5%", "n/a", "5,5%"}, tables.Point, true, [3]int{}},
		{[]string{"(1,234) EUR"}, tables.Point, false, [3]int{0, 0, 1}},
	} {
		var e tables.MarkEvidence
		for i, text := range c.texts {
			e.Add(i+1, 1, text)
		}
		mark, decided := e.Decided()
		if counts := [3]int{e.Point.Count, e.Comma.Count, e.Either.Count}; mark != c.mark || decided != c.decided || counts != c.counts {
			t.Errorf("%q: got %s %t %v, want %s %t %v", c.texts, mark, decided, counts, c.mark, c.decided, c.counts)
		}
	}
}

// TestSpotsAreBounded: the evidence counts every text and keeps a hundred.
func TestSpotsAreBounded(t *testing.T) {
	var e tables.MarkEvidence
	for i := range 1000 {
		e.Add(i, 2, "1.5")
	}
	if e.Point.Count != 1000 || len(e.Point.First) != 100 || e.Point.First[99] != (tables.Spot{Line: 99, Column: 2, Text: "1.5"}) {
		t.Errorf("got %d texts and %d kept, want 1000 and the first 100", e.Point.Count, len(e.Point.First))
	}
}

func TestShift(t *testing.T) {
	for _, c := range []struct {
		value string
		power int
		want  string
	}{
		{"27.9", 6, "27900000"}, {"-0.3", 6, "-300000"}, {"0", 6, "0"}, {"2417", -2, "24.17"}, {"-5", -2, "-0.05"}, {"0.021385479", 3, "21.385479"},
	} {
		if got := tables.Shift(c.value, c.power); got != c.want {
			t.Errorf("%s shifted by %d: got %s, want %s", c.value, c.power, got, c.want)
		}
	}
}

func TestMangled(t *testing.T) {
	for text, want := range map[string]bool{
		"1.23E+11": true, "1,23E+11": true, "2E+11": true, "219E01": false, "1.2E5": false, "12.3E+11": false, "E+11": false, "1.E+11": false, "": false, "1.2aE+11": false,
	} {
		if got := tables.Mangled(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

// FuzzNumber: what reads under a mark is a plain decimal that reads the same again; swapped
// marks read the same under the other mark.
func FuzzNumber(f *testing.F) {
	for _, row := range numberRows(f) {
		f.Add(row.Text)
	}
	swap := strings.NewReplacer(".", ",", ",", ".")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := tables.ParseNumber(s, tables.Point)
		if err != nil {
			if _, typed := errors.AsType[*tables.NumberError](err); !typed || err.Error() == "" {
				t.Fatalf("%q: got %v, want a NumberError", s, err)
			}
			return
		}
		if _, ok := new(big.Rat).SetString(n.Value); !ok || strings.ContainsAny(n.Value, "eE+/ ") {
			t.Fatalf("%q: got %q, want a decimal", s, n.Value)
		}
		again, err := tables.ParseNumber(n.Value, tables.Point)
		if err != nil || again.Value != n.Value {
			t.Fatalf("%q: got %q, then %q, %v", s, n.Value, again.Value, err)
		}
		if strings.HasSuffix(n.Currency, ".") || n.Scale != 0 || n.M {
			return // Fr. and Mio. have a point that is no mark
		}
		other, err := tables.ParseNumber(swap.Replace(s), tables.Comma)
		if err != nil || other.Value != n.Value {
			t.Fatalf("%q: got %q, with swapped marks %q, %v", s, n.Value, other.Value, err)
		}
	})
}
