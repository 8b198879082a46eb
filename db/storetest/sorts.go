package storetest

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// largeChart is many departments and accounts, and keys for postings to some of them. The order of the
// codes differs from the order of the ids. There are more departments and accounts than a page needs, and
// several in a row have no postings. No part of a key rises with the id of its posting.
type largeChart struct {
	departments []budget.Department
	accounts    []budget.Account
	keys        []budget.Key
}

func newLargeChart(t *testing.T, s Store) largeChart {
	t.Helper()
	var c largeChart
	for _, code := range []text.Code{
		"g", "F", "É", "d", "C", "b2", "B10", "A",
		"00", "01", "02", "03", "04", "05", "b3", "b4", "b5", "b6", "b7", "d1", "d2", "d3", "d4", "z1", "z2", "z3", "z4", "z5",
	} {
		c.departments = append(c.departments, department(t, s, code))
		c.accounts = append(c.accounts, account(t, s, code))
	}
	for i := range 180 {
		c.keys = append(c.keys, budget.Key{
			DepartmentID: c.departments[i*5%7].ID, // the first seven; the others have none
			AccountID:    c.accounts[i*3%8].ID,    // the first eight
			Year:         fiscal.Year(2024 + i/7%3),
			Period:       fiscal.Period(12 - i/21%12),
		})
	}
	return c
}

// compare compares the keys and amounts of two lines, or of two actuals, in an order.
func (c largeChart) compare(by budget.Sort, a, b budget.Key, amountA, amountB money.Amount) int {
	switch by {
	case budget.SortByAmount:
		return cmp.Compare(amountA, amountB)
	case budget.SortByDepartment:
		return cmp.Compare(c.departments[a.DepartmentID-1].Code.Fold(), c.departments[b.DepartmentID-1].Code.Fold())
	case budget.SortByAccount:
		return cmp.Compare(c.accounts[a.AccountID-1].Code.Fold(), c.accounts[b.AccountID-1].Code.Fold())
	case budget.SortByPeriod:
		return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Period, b.Period))
	default:
		return 0
	}
}

// filters returns one filter for each way in which a store can search.
func (c largeChart) filters() map[string]budget.KeyFilter {
	return map[string]budget.KeyFilter{
		"nothing":     {},
		"department":  {DepartmentID: &c.departments[2].ID},
		"account":     {AccountID: &c.accounts[3].ID},
		"year":        {Year: new(fiscal.Year(2025))},
		"month":       {Year: new(fiscal.Year(2025)), Period: new(fiscal.Period(10))},
		"no postings": {DepartmentID: &c.departments[7].ID},
	}
}

func sortedLines(t *testing.T, s Store) {
	chart := newLargeChart(t, s)
	var sent []budget.Line
	for i, key := range chart.keys {
		sent = append(sent, budget.Line{
			LineKey: budget.LineKey{Key: key, Version: budget.Versions()[i%4]},
			Amount:  money.Amount(i*7%11 - 5), Currency: []money.Currency{"USD", "EUR", "GBP"}[i%3],
		})
	}
	stored := must(s.CreateLines(t.Context(), sent))(t)
	filters := map[string]budget.LineFilter{
		"currency": {Currency: new(money.Currency("EUR"))},
		"version":  {Version: new(budget.Forecast2), KeyFilter: budget.KeyFilter{DepartmentID: &chart.departments[1].ID}},
	}
	for name, f := range chart.filters() {
		filters[name] = budget.LineFilter{KeyFilter: f}
	}
	for name, f := range filters {
		matching := slices.DeleteFunc(slices.Clone(stored), func(l budget.Line) bool {
			return !keyMatches(f.KeyFilter, l.Key) || !valueMatches(f.Version, l.Version) || !valueMatches(f.Currency, l.Currency)
		})
		inEachOrder(t, "lines narrowed by "+name, matching, budget.Sorts(),
			func(by budget.Sort, a, b budget.Line) int {
				return cmp.Or(chart.compare(by, a.Key, b.Key, a.Amount, b.Amount), cmp.Compare(a.ID, b.ID))
			},
			func(by budget.Sort, down bool, after listing.Place, limit int) (listing.Page[budget.Line], error) {
				f.Sort, f.Down, f.After, f.Limit = by, down, after, limit
				return s.LinePage(t.Context(), f)
			})
	}
	page := func(by budget.Sort, after listing.Place) (listing.Page[budget.Line], error) {
		return s.LinePage(t.Context(), budget.LineFilter{Sort: by, After: after, Limit: 10})
	}
	foreignPlacesAreRefused(t, budget.Sorts(), page)
	eachOnce(t, budget.Sorts(), page, func(one budget.Line) budget.LineID { return one.ID }, func(last budget.Line) {
		must(s.UpdateLine(t.Context(), budget.LineRef{ID: last.ID}, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: money.Amount(1_000)}, "amount")}))(t)
	})
}

