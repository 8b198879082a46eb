package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"daybook/internal/budget"
)

// The two tables of postings, as they are read in pages.
var (
	lineList = list{
		table:   "budget_lines",
		columns: "id, department_id, gl_account_id, fiscal_year, fiscal_period, version, amount, currency, notes",
		key: []keyPart{
			{"fiscal_year", everyYear("budget_lines")},
			{"fiscal_period", everyPeriod},
			{"version", everyVersion()},
			{"department_id", ""},
		},
	}
	actualList = list{
		table:   "actuals",
		columns: "id, department_id, gl_account_id, fiscal_year, fiscal_period, amount, currency, source",
		key: []keyPart{
			{"fiscal_year", everyYear("actuals")},
			{"fiscal_period", everyPeriod},
			{"department_id", ""},
		},
	}
)

const everyPeriod = "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"

func everyVersion() string {
	var every []string
	for _, v := range budget.Versions() {
		every = append(every, "'"+string(v)+"'") // constants
	}
	return "(" + strings.Join(every, ", ") + ")"
}

// everyYear goes from each year to the next along the key.
func everyYear(table string) string {
	return `(WITH RECURSIVE y (n) AS (
  SELECT min(fiscal_year) FROM ` + table + `
  UNION ALL
  SELECT (SELECT min(fiscal_year) FROM ` + table + ` WHERE fiscal_year > n) FROM y WHERE n IS NOT NULL
) SELECT n FROM y WHERE n IS NOT NULL)`
}

// postingOrders are those of postings, but for that of the ids.
var postingOrders = map[budget.Sort]order{
	budget.SortByAmount: {terms: []string{"amount"}},
	budget.SortByDepartment: {
		terms:  []string{"(SELECT d.code_key FROM departments d WHERE d.id = department_id)"},
		column: "department_id", parents: "departments",
	},
	budget.SortByAccount: {
		terms:  []string{"(SELECT a.code_key FROM gl_accounts a WHERE a.id = gl_account_id)"},
		column: "gl_account_id", parents: "gl_accounts",
	},
	budget.SortByPeriod: {terms: []string{"fiscal_year", "fiscal_period"}},
}

// readPostings reads a page of one of the two. Unavailable. Invalid: as for readPage.
func readPostings[T any](ctx context.Context, s *Store, p page, record func(*sql.Rows) (T, error)) (_ []T, err error) {
	if p.few, err = s.fewPostings(ctx, p); err != nil {
		return nil, err
	}
	return readPage(ctx, s, p, record)
}

// fewPostings reports whether the page is of a department, or of a month, that has few
// postings: they are counted along the key, until they are too many.
func (s *Store) fewPostings(ctx context.Context, p page) (bool, error) {
	month := p.names("fiscal_year") && p.names("fiscal_period")
	if !month && !p.names("department_id") {
		return false, nil
	}
	var n int64
	q := p.counted(fewRecords + 1)
	err := s.reading.QueryRowContext(ctx, q.text, q.bound...).Scan(&n)
	return n <= fewRecords, classify(err)
}

// postingPage is a page of one of the two.
func postingPage(of *list, f budget.KeyFilter, by budget.Sort) page {
	p := page{list: of, sort: postingOrders[by]}
	p.where = narrow(p.where, "fiscal_year", "= ?", f.Year)
	p.where = narrow(p.where, "fiscal_period", "= ?", f.Period)
	p.where = narrow(p.where, "department_id", "= ?", f.DepartmentID)
	p.where = narrow(p.where, "gl_account_id", "= ?", f.AccountID)
	return p
}

// limited says how many records the page has; for more of them more ids are walked.
func (p *page) limited(limit int) {
	const least, each = 5_000, 50
	p.limit, p.walk = limit, max(least, each*int64(limit))
}
