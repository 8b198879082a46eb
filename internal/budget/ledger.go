// Package budget holds the rules of a company's budget: departments, general ledger accounts, budget
// lines, actuals, and the variance between them (interface.md, "Variance").
//
// Constructors validate its values, so that nothing below checks them again. It must not know HTTP,
// SQL or JSON.
package budget

import (
	"context"
	"iter"
	"time"

	"daybook/internal/idempotency"
	"daybook/internal/listing"
	"daybook/internal/text"
)

// Ledger records and reports budgets and actuals. Its errors are those of the store, unless a method
// says more.
//
// A write in the context of idempotency.With is done once for its request.
type Ledger struct {
	store Store
	now   func() time.Time
}

// NewLedger returns a Ledger on a store. The clock now bounds which actuals count as current.
func NewLedger(store Store, now func() time.Time) *Ledger { return &Ledger{store: store, now: now} }

// CreateDepartment records a department.
func (l *Ledger) CreateDepartment(ctx context.Context, d Department) (Department, error) {
	return l.store.CreateDepartment(ctx, d)
}

// Departments yields all departments by id.
func (l *Ledger) Departments(ctx context.Context) iter.Seq2[Department, error] {
	return l.store.Departments(ctx)
}

// Department returns the one department that the identifier names.
func (l *Ledger) Department(ctx context.Context, i Identifier) (Department, error) {
	return l.store.Department(ctx, i)
}

// SetActive sets a department's active flag. An inactive department still takes
// postings and still appears in reports.
func (l *Ledger) SetActive(ctx context.Context, i Identifier, active bool) (Department, error) {
	return l.store.SetActive(ctx, i, active)
}

// DeleteDepartment removes a department that nothing is posted to, and returns it.
func (l *Ledger) DeleteDepartment(ctx context.Context, id DepartmentID) (Department, error) {
	return l.store.DeleteDepartment(ctx, id)
}

// CreateAccount records an account.
func (l *Ledger) CreateAccount(ctx context.Context, a Account) (Account, error) {
	return l.store.CreateAccount(ctx, a)
}

// Account returns the account that has the code.
func (l *Ledger) Account(ctx context.Context, code text.Code) (Account, error) {
	return l.store.Account(ctx, code)
}

// Accounts yields all accounts by id.
func (l *Ledger) Accounts(ctx context.Context) iter.Seq2[Account, error] {
	return l.store.Accounts(ctx)
}

// DeleteAccount removes an account that nothing is posted to, and returns it.
func (l *Ledger) DeleteAccount(ctx context.Context, id AccountID) (Account, error) {
	return l.store.DeleteAccount(ctx, id)
}

// CreateLine records a budget line.
func (l *Ledger) CreateLine(ctx context.Context, line Line) (Line, error) {
	return only(l.store.CreateLines(idempotency.WithOne[Line](ctx), []Line{line}))
}

// CreateLines records budget lines: all of them, or none.
func (l *Ledger) CreateLines(ctx context.Context, lines []Line) ([]Line, error) {
	return l.store.CreateLines(ctx, lines)
}

// UpdateLine changes the amount or the notes of a budget line. Invalid: the change is empty.
func (l *Ledger) UpdateLine(ctx context.Context, ref LineRef, change LineChange) (Line, error) {
	if err := change.Err(); err != nil {
		return Line{}, err
	}
	return l.store.UpdateLine(ctx, ref, change)
}

// DeleteLine removes a budget line and returns it.
func (l *Ledger) DeleteLine(ctx context.Context, id LineID) (Line, error) {
	return l.store.DeleteLine(ctx, id)
}

// LinePage returns a page of the budget lines that match.
func (l *Ledger) LinePage(ctx context.Context, f LineFilter) (listing.Page[Line], error) {
	return l.store.LinePage(ctx, f)
}

// Ingest records an actual, or replaces amount, currency and source of the one that
// has its key. Ingesting an actual twice has the same effect as once.
func (l *Ledger) Ingest(ctx context.Context, a Actual) (Actual, error) {
	return only(l.store.IngestActuals(idempotency.WithOne[Actual](ctx), []Actual{a}))
}

// IngestAll ingests actuals in the order given: all of them, or none.
func (l *Ledger) IngestAll(ctx context.Context, actuals []Actual) ([]Actual, error) {
	return l.store.IngestActuals(ctx, actuals)
}

// DeleteActual removes an actual and returns it.
func (l *Ledger) DeleteActual(ctx context.Context, id ActualID) (Actual, error) {
	return l.store.DeleteActual(ctx, id)
}

// ActualPage returns a page of the actuals that match.
func (l *Ledger) ActualPage(ctx context.Context, f ActualFilter) (listing.Page[Actual], error) {
	return l.store.ActualPage(ctx, f)
}

// Variance reports budget against actual. NotFound: an unknown department.
func (l *Ledger) Variance(ctx context.Context, q ReportQuery) (Report, error) {
	department, err := l.reported(ctx, q.Department)
	if err != nil {
		return Report{}, err
	}
	postings, err := l.store.Postings(ctx, q.Year, q.Period, q.Version, department.ID)
	if err != nil {
		return Report{}, err
	}
	return newReport(q, string(department.Code), postings), nil
}

// Usage counts what is posted, and to what.
func (l *Ledger) Usage(ctx context.Context) (Usage, error) { return l.store.Usage(ctx) }

// reported is the department of a report; for "" it is AllDepartments, without an id. NotFound.
func (l *Ledger) reported(ctx context.Context, code text.Code) (Department, error) {
	if code == "" {
		return Department{Code: AllDepartments}, nil
	}
	return l.store.Department(ctx, Identifier{By: ByCode, Value: string(code)})
}

// Empty reports whether the ledger holds nothing.
func (l *Ledger) Empty(ctx context.Context) (bool, error) { return l.store.BudgetEmpty(ctx) }

// only unwraps the one record of a unit of work that had one.
func only[T any](records []T, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return records[0], nil
}
