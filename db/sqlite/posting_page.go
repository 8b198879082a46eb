package sqlite

import (
	"strings"

	"daybook/internal/budget"
	"daybook/internal/journal"
)

// The two tables of postings, as they are read in pages.
var (
	lineList = list{
		table:   "budget_lines",
		of:      journal.BudgetLines,
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
		of:      journal.Actuals,
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
	budget.SortByAmount:     {by: "amount"},
	budget.SortByDepartment: {by: "department_id", kind: byCode, parents: "departments"},
	budget.SortByAccount:    {by: "gl_account_id", kind: byCode, parents: "gl_accounts"},
	budget.SortByPeriod: {
		by: "fiscal_year * 100 + fiscal_period", along: []string{"fiscal_year", "fiscal_period"},
		values: func(at rank) []any { return []any{at.number / 100, at.number % 100} },
	},
}

// postingPage is a page of one of the two.
func postingPage(of *list, f budget.KeyFilter, by budget.Sort) page {
	p := newPage(of, postingOrders[by])
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
