// Package seed fills an empty database with demo data that a finance person would
// believe: a fund's portfolio and a mid-size software company's books. The company,
// its people and its counterparties are invented.
//
// It uses only Book and Ledger, and must not know storage. Its figures are whole numbers from a fixed
// seed, never floats, so that the same options give the same data on every machine.
package seed

import (
	"context"
	"time"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

// Options select the amount of demo data; Defaults has sensible ones.
type Options struct {
	// AsOf is the day the data is of; what its clock shows is ignored. Trades end
	// on the last business day before it, actuals with its month. Its year is the
	// last fiscal year that is budgeted.
	AsOf time.Time
	// Trades is how many trades three years hold: 1 to 10,000,000.
	Trades int
	// Departments and Accounts are 1 to 5,000 each. Beyond DefaultDepartments or
	// DefaultAccounts every department takes every account.
	Departments int
	Accounts    int
	// Years is how many fiscal years are budgeted: 1 to 20.
	Years int
}

// The default size of the demo data.
const (
	DefaultTrades      = 2_000
	DefaultDepartments = 8
	DefaultAccounts    = 40
	DefaultYears       = 3
)

// Defaults returns the options for demo data of the usual size.
func Defaults(asOf time.Time) Options {
	return Options{
		AsOf:        asOf,
		Trades:      DefaultTrades,
		Departments: DefaultDepartments,
		Accounts:    DefaultAccounts,
		Years:       DefaultYears,
	}
}

// Err is Invalid if an option is out of its range. The fields have the names of the flags of the command.
func (o Options) Err() error {
	var fields fault.Fields
	within := func(field string, n, most int) {
		if n < 1 || n > most {
			fields.Add(field, "must be 1 to %d, got %d", most, n)
		}
	}
	if year := o.AsOf.Year(); year < 1950 || year > 2200 {
		fields.Add("as-of", "must be in the years 1950 to 2200, got %d", year)
	}
	within("trades", o.Trades, 10_000_000)
	within("departments", o.Departments, 5_000)
	within("accounts", o.Accounts, 5_000)
	within("years", o.Years, 20)
	return fields.Err()
}

// Summary counts what a run stored.
type Summary struct {
	Currencies, Companies, Revenues, Trades int
	Departments, Accounts, Lines, Actuals   int
}

// Atomically does work in one transaction of the store of a Book and a Ledger: what they store with its
// context is stored whole, or not at all. Work may run twice.
type Atomically func(ctx context.Context, work func(ctx context.Context) error) error

// Run stores the demo data, whole or not at all. Invalid: an option is out of its range. NotEmpty: the book
// or the ledger holds data. Unavailable, OutcomeUnknown: as for the store.
func Run(ctx context.Context, atomically Atomically, book *trading.Book, ledger *budget.Ledger, o Options) (s Summary, err error) {
	if err := o.Err(); err != nil {
		return s, err
	}
	o.AsOf = time.Date(o.AsOf.Year(), o.AsOf.Month(), o.AsOf.Day(), 0, 0, 0, 0, time.UTC)
	err = atomically(ctx, func(ctx context.Context) error {
		s = Summary{}
		if err := vacant(ctx, book, ledger); err != nil {
			return err
		}
		if err := fillBook(ctx, book, o, &s); err != nil {
			return err
		}
		return fillLedger(ctx, ledger, o, &s)
	})
	if err != nil {
		return Summary{}, err
	}
	return s, nil
}

func vacant(ctx context.Context, book *trading.Book, ledger *budget.Ledger) error {
	for _, empty := range []func(context.Context) (bool, error){book.TradingEmpty, ledger.BudgetEmpty} {
		ok, err := empty(ctx)
		if err != nil {
			return err
		}
		if !ok {
			return fault.New(fault.NotEmpty,
				"the database already holds data; demo data goes into an empty one, so nothing was changed")
		}
	}
	return nil
}
