package exchange_test

import (
	"flag"
	"os"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/exchange"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestPreviewAsJSON: a preview with a question, and one with new, changed, doubtful and wrong records, as JSON.
func TestPreviewAsJSON(t *testing.T) {
	db := newKnown(t)
	stored := exchange.Record{"FIN", "6100", "2027", "1", "4", "EUR", "feed"}
	db.stored[keyOf("actuals", stored)] = stored
	for _, c := range []struct {
		golden, file string
		m            exchange.Map
	}{
		{"testdata/previews/questions.json", "Dept;Account;Year;Period;Amount;Currency\nFIN;6100;2027;1;1.234;EUR\n", exchange.Map{}},
		{"testdata/previews/ready.json", "Dept,Account,Year,Period,Amount,Currency\nREVENUES,,,,,\nFIN,6100,2027,1,5.5,EUR\nFIN,6100,2027,2,\"27,9\",EUR\nXX,6100,2027,3,6,EUR\n",
			exchange.Map{Numbers: exchange.Numbers{Decimal: ".", OtherMark: "decimal"}, Accept: []string{"other_mark"}}},
	} {
		p := preview(t, c.file, exchange.Source{Kind: "actuals", Store: db, Map: c.m})
		got, err := json.Marshal(p, jsontext.WithIndent(" "))
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(c.golden, append(got, '\n'), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(c.golden)
		if err != nil {
			t.Fatal(err)
		}
		if string(got)+"\n" != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.golden, got, want)
		}
	}
}

// TestTheMapOfAPreviewComesBack: what a preview proposes does not become an answer when its map comes back with the
// answer to something else, and the years of its headers stay.
func TestTheMapOfAPreviewComesBack(t *testing.T) {
	const file = "Dept,Account,Currency,Jul 2025,Aug 2025,Jan 2026\nFIN,6100,EUR,1.234,2.345,3.456\n"
	source := exchange.Source{Kind: "actuals", Store: newKnown(t)}
	first := preview(t, file, source)
	source.Map = first.Map
	source.Map.Numbers.Decimal = "."
	second := preview(t, file, source)
	if len(first.Questions) != 2 || len(second.Questions) != 1 || second.Questions[0].Code != "year_starts" {
		t.Fatalf("got the questions %+v, then %+v, want year_starts to stay open", first.Questions, second.Questions)
	}
	for answer, want := range map[int][]any{7: {"2026", "1"}, 1: {"2025", "7"}} {
		source.Map = second.Map
		source.Map.Dates.YearStarts = answer
		for range 2 {
			p := preview(t, file, source)
			if p.State != "ready" || p.Counts.New != 3 {
				t.Fatalf("the year starts in %d: got %s, %+v, %+v, want 3 new records", answer, p.State, p.Questions, p.Counts)
			}
			got := p.Sample[0].After.Record
			if got[2] != want[0] || got[3] != want[1] {
				t.Errorf("the year starts in %d: got %v, want the year %s and the period %s", answer, got, want[0], want[1])
			}
			source.Map = p.Map
		}
	}
}
