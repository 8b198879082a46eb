package sqlite

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// What a page of two million records takes is decided by how they are found: a filter must
// be answered along the key or along the ids, never by an index made for the occasion, nor
// in the order of the ids with a record looked up for each.
func TestAPageIsFoundAlongTheRightIndex(t *testing.T) {
	const (
		lineIDs   = "SEARCH budget_lines USING INDEX sqlite_autoindex_budget_lines_2 (id>? AND id<?)"
		lineByID  = "SEARCH budget_lines USING INDEX sqlite_autoindex_budget_lines_2 (id=?)"
		everyLine = "SCAN budget_lines"
	)
	department, account := new(budget.DepartmentID(1)), new(budget.AccountID(1))
	year, period := new(fiscal.Year(2026)), new(fiscal.Period(3))
	lines := func(by budget.Sort, f budget.KeyFilter) page {
		return linePage(budget.LineFilter{Sort: by, KeyFilter: f})
	}
	trades := func(by trading.Sort) page { return tradePage(trading.TradeFilter{Sort: by}) }
	start, finish, somewhere := page{}.start(), page{}.finish(), rank{number: 202603, text: "A", id: 1}
	for name, c := range map[string]struct {
		query query
		want  []string // of the steps that are not about the years there are, nor a list of ids
	}{
		"walk": {linePage(budget.LineFilter{KeyFilter: budget.KeyFilter{Year: year, AccountID: account}, Currency: new(money.Currency("EUR"))}).walked(0, 9), []string{lineIDs}},
		"a currency": {
			linePage(budget.LineFilter{Currency: new(money.Currency("EUR"))}).searched(start, finish), []string{everyLine},
		},
		"an account": {lines("", budget.KeyFilter{AccountID: account}).searched(start, finish), []string{everyLine}},
		"an account of actuals": {
			actualPage(budget.ActualFilter{KeyFilter: budget.KeyFilter{AccountID: account}, Sort: budget.SortByAmount}).searched(start, finish), []string{"SCAN actuals"},
		},
		"a year": {
			lines("", budget.KeyFilter{Year: year}).searched(start, finish), []string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=?)"},
		},
		"department": {
			lines("", budget.KeyFilter{DepartmentID: department}).searched(start, finish),
			[]string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=? AND fiscal_period=? AND version=? AND department_id=?)"},
		},
		"department's account and year": {
			lines("", budget.KeyFilter{DepartmentID: department, AccountID: account, Year: year}).searched(start, finish),
			[]string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=? AND fiscal_period=? AND version=? AND department_id=? AND gl_account_id=?)"},
		},
		"month": {
			lines(budget.SortByAmount, budget.KeyFilter{Year: year, Period: period}).searched(start, finish),
			[]string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=? AND fiscal_period=?)"},
		},
		"amount": {lines(budget.SortByAmount, budget.KeyFilter{}).searched(somewhere, somewhere), []string{everyLine}},
		"period": {
			lines(budget.SortByPeriod, budget.KeyFilter{}).searched(somewhere, finish),
			[]string{"SEARCH budget_lines USING PRIMARY KEY ((fiscal_year,fiscal_period)>(?,?))"},
		},
		"the first by period":    {lines(budget.SortByPeriod, budget.KeyFilter{}).searched(start, finish), []string{everyLine}},
		"the first by account":   {lines(budget.SortByAccount, budget.KeyFilter{}).searched(start, finish), []string{everyLine}},
		"the next by account":    {lines(budget.SortByAccount, budget.KeyFilter{}).searched(start, somewhere), []string{everyLine}},
		"the next by department": {lines(budget.SortByDepartment, budget.KeyFilter{}).searched(start, somewhere), []string{everyLine}},
		"lines that changed":     {lines(budget.SortByAmount, budget.KeyFilter{Year: year, Period: period}).found(nil), []string{lineByID}},
		"trades by id": {
			tradePage(trading.TradeFilter{Symbol: new(trading.Symbol("A")), Currency: new(money.Currency("EUR"))}).walked(0, 9),
			[]string{"SEARCH trades USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
		},
		"trades of a symbol": {
			tradePage(trading.TradeFilter{Symbol: new(trading.Symbol("A"))}).searched(start, finish),
			[]string{"SEARCH trades USING COVERING INDEX trades_by_instrument (symbol=?)"},
		},
		"trades by symbol": {
			trades(trading.SortBySymbol).searched(somewhere, finish), []string{"SEARCH trades USING COVERING INDEX trades_by_instrument (symbol>?)"},
		},
		"the first trades by symbol": {trades(trading.SortBySymbol).searched(start, finish), []string{"SCAN trades USING COVERING INDEX trades_by_instrument"}},
		"trades by price":            {trades(trading.SortByPrice).searched(start, finish), []string{"SCAN trades"}},
		"the latest trades":          {tradePage(trading.TradeFilter{Sort: trading.SortByDate, Down: true}).searched(finish, start), []string{"SCAN trades"}},
		"trades that changed":        {trades(trading.SortByPrice).found(nil), []string{"SEARCH trades USING INTEGER PRIMARY KEY (rowid=?)"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := planOf(t, openStore(t), c.query); !slices.Equal(got, c.want) {
				t.Errorf("%s: got the plan\n%s\nwant\n%s", c.query.text, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// planOf is how SQLite goes through a table that pages are read of, and sorts.
func planOf(t *testing.T, s *Store, q query) (steps []string) {
	t.Helper()
	q.text = "EXPLAIN QUERY PLAN " + q.text
	err := s.scan(t.Context(), func(c *scanner) error {
		return c.each(q, func(row *cursor.Rows) bool {
			parent, step := row.Int(1), string(row.Text(3))
			if parent == 0 && !strings.Contains(step, "SUBQUERY") {
				steps = append(steps, step)
			}
			return true
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// However many ids are walked before all are looked at, and whether or not what was found
// then is remembered, the page is the same.
func TestAPageIsTheSameHoweverFarItWalks(t *testing.T) {
	s := openStore(t)
	fill(t, s)
	base := newPosting(1)
	var sent []budget.Actual
	for i := range 150 {
		key := base
		key.Year, key.Period = fiscal.Year(2000+i*7%13), fiscal.Period(1+i%12)
		sent = append(sent, budget.Actual{Key: key, Amount: 1, Currency: "USD", Source: []text.Source{"ERP", "cards", "ERP", "ERP", ""}[i*3%5]})
	}
	if _, err := s.IngestActuals(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	for id := range 20 { // ids need not follow each other
		if _, err := s.DeleteActual(t.Context(), budget.ActualID(40+id)); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []budget.ActualFilter{
		{Source: new(text.Source("cards"))}, {Source: new(text.Source("none"))}, {KeyFilter: budget.KeyFilter{Year: new(fiscal.Year(2003))}},
	} {
		for _, f.Down = range []bool{false, true} {
			for _, f.After = range []listing.Place{"", "1", "35", "60", "150", "1000"} {
				for _, f.Limit = range []int{1, 7, 500} {
					p := actualPage(f)
					want := amongAll(t, s, p, actualAt)
					for _, p.walk = range []int64{1, 2, 10, 50, 5_000} {
						s.memory = &memory{}
						for _, how := range []string{"walking", "remembered"} {
							got, err := readPage(t.Context(), s, p, actualAt)
							if err != nil || !slices.Equal(got.Records, want) {
								t.Errorf("%+v, %s %d: got %v, %v, want %v", f, how, p.walk, got, err, want)
							}
						}
					}
				}
			}
		}
	}
}

// TestFewOrManyAreTheSamePage: whether the records of a department or a month are few says
// how they are found, not which they are.
func TestFewOrManyAreTheSamePage(t *testing.T) {
	s := openStore(t)
	fill(t, s)
	base := newPosting(1)
	var sent []budget.Actual
	for i := range 60 {
		key := base
		key.Year, key.Period = fiscal.Year(2000+i*7%5), fiscal.Period(1+i%12)
		sent = append(sent, budget.Actual{Key: key, Amount: money.Amount(i * 13 % 17), Currency: "USD"})
	}
	if _, err := s.IngestActuals(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	for _, f := range []budget.ActualFilter{
		{KeyFilter: budget.KeyFilter{DepartmentID: &base.DepartmentID}},
		{KeyFilter: budget.KeyFilter{Year: new(fiscal.Year(2003)), Period: new(fiscal.Period(3))}},
		{KeyFilter: budget.KeyFilter{DepartmentID: &base.DepartmentID, Year: new(fiscal.Year(2003))}},
	} {
		for _, f.Down = range []bool{false, true} {
			f.Limit = 7
			p := actualPage(f)
			if !few(t, s, p) {
				t.Errorf("%+v: got many, want few", f)
			}
			want := amongAll(t, s, p, actualAt)
			if got, err := s.ActualPage(t.Context(), f); err != nil || len(got.Records) == 0 || !slices.Equal(got.Records, want) {
				t.Errorf("%+v: got %v as few, %v, and %v as many", f, got, err, want)
			}
		}
		for _, most := range []int64{1, 2, fewRecords} {
			var n, all int64
			err := s.scan(t.Context(), func(c *scanner) (err error) {
				n, err = c.count(actualPage(f).counted(most))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			f.Limit, f.Sort = 500, budget.SortByID
			list, err := s.ActualPage(t.Context(), f)
			if all = int64(len(list.Records)); err != nil || n != min(all, most) {
				t.Errorf("%+v: got %d counted up to %d, %v, want those of %d", f, n, most, err, all)
			}
		}
	}
	for _, f := range []budget.KeyFilter{{AccountID: &base.AccountID}, {Year: new(fiscal.Year(2003))}, {Period: new(fiscal.Period(3))}} {
		if few(t, s, actualPage(budget.ActualFilter{KeyFilter: f})) {
			t.Errorf("%+v: got few, though the key does not find them", f)
		}
	}
}

func few(t *testing.T, s *Store, p page) (few bool) {
	t.Helper()
	err := s.scan(t.Context(), func(c *scanner) (err error) {
		few, err = c.leavesFew(p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return few
}

// amongAll reads a page by id along all ids that there are.
func amongAll[T any](t *testing.T, s *Store, p page, record func(*scanner, *cursor.Rows) T) (records []T) {
	t.Helper()
	after, err := p.rankAt(p.after)
	if err != nil {
		t.Fatal(err)
	}
	err = s.scan(t.Context(), func(c *scanner) error {
		return c.each(p.walked(after.id, p.finish().id), func(row *cursor.Rows) bool {
			records = append(records, record(c, row))
			return true
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// TestAMadeUpPlaceIsRefused: a place that no page has given may stand elsewhere for SQLite than
// for what is remembered of the list.
func TestAMadeUpPlaceIsRefused(t *testing.T) {
	for _, c := range []struct {
		by    trading.Sort
		place string
		taken bool
	}{
		{"symbol", "1\n0\nC", true},
		{"symbol", "0\n0\nC", false},
		{"symbol", "1\n9223372036854775807\nC", false},
		{"price", "1\n7\n", true},
		{"price", "1\n7\nC", false},
	} {
		p := tradePage(trading.TradeFilter{Sort: c.by})
		place := listing.Place(base64.RawURLEncoding.EncodeToString([]byte(p.order() + "\n" + c.place)))
		if _, err := p.rankAt(place); (err == nil) != c.taken {
			t.Errorf("%q: got %v, want it taken: %t", c.place, err, c.taken)
		}
	}
}
