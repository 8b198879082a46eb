package sqlite

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// TestAPageIsFoundAlongTheRightIndex: SQLite reads each kind of page along the intended index, and sorts
// only where it must. Among two million records, the cost of a page depends on this.
func TestAPageIsFoundAlongTheRightIndex(t *testing.T) {
	const (
		sorted    = "USE TEMP B-TREE FOR ORDER BY"
		sortedIDs = "USE TEMP B-TREE FOR LAST TERM OF ORDER BY"
	)
	department, account := new(budget.DepartmentID(1)), new(budget.AccountID(1))
	year, period, currency := new(fiscal.Year(2026)), new(fiscal.Period(3)), new(money.Currency("EUR"))
	s := openStore(t)
	for name, c := range map[string]struct {
		page page
		at   sortKey // where the page begins
		want []string
	}{
		"lines": {linePage(budget.LineFilter{}), sortKey{id: 9}, []string{"SEARCH budget_lines USING INDEX sqlite_autoindex_budget_lines_2 (id>?)"}},
		"lines of a currency": {
			linePage(budget.LineFilter{Currency: currency}), sortKey{id: 9}, []string{"SCAN budget_lines", sorted},
		},
		"lines of an account": {
			linePage(budget.LineFilter{KeyFilter: budget.KeyFilter{AccountID: account}}), sortKey{id: 9},
			[]string{"SEARCH budget_lines USING INDEX budget_lines_by_gl_account (gl_account_id=? AND id>?)"},
		},
		"actuals of a department": {
			actualPage(budget.ActualFilter{KeyFilter: budget.KeyFilter{DepartmentID: department}}), sortKey{id: 9},
			[]string{"SEARCH actuals USING INDEX actuals_by_department (department_id=? AND id>?)"},
		},
		"lines of a month by amount": {
			linePage(budget.LineFilter{KeyFilter: budget.KeyFilter{Year: year, Period: period}, Sort: budget.SortByAmount}), sortKey{number: 7, id: 9},
			[]string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=? AND fiscal_period=?)", sorted},
		},
		"lines by amount": {linePage(budget.LineFilter{Sort: budget.SortByAmount}), sortKey{number: 7, id: 9}, []string{"SCAN budget_lines", sorted}},
		"lines by period": {
			linePage(budget.LineFilter{Sort: budget.SortByPeriod}), sortKey{number: 202603, id: 9},
			[]string{"SEARCH budget_lines USING PRIMARY KEY ((fiscal_year,fiscal_period)>(?,?))", sortedIDs},
		},
		"lines by department": {
			linePage(budget.LineFilter{Sort: budget.SortByDepartment}), sortKey{text: "a", id: 9},
			[]string{"SEARCH departments USING COVERING INDEX sqlite_autoindex_departments_1 (code_key>?)", "SEARCH budget_lines USING INDEX budget_lines_by_department (department_id=?)"},
		},
		"actuals by account": {
			actualPage(budget.ActualFilter{Sort: budget.SortByAccount, Down: true}), sortKey{text: "a", id: 9},
			[]string{"SEARCH gl_accounts USING COVERING INDEX sqlite_autoindex_gl_accounts_1 (code_key<?)", "SEARCH actuals USING INDEX actuals_by_gl_account (gl_account_id=?)"},
		},
		"lines of an account by department": {
			linePage(budget.LineFilter{KeyFilter: budget.KeyFilter{AccountID: new(budget.AccountID(1))}, Sort: budget.SortByDepartment}), sortKey{text: "a", id: 9},
			[]string{"SEARCH budget_lines USING INDEX budget_lines_by_gl_account (gl_account_id=?)", "SEARCH departments USING INTEGER PRIMARY KEY (rowid=?)", sorted},
		},
		"actuals of a department by account": {
			actualPage(budget.ActualFilter{KeyFilter: budget.KeyFilter{DepartmentID: new(budget.DepartmentID(1))}, Sort: budget.SortByAccount, Down: true}), sortKey{text: "a", id: 9},
			[]string{"SEARCH actuals USING INDEX actuals_by_department (department_id=?)", "SEARCH gl_accounts USING INTEGER PRIMARY KEY (rowid=?)", sorted},
		},
		"lines of a year by account": {
			linePage(budget.LineFilter{KeyFilter: budget.KeyFilter{Year: year}, Sort: budget.SortByAccount}), sortKey{text: "a", id: 9},
			[]string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=?)", "SEARCH gl_accounts USING INTEGER PRIMARY KEY (rowid=?)", sorted},
		},
		"lines of a currency by department": {
			linePage(budget.LineFilter{Currency: currency, Sort: budget.SortByDepartment}), sortKey{text: "a", id: 9},
			[]string{"SCAN budget_lines", "SEARCH departments USING INTEGER PRIMARY KEY (rowid=?)", sorted},
		},
		"trades": {tradePage(trading.TradeFilter{Currency: currency}), sortKey{id: 9}, []string{"SEARCH trades USING INTEGER PRIMARY KEY (rowid>?)"}},
		"trades of a symbol": {
			tradePage(trading.TradeFilter{Symbol: new(trading.Symbol("A"))}), sortKey{id: 9},
			[]string{"SEARCH trades USING COVERING INDEX trades_by_instrument (symbol=?)", sorted},
		},
		"trades by symbol": {
			tradePage(trading.TradeFilter{Sort: trading.SortBySymbol}), sortKey{text: "A", id: 9},
			[]string{"SEARCH trades USING COVERING INDEX trades_by_instrument (symbol>?)", sortedIDs},
		},
		"trades by price":   {tradePage(trading.TradeFilter{Sort: trading.SortByPrice}), sortKey{number: 7, id: 9}, []string{"SCAN trades", sorted}},
		"the latest trades": {tradePage(trading.TradeFilter{Sort: trading.SortByDate, Down: true}), sortKey{number: 7, id: 9}, []string{"SEARCH trades USING INDEX trades_by_date (traded_at<?)"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.page.after = c.page.written(c.at)
			q, err := c.page.query()
			if err != nil {
				t.Fatal(err)
			}
			if got := planOf(t, s, q); !slices.Equal(got, c.want) {
				t.Errorf("%s: got the plan\n%s\nwant\n%s", q.text, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			c.page.after = ""
			if q, err = c.page.query(); err != nil {
				t.Fatal(err)
			}
			if got := along(planOf(t, s, q)); !slices.Equal(got, along(c.want)) {
				t.Errorf("the first page: %s: got the plan\n%s\nwant that of the next page\n%s", q.text, strings.Join(got, "\n"), strings.Join(along(c.want), "\n"))
			}
		})
	}
}

