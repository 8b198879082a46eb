package trading_test

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/big"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// taken returns the position after trades of one instrument.
func taken(t *testing.T, of trading.Instrument, trades ...trading.Trade) trading.Position {
	t.Helper()
	for i := range trades {
		trades[i].Instrument = of
	}
	p, err := trading.Fold(trading.Position{}, sound(trades), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func bookOf(positions []trading.Position, quotes ...trading.Quote) *trading.Book {
	return trading.NewBook(stubStore{held: inventory{positions, quotes}})
}

func holdings(t interface {
	Helper()
	Fatal(args ...any)
}, book *trading.Book, f trading.HoldingFilter) []trading.Holding {
	t.Helper()
	page, err := book.HoldingPage(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func stock(symbol trading.Symbol, currency money.Currency) trading.Instrument {
	return trading.Instrument{Symbol: symbol, Currency: currency, Product: trading.StockTrade}
}

func TestHoldings(t *testing.T) {
	const unit = 100_000_000
	buy := func(n int64, at money.Price, minute int) trading.Trade {
		return traded(trading.Buy, n, at*unit, minute)
	}
	sell := func(n int64, at money.Price, minute int) trading.Trade {
		return traded(trading.Sell, n, at*unit, minute)
	}
	option := stock("ACME", "USD")
	option.Product = trading.OptionCallTrade
	positions := []trading.Position{
		taken(t, stock("ACME", "USD"), buy(100, 95, 0), buy(200, 105, 1), buy(100, 107, 2), sell(150, 110, 3)),
		taken(t, option, buy(10, 5, 0)),
		taken(t, stock("B", "EUR"), buy(5, 9, 0), sell(8, 10, 1)),
		taken(t, stock("C", "USD"), buy(5, 9, 0), sell(5, 10, 1)),
		taken(t, stock("ÄX", "USD"), sell(30, 10, 0)),
	}
	book := bookOf(positions, trading.Quote{Company: "äx", Price: 12 * unit, Currency: "USD"}, trading.Quote{Company: "acme", Price: 120 * unit, Currency: "USD"})
	got := holdings(t, book, trading.HoldingFilter{Limit: 9})
	var printed []string
	for _, h := range got {
		marked := "never"
		if !h.Mark.At.IsZero() {
			marked = h.Mark.At.Sub(day).String()
		}
		printed = append(printed, fmt.Sprintf("%s %d: %d at %s (%s, %s): %s, %s unrealised, %s realised, %s%%, %d trades",
			h.Symbol, h.Product, h.Quantity, h.Mark.Price, h.Mark.Source, marked, h.Value, h.Unrealised, h.Realised, h.Weight, h.Trades))
	}
	want := `ACME 0: 250 at 120 (company, never): 30000, 4250 unrealised, 1050 realised, 98.65%, 4 trades
ACME 1: 10 at 5 (last_trade, 0s): 50, 0 unrealised, 0 realised, 0.16%, 1 trades
B 0: -3 at 10 (last_trade, 1m0s): -30, 0 unrealised, 5 realised, 100%, 2 trades
C 0: 0 at 10 (last_trade, 1m0s): 0, 0 unrealised, 5 realised, 0%, 2 trades
ÄX 0: -30 at 12 (company, never): -360, -60 unrealised, 0 realised, 1.18%, 1 trades`
	if strings.Join(printed, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(printed, "\n"), want)
	}
	wantPortfolios := `EUR -30 = 0 + -30, 0 and 5, 1 held, 2 trades
USD 29690 = 30050 + -360, 4190 and 1055, 3 held, 8 trades`
	printed = nil
	portfolios, total, err := book.Portfolios(t.Context())
	if err != nil || total != len(portfolios) {
		t.Errorf("got %d portfolios of %d, %v, want all", len(portfolios), total, err)
	}
	for _, p := range portfolios {
		printed = append(printed, fmt.Sprintf("%s %s = %s + %s, %s and %s, %d held, %d trades",
			p.Currency, p.Value, p.Long, p.Short, p.Unrealised, p.Realised, p.Positions, p.Trades))
	}
	if strings.Join(printed, "\n") != wantPortfolios {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(printed, "\n"), wantPortfolios)
	}
}

// TestPortfoliosAddUpWhatPositionsPrint: each amount of a portfolio is the sum of the amounts of its
// positions as they are printed, each rounded by itself.
func TestPortfoliosAddUpWhatPositionsPrint(t *testing.T) {
	prices := rapid.Int64Range(1, 100_000_000)
	rapid.Check(t, func(t *rapid.T) {
		var positions []trading.Position
		for i := range rapid.IntRange(1, 9).Draw(t, "positions") {
			held := trading.Position{}
			for minute := range rapid.IntRange(1, 5).Draw(t, "trades") {
				one := traded(trading.SideOf(rapid.Bool().Draw(t, "buys")), rapid.Int64Range(1, 9).Draw(t, "shares"), money.Price(prices.Draw(t, "price")), minute)
				one.Instrument = stock(trading.Symbol(fmt.Sprintf("S%d", i)), "EUR")
				var err error
				if held, err = held.Take(one); err != nil {
					t.Fatal(err)
				}
			}
			positions = append(positions, held)
		}
		book := bookOf(positions, trading.Quote{Company: "S0", Price: money.Price(prices.Draw(t, "mark")), Currency: "EUR"})
		portfolios, _, err := book.Portfolios(context.Background())
		if err != nil || len(portfolios) != 1 {
			t.Fatalf("got %d portfolios, %v, want one", len(portfolios), err)
		}
		got := portfolios[0]
		value, unrealised, realised, long, short := new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)
		for _, h := range holdings(t, book, trading.HoldingFilter{Limit: 10}) {
			add(t, value, h.Value)
			add(t, unrealised, h.Unrealised)
			add(t, realised, h.Realised)
			switch {
			case h.Quantity > 0:
				add(t, long, h.Value)
			case h.Quantity < 0:
				add(t, short, h.Value)
			}
		}
		for name, total := range map[string]struct {
			got  money.Exact
			want *big.Rat
		}{
			"value": {got.Value, value}, "unrealised": {got.Unrealised, unrealised}, "realised": {got.Realised, realised},
			"long": {got.Long, long}, "short": {got.Short, short},
		} {
			if want := shortest(total.want.FloatString(8)); total.got.String() != want {
				t.Errorf("%s: got %s, want %s, the sum of what the positions print", name, total.got, want)
			}
		}
	})
}

func add(t *rapid.T, to *big.Rat, printed money.Exact) {
	amount, ok := new(big.Rat).SetString(printed.String())
	if !ok {
		t.Fatalf("got %q, want a decimal", printed)
	}
	to.Add(to, amount)
}

// TestPagesOfHoldings: the weights on a page are parts of all positions, not of those on the page.
func TestPagesOfHoldings(t *testing.T) {
	var positions []trading.Position
	for _, symbol := range []trading.Symbol{"A", "B", "C"} {
		for _, currency := range []money.Currency{"EUR", "USD"} {
			positions = append(positions, taken(t, stock(symbol, currency), traded(trading.Buy, 1, 100_000_000, 0)))
		}
	}
	positions = append(positions, taken(t, stock("D", "USD"), traded(trading.Buy, 1, 100_000_000, 0), traded(trading.Sell, 1, 100_000_000, 0)))
	b, usd, nothing := trading.Symbol("B"), money.Currency("USD"), trading.Symbol("AB")
	for _, c := range []struct {
		filter trading.HoldingFilter
		want   string
	}{
		{trading.HoldingFilter{Limit: 4}, "A EUR, A USD, B EUR, B USD"},
		{trading.HoldingFilter{Limit: 3, After: stock("B", "EUR")}, "B USD, C EUR, C USD"},
		{trading.HoldingFilter{Limit: 3, Currency: &usd}, "A USD, B USD, C USD"},
		{trading.HoldingFilter{Limit: 1, Currency: &usd, After: stock("A", "USD")}, "B USD"},
		{trading.HoldingFilter{Limit: 4, Symbol: &b}, "B EUR, B USD"},
		{trading.HoldingFilter{Limit: 4, Symbol: &b, After: stock("B", "EUR")}, "B USD"},
		{trading.HoldingFilter{Limit: 4, Symbol: &b, After: stock("C", "EUR")}, ""},
		{trading.HoldingFilter{Limit: 4, Symbol: &b, Currency: &usd}, "B USD"},
		{trading.HoldingFilter{Limit: 4, Symbol: &nothing}, ""},
		{trading.HoldingFilter{Limit: 9, After: stock("C", "EUR")}, "C USD, D USD"},
		{trading.HoldingFilter{Limit: 9, After: stock("C", "EUR"), Open: new(true)}, "C USD"},
		{trading.HoldingFilter{Limit: 9, Open: new(false)}, "D USD"},
	} {
		var got []string
		for _, h := range holdings(t, bookOf(positions), c.filter) {
			got = append(got, fmt.Sprint(h.Symbol, " ", h.Currency))
			want := "33.33"
			if h.Quantity == 0 {
				want = "0"
			}
			if h.Weight.String() != want {
				t.Errorf("%+v: got the weight %s for %s, want %s", c.filter, h.Weight, h.Symbol, want)
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%+v: got %v, want %s", c.filter, got, c.want)
		}
	}
}

// TestPortfoliosOfManyCurrencies: only the currencies with the most trades get a portfolio, and all are
// counted.
func TestPortfoliosOfManyCurrencies(t *testing.T) {
	var positions []trading.Position
	for i := range 3 * trading.MostPortfolios {
		trades := []trading.Trade{traded(trading.Buy, 1, 1, 0)}
		if i%3 == 2 {
			trades = append(trades, traded(trading.Buy, 1, 1, 1))
		}
		positions = append(positions, taken(t, stock("A", money.Currency(fmt.Sprintf("C%03d", i))), trades...))
	}
	got, total, err := bookOf(positions).Portfolios(t.Context())
	if err != nil || total != len(positions) || len(got) != trading.MostPortfolios {
		t.Fatalf("got %d portfolios of %d, %v, want %d of %d", len(got), total, err, trading.MostPortfolios, len(positions))
	}
	for i, p := range got {
		if want := positions[3*i+2].Currency; p.Currency != want || p.Trades != 2 {
			t.Fatalf("portfolio %d: got %d trades in %s, want 2 in %s", i, p.Trades, p.Currency, want)
		}
	}
}

// manyPositions is an inventory of many instruments. It makes each position when it is read. It measures
// the live heap when nearly all were read.
type manyPositions struct {
	many int
	heap *uint64
}

func (c manyPositions) Quotes() iter.Seq2[trading.Quote, error] { return yielded[trading.Quote](nil) }

func (c manyPositions) Traded() iter.Seq2[trading.Traded, error] {
	return yielded([]trading.Traded{{Currency: "USD", Trades: int64(c.many)}})
}

func (c manyPositions) Positions(trading.Instrument) iter.Seq2[trading.Position, error] {
	return func(yield func(trading.Position, error) bool) {
		for i := range c.many {
			if i == c.many-1 {
				*c.heap = liveHeap()
			}
			of := stock(trading.Symbol(fmt.Sprintf("%064d", i)), "USD")
			if !yield(trading.Position{Instrument: of, Quantity: 1, Average: money.AverageAt(1), Last: 2, Trades: 1}, nil) {
				return
			}
		}
	}
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// manyStore is a store that has only a manyPositions.
type manyStore struct {
	trading.Store
	of manyPositions
}

func (c manyStore) Holdings(_ context.Context, read func(trading.Inventory) error) error {
	return read(c.of)
}

// TestHoldingsHoldOnePage: the memory for a page of positions, and for a portfolio, does not grow with
// the number of instruments. As a control, the memory to collect all positions does.
func TestHoldingsHoldOnePage(t *testing.T) {
	const most = 2 << 20
	c := manyPositions{many: 30_000, heap: new(uint64)}
	book := trading.NewBook(manyStore{of: c})
	for name, read := range map[string]func() error{
		"a page": func() error {
			page, err := book.HoldingPage(t.Context(), trading.HoldingFilter{Limit: 1})
			if len(page) != 1 || page[0].Weight.String() != "0" {
				t.Errorf("got %v, want one of many", page)
			}
			return err
		},
		"a portfolio": func() error {
			sums, _, err := book.Portfolios(t.Context())
			if len(sums) != 1 || sums[0].Positions != int64(c.many) {
				t.Errorf("got %v, want the sum of all", sums)
			}
			return err
		},
	} {
		before := liveHeap()
		if err := read(); err != nil {
			t.Fatal(err)
		}
		if *c.heap > before+most {
			t.Errorf("%s: got %d bytes more than %d, want at most %d", name, *c.heap-before, before, most)
		}
	}
	before, gathered := liveHeap(), []trading.Position(nil)
	for p, err := range c.Positions(trading.Instrument{}) {
		if err != nil {
			t.Fatal(err)
		}
		gathered = append(gathered, p)
	}
	if *c.heap < before+most {
		t.Errorf("as a control: got %d bytes for %d positions, want more than %d", *c.heap-before, len(gathered), most)
	}
}

// TestMarks: the price of a company is used for a position only if exactly one company has the name of
// the symbol and the same currency. Otherwise the price of the last trade is used.
func TestMarks(t *testing.T) {
	held := taken(t, stock("ACME", "USD"), traded(trading.Buy, 1, 7, 0))
	usd, eur := trading.Quote{Company: "Acme", Price: 9, Currency: "USD"}, trading.Quote{Company: "acme", Price: 5, Currency: "EUR"}
	for _, c := range []struct {
		quotes []trading.Quote
		want   money.Price
	}{
		{nil, 7}, {[]trading.Quote{usd}, 9}, {[]trading.Quote{eur}, 7}, {[]trading.Quote{eur, usd}, 9},
		{[]trading.Quote{usd, usd}, 7}, {[]trading.Quote{{Company: "ACME Inc.", Price: 9, Currency: "USD"}}, 7},
	} {
		got := holdings(t, bookOf([]trading.Position{held}, c.quotes...), trading.HoldingFilter{Limit: 1})[0].Mark
		if got.Price != c.want || (got.Source == trading.CompanyMark) != (c.want != 7) {
			t.Errorf("%v: got %v, want %d", c.quotes, got, c.want)
		}
	}
}

// TestResultsEqualRationalArithmetic: after any trades, also those that change a position from long to
// short, the realised and unrealised results are those of rational arithmetic. Together they are the
// value minus the net cost.
func TestResultsEqualRationalArithmetic(t *testing.T) {
	results(t, rapid.Int64Range(1, 1_000_000), rapid.Int64Range(0, 100_000_000_000_000), false)
}

// TestResultsOfManyTies draws figures whose results are often exact halves.
func TestResultsOfManyTies(t *testing.T) {
	results(t, rapid.Int64Range(1, 6), rapid.Custom(func(t *rapid.T) int64 { return 1_000 * rapid.Int64Range(0, 20).Draw(t, "price") }), false)
}

// TestResultsBeyond64Bits draws figures whose product has up to 120 bits. With so many units, the error
// of the average becomes so large that a result near a half may be rounded like the half.
func TestResultsBeyond64Bits(t *testing.T) {
	results(t, rapid.Int64Range(1, 1<<57), rapid.Int64Range(0, 999_999_999_999_999_999), true)
}

// TestResultsNextToAHalf sells units of two lots so that the result is a half, or as close to one as a
// result of that many units can be. There are up to 2^29 units and two blends.
func TestResultsNextToAHalf(t *testing.T) {
	lots := rapid.OneOf(rapid.Int64Range(1, 1<<28), rapid.Int64Range(1<<27, 1<<28))
	prices := rapid.Int64Range(0, 999_999_999_999_900_000)
	tried := 0
	rapid.Check(t, func(t *rapid.T) {
		trades := []trading.Trade{
			traded(trading.Buy, lots.Draw(t, "first lot"), money.Price(prices.Draw(t, "first price")), 0),
			traded(trading.Buy, lots.Draw(t, "second lot"), money.Price(prices.Draw(t, "second price")), 1),
			traded(trading.Sell, 1, money.Price(prices.Draw(t, "sold at")), 2),
		}
		if !nextToAHalf(trades, rapid.Int64Range(-3, 3).Draw(t, "off")) {
			return
		}
		tried++
		held, exact, paid := trading.Position{}, exactly{average: new(big.Rat)}, new(big.Rat)
		for _, one := range trades {
			var err error
			if held, err = held.Take(one); err != nil {
				t.Fatal(err)
			}
			exact.take(one)
			paid.Add(paid, times(int64(one.Shares)*int64(one.Side), ratOf(one.Price)))
		}
		resultAgrees(t, held, exact, paid, money.Price(prices.Draw(t, "mark")+1), false)
	})
	if tried == 0 {
		t.Error("got no result next to a half, want some")
	}
}

// nextToAHalf changes how much is sold, and both prices by a little, so that the realised result differs
// from half of 0.0001 by off parts of a price unit. The number of these parts is the number of units
// bought. It returns false if it finds no such change.
func nextToAHalf(trades []trading.Trade, off int64) bool {
	const half, whole = 5_000, 10_000 // of 0.0001, in price units
	units := big.NewInt(int64(trades[0].Shares + trades[1].Shares))
	paid := new(big.Int)
	for _, bought := range trades[:2] {
		paid.Add(paid, new(big.Int).Mul(big.NewInt(int64(bought.Shares)), big.NewInt(int64(bought.Price))))
	}
	kept := new(big.Int).ModInverse(paid, units) // kept * paid = off, modulo units
	if kept == nil || off == 0 {
		return false
	}
	kept.Mul(kept, big.NewInt(off)).Mod(kept, units)
	sold := new(big.Int).Sub(units, kept)
	inverse := new(big.Int).ModInverse(new(big.Int).Neg(sold), big.NewInt(whole))
	if inverse == nil {
		return false
	}
	cost := new(big.Int).Mul(kept, paid)
	cost.Sub(cost, big.NewInt(off)).Div(cost, units)
	got := new(big.Int).Mul(sold, big.NewInt(int64(trades[2].Price)))
	more := big.NewInt(half)
	more.Sub(more, cost).Add(more, paid).Sub(more, got).Mul(more, inverse).Mod(more, big.NewInt(whole))
	trades[0].Price += money.Price(more.Int64())
	trades[1].Price += money.Price(more.Int64())
	trades[2].Shares = trading.Shares(sold.Int64())
	return true
}

func results(t *testing.T, shares, prices *rapid.Generator[int64], near bool) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		held, exact, paid := trading.Position{}, exactly{average: new(big.Rat)}, new(big.Rat)
		for i := range rapid.IntRange(1, 50).Draw(t, "trades") {
			n := shares.Draw(t, "shares")
			if h := held.Shares(); h > 0 && rapid.IntRange(0, 5).Draw(t, "closes") == 0 {
				n = h
			}
			if n = min(n, math.MaxInt64-held.Shares()); n == 0 {
				return
			}
			one := traded(trading.SideOf(rapid.Bool().Draw(t, "buys")), n, money.Price(prices.Draw(t, "price")), i)
			var err error
			if held, err = held.Take(one); err != nil {
				t.Fatal(err)
			}
			exact.take(one)
			paid.Add(paid, times(n*int64(one.Side), ratOf(one.Price)))
			if held.Trades != int64(i)+1 || !held.First.Equal(day) || held.Last != one.Price {
				t.Fatalf("trade %d: got %d trades from %v, the last at %s", i, held.Trades, held.First, held.Last)
			}
			mark := money.Price(prices.Filter(func(p int64) bool { return p > 0 }).Draw(t, "mark"))
			resultAgrees(t, held, exact, paid, mark, near)
		}
	})
}