func sortedActuals(t *testing.T, s Store) {
	chart := newLargeChart(t, s)
	var sent []budget.Actual
	for i, key := range chart.keys {
		sent = append(sent, budget.Actual{
			Key: key, Amount: money.Amount(i*7%11 - 5), Currency: "USD", Source: []text.Source{"ERP", "cards", ""}[i%3],
		})
	}
	must(s.IngestActuals(t.Context(), sent))(t)
	stored := allActuals(t, s) // two sent with the same key are one actual
	filters := map[string]budget.ActualFilter{"source": {Source: new(text.Source("cards"))}}
	for name, f := range chart.filters() {
		filters[name] = budget.ActualFilter{KeyFilter: f}
	}
	for name, f := range filters {
		matching := slices.DeleteFunc(slices.Clone(stored), func(a budget.Actual) bool {
			return !keyMatches(f.KeyFilter, a.Key) || !valueMatches(f.Source, a.Source)
		})
		inEachOrder(t, "actuals narrowed by "+name, matching, budget.Sorts(),
			func(by budget.Sort, a, b budget.Actual) int {
				return cmp.Or(chart.compare(by, a.Key, b.Key, a.Amount, b.Amount), cmp.Compare(a.ID, b.ID))
			},
			func(by budget.Sort, down bool, after listing.Place, limit int) (listing.Page[budget.Actual], error) {
				f.Sort, f.Down, f.After, f.Limit = by, down, after, limit
				return s.ActualPage(t.Context(), f)
			})
	}
	page := func(by budget.Sort, after listing.Place) (listing.Page[budget.Actual], error) {
		return s.ActualPage(t.Context(), budget.ActualFilter{Sort: by, After: after, Limit: 10})
	}
	foreignPlacesAreRefused(t, budget.Sorts(), page)
	eachOnce(t, budget.Sorts(), page, func(one budget.Actual) budget.ActualID { return one.ID }, func(last budget.Actual) {
		last.Amount = 1_000
		must(s.IngestActuals(t.Context(), []budget.Actual{last}))(t)
	})
}

