package backup_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/backup"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// past is a database with a history: it grows, is backed up, and is restored.
type past struct {
	t         *testing.T
	path, dir string
	taken     time.Time
	manifests map[string]backup.Manifest // of its backups, by name
}

func newPast(t *testing.T) *past {
	t.Helper()
	return &past{t: t, path: sqlitetest.RecordOfEach(t, sqlite.Open), dir: t.TempDir(), taken: sqlitetest.Midday, manifests: map[string]backup.Manifest{}}
}

// grow adds currencies, each with its own entry and link.
func (p *past) grow(codes ...money.Currency) {
	p.t.Helper()
	s, err := sqlite.Open(p.t.Context(), p.path, func() time.Time { return p.taken })
	if err != nil {
		p.t.Fatal(err)
	}
	for _, code := range codes {
		if _, err := s.AddCurrency(p.t.Context(), trading.Currency{Code: code, Name: "a currency"}); err != nil {
			p.t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		p.t.Fatal(err)
	}
}

// backup takes a backup with a name, an hour after the last event.
func (p *past) backup(name string) {
	p.t.Helper()
	p.taken = p.taken.Add(time.Hour)
	m, err := sqlitebackup.Backup(p.t.Context(), p.path, filepath.Join(p.dir, name), "test", p.taken)
	if err != nil {
		p.t.Fatal(err)
	}
	p.manifests[name] = m
}

// restore restores a backup, an hour after the last event.
func (p *past) restore(name string) sqlitebackup.Restoration {
	p.t.Helper()
	p.taken = p.taken.Add(time.Hour)
	r, err := sqlitebackup.Restore(p.t.Context(), filepath.Join(p.dir, name), p.path, nil, p.taken)
	if err != nil {
		p.t.Fatal(err)
	}
	if got := sqlitetest.Found(p.t, p.path); len(got) > 0 {
		p.t.Errorf("after restoring %s: got %q, want nothing", name, got)
	}
	return r
}

// lineage fails the test unless the backups have these lineages in the database.
func (p *past) lineage(when string, want map[string]backup.Lineage) {
	p.t.Helper()
	for name, lineage := range want {
		got, err := sqlitebackup.Lineages(p.t.Context(), p.path, []backup.Manifest{p.manifests[name]})
		if err != nil || len(got) != 1 || got[0] != lineage {
			p.t.Errorf("%s: %s: got %v, %v, want %d", when, name, got, err, lineage)
		}
	}
}

// TestRestoreNotesItsBackup: a restore notes in the journal from which backup and link it came, under a link
// of its own. The backups whose link the database then has are its own; the others are strays. The notes do not
// go on from one chain to the other.
func TestRestoreNotesItsBackup(t *testing.T) {
	const own, stray = backup.Own, backup.Stray
	p := newPast(t)
	p.backup("a") // through entry 17
	p.grow("EUR", "NOK")
	p.backup("b") // 16
	p.lineage("before", map[string]backup.Lineage{"a": own, "b": own})
	for range 2 { // the second time over what the first has made
		p.restore("a")
		p.grow("DKK")
		p.backup("c") // 16 on another chain
		p.lineage("restored", map[string]backup.Lineage{"a": own, "b": stray, "c": own})
		s, err := sqlite.Open(t.Context(), p.path, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := s.JournalPage(t.Context(), journal.Filter{Entity: journal.Restores, Limit: 10})
		want := fmt.Sprintf(`{"id":18,"file":"a","seq":17,"hash":%q}`, p.manifests["a"].Head)
		if err != nil || len(entries) != 1 || entries[0].Seq != 18 || entries[0].Actor != "app restore" || string(entries[0].After) != want {
			t.Errorf("got %+v, %v, want entry 18 of app restore with %s", entries, err, want)
		}
		if err := errors.Join(s.Close(), os.Remove(filepath.Join(p.dir, "c")), os.Remove(filepath.Join(p.dir, "c.json"))); err != nil {
			t.Fatal(err)
		}
	}
	p.restore("b")
	p.lineage("with b", map[string]backup.Lineage{"a": own, "b": own, "c": stray})
	sqlitetest.NewSpecimen(t, sqlite.Open).Rehashed(t, p.path, "UPDATE journal SET actor = 'me' WHERE seq = 5")
	p.lineage("an entry rewritten", map[string]backup.Lineage{"a": stray})
}

// TestRetentionAfterARestore: after a restore by mistake, the backups of what it gave up are kept for a year
// beside those of the database, and can be restored.
func TestRetentionAfterARestore(t *testing.T) {
	p := newPast(t)
	p.keep(1)
	old := p.newest()
	p.grow("EUR", "NOK")
	p.keep(1)
	last := filepath.Join(p.dir, p.newest())
	p.restore(old)
	p.grow("DKK")
	p.keep(5) // one every two months
	kept, err := os.ReadFile(last)
	if err != nil {
		t.Fatalf("after ten months: got %v, want the last backup of what was given up", err)
	}
	p.keep(2)
	if file.Exists(last) || !file.Exists(filepath.Join(p.dir, old)) {
		t.Errorf("after a year: got the files %v, want that backup removed, and no other", sqlitetest.NamesIn(t, p.dir))
	}
	again := filepath.Join(p.dir, "again.db")
	if err := os.WriteFile(again, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	p.restore("again.db")
	if got := sqlitetest.LinksOf(t, p.path); got[16].Seq != 16 {
		t.Errorf("got the links %v, want those up to entry 16", got)
	}
}

// keep makes a Keeper take some scheduled backups, one every two months.
func (p *past) keep(backups int) {
	p.t.Helper()
	const every = 62 * 24 * time.Hour
	ctx, stop := context.WithCancel(p.t.Context())
	var log strings.Builder
	p.taken = p.taken.Add(every)
	keeper := backup.NewKeeper(backup.Config{
		Database: p.path, Dir: p.dir, Every: every,
		Lineages: func(ctx context.Context, of []backup.Manifest) ([]backup.Lineage, error) {
			return sqlitebackup.Lineages(ctx, p.path, of)
		},
		Take: func(ctx context.Context, copied string, now time.Time) (backup.Manifest, error) {
			backups--
			return sqlitebackup.Backup(ctx, p.path, copied, "test", now)
		},
		Now: func() time.Time { return p.taken },
		After: func(nap time.Duration) <-chan time.Time {
			if backups == 0 {
				stop()
				return nil
			}
			p.taken = p.taken.Add(nap)
			passed := make(chan time.Time, 1)
			passed <- p.taken
			return passed
		},
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	keeper.Run(ctx)
	for line := range strings.Lines(log.String()) {
		if !strings.Contains(line, "entries that this database does not have") {
			p.t.Errorf("got the line %q in the keeper's log, want only that it names strays", line)
		}
	}
}

// newest returns the name of the newest backup that a Keeper took.
func (p *past) newest() string {
	p.t.Helper()
	names, err := filepath.Glob(filepath.Join(p.dir, "*.db"))
	if err != nil || len(names) == 0 {
		p.t.Fatalf("got %q, %v, want backups", names, err)
	}
	return filepath.Base(slices.Max(names))
}

// TestABackupOfADamagedRecord: if a record differs from the journal, or refers to a missing one, the
// backup is taken, and its manifest says so, because a restore would refuse that backup.
func TestABackupOfADamagedRecord(t *testing.T) {
	p := newPast(t)
	t.Chdir(p.dir)
	for i, c := range []struct{ edit, damage string }{ // the undamaged one first
		{"", ""},
		{"UPDATE currencies SET name = 'dollar'", "1 findings: currencies 1: is not what the journal says"},
		{"INSERT INTO sessions (digest, token_id, expires_at) VALUES (randomblob(32), 999, 1)", "1 findings: sessions refers to a missing row of tokens"},
	} {
		name, damage := fmt.Sprintf("%d.db", i), c.damage
		if c.edit != "" {
			sqlitetest.BehindItsBack(t, p.path, c.edit)
		}
		p.backup(name)
		if got := p.manifests[name].Damage; got != damage {
			t.Errorf("%s: got the damage %q, want %q", name, got, damage)
		}
		if m, err := backup.ReadManifest(backup.ManifestOf(name), nil); err != nil || m.Damage != damage {
			t.Errorf("%s: got the manifest %+v, %v, want the damage %q", name, m, err, damage)
		}
	}
}

// TestANameThatIsNoText: a restore of a backup whose name is not UTF-8 writes no invalid text into the
// database.
func TestANameThatIsNoText(t *testing.T) {
	p := newPast(t)
	p.backup("a")
	name := "b\xe9"
	if err := os.Rename(filepath.Join(p.dir, "a"), filepath.Join(p.dir, name)); err != nil {
		t.Logf("skipped: the file system accepts no such name: %v", err)
		return
	}
	p.restore(name)
	if got := sqlitetest.Found(t, p.path); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}
