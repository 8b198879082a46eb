// Package verify checks a whole database: that its pages and schema are sound, and that the journal,
// folded in order, gives exactly the rows of the tables.
//
// It changes nothing. It must not know the Store: otherwise the code that wrote the data would also
// check it.
package verify

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/journal"
)

// Verification is the result of verifying a database.
type Verification struct {
	Findings records.Findings // at most records.MostFindings
	Entries  int64            // of the journal
	Records  int64            // of the live tables
	Head     journal.Hash
	// The times that the checks of the file and its foreign keys took, and the checks of the chain and
	// the fold.
	FileTime, FoldTime time.Duration
}

// Restored returns the findings without those about sessions, because a restore removes sessions.
func (v Verification) Restored() records.Findings {
	return slices.DeleteFunc(slices.Clone(v.Findings), func(found records.Finding) bool { return found.Table == "sessions" })
}

// Progress receives how many of all steps are done.
type Progress func(done, all int64)

// Database verifies a database file: that its schema is the one that the migrations make, its pages and
// indexes, its foreign keys and CHECKs, the chain of its journal, that the journal folded in order
// gives exactly the live tables, that the positions and position checkpoints are the sums of the
// trades, that the counters of ids match the journal, that no session lasts too long, and that the
// answers stored for retries match the journal.
//
// It also checks that the chain has the link of each witness. Only that reveals a chain that somebody
// made again over other entries.
//
// Database changes nothing, and reads everything as of one moment. Unavailable: the file cannot be
// read, or is not a database of this schema.
func Database(ctx context.Context, path string, progress Progress, against ...records.Witness) (Verification, error) {
	f, err := file.Locate(path)
	if err != nil {
		return Verification{}, err
	}
	return File(ctx, f, progress, against...)
}

// File is Database for a file that was located.
func File(ctx context.Context, f file.File, progress Progress, against ...records.Witness) (Verification, error) {
	return verifyWith(ctx, f, &verifier{progress: progress, against: against, of: f.Schema})
}

// Copy verifies a copy whose pages and foreign keys the caller has just checked.
func Copy(ctx context.Context, f file.File) (Verification, error) {
	return verifyWith(ctx, f, &verifier{of: f.Schema, sound: true})
}

func verifyWith(ctx context.Context, f file.File, v *verifier) (Verification, error) {
	f, err := f.Current(ctx)
	if err != nil {
		return Verification{}, err
	}
	db, err := f.Open(ctx, "ro", 2, file.ReaderPragmas)
	if err != nil {
		return Verification{}, err
	}
	defer func() { _ = db.Close() }() // it was only read
	if err := f.Unchanged(); err != nil {
		return Verification{}, err // the two connections may have opened two different files
	}
	err = v.run(ctx, db)
	if disturbed := f.Unchanged(); disturbed != nil {
		return Verification{}, disturbed
	}
	v.Findings = v.Findings[:min(len(v.Findings), records.MostFindings)]
	if err != nil && len(v.Findings) == 0 {
		return v.Verification, sqlerr.Classify(err)
	}
	return v.Verification, nil
}

// verifier is one verification in progress.
type verifier struct {
	Verification
	of       *schema.Schema
	progress Progress
	against  []records.Witness
	sound    bool       // the pages and foreign keys are sound
	mutex    sync.Mutex // guards done, which two goroutines count
	done     int64
	all      int64
}

func (v *verifier) run(ctx context.Context, db *sql.DB) error {
	one, other, err := snapshots(ctx, db)
	if err != nil {
		return unreadable(&v.Findings, "journal_links", err)
	}
	defer func() { one.end(); other.end() }()
	began := time.Now()
	altered, err := v.schema(ctx, one.Tx)
	if err != nil {
		return unreadable(&v.Findings, "", err)
	}
	if !v.sound { // otherwise the caller has just checked them
		var found records.Findings
		found, v.sound, err = Pages(ctx, one.Tx)
		v.Findings = append(v.Findings, found...)
	}
	if err != nil || !v.sound { // if two pages lead to the same page, a read may never end
		return unreadable(&v.Findings, "", err)
	}
	if err := v.checks(ctx, one.Tx, altered); err != nil {
		return err
	}
	v.FileTime = time.Since(began)
	began = time.Now()
	defer func() { v.FoldTime = time.Since(began) }()
	return v.fold(ctx, one, other)
}

