package exchange_test

import (
	"strings"
	"testing"

	"daybook/internal/exchange"
)

// TestTotalsByAnotherColumn: a total that only a column without a field names is found, and a map skips it by the field label.
func TestTotalsByAnotherColumn(t *testing.T) {
	const head = "department,gl_code,fiscal_year,fiscal_period,currency,Text,amount\n"
	const file = head + "FIN,6100,2027,1,EUR,Rent,5\nFIN,6200,2027,1,EUR,Total gas,6\n,,,,,Summe,11\n,,,,,Travel,\n"
	for _, c := range []testRow{
		{"found", "actuals", file, "2 new FIN 6100 2027 1 5 EUR \n3 new FIN 6200 2027 1 6 EUR \n4 wrong looks_like_total label\nskipped heading 1", ""},
		{"skipped", "actuals", file, "2 new FIN 6100 2027 1 5 EUR \n3 new FIN 6200 2027 1 6 EUR \nskipped by_the_map 1\nskipped heading 1",
			`{"columns":[{"field":"department","header":"department"},{"field":"gl_code","header":"gl_code"},{"field":"fiscal_year","header":"fiscal_year"},{"field":"fiscal_period","header":"fiscal_period"},` +
				`{"field":"currency","header":"currency"},{"field":"label","header":"Text"},{"field":"amount","header":"amount"}],"values":{"label":{"summe":null}}}`},
	} {
		c.run(t, newKnown(t))
	}
}

// TestMendedPostings: a mended posting is doubted where its key has another amount, because that may be the sum of the
// postings that came in without it.
func TestMendedPostings(t *testing.T) {
	const mended = "department,gl_code,fiscal_year,fiscal_period,amount,currency,line,problem\nFIN,6100,2027,1,5,EUR,3,x\nFIN,6200,2027,1,7,EUR,4,x\nOPS,6200,2027,1,7,EUR,5,x\n"
	whole := strings.ReplaceAll(strings.ReplaceAll(mended, ",line,problem", ""), ",x\n", "\n")
	for _, number := range []string{",3\n", ",4\n", ",5\n"} {
		whole = strings.ReplaceAll(whole, number, "\n")
	}
	db := newKnown(t)
	for _, r := range []exchange.Record{{"FIN", "6100", "2027", "1", "12", "EUR", ""}, {"FIN", "6200", "2027", "1", "7", "EUR", ""}} {
		db.stored[keyOf("actuals", r)] = r
	}
	const reads = "2 changed FIN 6100 2027 1 5 EUR \n3 unchanged FIN 6200 2027 1 7 EUR \n4 new OPS 6200 2027 1 7 EUR "
	for _, c := range []testRow{
		{"mended", "actuals", mended, reads + "\n2 doubtful replaces_sum amount=5", ""},
		{"mended, and summed before", "actuals", mended, reads + "\n2 doubtful replaces_sum amount=5", `{"duplicates":"sum"}`},
		{"mended, and not summed", "actuals", mended, reads, `{"duplicates":"last"}`},
		{"whole", "actuals", whole, reads, ""},
	} {
		c.run(t, db)
	}
}