// TestSortedPostingsAreReadAlongTheirKey: whatever is filtered, a sorted list of postings is read along the key of its
// table, or along the index of the department or the account that it is asked for. SQLite would filter a smaller index, and
// look up each record in it. As a control, it does so without INDEXED BY.
func TestSortedPostingsAreReadAlongTheirKey(t *testing.T) {
	s := openStore(t)
	year, period, version := new(fiscal.Year(2026)), new(fiscal.Period(3)), new(budget.Original)
	department, account, currency := new(budget.DepartmentID(1)), new(budget.AccountID(1)), new(money.Currency("EUR"))
	source := new(text.Source("ERP"))
	pages := map[string]page{}
	for choice := range 1 << 6 {
		f := budget.LineFilter{
			KeyFilter: budget.KeyFilter{
				Year: chosen(choice, 0, year), Period: chosen(choice, 1, period),
				DepartmentID: chosen(choice, 2, department), AccountID: chosen(choice, 3, account),
			},
			Currency: chosen(choice, 4, currency), Version: chosen(choice, 5, version),
		}
		for _, f.Sort = range budget.Sorts() {
			for _, f.Down = range []bool{false, true} {
				pages[fmt.Sprintf("lines %06b %s %t", choice, f.Sort, f.Down)] = linePage(f)
				pages[fmt.Sprintf("actuals %06b %s %t", choice, f.Sort, f.Down)] = actualPage(budget.ActualFilter{
					KeyFilter: f.KeyFilter, Currency: f.Currency, Source: chosen(choice, 5, source), Sort: f.Sort, Down: f.Down,
				})
			}
		}
	}
	lookedUp := func(q query) bool { // a sorted list that scans an index
		plan := strings.Join(planOf(t, s, q), "\n")
		scans := strings.Contains(plan, "SCAN budget_lines USING") || strings.Contains(plan, "SCAN actuals USING")
		return scans && strings.Contains(plan, "USE TEMP B-TREE FOR ORDER BY")
	}
	controls, indexedBy := 0, regexp.MustCompile(` INDEXED BY \w+`)
	for name, p := range pages {
		for _, p.after = range []listing.Place{"", p.written(sortKey{id: 9})} {
			q, err := p.query()
			if err != nil {
				continue // the place is of a text
			}
			if lookedUp(q) {
				t.Errorf("%s: %s: got each record looked up, want it read along the key: %s", name, q.text, strings.Join(planOf(t, s, q), "; "))
			}
			if unhinted := indexedBy.ReplaceAllString(q.text, ""); unhinted != q.text && lookedUp(query{unhinted, q.bound}) {
				controls++
			}
		}
	}
	if controls == 0 {
		t.Error("the control: got no list that SQLite reads along another index, want some")
	}
}