// fold reads the journal and the live tables in parallel, which halves the time on two processors, and
// compares them.
func (v *verifier) fold(ctx context.Context, one, other *snapshot) error {
	ones, others := gen.New(one), gen.New(other)
	n, err := ones.CountForVerify(ctx)
	if err != nil {
		return unreadable(&v.Findings, "", err)
	}
	v.all = n.Entries + n.Trades + n.BudgetLines + n.Actuals
	replay, tables := records.NewReplay(v.against), records.NewTables()
	var journalErr, tablesErr error
	var both sync.WaitGroup
	both.Go(func() {
		err := replay.Run(entries(ctx, ones), links(ctx, ones), v.step)
		journalErr = unreadable(&replay.Found, "journal", err)
	})
	both.Go(func() { tablesErr = v.readTables(ctx, others, tables) })
	both.Wait()
	v.Entries, v.Head, v.Records = replay.Entries, replay.Head, tables.Rows
	v.Findings = slices.Concat(v.Findings, replay.Contradictions(v.against), replay.Found, tables.Found)
	if err := errors.Join(journalErr, tablesErr); err != nil {
		return err
	}
	records.Compare(replay.Digests, tables.Digests, &v.Findings)
	if err := v.count(ctx, other.Tx, walked(replay, tables)); err != nil {
		return unreadable(&v.Findings, "", err)
	}
	if err := v.compareFolds(ctx, other, tables.Positions); err != nil {
		return err
	}
	if err := v.numbers(ctx, other.Tx, replay.Highest); err != nil {
		return unreadable(&v.Findings, "sequences", err)
	}
	if err := v.sessions(ctx, others, time.Now()); err != nil {
		return unreadable(&v.Findings, "sessions", err)
	}
	if err := v.answers(ctx, other.Tx, replay.Latest); err != nil {
		return unreadable(&v.Findings, "idempotency_keys", err)
	}
	v.step(v.all - v.done)
	return nil
}

// readTables reads every journalled row of the tables.
func (v *verifier) readTables(ctx context.Context, q *gen.Queries, tables *records.Tables) error {
	for r, err := range Rows(ctx, q) {
		if err != nil {
			return unreadable(&tables.Found, string(r.Entity), err)
		}
		tables.Add(r)
		v.step(1)
	}
	return nil
}

func (v *verifier) step(n int64) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.done += n
	if v.progress != nil {
		v.progress(v.done, v.all)
	}
}

// schema compares the schema, and the versions that it records, with the migrations. It returns the
// tables that differ from the migrations.
func (v *verifier) schema(ctx context.Context, tx *sql.Tx) (altered map[string]bool, err error) {
	found, err := v.of.Differences(ctx, tx, v.of.Newest())
	altered = map[string]bool{}
	for _, d := range found {
		if !d.Harmful {
			continue
		}
		v.Findings.Add(d.Table, 0, "%s", d)
		altered[d.Name] = altered[d.Name] || d.Kind == "table"
	}
	if err != nil {
		return altered, err
	}
	taken, err := Texts(ctx, tx, `SELECT version_id || CASE WHEN is_applied IS NOT 1 THEN ' taken back'
		WHEN typeof(version_id) || typeof(is_applied) <> 'integerinteger' OR typeof(tstamp) <> 'text' OR tstamp IS NOT datetime(tstamp)
		THEN ' at no time' ELSE '' END FROM goose_db_version ORDER BY id`)
	if want := v.of.Versions(); err == nil && !slices.Equal(taken, want) {
		v.Findings.Add("goose_db_version", 0, "holds the versions %q, not %q", taken, want)
	}
	return altered, err
}

// Pages checks the pages and indexes and, if all pages are sound, the foreign keys. It reports whether
// the pages are sound.
func Pages(ctx context.Context, tx *sql.Tx) (found records.Findings, sound bool, err error) {
	problems, err := Texts(ctx, tx, fmt.Sprintf("PRAGMA integrity_check(%d)", records.MostFindings))
	if err != nil {
		return found, false, err
	}
	for _, problem := range problems {
		if problem != "ok" {
			found.Add("", 0, "%s", problem)
		}
		if strings.HasPrefix(problem, "*** in database") { // about a page, not a row or an index
			return found, false, nil
		}
	}
	err = orphans(ctx, tx, &found)
	return found, true, err
}

// orphans finds references to missing rows. A statement asks for them, because a view with the name of the
// table-valued function would hide that.
func orphans(ctx context.Context, tx *sql.Tx, found *records.Findings) error {
	return schema.Each(ctx, tx, "PRAGMA foreign_key_check", func(scan func(...any) error) error {
		var table, parent string
		var row, reference any
		err := scan(&table, &row, &parent, &reference)
		found.Add("", 0, "%s refers to a missing row of %s", table, parent)
		return err
	})
}

// Texts returns the values of a query with one column.
func Texts(ctx context.Context, tx *sql.Tx, query string) (values []string, err error) {
	err = schema.Each(ctx, tx, query, func(scan func(...any) error) error {
		var value string
		err := scan(&value)
		values = append(values, value)
		return err
	})
	return values, err
}
