package seed

import (
	"context"
	"math/rand/v2"
	"time"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// books are the demo company's departments and accounts, and what is posted to them.
type books struct {
	random      *rand.Rand
	asOf        time.Time
	firstYear   int
	whole       bool // every department takes all accounts
	departments []department
	accounts    []account
	lines       *batch[budget.Line]
	actuals     *batch[budget.Actual]
}

// fillLedger records the departments, the accounts, and what was planned and posted.
func fillLedger(ctx context.Context, ledger *budget.Ledger, o Options, s *Summary) error {
	b := &books{
		random:      random(ledgerStream),
		asOf:        o.AsOf,
		firstYear:   o.AsOf.Year() - o.Years + 1,
		whole:       o.Departments > DefaultDepartments || o.Accounts > DefaultAccounts,
		departments: departments(o.Departments),
		accounts:    chart(o.Accounts),
		lines:       newBatch(ledger.CreateLines),
		actuals:     newBatch(ledger.IngestActuals),
	}
	if err := b.create(ctx, ledger, s); err != nil {
		return err
	}
	err := b.post(ctx)
	s.Lines, s.Actuals = b.lines.stored, b.actuals.stored
	return err
}

// create records the departments and accounts, and learns their ids.
func (b *books) create(ctx context.Context, ledger *budget.Ledger, s *Summary) error {
	for i := range b.departments {
		stored, err := ledger.CreateDepartment(ctx, b.departments[i].Department)
		if err != nil {
			return err
		}
		b.departments[i].ID = stored.ID
		s.Departments++
	}
	for i := range b.accounts {
		stored, err := ledger.CreateAccount(ctx, b.accounts[i].Account)
		if err != nil {
			return err
		}
		b.accounts[i].ID = stored.ID
		s.Accounts++
	}
	return nil
}

// post records every account of every year, and the settlements.
func (b *books) post(ctx context.Context) error {
	for year := b.firstYear; year <= b.asOf.Year(); year++ {
		for i := range b.departments {
			for j := range b.accounts {
				if err := b.postCourse(ctx, &b.departments[i], &b.accounts[j], year); err != nil {
					return err
				}
			}
		}
	}
	if err := b.postSettlements(ctx); err != nil {
		return err
	}
	if err := b.lines.flush(ctx); err != nil {
		return err
	}
	return b.actuals.flush(ctx)
}

func (b *books) postCourse(ctx context.Context, d *department, a *account, year int) error {
	annual := b.annual(d, a, year)
	if annual == 0 {
		return nil
	}
	c := b.accountYear(d, a, year, annual)
	for period := 1; period <= fiscal.Periods; period++ {
		key := budget.Key{DepartmentID: d.ID, AccountID: a.ID, Year: fiscal.Year(year), Period: fiscal.Period(period)}
		for revision, version := range budget.Versions() {
			err := b.lines.add(ctx, budget.Line{
				LineKey:  budget.LineKey{Key: key, Version: version},
				Amount:   cents(c.planned(revision, period)),
				Currency: d.currency,
				Notes:    c.note(revision, period),
			})
			if err != nil {
				return err
			}
		}
		if period > c.booked {
			continue
		}
		err := b.actuals.add(ctx, budget.Actual{
			Key: key, Amount: cents(c.actual[period-1]), Currency: d.currency, Source: a.feed,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// annual is what a department plans for an account in a year, in cents; 0 when it
// plans nothing.
func (b *books) annual(d *department, a *account, year int) int64 {
	if !a.budgeted() {
		return 0
	}
	var thousands int64
	switch {
	case b.whole:
		thousands = a.usual() * d.size / 100
	case d.Active || year < b.asOf.Year():
		thousands = a.planned(d.Code)
	}
	return discounted(thousands*1_000*100, growth(a.Type), b.asOf.Year()-year)
}

// settlements are what came of a lawsuit that nobody had planned for: a provision,
// the release of a part of it, and the costs, in cents.
var settlements = []struct {
	monthsAgo int
	amount    int64
}{{3, 180_000_00}, {1, -31_250_40}, {0, 48_312_50}}

// postSettlements posts to the unbudgeted account, if the chart has it.
func (b *books) postSettlements(ctx context.Context) error {
	payer := &b.departments[0]
	for i := range b.departments {
		if b.departments[i].Code == fin {
			payer = &b.departments[i]
		}
	}
	for i := range b.accounts {
		a := &b.accounts[i]
		if a.budgeted() {
			continue
		}
		for _, s := range settlements {
			month := time.Date(b.asOf.Year(), b.asOf.Month()-time.Month(s.monthsAgo), 1, 0, 0, 0, 0, time.UTC)
			if month.Year() < b.firstYear {
				continue
			}
			err := b.actuals.add(ctx, budget.Actual{
				Key: budget.Key{
					DepartmentID: payer.ID, AccountID: a.ID,
					Year: fiscal.Year(month.Year()), Period: fiscal.Period(month.Month()),
				},
				Amount: cents(s.amount), Currency: payer.currency, Source: a.feed,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// cents returns a number of cents as an Amount.
func cents(n int64) money.Amount { return money.Amount(n * 100) }
