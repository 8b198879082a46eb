package sqlite

import (
	"cmp"
	"context"
	"iter"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// CreateAccount implements budget.Store.
func (s *Store) CreateAccount(ctx context.Context, a budget.Account) (budget.Account, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (budget.Account, error) {
		a, err := insertAccount(ctx, q, a)
		if err != nil {
			return a, err
		}
		return a, q.tell(ctx, journal.Accounts, int64(a.ID), nil, records.Account(a))
	})
}

// insertAccount stores an account under its id, or under a new one if it has none.
func insertAccount(ctx context.Context, q *tx, a budget.Account) (budget.Account, error) {
	id, err := q.InsertAccount(ctx, gen.InsertAccountParams{
		ID: rows.Optional(int64(a.ID)), Code: string(a.Code), CodeKey: a.Code.Fold(), Description: string(a.Description),
		Type: string(a.Type), FavourHigh: a.FavourHigh,
	})
	if sqlerr.IsDuplicate(err) {
		return a, accountExists(ctx, q, a.Code)
	}
	a.ID = budget.AccountID(id)
	return a, err
}

// UpdateAccount implements budget.Store.
func (s *Store) UpdateAccount(ctx context.Context, id budget.AccountID, change budget.AccountChange) (budget.Account, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (a budget.Account, err error) {
		row, err := q.GetAccount(ctx, int64(id))
		if err != nil {
			return a, sqlerr.Missing(err, noAccount, id)
		}
		old := rows.Account(row)
		if a, err = change.Apply(old); err != nil {
			return a, q.since(ctx, err, journal.Accounts, int64(id))
		}
		if err := replaceAccount(ctx, q, a); err != nil {
			return a, err
		}
		return a, q.tell(ctx, journal.Accounts, int64(id), records.Account(old), records.Account(a))
	})
}

// replaceAccount sets all fields of the account that has the id.
func replaceAccount(ctx context.Context, q *tx, a budget.Account) error {
	err := q.UpdateAccount(ctx, gen.UpdateAccountParams{
		ID: int64(a.ID), Code: string(a.Code), CodeKey: a.Code.Fold(), Description: string(a.Description),
		Type: string(a.Type), FavourHigh: a.FavourHigh,
	})
	if sqlerr.IsDuplicate(err) {
		return accountExists(ctx, q, a.Code)
	}
	return err
}

// accountExists is the error of a code that an account has already.
func accountExists(ctx context.Context, q *tx, code text.Code) error {
	taken, err := q.FindAccountByCode(ctx, code.Fold(), schema.OwnKey(string(code)))
	if err != nil {
		return err
	}
	return fault.Exists(taken.ID, "a GL account has the code %s already", code)
}

const noAccount = "there is no GL account %d"

// Account implements budget.Store.
func (s *Store) Account(ctx context.Context, code text.Code) (budget.Account, error) {
	row, err := s.reader.FindAccountByCode(ctx, code.Fold(), schema.OwnKey(string(code)))
	return rows.Account(row), sqlerr.Classify(sqlerr.Missing(err, "no GL account has the code %q", code))
}

// Accounts implements budget.Store.
func (s *Store) Accounts(ctx context.Context) iter.Seq2[budget.Account, error] {
	return byID(ctx, s.reader.NewestAccount, s.reader.ListAccounts, rows.Account,
		func(a budget.Account) int64 { return int64(a.ID) })
}

// DeleteAccount implements budget.Store.
func (s *Store) DeleteAccount(ctx context.Context, id budget.AccountID) (a budget.Account, err error) {
	end, err := s.beginDeletion(ctx, func(of budget.Use) int64 { return of.Accounts[id] }, func(lines, actuals int64) error {
		row, err := s.reader.GetAccount(ctx, int64(id))
		return cmp.Or(err, inUse("GL account", text.Code(row.Code), lines, actuals))
	})
	if err != nil {
		return a, err
	}
	defer end()
	return write(ctx, s, func(ctx context.Context, q *tx) (a budget.Account, err error) {
		row, err := q.GetAccount(ctx, int64(id))
		if err != nil {
			return a, sqlerr.Missing(err, noAccount, id)
		}
		a = rows.Account(row)
		if err := deleteAccount(ctx, q, a); err != nil {
			return a, err
		}
		return a, q.tell(ctx, journal.Accounts, int64(id), records.Account(a), nil)
	})
}

// deleteAccount deletes an account. InUse: it has postings.
func deleteAccount(ctx context.Context, q *tx, a budget.Account) error {
	err := q.DeleteAccount(ctx, int64(a.ID))
	if sqlerr.IsForeignKey(err) {
		n, err := q.CountAccountPostings(ctx, int64(a.ID))
		if err != nil {
			return err
		}
		return inUse("GL account", a.Code, n.BudgetLines, n.Actuals)
	}
	return err
}
