package storetest

import (
	"context"
	"fmt"
	"testing"

	"daybook/internal/fault"
	"daybook/internal/text"
	"daybook/internal/trading"
)

func revenues() []clause {
	return []clause{
		{"revenues are returned as they were stored, and listed by id for their company only", func(t *testing.T, s Store) {
			acme, other := company(t, s, "Acme"), company(t, s, "Other")
			var want []trading.Revenue
			for _, r := range []trading.Revenue{
				{CompanyID: acme, Category: "Cloud", Amount: amount("99999999999999.9999"), FiscalYear: 2025, CurrencyCode: "USD"},
				{CompanyID: acme, Category: "Cloud", Amount: amount("-99999999999999.9999")},
				{CompanyID: acme, Category: "Services", FiscalYear: 1900},
			} {
				got := must(s.AddRevenue(t.Context(), r))(t)
				r.ID = got.ID
				same(t, "stored revenue", got, r)
				want = append(want, r)
			}
			must(s.AddRevenue(t.Context(), trading.Revenue{CompanyID: other, Category: "Elsewhere"}))(t)
			same(t, "revenues", all(t, s.Revenues(t.Context(), acme)), want)
			checkRising(t, want, func(r trading.Revenue) int64 { return int64(r.ID) })
			same(t, "revenues of an unknown company", all(t, s.Revenues(t.Context(), 99)), []trading.Revenue{})
		}},
		{"a page has the revenues that match, by id, with the name of the company", func(t *testing.T, s Store) {
			companies := []text.Name{"Acme", "Other"}
			ids := []trading.CompanyID{company(t, s, companies[0]), company(t, s, companies[1])}
			var every, others []trading.NamedRevenue
			for i := range 7 {
				r := trading.Revenue{CompanyID: ids[i%2], Category: "Cloud", Amount: amount("1.5")}
				named := trading.NamedRevenue{Revenue: must(s.AddRevenue(t.Context(), r))(t), Company: companies[i%2]}
				every = append(every, named)
				if i%2 == 1 {
					others = append(others, named)
				}
			}
			for _, c := range []struct {
				company *trading.CompanyID
				want    []trading.NamedRevenue
			}{{nil, every}, {&ids[1], others}, {new(trading.CompanyID(99)), nil}} {
				for _, limit := range []int{1, 3, 100} {
					same(t, "named revenues", paged(t, limit, func(last trading.NamedRevenue) ([]trading.NamedRevenue, error) {
						return s.RevenuePage(t.Context(), trading.RevenueFilter{CompanyID: c.company, After: last.ID, Limit: limit})
					}), c.want)
				}
			}
		}},
		{"a revenue of an unknown company is refused", func(t *testing.T, s Store) {
			refused(s.AddRevenue(t.Context(), trading.Revenue{CompanyID: 7, Category: "Cloud"}))(t, fault.UnknownReference, "company_id")
		}},
		{"a currency code that is not Plain is refused, and accepted after it is registered", func(t *testing.T, s Store) {
			r := trading.Revenue{CompanyID: company(t, s, "Acme"), Category: "Cloud", CurrencyCode: "ÉCU"}
			refused(s.AddRevenue(t.Context(), r))(t, fault.Invalid, "currency_code")
			same(t, "revenues", all(t, s.Revenues(t.Context(), r.CompanyID)), []trading.Revenue{})
			must(s.AddCurrency(t.Context(), currency(t, "écu")))(t)
			must(s.AddRevenue(t.Context(), r))(t)
		}},
		{"each category is listed once, and the list is sorted", func(t *testing.T, s Store) {
			acme, other := company(t, s, "Acme"), company(t, s, "Other")
			for _, category := range []text.Name{"Zinc", "Énergie", "Cloud", "cloud", "Zinc", "Cloud"} {
				must(s.AddRevenue(t.Context(), trading.Revenue{CompanyID: acme, Category: category}))(t)
			}
			must(s.AddRevenue(t.Context(), trading.Revenue{CompanyID: other, Category: "Elsewhere"}))(t)
			same(t, "categories", all(t, s.RevenueCategories(t.Context(), acme)), []text.Name{"Cloud", "Zinc", "cloud", "Énergie"})
			same(t, "categories of an unknown company", all(t, s.RevenueCategories(t.Context(), 99)), []text.Name{})
		}},
		{"hundreds of categories are all listed, with one revenue or with several", func(t *testing.T, s Store) {
			acme := company(t, s, "Acme")
			var want []text.Name
			err := s.Atomically(t.Context(), func(ctx context.Context) error {
				want = nil
				for i := range 750 {
					category := text.Name(fmt.Sprintf("Category %04d", i))
					want = append(want, category)
					for range 1 + i%2 {
						if _, err := s.AddRevenue(ctx, trading.Revenue{CompanyID: acme, Category: category}); err != nil {
							return err
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "categories", all(t, s.RevenueCategories(t.Context(), acme)), want)
		}},
	}
}

func company(t *testing.T, s Store, name text.Name) trading.CompanyID {
	t.Helper()
	return must(s.AddCompany(t.Context(), trading.Company{Name: name}))(t).ID
}
