package main

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/budget"
	"daybook/internal/text"
)

// reported is the sum of a report's lines, from the product or from SQL.
type reported struct {
	lines          int
	budget, actual int64
}

func (r *reported) add(budgeted, actual int64) {
	r.budget += budgeted
	r.actual += actual
}

// books is a ledger that this process reads through the product and in SQL.
type books struct {
	ledger     *budget.Ledger
	db         *sql.DB
	department text.Code // one of them
}

// openBooks opens a database until the workload ends.
func (b *bench) openBooks(ctx context.Context, path string) (*books, error) {
	store, err := sqlite.Open(ctx, path, time.Now)
	if err != nil {
		return nil, err
	}
	b.later(func() { _ = store.Close() }) // it was only read
	db, err := openDatabase(ctx, path, "ro")
	if err != nil {
		return nil, err
	}
	b.later(func() { _ = db.Close() })
	of := &books{ledger: budget.NewLedger(store, time.Now), db: db}
	err = scanOne(ctx, db, "SELECT code FROM departments ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM departments)", &of.department)
	return of, err
}

// product returns the report of a department, "" for all, through the store.
func (b *books) product(ctx context.Context, department text.Code) (budget.Report, error) {
	return b.ledger.Variance(ctx, budget.ReportQuery{Year: year, Period: period, Version: budget.Original, Department: department})
}

// sides joins budget and actual in SQL.
const sides = `
	SELECT department_id, gl_account_id, currency, sum(budget) AS budget, sum(actual) AS actual FROM (
		SELECT department_id, gl_account_id, currency, amount AS budget, 0 AS actual FROM budget_lines
		WHERE fiscal_year = ?1 AND fiscal_period = ?2 AND version = 'original'
		UNION ALL
		SELECT department_id, gl_account_id, currency, 0, amount FROM actuals
		WHERE fiscal_year = ?1 AND fiscal_period = ?2)
	GROUP BY department_id, gl_account_id, currency`

// sums returns only the figures, by ids.
func (b *books) sums(ctx context.Context) (r reported, err error) {
	rows, err := b.db.QueryContext(ctx, sides, year, period)
	if err != nil {
		return r, err
	}
	defer func() { _ = rows.Close() }()
	var lines []budget.Posting
	for rows.Next() {
		var p budget.Posting
		var actual int64
		if err := rows.Scan(&p.DepartmentID, &p.AccountID, &p.Currency, &p.Amount, &actual); err != nil {
			return r, err
		}
		lines = append(lines, p)
		r.add(int64(p.Amount), actual)
	}
	r.lines = len(lines)
	return r, rows.Err()
}

// lines returns the lines of the report, with names, in its order, and with the variances.
func (b *books) lines(ctx context.Context) (r reported, err error) {
	rows, err := b.db.QueryContext(ctx, `
		SELECT d.code, a.code, a.description, a.type, currency, budget, actual, (actual - budget) * (2 * a.favour_high - 1)
		FROM (`+sides+`) JOIN departments d ON d.id = department_id JOIN gl_accounts a ON a.id = gl_account_id
		ORDER BY d.code, a.code, currency`, year, period)
	if err != nil {
		return r, err
	}
	defer func() { _ = rows.Close() }()
	var lines []budget.VarianceLine
	for rows.Next() {
		var c budget.VarianceLine
		err := rows.Scan(&c.Department, &c.Account.Code, &c.Account.Description, &c.Account.Type, &c.Currency, &c.Budget, &c.Actual, &c.Abs)
		if err != nil {
			return r, err
		}
		lines = append(lines, c)
		r.add(int64(c.Budget), int64(c.Actual))
	}
	r.lines = len(lines)
	return r, rows.Err()
}

