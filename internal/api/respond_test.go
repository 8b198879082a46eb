package api

import (
	"testing"

	"daybook/internal/text"
	"daybook/internal/trading"
)

// TestAnObjectWithTheMembersOfTwo: the members of the second follow those of the first. A text that is not UTF-8, as a
// damaged database can hold, is an error in either.
func TestAnObjectWithTheMembersOfTwo(t *testing.T) {
	encode := namedRevenue
	for name, c := range map[string]struct {
		revenue trading.NamedRevenue
		want    string // "" for an error
	}{
		"whole":              {trading.NamedRevenue{Revenue: trading.Revenue{ID: 1, Category: "Rent"}, Company: "Acme"}, `{"id":1,"company_id":0,"category":"Rent","amount":0,"fiscal_year":null,"currency_code":null,"company":"Acme"}`},
		"the first damaged":  {trading.NamedRevenue{Revenue: trading.Revenue{Category: text.Name("\xff")}}, ""},
		"the second damaged": {trading.NamedRevenue{Company: text.Name("\xff")}, ""},
	} {
		got, err := encode([]byte("["), &c.revenue)
		if (err != nil) != (c.want == "") || err == nil && string(got) != "["+c.want {
			t.Errorf("%s: got %s, %v, want [%s", name, got, err, c.want)
		}
	}
}