// resultAgrees compares the results of a position with exact arithmetic. If near is set, a result close
// to a half may be rounded like the half: as close as the error of the average, which grows with the
// units and the blends.
func resultAgrees(t *rapid.T, held trading.Position, exact exactly, paid *big.Rat, mark money.Price, near bool) {
	got := holdings(t, bookOf([]trading.Position{held}, trading.Quote{Company: text.Name(held.Symbol), Price: mark, Currency: held.Currency}), trading.HoldingFilter{Limit: 1})[0]
	value, cost := times(exact.quantity, ratOf(mark)), times(exact.quantity, exact.average)
	unrealised, realised := new(big.Rat).Sub(value, cost), new(big.Rat).Sub(cost, paid)
	none, off := new(big.Rat), new(big.Rat)
	if near {
		off = offBy(held.Trades, held.Shares())
	}
	for name, figure := range map[string]struct {
		got       money.Exact
		want, off *big.Rat
	}{
		"value":      {got.Value, value, none},
		"unrealised": {got.Unrealised, unrealised, off},
		"realised":   {got.Realised, realised, off},
		"both":       {got.Realised.Plus(got.Unrealised), new(big.Rat).Sub(value, paid), new(big.Rat).Add(off, off)},
	} {
		if !isRounded(figure.got.String(), figure.want, 4, figure.off) {
			t.Fatalf("%s: got %s, want %s (%s)", name, figure.got, shortest(figure.want.FloatString(4)), figure.want.FloatString(30))
		}
	}
	if rest := got.Value.Minus(got.Realised).Minus(got.Unrealised).Minus(held.NetCost.Exact()); rest.Sign() != 0 {
		t.Fatalf("value less both results and the net cost: got sign %d, want 0", rest.Sign())
	}
}

func ratOf(p money.Price) *big.Rat { return big.NewRat(int64(p), 100_000_000) }

func times(n int64, r *big.Rat) *big.Rat { return new(big.Rat).Mul(new(big.Rat).SetInt64(n), r) }

// shortest returns a decimal without trailing zeros, and 0 without a sign.
func shortest(decimal string) string {
	s := strings.TrimRight(strings.TrimRight(decimal, "0"), ".")
	if s == "-0" || s == "" || s == "-" {
		return "0"
	}
	return s
}
