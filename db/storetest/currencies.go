package storetest

import (
	"sync/atomic"
	"testing"

	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

func currencies() []clause {
	return []clause{
		{"currencies are returned as they were stored, and listed by id", func(t *testing.T, s Store) {
			var want []trading.Currency
			for _, c := range []trading.Currency{
				{Code: "USD", Name: "US Dollar"},
				{Code: "CHF", Name: "Schweizer Franken – größer"},
				{Code: "€", Name: "Euro, by its sign"},
			} {
				got := must(s.AddCurrency(t.Context(), c))(t)
				c.ID = got.ID
				same(t, "stored currency", got, c)
				want = append(want, c)
			}
			same(t, "currencies", all(t, s.Currencies(t.Context())), want)
			checkRising(t, want, func(c trading.Currency) int64 { return int64(c.ID) })
		}},
		{"a page has the currencies by id, and says how often each is used", func(t *testing.T, s Store) {
			var want []trading.UsedCurrency
			for i, code := range []string{"USD", "EUR", "CHF", "SEK"} {
				used := trading.UsedCurrency{Currency: must(s.AddCurrency(t.Context(), currency(t, code)))(t)}
				for n := range i {
					must(s.AddCompany(t.Context(), trading.Company{Name: "Acme", CurrencyID: used.ID}))(t)
					one := trade("ACME", trading.SideOf(n > 0), 1, "1")
					one.Currency, one.Product = used.Code, trading.Product(n%2)
					must(s.AddTrades(t.Context(), []trading.Trade{one}))(t)
					used.Companies++
					used.Trades++
				}
				want = append(want, used)
			}
			voided := all(t, s.Trades(t.Context()))[0]
			must(s.VoidTrade(t.Context(), voided.ID))(t)
			want[1].Trades--
			for _, limit := range []int{1, 2, 100} {
				same(t, "used currencies", paged(t, limit, func(last trading.UsedCurrency) ([]trading.UsedCurrency, error) {
					return s.CurrencyPage(t.Context(), last.ID, limit)
				}), want)
			}
		}},
		{"a code that exists is refused, and the error has the id of its currency", func(t *testing.T, s Store) {
			for _, spellings := range [][2]string{{"usd", "USD"}, {"é", "É"}, {"Éa", "éA"}} {
				stored := must(s.AddCurrency(t.Context(), currency(t, spellings[0])))(t)
				refusedAsTaken[trading.Currency](t, stored.ID)(s.AddCurrency(t.Context(), currency(t, spellings[1])))
			}
			if got := len(all(t, s.Currencies(t.Context()))); got != 3 {
				t.Errorf("got %d currencies, want 3", got)
			}
		}},
		{"when many add one code at the same time, one succeeds and the others get its id", func(t *testing.T, s Store) {
			var winner, others atomic.Int64
			failures := make([]error, crowd)
			inCrowd(crowd, func(i int) {
				c, err := s.AddCurrency(t.Context(), trading.Currency{Code: "EUR", Name: "Euro"})
				if err == nil {
					winner.Store(int64(c.ID))
				} else {
					others.Add(1)
				}
				failures[i] = err
			})
			if got := others.Load(); got != crowd-1 {
				t.Fatalf("got %d refused calls, want %d", got, crowd-1)
			}
			for _, err := range failures {
				if err != nil {
					refusedAsTaken[int](t, trading.CurrencyID(winner.Load()))(0, err)
				}
			}
		}},
		{"a currency code that is not Plain is accepted after it is registered", func(t *testing.T, s Store) {
			odd := currency(t, "ü2")
			buy := trade("ACME", trading.Buy, 1, "10")
			buy.Currency = odd.Code
			refused(s.AddTrades(t.Context(), []trading.Trade{buy}))(t, fault.Invalid, "currency_code")
			must(s.AddCurrency(t.Context(), odd))(t)
			stored := must(s.AddTrades(t.Context(), []trading.Trade{buy}))(t)
			same(t, "currency of the trade", stored[0].Currency, money.Currency("Ü2"))
		}},
	}
}

func currency(t *testing.T, raw string) trading.Currency {
	t.Helper()
	code := must(money.ParseCurrency(raw))(t)
	return trading.Currency{Code: code, Name: text.Name(code)}
}
