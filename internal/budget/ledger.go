// Package budget holds the rules of a company's budget: departments, general ledger accounts, budget
// lines, actuals, and the variance between them (interface.md, "Variance").
//
// Constructors validate its values, so that nothing below checks them again. It must not know HTTP,
// SQL or JSON.
package budget

import (
	"context"
	"time"

	"daybook/internal/idempotency"
	"daybook/internal/text"
)

// Ledger is a store of budgets and actuals with the rules and reports that need no store of their own. Its
// errors are those of the store, unless a method says more.
//
// A write in the context of idempotency.With is done once for its request.
type Ledger struct {
	Store
	now func() time.Time
}

// NewLedger returns a Ledger on a store. The clock now bounds which actuals count as current.
func NewLedger(store Store, now func() time.Time) *Ledger { return &Ledger{store, now} }

// UpdateDepartment changes fields of a department. Invalid: the change is empty.
func (l *Ledger) UpdateDepartment(ctx context.Context, id DepartmentID, change DepartmentChange) (Department, error) {
	if err := DepartmentFields.Check(change); err != nil {
		return Department{}, err
	}
	return l.Store.UpdateDepartment(ctx, id, change)
}

// UpdateAccount changes fields of an account. Invalid: the change is empty.
func (l *Ledger) UpdateAccount(ctx context.Context, id AccountID, change AccountChange) (Account, error) {
	if err := AccountFields.Check(change); err != nil {
		return Account{}, err
	}
	return l.Store.UpdateAccount(ctx, id, change)
}

// CreateLine records a budget line.
func (l *Ledger) CreateLine(ctx context.Context, line Line) (Line, error) {
	return only(l.CreateLines(idempotency.WithOne[Line](ctx), []Line{line}))
}

// UpdateLine changes the amount or the notes of a budget line. Invalid: the change is empty.
func (l *Ledger) UpdateLine(ctx context.Context, ref LineRef, change LineChange) (Line, error) {
	if err := ChangedLineFields.Check(change); err != nil {
		return Line{}, err
	}
	return l.Store.UpdateLine(ctx, ref, change)
}

// Ingest records an actual, or replaces amount, currency and source of the one that
// has its key. Ingesting an actual twice has the same effect as once.
func (l *Ledger) Ingest(ctx context.Context, a Actual) (Actual, error) {
	return only(l.IngestActuals(idempotency.WithOne[Actual](ctx), []Actual{a}))
}

// Variance reports budget against actual. NotFound: an unknown department.
func (l *Ledger) Variance(ctx context.Context, q ReportQuery) (Report, error) {
	department, err := l.reported(ctx, q.Department)
	if err != nil {
		return Report{}, err
	}
	postings, err := l.Postings(ctx, q.Year, q.Period, q.Version, department.ID)
	if err != nil {
		return Report{}, err
	}
	return newReport(q, string(department.Code), postings), nil
}

// reported is the department of a report; for "" it is AllDepartments, without an id. NotFound.
func (l *Ledger) reported(ctx context.Context, code text.Code) (Department, error) {
	if code == "" {
		return Department{Code: AllDepartments}, nil
	}
	return l.Department(ctx, Identifier{By: ByCode, Value: string(code)})
}

// only unwraps the one record of a unit of work that had one.
func only[T any](records []T, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return records[0], nil
}
