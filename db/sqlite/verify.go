package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Finding is one thing that is not as it was written.
type Finding struct {
	Table   string // "" where the file as a whole is meant
	ID      int64  // of the record, or of the first journal entry meant; 0 where none is
	Problem string
}

func (f Finding) String() string {
	switch {
	case f.Table == "":
		return f.Problem
	case f.ID == 0:
		return f.Table + ": " + f.Problem
	}
	return fmt.Sprintf("%s %d: %s", f.Table, f.ID, f.Problem)
}

// Verification is what verifying a database found.
type Verification struct {
	Findings []Finding // no more than mostFindings of them
	Entries  int64     // of the journal
	Records  int64     // of the live tables
	Head     journal.Hash
	// How long the file and its foreign keys took, and the chain and the fold.
	FileTime, FoldTime time.Duration
}

// mostFindings is when verifying stops looking for more: what is so damaged is
// restored, not mended row by row.
const mostFindings = 100

// Progress is told how many of all steps are done.
type Progress func(done, all int64)

// Verify checks a database file, from one snapshot of it: its pages and indexes, its
// foreign keys, the chain of its journal, that the journal folded in order gives
// exactly the live tables, and that the positions are those of the trades. Nothing is
// changed. Unavailable: it cannot be read, or is not a database of this schema.
func Verify(ctx context.Context, path string, progress Progress) (Verification, error) {
	f, err := locate(path)
	if err != nil {
		return Verification{}, err
	}
	version, err := f.inspect(ctx)
	if err != nil {
		return Verification{}, err
	}
	if version != newestMigration() {
		return Verification{}, fault.New(fault.Unavailable, "%s has schema version %d, not %d: app migrate first", path, version, newestMigration())
	}
	db, err := f.open(ctx, "ro", 1, readerPragmas)
	if err != nil {
		return Verification{}, err
	}
	defer func() { _ = db.Close() }() // it was only read
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return Verification{}, classify(err)
	}
	defer func() { _ = tx.Rollback() }() // it was only read
	v := verifier{tx: tx, queries: gen.New(tx), held: positions{}, progress: progress}
	if err := v.run(ctx); err != nil && len(v.Findings) == 0 {
		return v.Verification, classify(err)
	}
	return v.Verification, nil
}

// verifier is one verification in progress.
type verifier struct {
	Verification
	tx       *sql.Tx
	queries  *gen.Queries
	held     positions // what the trades add up to
	progress Progress
	done     int64
	all      int64
}

func (v *verifier) run(ctx context.Context) error {
	began := time.Now()
	if err := v.file(ctx); err != nil {
		return v.unreadable("", err)
	}
	v.FileTime = time.Since(began)
	began = time.Now()
	defer func() { v.FoldTime = time.Since(began) }()
	if err := v.count(ctx); err != nil {
		return v.unreadable("", err)
	}
	state, err := v.chain(ctx)
	if err != nil {
		return v.unreadable("journal", err)
	}
	if err := v.fold(ctx, state); err != nil {
		return v.unreadable("", err)
	}
	if err := v.positions(ctx); err != nil {
		return v.unreadable("positions", err)
	}
	v.step(v.all - v.done)
	return nil
}

func (v *verifier) find(table string, id int64, format string, args ...any) {
	if len(v.Findings) < mostFindings {
		v.Findings = append(v.Findings, Finding{table, id, fmt.Sprintf(format, args...)})
	}
}

// unreadable makes a finding of a place that SQLite cannot read.
func (v *verifier) unreadable(table string, err error) error {
	if resultCode(err) != 0 {
		v.find(table, 0, "cannot be read: %v", err)
	}
	return err
}

func (v *verifier) step(n int64) {
	v.done += n
	if v.progress != nil {
		v.progress(v.done, v.all)
	}
}

// file checks the pages and indexes, and the foreign keys.
func (v *verifier) file(ctx context.Context) error {
	problems, err := column1(ctx, v.tx, fmt.Sprintf("PRAGMA integrity_check(%d)", mostFindings))
	if err != nil {
		return err
	}
	for _, problem := range problems {
		if problem != "ok" {
			v.find("", 0, "%s", problem)
		}
	}
	orphans, err := column1(ctx, v.tx, `SELECT "table" || ' refers to a missing row of ' || parent FROM pragma_foreign_key_check`)
	for _, orphan := range orphans {
		v.find("", 0, "%s", orphan)
	}
	return err
}

func column1(ctx context.Context, tx *sql.Tx, query string) ([]string, error) {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err says how the reading went
	var values []string
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

func (v *verifier) count(ctx context.Context) error {
	n, err := v.queries.CountForVerify(ctx)
	v.all = n.Entries + n.Trades + n.BudgetLines + n.Actuals
	return err
}
