package storetest

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"daybook/internal/money"
	"daybook/internal/trading"
)

func positions() []clause {
	return []clause{
		{"each trade changes the quantity, price and date of its position", func(t *testing.T, s Store) {
			steps := []struct {
				side   trading.Side
				shares trading.Shares
				at     string
				held   int64
				price  string
			}{
				{trading.Buy, 100, "95", 100, "95"},
				{trading.Buy, 200, "105", 300, "101.66666667"},
				{trading.Buy, 100, "107", 400, "103"},
				{trading.Sell, 150, "110", 250, "103"},
				{trading.Sell, 300, "90", -50, "90"},
				{trading.Sell, 50, "100", -100, "95"},
			}
			for i, step := range steps {
				one := trade("ACME", step.side, step.shares, step.at)
				one.Date = noon.Add(time.Duration(i) * time.Hour)
				must(s.AddTrades(t.Context(), []trading.Trade{one}))(t)
				got := all(t, s.Positions(t.Context()))
				if len(got) != 1 || got[0].Quantity != step.held || got[0].Price() != price(step.price) || !got[0].Date.Equal(one.Date) {
					t.Fatalf("step %d: got %+v, want %d @ %s of %v", i, got, step.held, step.price, one.Date)
				}
			}
			checkPositions(t, s)
		}},
		{"a flat position is not listed until it is traded again", func(t *testing.T, s Store) {
			for _, side := range []trading.Side{trading.Buy, trading.Sell} {
				must(s.AddTrades(t.Context(), []trading.Trade{trade("ACME", side, 5, "9")}))(t)
			}
			same(t, "positions", all(t, s.Positions(t.Context())), []trading.Position{})
			must(s.AddTrades(t.Context(), []trading.Trade{trade("ACME", trading.Sell, 2, "4")}))(t)
			got := all(t, s.Positions(t.Context()))
			if len(got) != 1 || got[0].Quantity != -2 || got[0].Average != money.AverageAt(price("4")) {
				t.Errorf("got %+v, want 2 short @ 4", got)
			}
		}},
		{"positions are listed by symbol, currency and product", func(t *testing.T, s Store) {
			var sent []trading.Trade
			for _, symbol := range []string{"b", "É", "B", "a", "A", "AA", "漢"} {
				for _, currency := range []money.Currency{"USD", "EUR", "123"} {
					for _, product := range []trading.Product{trading.BondTrade, trading.StockTrade, trading.OptionCallTrade} {
						one := trade(symbol, trading.Buy, 1, "1")
						one.Currency, one.Product = currency, product
						sent = append(sent, one)
					}
				}
			}
			must(s.AddTrades(t.Context(), sent))(t)
			if got := len(all(t, s.Positions(t.Context()))); got != len(sent) {
				t.Errorf("got %d positions, want %d", got, len(sent))
			}
			checkPositions(t, s)
		}},
		{"holdings have positions by symbol, currency and product, and the prices of companies", func(t *testing.T, s Store) {
			var sent []trading.Trade
			for _, symbol := range []string{"B", "A"} {
				for _, currency := range []money.Currency{"USD", "EUR"} {
					for _, side := range []trading.Side{trading.Buy, trading.Sell} {
						one := trade(symbol, side, 3, "2")
						one.Currency = currency
						sent = append(sent, one)
					}
				}
			}
			must(s.AddTrades(t.Context(), sent))(t)
			eur := must(s.AddCurrency(t.Context(), currency(t, "EUR")))(t)
			for _, c := range []trading.Company{{Name: "b", Price: price("7"), CurrencyID: eur.ID}, {Name: "A"}, {Name: "B", Price: 1}} {
				must(s.AddCompany(t.Context(), c))(t)
			}
			flat := trading.Position{Date: noon, Last: price("2"), First: noon, Trades: 2}
			want := []trading.Position{flat, flat, flat, flat}
			for i, of := range []int{6, 4, 2, 0} {
				want[i].Instrument = sent[of].Instrument
			}
			held, err := holdings(t, s, trading.Instrument{})
			same(t, "holdings", must(held, err)(t), want)
			held, err = holdings(t, s, want[1].Instrument)
			same(t, "holdings after one", must(held, err)(t), want[2:])
			held, err = holdings(t, s, want[3].Instrument)
			same(t, "holdings after the last", must(held, err)(t), nil)
			var quotes []trading.Quote
			var traded []trading.Traded
			err = s.Holdings(t.Context(), func(i trading.Inventory) error {
				quotes, traded = all(t, i.Quotes()), all(t, i.Traded())
				for _, err := range i.Positions(trading.Instrument{}) {
					return err // Holdings also works if the others are not read
				}
				return nil
			})
			same(t, "quotes", must(quotes, err)(t), []trading.Quote{{Company: "b", Price: price("7"), Currency: "EUR"}})
			same(t, "traded", traded, []trading.Traded{{Currency: "EUR", Trades: 4}, {Currency: "USD", Trades: 4}})
		}},
		{"a back-dated trade counts at its date", func(t *testing.T, s Store) {
			sale := trade("ACME", trading.Sell, 150, "110")
			must(s.AddTrades(t.Context(), []trading.Trade{sale}))(t)
			early := trade("ACME", trading.Buy, 400, "103")
			early.Date = noon.Add(-time.Nanosecond)
			must(s.AddTrades(t.Context(), []trading.Trade{early}))(t)
			got := all(t, s.Positions(t.Context()))
			want := []trading.Position{{
				Instrument: sale.Instrument, Quantity: 250, Average: money.AverageAt(price("103")), Date: sale.Date,
				Last: price("110"), First: early.Date, Trades: 2, NetCost: price("1").Times(400*103 - 150*110),
			}}
			same(t, "positions", got, want)
		}},
		{"after a void the position is as if the trade had never been stored", func(t *testing.T, s Store) {
			first := trade("ACME", trading.Buy, 100, "10")
			second := trade("ACME", trading.Buy, 100, "20")
			second.Date = noon.Add(time.Hour)
			stored := must(s.AddTrades(t.Context(), []trading.Trade{first, second}))(t)
			must(s.VoidTrade(t.Context(), stored[1].ID))(t)
			want := []trading.Position{{
				Instrument: first.Instrument, Quantity: 100, Average: money.AverageAt(first.Price), Date: first.Date,
				Last: first.Price, First: first.Date, Trades: 1, NetCost: first.Price.Times(100),
			}}
			same(t, "positions", all(t, s.Positions(t.Context())), want)
			must(s.VoidTrade(t.Context(), stored[0].ID))(t)
			same(t, "positions", all(t, s.Positions(t.Context())), []trading.Position{})
		}},
		{"a position with thousands of trades on few dates is correct after a void", func(t *testing.T, s Store) {
			long := make([]trading.Trade, many)
			for i := range long {
				long[i] = trade("ACME", trading.SideOf(i%7 != 3), trading.Shares(1+i%5), "1")
				long[i].Price = money.Price(1_000_000_000 + i*i%97)
				long[i].Date = noon.Add(time.Duration(i/1500) * time.Hour)
			}
			stored := must(s.AddTrades(t.Context(), long))(t)
			checkPositions(t, s)
			must(s.VoidTrade(t.Context(), stored[0].ID))(t)
			checkPositions(t, s)
		}},
		{"positions are correct after each step of a random history", func(t *testing.T, s Store) {
			random := rand.New(rand.NewPCG(1, 2))
			var known []trading.TradeID
			for range 60 {
				if len(known) > 0 && random.IntN(4) == 0 {
					i := random.IntN(len(known))
					must(s.VoidTrade(t.Context(), known[i]))(t)
					known = slices.Delete(known, i, i+1)
				} else {
					for _, stored := range must(s.AddTrades(t.Context(), randomTrades(random, 5)))(t) {
						known = append(known, stored.ID)
					}
				}
				checkPositions(t, s)
			}
		}},
	}
}

