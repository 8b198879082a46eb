package storetest

import (
	"math"
	"strings"
	"testing"

	"daybook/internal/fault"
	"daybook/internal/text"
	"daybook/internal/trading"
)

func companies() []clause {
	return []clause{
		{"companies are returned as they were stored, and listed by id; two may have the same name", func(t *testing.T, s Store) {
			usd := must(s.AddCurrency(t.Context(), currency(t, "USD")))(t)
			var want []trading.Company
			for _, c := range []trading.Company{
				{Name: "Acme"},
				{Name: "Acme", SharesOutstanding: 1_000_000, Price: price("12.5"), CurrencyID: usd.ID},
				{Name: text.Name(strings.Repeat("Ж", text.MaxName)), SharesOutstanding: math.MaxInt64, Price: price("9999999999.99999999")},
			} {
				got := must(s.AddCompany(t.Context(), c))(t)
				c.ID = got.ID
				same(t, "stored company", got, c)
				want = append(want, c)
			}
			same(t, "companies", all(t, s.Companies(t.Context())), want)
			checkRising(t, want, func(c trading.Company) int64 { return int64(c.ID) })
		}},
		{"a page has the companies by id, and says how often each is used", func(t *testing.T, s Store) {
			usd := must(s.AddCurrency(t.Context(), currency(t, "USD")))(t)
			var want []trading.UsedCompany
			for i, c := range []trading.Company{{Name: "Acme", Price: price("12.5"), CurrencyID: usd.ID}, {Name: "Acme"}, {Name: "Idle", CurrencyID: usd.ID}} {
				used := trading.UsedCompany{Company: must(s.AddCompany(t.Context(), c))(t)}
				if c.CurrencyID != 0 {
					used.CurrencyCode = usd.Code
				}
				for range 2 - i {
					must(s.AddRevenue(t.Context(), trading.Revenue{CompanyID: used.ID, Category: "Cloud"}))(t)
					used.Revenues++
				}
				want = append(want, used)
			}
			for _, limit := range []int{1, 2, 100} {
				same(t, "used companies", paged(t, limit, func(last trading.UsedCompany) ([]trading.UsedCompany, error) {
					return s.CompanyPage(t.Context(), last.ID, limit)
				}), want)
			}
		}},
		{"a company with an unknown currency is refused, and nothing is stored", func(t *testing.T, s Store) {
			refused(s.AddCompany(t.Context(), trading.Company{Name: "Acme", CurrencyID: 7}))(t, fault.UnknownReference, "currency_id")
			same(t, "companies", all(t, s.Companies(t.Context())), []trading.Company{})
		}},
	}
}