// chosen returns the value if a choice has the bit, else nil.
func chosen[T any](choice, bit int, value *T) *T {
	if choice>>bit&1 == 0 {
		return nil
	}
	return value
}

// along returns the steps of a plan without the ranges that they read: the tables, the indexes, the sorts.
func along(steps []string) (paths []string) {
	for _, step := range steps {
		step, _, _ = strings.Cut(step, " (")
		paths = append(paths, strings.NewReplacer("SEARCH ", "", "SCAN ", "", " USING PRIMARY KEY", "").Replace(step)) // a scan is along the primary key
	}
	return paths
}

// planOf returns how SQLite finds and sorts the rows of a query.
func planOf(t *testing.T, s *Store, q query) (steps []string) {
	t.Helper()
	q.text = "EXPLAIN QUERY PLAN " + q.text
	err := s.scan(t.Context(), func(c *scanner) error {
		plan, err := cursor.Prepare[struct {
			ID, Parent, NotUsed int64
			Detail              string
		}](c.conn, q.text)
		if err != nil {
			return err
		}
		for step, err := range plan.All(q.bound...) {
			if err != nil {
				return err
			}
			if step.Parent == 0 && !strings.Contains(step.Detail, "SUBQUERY") {
				steps = append(steps, step.Detail)
			}
		}
		return plan.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// TestActualsInAnyOrder: while two processes store, change and delete actuals at random, each page, from
// any place in any order, has the records that the test expects.
func TestActualsInAnyOrder(t *testing.T) {
	s, other := openTwoWithPostings(t)
	departments, accounts := codes(t, s)
	chance := rand.New(rand.NewPCG(11, 7))
	sorts := map[budget.Sort]func(a, b budget.Actual) int{
		budget.SortByID:     func(_, _ budget.Actual) int { return 0 },
		budget.SortByAmount: func(a, b budget.Actual) int { return cmp.Compare(a.Amount, b.Amount) },
		budget.SortByDepartment: func(a, b budget.Actual) int {
			return cmp.Compare(departments[a.DepartmentID], departments[b.DepartmentID])
		},
		budget.SortByAccount: func(a, b budget.Actual) int { return cmp.Compare(accounts[a.AccountID], accounts[b.AccountID]) },
		budget.SortByPeriod: func(a, b budget.Actual) int {
			return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Period, b.Period))
		},
	}
	first, err := s.ActualPage(t.Context(), budget.ActualFilter{Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	all := first.Records
	for range 300 {
		var sent []budget.Actual
		for range chance.IntN(4) {
			sent = append(sent, budget.Actual{
				Key: budget.Key{
					DepartmentID: pick(chance, departments), AccountID: pick(chance, accounts),
					Year: fiscal.Year(2024 + chance.IntN(3)), Period: fiscal.Period(1 + chance.IntN(12)),
				},
				Amount: money.Amount(chance.IntN(9) - 4), Currency: "EUR", Source: []text.Source{"ERP", "cards"}[chance.IntN(2)],
			})
		}
		stored, err := []*Store{s, other}[chance.IntN(2)].IngestActuals(t.Context(), sent)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range stored {
			all = slices.DeleteFunc(all, func(a budget.Actual) bool { return a.ID == one.ID })
			all = append(all, one)
		}
		if len(all) > 1 && chance.IntN(3) == 0 {
			gone := all[chance.IntN(len(all))]
			if _, err := s.DeleteActual(t.Context(), gone.ID); err != nil {
				t.Fatal(err)
			}
			all = slices.DeleteFunc(all, func(a budget.Actual) bool { return a.ID == gone.ID })
		}
		f := budget.ActualFilter{Sort: budget.Sorts()[chance.IntN(len(sorts))], Down: chance.IntN(2) == 0, Limit: 1 + chance.IntN(9)}
		switch chance.IntN(5) {
		case 0:
			f.Source = new(text.Source("cards"))
		case 1:
			f.AccountID = new(pick(chance, accounts))
		case 2:
			f.DepartmentID, f.Year = new(pick(chance, departments)), new(fiscal.Year(2025))
		}
		want := slices.DeleteFunc(slices.Clone(all), func(a budget.Actual) bool {
			return f.Source != nil && a.Source != *f.Source || f.AccountID != nil && a.AccountID != *f.AccountID ||
				f.DepartmentID != nil && a.DepartmentID != *f.DepartmentID || f.Year != nil && a.Year != *f.Year
		})
		slices.SortFunc(want, func(a, b budget.Actual) int { return cmp.Or(sorts[f.Sort](a, b), cmp.Compare(a.ID, b.ID)) })
		if f.Down {
			slices.Reverse(want)
		}
		checkPageFrom(t, f.Limit, want, chance, func(after listing.Place, limit int) (listing.Page[budget.Actual], error) {
			f := f
			f.After, f.Limit = after, limit
			return s.ActualPage(t.Context(), f)
		})
		checkWhole(t, s, f, want)
	}
}

// TestTradesInAnyOrder is TestActualsInAnyOrder for trades.
func TestTradesInAnyOrder(t *testing.T) {
	s := openStore(t)
	chance := rand.New(rand.NewPCG(3, 5))
	sorts := map[trading.Sort]func(a, b trading.Trade) int{
		trading.SortByID:     func(_, _ trading.Trade) int { return 0 },
		trading.SortByDate:   func(a, b trading.Trade) int { return a.Date.Compare(b.Date) },
		trading.SortBySymbol: func(a, b trading.Trade) int { return cmp.Compare(a.Symbol, b.Symbol) },
		trading.SortByShares: func(a, b trading.Trade) int { return cmp.Compare(a.Shares, b.Shares) },
		trading.SortByPrice:  func(a, b trading.Trade) int { return cmp.Compare(a.Price, b.Price) },
	}
	var all []trading.Trade
	for range 150 {
		stored, err := s.AddTrades(t.Context(), []trading.Trade{{
			Instrument: trading.Instrument{
				Symbol: trading.Symbol("abBC"[chance.IntN(4):][:1]), Currency: []money.Currency{"USD", "EUR"}[chance.IntN(2)],
				Product: trading.Product(chance.IntN(2)),
			},
			Shares: trading.Shares(1 + chance.IntN(5)), Side: trading.SideOf(chance.IntN(4) > 0), Price: money.Price(chance.IntN(5)),
			Date: time.Date(2026, 1, 1+chance.IntN(9), 0, 0, 0, 0, time.UTC), // not in the order of the ids
		}})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, stored...)
		if chance.IntN(4) == 0 {
			gone := all[chance.IntN(len(all))]
			if _, err := s.VoidTrade(t.Context(), gone.ID); err != nil {
				t.Fatal(err)
			}
			all = slices.DeleteFunc(all, func(one trading.Trade) bool { return one.ID == gone.ID })
		}
		f := trading.TradeFilter{Sort: trading.Sorts()[chance.IntN(len(sorts))], Down: chance.IntN(2) == 0, Limit: 1 + chance.IntN(9)}
		matches := func(trading.Trade) bool { return true }
		switch chance.IntN(7) {
		case 0:
			f.Currency = new(money.Currency("EUR"))
			matches = func(one trading.Trade) bool { return one.Currency == *f.Currency }
		case 1:
			f.Symbol = new(trading.Symbol("B"))
			matches = func(one trading.Trade) bool { return one.Symbol == *f.Symbol }
		case 2:
			f.Product = new(trading.Product(1))
			matches = func(one trading.Trade) bool { return one.Product == *f.Product }
		case 3:
			f.Side = new(trading.Sell)
			matches = func(one trading.Trade) bool { return one.Side == *f.Side }
		case 4:
			f.From, f.To = new(time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)), new(time.Date(2026, 1, 6, 0, 0, 0, 0, time.UTC))
			matches = func(one trading.Trade) bool { return !one.Date.Before(*f.From) && one.Date.Before(*f.To) }
		}
		want := slices.DeleteFunc(slices.Clone(all), func(one trading.Trade) bool { return !matches(one) })
		slices.SortFunc(want, func(a, b trading.Trade) int { return cmp.Or(sorts[f.Sort](a, b), cmp.Compare(a.ID, b.ID)) })
		if f.Down {
			slices.Reverse(want)
		}
		checkPageFrom(t, f.Limit, want, chance, func(after listing.Place, limit int) (listing.Page[trading.Trade], error) {
			f := f
			f.After, f.Limit = after, limit
			return s.TradePage(t.Context(), f)
		})
	}
}

// checkPageFrom reads a page that begins at a random place of a list, and compares it with the whole
// list.
func checkPageFrom[T comparable](
	t *testing.T, limit int, list []T, chance *rand.Rand, read func(after listing.Place, limit int) (listing.Page[T], error),
) {
	t.Helper()
	after, first := listing.Place(""), 0
	if len(list) > 1 && chance.IntN(3) > 0 {
		first = 1 + chance.IntN(len(list)-1)
		before, err := read("", first)
		if err != nil || before.Next == "" {
			t.Fatalf("got %v, %v, want a page that is not the last", before, err)
		}
		after = before.Next
	}
	got, err := read(after, limit)
	want := list[first:min(first+limit, len(list))]
	if err != nil || !slices.Equal(got.Records, want) || (got.Next == "") != (first+limit >= len(list)) {
		t.Fatalf("at most %d after %d of %v: got %v, %v, want %v", limit, first, list, got, err, want)
	}
}

// codes creates departments and accounts besides those of openTwoWithPostings. It returns the folded
// codes of some; the others get no postings.
func codes(t *testing.T, s *Store) (map[budget.DepartmentID]string, map[budget.AccountID]string) {
	t.Helper()
	departments, accounts := map[budget.DepartmentID]string{1: "d"}, map[budget.AccountID]string{1: "a"}
	for i := range 30 {
		code := text.Code(fmt.Sprint("c", i*7%30))
		department, err := s.CreateDepartment(t.Context(), budget.Department{Code: code, Name: "D", Active: true})
		if err != nil {
			t.Fatal(err)
		}
		account, err := s.CreateAccount(t.Context(), budget.Account{Code: code, Type: budget.Opex})
		if err != nil {
			t.Fatal(err)
		}
		if i%5 == 0 {
			departments[department.ID], accounts[account.ID] = code.Fold(), code.Fold()
		}
	}
	return departments, accounts
}

// pick returns a random key of a map. With the same random numbers it is always the same.
func pick[K cmp.Ordered, V any](chance *rand.Rand, from map[K]V) K {
	keys := slices.Sorted(func(yield func(K) bool) {
		for k := range from {
			if !yield(k) {
				return
			}
		}
	})
	return keys[chance.IntN(len(keys))]
}

// TestAPlaceOfAnotherOrder: a page is refused if it is to begin at a place of another order, or at
// something that is no place.
func TestAPlaceOfAnotherOrder(t *testing.T) {
	s := openStore(t)
	sqlitetest.Fill(t, s)
	encoded := func(s string) listing.Place { return listing.Place(base64.RawURLEncoding.EncodeToString([]byte(s))) }
	for _, after := range []listing.Place{
		"x", "1", encoded("amount\n1\nx\n"), encoded("amount\nx\n1\n"), encoded("amount\n1\n1"),
		actualPage(budget.ActualFilter{Sort: budget.SortByAmount, Down: true}).written(sortKey{id: 1}),
		actualPage(budget.ActualFilter{Sort: budget.SortByDepartment}).written(sortKey{id: 1}),
	} {
		f := budget.ActualFilter{Sort: budget.SortByAmount, After: after, Limit: 1}
		if got, err := s.ActualPage(t.Context(), f); fault.KindOf(err) != fault.Invalid {
			t.Errorf("after %q: got %v, %v, want it refused", after, got, err)
		}
	}
}

// TestAMadeUpPlaceIsRefused: a place is refused if no page can have returned it in this form. As
// controls, places in the form of a page are accepted. In a list by id, every number is a place.
func TestAMadeUpPlaceIsRefused(t *testing.T) {
	for _, c := range []struct {
		by    trading.Sort
		place string
		taken bool
	}{
		{"", "1", true},
		{"", "0", true},
		{"", "-1", true},
		{"", "one", false},
		{"symbol", "1\n0\nC", true},
		{"symbol", "0\n0\nC", false},
		{"symbol", "-1\n0\nC", false},
		{"symbol", "01\n0\nC", false},
		{"symbol", "1\n9223372036854775807\nC", false},
		{"symbol", "1\n-0\nC", false},
		{"price", "1\n7\n", true},
		{"price", "1\n7\nC", false},
		{"price", "1\n+7\n", false},
		{"price", "0\n7\n", false},
	} {
		p := tradePage(trading.TradeFilter{Sort: c.by})
		place := listing.Place(c.place)
		if c.by != "" {
			place = listing.Place(base64.RawURLEncoding.EncodeToString([]byte(p.order() + "\n" + c.place)))
		}
		p.after = place
		if _, err := p.query(); (err == nil) != c.taken {
			t.Errorf("by %q, %q: got %v, want it accepted: %t", c.by, c.place, err, c.taken)
		}
	}
}
