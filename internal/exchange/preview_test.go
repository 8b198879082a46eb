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
