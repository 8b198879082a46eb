package exchange_test

import "testing"

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