func sortedTrades(t *testing.T, s Store) {
	var sent []trading.Trade
	for i := range 120 {
		one := trade([]string{"b", "A", "C", "a"}[i%4], trading.SideOf(i%2 == 0), trading.Shares(1+i*7%5), "1")
		one.Price = money.Price(i * 5 % 9)
		one.Currency = []money.Currency{"USD", "EUR"}[i/4%2]
		one.Date = noon.Add(time.Duration(i*7%13) * time.Hour)
		sent = append(sent, one)
	}
	stored := must(s.AddTrades(t.Context(), sent))(t)
	compare := func(by trading.Sort, a, b trading.Trade) int {
		switch by {
		case trading.SortByDate:
			return a.Date.Compare(b.Date)
		case trading.SortBySymbol:
			return cmp.Compare(a.Symbol, b.Symbol)
		case trading.SortByShares:
			return cmp.Compare(a.Shares, b.Shares)
		case trading.SortByPrice:
			return cmp.Compare(a.Price, b.Price)
		default:
			return 0
		}
	}
	for name, f := range map[string]trading.TradeFilter{
		"nothing":  {},
		"symbol":   {Symbol: new(trading.Symbol("a"))},
		"currency": {Currency: new(money.Currency("EUR"))},
		"dates":    {From: new(noon.Add(3 * time.Hour)), To: new(noon.Add(9 * time.Hour))},
	} {
		matching := slices.DeleteFunc(slices.Clone(stored), func(one trading.Trade) bool { return !tradeMatches(f, one) })
		inEachOrder(t, "trades narrowed by "+name, matching, trading.Sorts(),
			func(by trading.Sort, a, b trading.Trade) int {
				return cmp.Or(compare(by, a, b), cmp.Compare(a.ID, b.ID))
			},
			func(by trading.Sort, down bool, after listing.Place, limit int) (listing.Page[trading.Trade], error) {
				f.Sort, f.Down, f.After, f.Limit = by, down, after, limit
				return s.TradePage(t.Context(), f)
			})
	}
	page := func(by trading.Sort, after listing.Place) (listing.Page[trading.Trade], error) {
		return s.TradePage(t.Context(), trading.TradeFilter{Sort: by, After: after, Limit: 10})
	}
	foreignPlacesAreRefused(t, trading.Sorts(), page)
	eachOnce(t, trading.Sorts(), page, func(one trading.Trade) trading.TradeID { return one.ID }, func(last trading.Trade) { must(s.VoidTrade(t.Context(), last.ID))(t) })
}

// inEachOrder reads a list to its end in each order and direction. The test fails unless the list has the
// matching records, sorted by compare.
func inEachOrder[T any, Sort ~string](
	t *testing.T, what string, matching []T, sorts []Sort,
	compare func(by Sort, a, b T) int,
	page func(by Sort, down bool, after listing.Place, limit int) (listing.Page[T], error),
) {
	t.Helper()
	for _, by := range sorts {
		want := slices.SortedFunc(slices.Values(matching), func(a, b T) int { return compare(by, a, b) })
		for _, down := range []bool{false, true} {
			for _, limit := range []int{1, 7, 1000} {
				got := inPages(t, limit, func(after listing.Place) (listing.Page[T], error) { return page(by, down, after, limit) })
				same(t, what+", by "+string(by), got, want)
			}
			slices.Reverse(want)
		}
	}
}

// foreignPlacesAreRefused fails the test unless a page is refused that begins at a place of another
// order, or at something that is no place.
func foreignPlacesAreRefused[T any, Sort ~string](t *testing.T, sorts []Sort, page func(by Sort, after listing.Place) (listing.Page[T], error)) {
	t.Helper()
	for i, by := range sorts {
		refused(page(by, "nowhere"))(t, fault.Invalid, "after")
		other := must(page(sorts[(i+1)%len(sorts)], ""))(t)
		refused(page(by, other.Next))(t, fault.Invalid, "after")
	}
}

// eachOnce changes or removes the last record of a page before it reads the next page. The test fails
// unless the list still has each other record once.
func eachOnce[T any, ID, Sort comparable](
	t *testing.T, sorts []Sort,
	page func(by Sort, after listing.Place) (listing.Page[T], error), id func(T) ID, change func(last T),
) {
	t.Helper()
	for _, by := range sorts {
		first := must(page(by, ""))(t)
		last := first.Records[len(first.Records)-1]
		untouched := map[ID]int{}
		for _, one := range inPages(t, 10, func(after listing.Place) (listing.Page[T], error) { return page(by, after) }) {
			untouched[id(one)] = 0
		}
		delete(untouched, id(last))
		change(last)
		rest := inPages(t, 10, func(after listing.Place) (listing.Page[T], error) { return page(by, cmp.Or(after, first.Next)) })
		for _, one := range slices.Concat(first.Records, rest) {
			if _, is := untouched[id(one)]; is {
				untouched[id(one)]++
			}
		}
		for which, times := range untouched {
			if times != 1 {
				t.Errorf("by %v: got record %v %d times, want once: it was not changed", by, which, times)
			}
		}
	}
}
