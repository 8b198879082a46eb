//go:build !race

package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// history serves a database several times. It returns the older copies of the file, each taken while no
// server ran, and the files that a kill would have left in the next run. Sometimes another program reads
// during a start, so that the number of that start cannot reach the file, and sometimes the log is copied.
func history(t *testing.T, runs int, chance *rand.Rand) (older, left []string) {
	t.Helper()
	path, dir := newFile(t), t.TempDir()
	for run := range runs {
		end := func() error { return nil }
		if run > 0 && chance.IntN(3) == 0 {
			db, reader := readAsItIs(t, path)
			end = func() error { return errors.Join(reader.Rollback(), db.Close()) }
		}
		s, stop := served(t, path)
		for range 1 + chance.IntN(3) {
			anything(t, s, chance)
			if chance.IntN(2) == 0 {
				copyLog(t, s)
				s.writer.log.count(checkpoint(s.writer.conn, 0))
			}
			if chance.IntN(2) == 0 {
				if err := end(); err != nil && !errors.Is(err, sql.ErrTxDone) {
					t.Fatal(err)
				}
			}
		}
		if run > 0 {
			left = append(left, killed(t, path))
		}
		if err := errors.Join(end(), stop()); err != nil && !errors.Is(err, sql.ErrTxDone) {
			t.Fatal(err)
		}
		if file.SizeOf(path+"-wal") > 0 {
			t.Fatal("got a log after the end of a server, want none")
		}
		older = append(older, copyParts(t, path, filepath.Join(dir, fmt.Sprintf("%d.db", run)), ""))
	}
	return older[:len(older)-1], left
}

// TestAnOlderCopyBesideALog: an older copy of a database, taken while no server ran, beside the log that a
// kill left, is refused and not changed, or verifies. The control is SQLite alone, which makes damaged
// databases of some.
func TestAnOlderCopyBesideALog(t *testing.T) {
	const runs = 15
	chance := rand.New(rand.NewPCG(1, 2))
	older, left := history(t, runs, chance)
	type pair struct{ older, left int }
	var pairs []pair
	for l := range left {
		for o := range l + 1 { // left[l] is of the run after older[l]
			pairs = append(pairs, pair{o, l})
		}
	}
	chance.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	refused, damaged := 0, 0
	for _, p := range pairs[:times(25, 100)] {
		path := copyParts(t, left[p.left], filepath.Join(t.TempDir(), "app.db"), besideDatabase...)
		copyParts(t, older[p.older], path, "")
		before := contentsOf(t, path)
		s, err := Open(t.Context(), path, today)
		switch {
		case err == nil:
			if err := errors.Join(s.Close(), sqlitetest.Verified(t.Context(), path)); err != nil {
				t.Errorf("copy %d beside log %d: got %v, want it whole", p.older, p.left, err)
			}
		case fault.KindOf(err) == fault.Unavailable && strings.Contains(err.Error(), "move the -wal away") && maps.Equal(contentsOf(t, path), before):
			refused++
			if err := os.Remove(path + file.LockFile); err != nil {
				t.Fatal(err)
			}
			if sqlitetest.Verified(t.Context(), path) != nil {
				damaged++
			}
		default:
			t.Errorf("copy %d beside log %d: got %v, want it refused and not changed", p.older, p.left, err)
		}
	}
	if refused == 0 || damaged == 0 {
		t.Errorf("got %d refused, and %d of these damaged by SQLite alone, want some of both", refused, damaged)
	}
	for i, own := range left {
		s, err := Open(t.Context(), own, today)
		if err == nil {
			err = errors.Join(s.Close(), sqlitetest.Verified(t.Context(), own))
		}
		if err != nil {
			t.Errorf("log %d with its own database: got %v, want no error", i, err)
		}
	}
	report(t, "an older copy beside a log", "refused or whole", fmt.Sprintf("%d pairs, %d refused", times(25, 100), refused), fmt.Sprintf("SQLite alone damages %d", damaged))
}

// anything stores some records.
func anything(t *testing.T, s *Store, chance *rand.Rand) {
	t.Helper()
	for range 1 + chance.IntN(30) {
		n := chance.IntN(1 << 30)
		var err error
		switch chance.IntN(4) {
		case 0:
			_, err = s.CreateDepartment(t.Context(), budget.Department{Code: text.Code(fmt.Sprintf("D%d", n)), Name: "Any"})
		case 1:
			_, err = s.AddCompany(t.Context(), trading.Company{Name: text.Name(strings.Repeat("x", n%250))})
		default:
			_, err = s.AddTrades(t.Context(), slices.Repeat([]trading.Trade{{
				Instrument: trading.Instrument{Symbol: trading.Symbol(fmt.Sprintf("S%d", n%7)), Currency: "SEK"}, Shares: 100, Side: trading.Buy, Price: 80,
			}}, 1+n%20))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
