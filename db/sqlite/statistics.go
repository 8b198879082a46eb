package sqlite

import (
	"context"
	"strings"

	"daybook/internal/fault"
)

// statistics are the tables that ANALYZE makes, as each version of SQLite defines them.
var statistics = map[string]string{
	"sqlite_stat1": "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
	"sqlite_stat2": "CREATE TABLE sqlite_stat2(tbl,idx,sampleno,sample)",
	"sqlite_stat3": "CREATE TABLE sqlite_stat3(tbl,idx,neq,nlt,ndlt,sample)",
	"sqlite_stat4": "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}

// dropStatistics removes the tables that ANALYZE leaves. SQLite plans by them, and the
// program never renews them: those of a small database have it read whole tables once that
// has grown. The caller is alone. Unavailable.
func (f file) dropStatistics(ctx context.Context) error {
	has, err := f.hasStatistics(ctx)
	if err != nil {
		return f.unreadable(err)
	}
	if !has {
		return nil
	}
	db, err := f.open(ctx, "rw", 1, f.writerPragmas())
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "cannot write %s", f)
	}
	for table := range statistics {
		if _, dropping := db.ExecContext(ctx, "DROP TABLE IF EXISTS "+table); err == nil {
			err = dropping
		}
	}
	if closing := db.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "cannot remove what ANALYZE left in %s", f)
	}
	return nil
}

func (f file) hasStatistics(ctx context.Context) (has bool, err error) {
	const ask = "SELECT count(*) > 0 FROM sqlite_schema WHERE lower(name) GLOB 'sqlite_stat[1-4]'"
	db, err := f.open(ctx, "ro", 1, readerPragmas)
	if err != nil {
		return false, err
	}
	defer func() { _ = db.Close() }() // it was only read
	err = db.QueryRowContext(ctx, ask).Scan(&has)
	return has, err
}

// namedAsStatistics reports a table that SQLite reads as statistics, whatever it is. SQLite knows
// its name without regard to case.
func namedAsStatistics(table string) bool { return statistics[strings.ToLower(table)] != "" }