// agrees checks that the report of the product and the reports in SQL are equal, and have lines.
func (b *books) agrees(ctx context.Context) error {
	report, err := b.product(ctx, "")
	if err != nil {
		return err
	}
	want := reported{lines: len(report.Lines)}
	for _, l := range report.Lines {
		want.add(int64(l.Budget), int64(l.Actual))
	}
	for _, read := range []func(context.Context) (reported, error){b.sums, b.lines} {
		got, err := read(ctx)
		if err != nil {
			return err
		}
		if got != want || got.lines == 0 {
			return fmt.Errorf("the reference reports %+v, the product %+v", got, want)
		}
	}
	return nil
}

// repeated is a subject that repeats something for a tenth of the time of a load, at least three times.
// Its figure is the median in ms. The count that do returns must always be the same.
func (b *bench) repeated(name string, do func(context.Context) (int, error)) subject {
	return subject{name: name, measure: func(ctx context.Context, say say) error {
		var took []float64
		count := 0
		for began := time.Now(); len(took) < 3 || time.Since(began) < b.duration()/10; {
			at := time.Now()
			n, err := do(ctx)
			if err != nil {
				return err
			}
			took = append(took, float64(time.Since(at))/float64(time.Millisecond))
			if n == 0 || len(took) > 1 && n != count {
				return fmt.Errorf("got %d records after %d", n, count)
			}
			count = n
		}
		slices.Sort(took)
		say(name, middle(took))
		return nil
	}}
}

// reporting is a subject that repeats the report of the product.
func (b *bench) reporting(name string, of *books, department text.Code) subject {
	return b.repeated(name, func(ctx context.Context) (int, error) {
		r, err := of.product(ctx, department)
		return len(r.Lines), err
	})
}

func openVariance(ctx context.Context, b *bench) ([]subject, error) {
	threeYears, err := b.shelf.yearsOf(ctx, b.scale.departments, b.scale.accounts, 3) // copies the year before it is open
	if err != nil {
		return nil, err
	}
	year, err := b.shelf.ledger(ctx, b.scale.departments, b.scale.accounts)
	if err != nil {
		return nil, err
	}
	few, err := b.shelf.ledger(ctx, tenth(b.scale.departments), b.scale.accounts)
	if err != nil {
		return nil, err
	}
	var of [3]*books
	for i, path := range []string{year, threeYears, few} {
		if of[i], err = b.openBooks(ctx, path); err == nil {
			err = of[i].agrees(ctx)
		}
		if err != nil {
			return nil, err
		}
	}
	one, three, small := of[0], of[1], of[2]
	counted := func(read func(context.Context) (reported, error)) func(context.Context) (int, error) {
		return func(ctx context.Context) (int, error) { r, err := read(ctx); return r.lines, err }
	}
	return []subject{
		b.reporting("all", one, ""),
		b.repeated("lines", counted(one.lines)),
		b.repeated("sums", counted(one.sums)),
		b.reporting("department", one, one.department),
		b.reporting("three years", three, ""),
		b.reporting("tenth", small, ""),
		b.reporting("department of a tenth", small, small.department),
	}, nil
}

func variance40k() workload {
	return workload{
		name: "variance-40k",
		open: openVariance,
		rows: []row{
			{workload: "variance-40k", ours: "all", reference: "lines", against: "the same lines in SQL", unit: "ms", goal: atMost(0.3)},
			{workload: "variance-40k", ours: "all", reference: "sums", against: "UNION ALL, sums by ids only", unit: "ms"},
			{workload: "variance-40k, three years stored", ours: "three years", reference: "all", against: "one year", unit: "ms", goal: atMost(1.3)},
			{workload: "variance, one department of 1000", ours: "department", reference: "all", against: "all of them", unit: "ms", goal: atMost(0.01)},
			{workload: "variance, 10 x the departments", ours: "all", reference: "tenth", against: "a tenth", unit: "ms"},
			{workload: "variance, one department, the same", ours: "department", reference: "department of a tenth", against: "a tenth", unit: "ms"},
		},
	}
}
