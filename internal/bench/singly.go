package main

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"daybook/internal/budget"
)

// singly is a store that ingests each actual in a transaction of its own, as most
// programs do: one connection, statements prepared, synchronous=FULL, and no journal.
type singly struct {
	unasked

	mu                    sync.Mutex // held for the transaction
	db                    *sql.DB
	begin, upsert, commit *sql.Stmt
}

func openSingly(ctx context.Context, path string) (s *singly, err error) {
	s = &singly{}
	if s.db, err = openDatabase(ctx, path, "rw"); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		statement **sql.Stmt
		text      string
	}{
		{&s.begin, "BEGIN IMMEDIATE"},
		{&s.commit, "COMMIT"},
		{&s.upsert, `
			INSERT INTO actuals (id, department_id, gl_account_id, fiscal_year, fiscal_period, amount, currency, source)
			VALUES ((SELECT max(id) + 1 FROM actuals), ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (fiscal_year, fiscal_period, department_id, gl_account_id)
			DO UPDATE SET amount = excluded.amount, currency = excluded.currency, source = excluded.source
			RETURNING id`},
	} {
		if *p.statement, err = s.db.PrepareContext(ctx, p.text); err != nil { //nolint:sqlclosecheck // close does
			return nil, errors.Join(err, s.close())
		}
	}
	return s, nil
}

func (s *singly) close() error { return s.db.Close() }

// IngestActuals implements budget.Store.
func (s *singly) IngestActuals(_ context.Context, actuals []budget.Actual) ([]budget.Actual, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx := context.Background() // a caller that hangs up does not break a transaction off
	if _, err := s.begin.ExecContext(ctx); err != nil {
		return nil, err
	}
	for i := range actuals {
		a := &actuals[i]
		err := s.upsert.QueryRowContext(ctx, int64(a.DepartmentID), int64(a.AccountID), int64(a.Year), int64(a.Period),
			int64(a.Amount), string(a.Currency), string(a.Source)).Scan(&a.ID)
		if err != nil {
			return nil, err // the run is over, and the transaction with it
		}
	}
	_, err := s.commit.ExecContext(ctx)
	return actuals, err
}
