package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// Finding is one thing that is not as it was written.
type Finding struct {
	Table   string // "" where the file as a whole is meant
	ID      int64  // of the record, or of the first journal entry meant; 0 where none is
	Problem string // in one line of what can be printed
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
	Findings findings // no more than mostFindings of them
	Entries  int64    // of the journal
	Records  int64    // of the live tables
	Head     journal.Hash
	// How long the file and its foreign keys took, and the chain and the fold.
	FileTime, FoldTime time.Duration
}

// mostFindings is when verifying stops looking for more: what is so damaged is
// restored, not mended row by row.
const mostFindings = 100

// Progress is told how many of all steps are done.
type Progress func(done, all int64)

// Verify checks a database file: that its schema is the migrations', its pages and
// indexes, its foreign keys and CHECKs, the chain of its journal, that the journal folded in order
// gives exactly the live tables, that the positions, present and past, are those of the
// trades, that the counters of ids are those of the journal, that no session lasts longer
// than it may, and that answers kept for a retry are what the journal says.
// It also checks that the link of each witness is on the chain: that alone finds a chain
// that was made anew over other entries. Nothing is changed, and all is read as it was at
// one moment. Unavailable: it cannot be read, or is not a database of this schema.
func Verify(ctx context.Context, path string, progress Progress, against ...Witness) (Verification, error) {
	f, err := locate(path)
	if err != nil {
		return Verification{}, err
	}
	return f.verify(ctx, progress, against...)
}

func (f file) verify(ctx context.Context, progress Progress, against ...Witness) (Verification, error) {
	return f.verifyWith(ctx, &verifier{progress: progress, against: against, of: f.schema})
}

func (f file) verifyWith(ctx context.Context, v *verifier) (Verification, error) {
	f, err := f.current(ctx)
	if err != nil {
		return Verification{}, err
	}
	db, err := f.open(ctx, "ro", 2, readerPragmas)
	if err != nil {
		return Verification{}, err
	}
	defer func() { _ = db.Close() }() // it was only read
	if err := f.undisturbed(); err != nil {
		return Verification{}, err // its two connections may be of two files
	}
	err = v.run(ctx, db)
	if disturbed := f.undisturbed(); disturbed != nil {
		return Verification{}, disturbed
	}
	v.Findings = v.Findings[:min(len(v.Findings), mostFindings)]
	if err != nil && len(v.Findings) == 0 {
		return v.Verification, classify(err)
	}
	return v.Verification, nil
}

// verifier is one verification in progress.
type verifier struct {
	Verification
	of       *schema
	progress Progress
	against  []Witness
	sound    bool       // the pages and foreign keys are
	mutex    sync.Mutex // of done, which both halves count
	done     int64
	all      int64
}

func (v *verifier) run(ctx context.Context, db *sql.DB) error {
	one, other, err := snapshots(ctx, db)
	if err != nil {
		return v.Findings.unreadable("journal_links", err)
	}
	defer func() { one.end(); other.end() }()
	began := time.Now()
	altered, err := v.schema(ctx, one.Tx)
	if err != nil {
		return v.Findings.unreadable("", err)
	}
	if !v.sound { // else they were checked just before
		v.sound, err = v.file(ctx, one.Tx)
	}
	if err != nil || !v.sound { // where two pages lead to one, reading may have no end
		return v.Findings.unreadable("", err)
	}
	if err := v.checks(ctx, one.Tx, altered); err != nil {
		return err
	}
	if err := v.indexes(ctx, one.Tx, altered); err != nil {
		return err
	}
	v.FileTime = time.Since(began)
	began = time.Now()
	defer func() { v.FoldTime = time.Since(began) }()
	return v.fold(ctx, one, other)
}

// fold reads the journal and the live tables beside each other, which takes half of the
// time on two processors, and compares them.
func (v *verifier) fold(ctx context.Context, one, other *snapshot) error {
	ones, others := gen.New(one), gen.New(other)
	n, err := ones.CountForVerify(ctx)
	if err != nil {
		return v.Findings.unreadable("", err)
	}
	v.all = n.Entries + n.Trades + n.BudgetLines + n.Actuals
	told, live := teller{state: newState(), highest: map[journal.Entity]int64{}, noted: noted(v.against)}, holder{state: newState(), positions: positions{}}
	var tellerErr, holderErr error
	var both sync.WaitGroup
	both.Go(func() { tellerErr = told.unreadable("journal", told.read(ctx, ones, v.step)) })
	both.Go(func() { holderErr = live.read(ctx, others, v.step) })
	both.Wait()
	v.Entries, v.Head, v.Records = told.entries, told.head, live.records
	v.Findings = slices.Concat(v.Findings, told.contradicts(v.against), told.findings, live.findings)
	if err := errors.Join(tellerErr, holderErr); err != nil {
		return err
	}
	v.compare(told.state, live.state)
	if err := v.count(ctx, other.Tx, walked(told, live)); err != nil {
		return v.Findings.unreadable("", err)
	}
	if err := v.compareFolds(ctx, other, live.positions); err != nil {
		return err
	}
	if err := v.numbers(ctx, other.Tx, told.highest); err != nil {
		return v.Findings.unreadable("sequences", err)
	}
	if err := v.sessions(ctx, others, time.Now()); err != nil {
		return v.Findings.unreadable("sessions", err)
	}
	if err := v.answers(ctx, other.Tx, told.latest); err != nil {
		return v.Findings.unreadable("idempotency_keys", err)
	}
	v.step(v.all - v.done)
	return nil
}

