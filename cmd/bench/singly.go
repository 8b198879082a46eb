package main

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync"
	"time"

	"daybook/internal/budget"
	"daybook/internal/journal"
)

// singly is a store that ingests each actual in its own transaction, as most programs do, with one
// connection, prepared statements and synchronous=FULL. It writes the journal as the product does, so
// that only one thing differs: the product makes one commit for many requests. It can also write no
// journal.
type singly struct {
	unasked
	journals bool

	mu                                       sync.Mutex // held for the transaction
	db                                       *sql.DB
	begin, find, upsert, enter, link, commit *sql.Stmt
	last                                     journal.Seq
	head                                     journal.Hash
}

func openSingly(ctx context.Context, path string, journals bool) (s *singly, err error) {
	s = &singly{journals: journals}
	if s.db, err = openDatabase(ctx, path, "rw"); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		statement **sql.Stmt
		text      string
	}{
		{&s.begin, "BEGIN IMMEDIATE"},
		{&s.commit, "COMMIT"},
		{&s.find, `
			SELECT id, amount, currency, source FROM actuals
			WHERE fiscal_year = ? AND fiscal_period = ? AND department_id = ? AND gl_account_id = ?`},
		{&s.upsert, `
			INSERT INTO actuals (id, department_id, gl_account_id, fiscal_year, fiscal_period, amount, currency, source)
			VALUES ((SELECT max(id) + 1 FROM actuals), ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (fiscal_year, fiscal_period, department_id, gl_account_id)
			DO UPDATE SET amount = excluded.amount, currency = excluded.currency, source = excluded.source
			RETURNING id`},
		{&s.enter, `
			INSERT INTO journal (seq, at, actor, request, entity, entity_id, before, after)
			VALUES (?, ?, ?, ?, 'actuals', ?, ?, ?)`},
		{&s.link, "INSERT INTO journal_links (through, hash) VALUES (?, ?)"},
	} {
		if *p.statement, err = s.db.PrepareContext(ctx, p.text); err != nil { //nolint:sqlclosecheck // close does
			return nil, errors.Join(err, s.close())
		}
	}
	if err := s.readHead(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// readHead reads the head of the chain. No other process writes to the database.
func (s *singly) readHead(ctx context.Context) error {
	var hash []byte
	err := s.db.QueryRowContext(ctx, "SELECT through, hash FROM journal_links ORDER BY through DESC LIMIT 1").Scan(&s.last, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	copy(s.head[:], hash)
	return err
}

func (s *singly) close() error { return s.db.Close() }

// IngestActuals implements budget.Store.
func (s *singly) IngestActuals(asked context.Context, actuals []budget.Actual) ([]budget.Actual, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx := context.Background() // a caller that leaves must not end a transaction
	if _, err := s.begin.ExecContext(ctx); err != nil {
		return nil, err
	}
	for i := range actuals {
		if err := s.ingest(ctx, &actuals[i], journal.OriginOf(asked)); err != nil {
			return nil, err // the error ends the run and the transaction
		}
	}
	_, err := s.commit.ExecContext(ctx)
	return actuals, err
}

func (s *singly) ingest(ctx context.Context, a *budget.Actual, origin journal.Origin) error {
	before := *a
	if s.journals {
		err := s.find.QueryRowContext(ctx, int64(a.Year), int64(a.Period), int64(a.DepartmentID), int64(a.AccountID)).
			Scan(&before.ID, &before.Amount, &before.Currency, &before.Source)
		if err != nil {
			return err // every post is of an existing actual
		}
	}
	err := s.upsert.QueryRowContext(ctx, int64(a.DepartmentID), int64(a.AccountID), int64(a.Year), int64(a.Period),
		int64(a.Amount), string(a.Currency), string(a.Source)).Scan(&a.ID)
	if err != nil || !s.journals {
		return err
	}
	return s.tell(ctx, journal.Entry{
		Seq: s.last + 1, At: time.Now().UTC(), Origin: origin, Entity: journal.Actuals, EntityID: int64(a.ID),
		Before: record(before), After: record(*a),
	})
}

// tell writes a change to the journal, and links it to the chain.
func (s *singly) tell(ctx context.Context, e journal.Entry) error {
	_, err := s.enter.ExecContext(ctx, int64(e.Seq), e.At.UnixMicro(), e.Actor, e.Request, e.EntityID, string(e.Before), string(e.After))
	if err != nil {
		return err
	}
	s.last, s.head = e.Seq, s.head.Next(e.AppendTo(nil))
	_, err = s.link.ExecContext(ctx, int64(s.last), s.head[:])
	return err
}

// record returns an actual in the form of the journal.
func record(a budget.Actual) []byte {
	b := strconv.AppendInt([]byte(`{"id":`), int64(a.ID), 10)
	b = strconv.AppendInt(append(b, `,"department_id":`...), int64(a.DepartmentID), 10)
	b = strconv.AppendInt(append(b, `,"gl_account_id":`...), int64(a.AccountID), 10)
	b = strconv.AppendInt(append(b, `,"fiscal_year":`...), int64(a.Year), 10)
	b = strconv.AppendInt(append(b, `,"fiscal_period":`...), int64(a.Period), 10)
	b = a.Amount.AppendTo(append(b, `,"amount":`...))
	b = strconv.AppendQuote(append(b, `,"currency":`...), string(a.Currency)) // these texts need no more escaping
	b = strconv.AppendQuote(append(b, `,"source":`...), string(a.Source))
	return append(b, '}')
}
