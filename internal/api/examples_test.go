package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

// TestPositionExample: the published example of trades gives the published positions. The same trades
// with buy and sell exchanged give the opposite positions.
func TestPositionExample(t *testing.T) {
	type trade struct {
		buy           bool
		shares, price string
	}
	for _, inverted := range []bool{false, true} {
		t.Run(fmt.Sprintf("inverted=%t", inverted), func(t *testing.T) {
			s := serve(t)
			for _, step := range []struct {
				trades []trade
				want   string
			}{
				{[]trade{{true, "100", "95"}, {true, "200", "105"}, {true, "100", "107"}}, `"Shares":400,"Product":0,"Type":%t,"Price":103`},
				{[]trade{{false, "150", "110"}}, `"Shares":250,"Product":0,"Type":%t,"Price":103`},
				{[]trade{{true, "50", "100"}, {true, "300", "107.5"}}, `"Shares":600,"Product":0,"Type":%t,"Price":105`},
				{[]trade{{false, "200", "108"}}, `"Shares":400,"Product":0,"Type":%t,"Price":105`},
			} {
				for _, trade := range step.trades {
					s.create(t, "/trade/add", object(t, map[string]any{
						"symbol": "ACME", "currency_code": "USD", "product": 0, "type": trade.buy != inverted,
						"shares": json.Number(trade.shares), "price": json.Number(trade.price),
					}))
				}
				want := `[{"Symbol":"ACME","CurrencyCode":"USD",` + fmt.Sprintf(step.want, !inverted) + `,"Date":"2026-06-30T12:00:00Z"}]`
				for _, method := range []string{http.MethodGet, http.MethodPost} {
					if got := s.send(t, method, "/positions/list", "", http.StatusOK); got != want {
						t.Errorf("after %v: got %s, want %s", step.trades, got, want)
					}
				}
			}
		})
	}
}

// TestVarianceExample: the lines of the published example give the published variance report.
func TestVarianceExample(t *testing.T) {
	s := serve(t)
	s.create(t, "/api/v1/department/create", `{"code":"SALES","name":"Sales"}`)
	s.create(t, "/api/v1/gl-accounts", `{"code":"4000","type":"revenue"}`)
	s.create(t, "/api/v1/gl-accounts", `{"code":"5000","type":"cogs"}`)
	for account, amounts := range [][2]int{{373080, 400855}, {158940, 179336}} {
		key := fmt.Sprintf(`"department_id":1,"gl_account_id":%d,"fiscal_year":2025,"fiscal_period":1,"currency":"USD"`, account+1)
		s.create(t, "/api/v1/budget/create", fmt.Sprintf(`{%s,"amount":%d}`, key, amounts[0]))
		s.send(t, http.MethodPost, "/api/v1/actuals/ingest", fmt.Sprintf(`{%s,"amount":%d}`, key, amounts[1]), http.StatusOK)
	}
	got := read[report](t, s.get(t, "/api/v1/variance?year=2025&period=1&dept=SALES"))
	want := report{
		Department: "SALES", Currency: "USD",
		TotalBudget: "532020", TotalActual: "580191", TotalVariance: "7379", TotalVariancePct: "1.39",
		Lines: []reportLine{
			{GLCode: "4000", Budget: "373080", Actual: "400855", VarianceAbs: "27775", VariancePct: "7.44", Status: "favourable", Currency: "USD"},
			{GLCode: "5000", Budget: "158940", Actual: "179336", VarianceAbs: "-20396", VariancePct: "-12.83", Status: "unfavourable", Currency: "USD"},
		},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