// snapshot is a reading of the database as it is at one moment.
type snapshot struct {
	*sql.Tx
	conn    *sql.Conn // that the transaction is on
	through int64     // where the journal ends in it
}

// snapshots begins two readings of the database as it is at one moment. Since each
// change is journalled with it, two readings in which the journal ends alike are alike.
func snapshots(ctx context.Context, db *sql.DB) (one, other *snapshot, err error) {
	for {
		one, err := newSnapshot(ctx, db)
		if err != nil {
			return nil, nil, err
		}
		other, err := newSnapshot(ctx, db)
		if err == nil && one.through == other.through {
			return one, other, nil
		}
		one.end()
		if err != nil {
			return nil, nil, err
		}
		other.end()
	}
}

func newSnapshot(ctx context.Context, db *sql.DB) (*snapshot, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &snapshot{conn: conn}
	if s.Tx, err = conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
		_ = conn.Close() // hands it back to the pool
		return nil, err
	}
	links, err := gen.New(s).ListNewestLinks(ctx, 1)
	if err != nil {
		s.end()
		return nil, err
	}
	if len(links) > 0 {
		s.through = links[0].Through
	}
	return s, nil
}

// end ends the reading; there is nothing in it to lose.
func (s *snapshot) end() { _, _ = s.Rollback(), s.conn.Close() }

// findings are what a part of a verification found.
type findings []Finding

func (f *findings) find(table string, id int64, format string, args ...any) {
	if len(*f) < mostFindings {
		*f = append(*f, Finding{text.Printable(table), id, text.Printable(fmt.Sprintf(format, args...))})
	}
}

// unreadable makes a finding of a place that SQLite cannot read, or that holds what its
// column cannot.
func (f *findings) unreadable(table string, err error) error {
	if resultCode(err) != 0 || err != nil && fault.KindOf(classify(err)) == fault.Internal {
		f.find(table, 0, "cannot be read: %v", err)
	}
	return err
}

func (v *verifier) step(n int64) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.done += n
	if v.progress != nil {
		v.progress(v.done, v.all)
	}
}

// schema compares the schema, and the versions that it says it has, with those of the
// migrations. It returns the tables that are
// not as the migrations made them.
func (v *verifier) schema(ctx context.Context, tx *sql.Tx) (altered map[string]bool, err error) {
	found, err := v.of.differences(ctx, tx, v.of.newest())
	altered = map[string]bool{}
	for _, d := range found {
		v.Findings.find(d.table, 0, "%s", d)
		altered[d.name] = altered[d.name] || d.kind == "table"
	}
	if err != nil {
		return altered, err
	}
	taken, err := column1(ctx, tx, `SELECT version_id || CASE WHEN is_applied IS NOT 1 THEN ' taken back'
		WHEN typeof(version_id) || typeof(is_applied) <> 'integerinteger' OR typeof(tstamp) <> 'text' OR tstamp IS NOT datetime(tstamp)
		THEN ' at no time' ELSE '' END FROM goose_db_version ORDER BY id`)
	if want := v.of.versions(); err == nil && !slices.Equal(taken, want) {
		v.Findings.find("goose_db_version", 0, "holds the versions %q, not %q", taken, want)
	}
	return altered, err
}

// file checks the pages and indexes, and where all pages are sound the foreign keys.
func (v *verifier) file(ctx context.Context, tx *sql.Tx) (sound bool, err error) {
	problems, err := column1(ctx, tx, fmt.Sprintf("PRAGMA integrity_check(%d)", mostFindings))
	if err != nil {
		return false, err
	}
	for _, problem := range problems {
		if problem != "ok" {
			v.Findings.find("", 0, "%s", problem)
		}
		if strings.HasPrefix(problem, "*** in database") { // not of a row or an index
			return false, nil
		}
	}
	orphans, err := column1(ctx, tx, `SELECT "table" || ' refers to a missing row of ' || parent FROM pragma_foreign_key_check`)
	for _, orphan := range orphans {
		v.Findings.find("", 0, "%s", orphan)
	}
	return true, err
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
