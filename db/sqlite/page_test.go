package sqlite

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// What a page of two million records takes is decided by how they are found: a filter must
// be answered along the key or along the ids, never by an index made for the occasion, nor
// in the order of the ids with a record looked up for each.
func TestAPageIsFoundAlongTheRightIndex(t *testing.T) {
	const (
		sorted     = "USE TEMP B-TREE FOR ORDER BY"
		sortedRest = "USE TEMP B-TREE FOR LAST TERM OF ORDER BY"
		lineIDs    = "SEARCH budget_lines USING INDEX sqlite_autoindex_budget_lines_2 (id>? AND id<?)"
	)
	department, account := new(budget.DepartmentID(1)), new(budget.AccountID(1))
	year, period := new(fiscal.Year(2026)), new(fiscal.Period(3))
	lines := func(by budget.Sort, f budget.KeyFilter) page {
		return linePage(budget.LineFilter{Sort: by, KeyFilter: f})
	}
	start := []any{0}
	for name, c := range map[string]struct {
		query query
		want  []string // of the steps that are not about the years there are
	}{
		"walk": {linePage(budget.LineFilter{KeyFilter: budget.KeyFilter{Year: year, AccountID: account}, Currency: new(money.Currency("EUR"))}).walked(9), []string{lineIDs}},
		"gather the rest of a currency": {
			linePage(budget.LineFilter{Currency: new(money.Currency("EUR"))}).gathered(start), []string{"SCAN budget_lines", sorted},
		},
		"gather the rest of an account": {lines("", budget.KeyFilter{AccountID: account}).gathered(start), []string{"SCAN budget_lines", sorted}},
		"gather the rest of a year": {
			lines("", budget.KeyFilter{Year: year}).gathered(start), []string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=?)", sorted},
		},
		"department": {
			lines("", budget.KeyFilter{DepartmentID: department}).gathered(start),
			[]string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=? AND fiscal_period=? AND version=? AND department_id=?)", sorted},
		},
		"department's account and year": {
			lines("", budget.KeyFilter{DepartmentID: department, AccountID: account, Year: year}).gathered(start),
			[]string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=? AND fiscal_period=? AND version=? AND department_id=? AND gl_account_id=?)", sorted},
		},
		"month": {
			lines("", budget.KeyFilter{Year: year, Period: period}).gathered(start),
			[]string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=? AND fiscal_period=?)", sorted},
		},
		"amount": {lines(budget.SortByAmount, budget.KeyFilter{}).gathered([]any{1, 1}), []string{"SCAN budget_lines", sorted}},
		"period": {
			lines(budget.SortByPeriod, budget.KeyFilter{}).gathered([]any{2026, 1, 1}),
			[]string{"SEARCH budget_lines USING PRIMARY KEY ((fiscal_year,fiscal_period)>(?,?))", sortedRest},
		},
		"the first by period":  {lines(budget.SortByPeriod, budget.KeyFilter{}).gathered(nil), []string{"SCAN budget_lines", sortedRest}},
		"the first by account": {lines(budget.SortByAccount, budget.KeyFilter{}).gathered(nil), []string{"SCAN budget_lines", sorted}},
		"the next departments": {
			nextOf(lines(budget.SortByDepartment, budget.KeyFilter{})).gathered(nil),
			[]string{"SEARCH budget_lines USING PRIMARY KEY (fiscal_year=? AND fiscal_period=? AND version=? AND department_id=?)", sorted},
		},
		"the next departments of actuals": {
			nextOf(actualPage(budget.ActualFilter{Sort: budget.SortByDepartment})).gathered(nil),
			[]string{"SEARCH actuals USING PRIMARY KEY (fiscal_year=? AND fiscal_period=? AND department_id=?)", sorted},
		},
		"trades by id": {
			tradePage(trading.TradeFilter{Symbol: new(trading.Symbol("A")), Currency: new(money.Currency("EUR"))}).walked(9),
			[]string{"SEARCH trades USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
		},
		"few trades of a symbol": {
			tradePage(trading.TradeFilter{Symbol: new(trading.Symbol("A"))}).gathered(start),
			[]string{"SEARCH trades USING COVERING INDEX trades_by_instrument (symbol=?)", sorted},
		},
		"trades by symbol": {
			tradePage(trading.TradeFilter{Sort: trading.SortBySymbol}).gathered([]any{"A", 1}),
			[]string{"SEARCH trades USING COVERING INDEX trades_by_instrument (symbol>?)", sortedRest},
		},
		"trades by price": {tradePage(trading.TradeFilter{Sort: trading.SortByPrice}).gathered(nil), []string{"SCAN trades", sorted}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := planOf(t, openStore(t), c.query); !slices.Equal(got, c.want) {
				t.Errorf("%s: got the plan\n%s\nwant\n%s", c.query.text, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// nextOf narrows a page to the first few codes, as readSorted does.
func nextOf(p page) page {
	p.where = append(p.where, p.nextCodes(nil))
	return p
}

// planOf is how SQLite goes through a table that pages are read of, and sorts.
func planOf(t *testing.T, s *Store, q query) (steps []string) {
	t.Helper()
	rows, err := s.reading.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+q.text, q.bound...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		if parent == 0 && !strings.Contains(step, "SUBQUERY") {
			steps = append(steps, step)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

// However many ids are walked before the rest is gathered, the page is the same.
func TestAPageIsTheSameHoweverFarItWalks(t *testing.T) {
	s := openStore(t)
	fill(t, s)
	base := newPosting(1)
	var sent []budget.Actual
	for i := range 150 {
		key := base
		key.Year, key.Period = fiscal.Year(2000+i*7%13), fiscal.Period(1+i%12)
		sent = append(sent, budget.Actual{Key: key, Amount: 1, Currency: "USD", Source: []text.Label{"ERP", "cards", "ERP", "ERP", ""}[i*3%5]})
	}
	if _, err := s.IngestActuals(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	for id := range 20 { // ids need not follow each other
		if _, err := s.DeleteActual(t.Context(), budget.ActualID(40+id)); err != nil {
			t.Fatal(err)
		}
	}
	record := func(rows *sql.Rows) (int64, error) {
		var r gen.Actual
		err := rows.Scan(&r.ID, &r.DepartmentID, &r.GlAccountID, &r.FiscalYear, &r.FiscalPeriod, &r.Amount, &r.Currency, &r.Source)
		return r.ID, err
	}
	for _, f := range []budget.ActualFilter{
		{Source: new(text.Label("cards"))}, {Source: new(text.Label("none"))}, {KeyFilter: budget.KeyFilter{Year: new(fiscal.Year(2003))}},
	} {
		for _, f.Down = range []bool{false, true} {
			for _, f.After = range []budget.ActualID{0, 1, 35, 60, 150, 1000} {
				for _, f.Limit = range []int{1, 7, 500} {
					p := actualPage(f)
					p.walk = 0
					want, err := readPage(t.Context(), s, p, record)
					if err != nil {
						t.Fatal(err)
					}
					for _, p.walk = range []int64{1, 2, 10, 50, 5_000} {
						got, err := readPage(t.Context(), s, p, record)
						if err != nil || !slices.Equal(got, want) {
							t.Errorf("%+v, walking %d: got %v, %v, want %v", f, p.walk, got, err, want)
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
	record := func(rows *sql.Rows) (int64, error) {
		var r gen.Actual
		err := rows.Scan(&r.ID, &r.DepartmentID, &r.GlAccountID, &r.FiscalYear, &r.FiscalPeriod, &r.Amount, &r.Currency, &r.Source)
		return r.ID, err
	}
	for _, f := range []budget.ActualFilter{
		{KeyFilter: budget.KeyFilter{DepartmentID: &base.DepartmentID}},
		{KeyFilter: budget.KeyFilter{Year: new(fiscal.Year(2003)), Period: new(fiscal.Period(3))}},
		{KeyFilter: budget.KeyFilter{DepartmentID: &base.DepartmentID, Year: new(fiscal.Year(2003))}},
	} {
		for _, f.Sort = range budget.Sorts() {
			for _, f.Down = range []bool{false, true} {
				f.Limit = 7
				p := actualPage(f)
				if few, err := s.fewPostings(t.Context(), p); !few || err != nil {
					t.Errorf("%+v: got few %t, %v, want it to be", f, few, err)
				}
				many, err := readPage(t.Context(), s, p, record)
				if err != nil || len(many) == 0 {
					t.Fatalf("%+v: got %v, %v, want some", f, many, err)
				}
				p.few = true
				if few, err := readPage(t.Context(), s, p, record); err != nil || !slices.Equal(few, many) {
					t.Errorf("%+v: got %v as few, %v, and %v as many", f, few, err, many)
				}
			}
		}
		for _, most := range []int64{1, 2, fewRecords} {
			var n, all int64
			q := actualPage(f).counted(most)
			if err := s.reading.QueryRowContext(t.Context(), q.text, q.bound...).Scan(&n); err != nil {
				t.Fatal(err)
			}
			f.Limit, f.Sort = 500, budget.SortByID
			list, err := s.ActualPage(t.Context(), f)
			if all = int64(len(list)); err != nil || n != min(all, most) {
				t.Errorf("%+v: got %d counted up to %d, %v, want those of %d", f, n, most, err, all)
			}
		}
	}
}