func randomTrades(random *rand.Rand, n int) []trading.Trade {
	sent := make([]trading.Trade, n)
	for i := range sent {
		symbol := []string{"A", "B", "C"}[random.IntN(3)]
		sent[i] = trade(symbol, trading.SideOf(random.IntN(2) == 0), trading.Shares(1+random.IntN(30)), "1")
		sent[i].Price = money.Price(random.Int64N(1_000_000_000_000))
		sent[i].Product = trading.Product(random.IntN(2))
		sent[i].Date = noon.Add(time.Duration(random.IntN(50)) * time.Hour)
	}
	return sent
}

// checkPositions fails the test unless each position, also a flat one, is the fold of its trades.
func checkPositions(t *testing.T, s Store) {
	t.Helper()
	histories := map[trading.Instrument][]trading.Trade{}
	for _, one := range all(t, s.Trades(t.Context())) {
		histories[one.Instrument] = append(histories[one.Instrument], one)
	}
	want, open := []trading.Position{}, []trading.Position{}
	for _, history := range histories {
		slices.SortFunc(history, func(a, b trading.Trade) int { return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID)) })
		want = append(want, must(trading.Fold(trading.Position{}, sequenceOf(history), nil))(t))
	}
	slices.SortFunc(want, func(a, b trading.Position) int { return a.Compare(b.Instrument) })
	for _, position := range want {
		if position.Quantity != 0 {
			open = append(open, position)
		}
	}
	same(t, "positions", all(t, s.Positions(t.Context())), open)
	held, err := holdings(t, s, trading.Instrument{})
	same(t, "holdings", must(held, err)(t), want)
}

// holdings returns the positions after an instrument, also the flat ones.
func holdings(t *testing.T, s Store, after trading.Instrument) (held []trading.Position, err error) {
	err = s.Holdings(t.Context(), func(i trading.Inventory) error {
		held = all(t, i.Positions(after))
		return nil
	})
	return held, err
}

// sequenceOf yields the records without an error.
func sequenceOf[T any](records []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}
