package backup_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/fault"
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

// given returns the branches that the database has recorded as given up.
func (p *past) given() (heads []string) {
	p.t.Helper()
	err := sqlitebackup.WithChain(p.t.Context(), mustLocate(p.t, p.path), func(l *sqlitebackup.Chain) error {
		for _, b := range l.Branches() {
			heads = append(heads, fmt.Sprintf("%d after %d for %s", b.Head.Seq, b.Fork, b.Source))
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return heads
}

func mustLocate(t *testing.T, path string) file.File {
	t.Helper()
	f, err := file.Locate(path, verify.Whole)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestRestoreRecordsWhatItGivesUp: a restore of an older backup gives up the newer entries of the
// database, which are a branch of the journal. The restore records the branch as an entry of the
// journal. So the backups of the branch count as abandoned, not as strays, also after the branch is
// restored and given up again.
func TestRestoreRecordsWhatItGivesUp(t *testing.T) {
	const own, abandoned, stray = backup.Own, backup.Abandoned, backup.Stray
	p := newPast(t)
	p.backup("a") // through entry 14
	p.grow("EUR", "NOK")
	p.backup("b") // 16
	p.grow("SEK")
	p.lineage("before", map[string]backup.Lineage{"a": own, "b": own})
	lost := sqlitetest.LinksOf(t, p.path)[17]

	r := p.restore("a")
	if r.Abandoned != lost || r.Unrecorded {
		t.Errorf("got %v, %t, want %v given up", r.Abandoned, r.Unrecorded, lost)
	}
	if got, want := p.given(), []string{"17 after 14 for a"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	p.grow("DKK")
	p.backup("c") // 16 on another branch
	p.lineage("restored", map[string]backup.Lineage{"a": own, "b": abandoned, "c": own})

	s, err := sqlite.Open(t.Context(), p.path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.JournalPage(t.Context(), journal.Filter{Entity: journal.AbandonedHeads, Limit: 10})
	want := fmt.Sprintf(`{"id":1,"seq":17,"hash":%q,"fork":14,"until":"2026-01-02T15:00:00Z","source":"a"}`, lost.Hash.String())
	if err != nil || len(entries) != 1 || entries[0].Seq != 15 || entries[0].Actor != "app restore" || string(entries[0].After) != want {
		t.Errorf("got %+v, %v, want entry 15 of app restore with %s", entries, err, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	p.restore("b") // gives up the branch of c
	p.lineage("with the branch of b", map[string]backup.Lineage{"a": own, "b": own, "c": abandoned})
	if got, want := p.given(), []string{"17 after 14 for a", "16 after 14 for b"}; !slices.Equal(got, want) {
		t.Errorf("with the branch of b: got %q, want %q: entry 17 is not in b", got, want)
	}
	p.restore("a") // gives up the branch of b again, and keeps the record of the branch of c
	p.lineage("with a again", map[string]backup.Lineage{"a": own, "b": abandoned, "c": abandoned})
	if got, want := p.given(), []string{"17 after 14 for a", "16 after 14 for b", "18 after 14 for a"}; !slices.Equal(got, want) {
		t.Errorf("with a again: got %q, want %q", got, want)
	}

	s2 := sqlitetest.NewSpecimen(t, sqlite.Open)
	s2.Rehashed(t, p.path, "UPDATE journal SET actor = 'me' WHERE seq = 5")
	p.lineage("an entry before the fork rewritten", map[string]backup.Lineage{"a": stray})
}

// TestRetentionKeepsWhatARestoreGaveUp: after a restore by mistake, retention keeps the last backup of
// the branch that was given up. It can be restored years later.
func TestRetentionKeepsWhatARestoreGaveUp(t *testing.T) {
	p := newPast(t)
	p.keep(1)
	old := p.newest()
	p.grow("EUR")
	p.keep(1)
	p.grow("NOK")
	p.keep(1)
	last := p.newest()
	p.grow("SEK")
	if r := p.restore(old); r.Abandoned.Seq != 17 {
		t.Fatalf("got %+v, want the branch that ends with entry 17 given up", r)
	}
	p.grow("DKK")
	p.keep(14) // one every two months; retention keeps the newest backup of each of 12 months
	kept, err := filepath.Glob(filepath.Join(p.dir, "*.db"))
	if err != nil || len(kept) != 12+1 {
		t.Fatalf("got %q, %v, want 12 of different months and the last of the branch", kept, err)
	}
	p.restore(last)
	if got := sqlitetest.LinksOf(t, p.path); got[16].Seq != 16 {
		t.Errorf("got the links %v, want those of the branch up to entry 16", got)
	}
}

// TestRetentionKeepsTheEndOfABranchTakenUpAgain: a branch is given up, restored, and given up again. Its
// backups then have numbers and times between those of another branch. Only the chain tells the branches
// apart, and retention keeps the last backup of each.
func TestRetentionKeepsTheEndOfABranchTakenUpAgain(t *testing.T) {
	p := newPast(t)
	p.keep(1)
	first := p.newest()
	p.grow("EUR")
	p.keep(1)
	second := p.newest()
	p.grow("NOK")
	p.keep(1)
	last := p.newest() // all of the first branch
	p.restore(first)
	p.grow("DKK", "SEK", "CHF")
	p.keep(1)
	other := p.newest() // further along another branch
	p.restore(last)     // back to the first branch
	p.restore(second)   // and to an older backup of it
	p.keep(14)
	kept, err := filepath.Glob(filepath.Join(p.dir, "*.db"))
	if err != nil || len(kept) != 12+2 {
		t.Fatalf("got %q, %v, want 12 of different months and the last of each of two branches", kept, err)
	}
	for _, end := range []string{last, other} {
		if !slices.Contains(kept, filepath.Join(p.dir, end)) {
			t.Errorf("got %q, want %s, the last of a branch", kept, end)
		}
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
		Holds: sqlitebackup.Holds,
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
	if log.Len() > 0 {
		p.t.Errorf("got the keeper's log %s, want it empty", log.String())
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

// TestABackupHoldsItsLinks: Holds says whether the chain of a backup has a link. The path of the backup
// can be relative.
func TestABackupHoldsItsLinks(t *testing.T) {
	p := newPast(t)
	p.backup("a.db")
	p.grow("EUR")
	p.backup("b.db")
	t.Chdir(p.dir)
	head, err := p.manifests["b.db"].ChainHead()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"a.db": false, "b.db": true, filepath.Join(p.dir, "b.db"): true} {
		if got, err := sqlitebackup.Holds(t.Context(), path, head); err != nil || got != want {
			t.Errorf("%s: got %t, %v, want %t", path, got, err, want)
		}
	}
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

// TestABranchThatIsTakenUpAgain: a branch that is restored to its end is no longer recorded as given up.
func TestABranchThatIsTakenUpAgain(t *testing.T) {
	p := newPast(t)
	p.backup("a") // through entry 14
	p.grow("EUR")
	p.backup("b") // 15
	p.restore("a")
	if got, want := p.given(), []string{"15 after 14 for a"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	p.restore("b")
	if got, want := p.given(), []string{"15 after 14 for b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q: the branch that had the record of the first", got, want)
	}
}

// TestRestoreRecordsNoBranchWhereNoneIsGivenUp: a restore of a backup that has all entries of the
// database records no branch, nor does a restore where no database exists.
func TestRestoreRecordsNoBranchWhereNoneIsGivenUp(t *testing.T) {
	p := newPast(t)
	p.backup("a")
	p.restore("a")
	p.grow("EUR")
	p.backup("b")
	p.restore("b")
	if got := p.given(); len(got) > 0 {
		t.Errorf("got the branches %q, want none", got)
	}
	if err := os.Remove(p.path); err != nil {
		t.Fatal(err)
	}
	if r := p.restore("b"); r.Unrecorded || r.Abandoned.Seq != 0 {
		t.Errorf("where no database exists: got %+v, want no branch", r)
	}
}

// TestAnotherDatabaseKeepsWhatWasGivenUp: an empty database, or another one, is restored by mistake. It
// keeps the records of the branches that were given up, so their backups are no strays after the right
// database is restored. As a control, the backup of a branch that no restore gave up is a stray.
func TestAnotherDatabaseKeepsWhatWasGivenUp(t *testing.T) {
	for what, wrong := range map[string]*past{"empty": {t: t, path: filepath.Join(t.TempDir(), "app.db")}, "another": newPast(t)} {
		p := newPast(t)
		wrong.dir, wrong.taken, wrong.manifests = p.dir, sqlitetest.Midday, p.manifests
		wrong.grow() // makes the file
		wrong.backup("wrong")
		p.backup("a") // through entry 14
		p.grow("EUR", "NOK")
		p.backup("b") // 16
		p.grow("SEK")
		p.backup("c") // 17
		p.restore("a")
		p.grow("DKK", "CHF")
		p.backup("d") // 17 on another branch
		if r := p.restore("wrong"); r.Abandoned.Seq != 17 {
			t.Errorf("%s: got %v, want the branch that ends with entry 17 given up", what, r.Abandoned)
		}
		p.restore("b")
		p.lineage(what, map[string]backup.Lineage{"a": backup.Own, "b": backup.Own, "c": backup.Abandoned, "d": backup.Abandoned})
		p.restore("a")
		p.grow("JPY")
		p.backup("e")
		if err := sqlitebackup.Duplicate(filepath.Join(p.dir, "b"), p.path+"-other"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(p.path+"-other", p.path); err != nil { // replaced by hand, without a restore
			t.Fatal(err)
		}
		p.lineage(what+", the control", map[string]backup.Lineage{"e": backup.Stray})
	}
}

// TestANameThatIsNoText: a restore of a backup whose name is not UTF-8 writes no invalid text into the
// database.
func TestANameThatIsNoText(t *testing.T) {
	p := newPast(t)
	p.backup("a")
	p.grow("EUR")
	p.backup("b")
	name := "b\xe9"
	if err := os.Rename(filepath.Join(p.dir, "a"), filepath.Join(p.dir, name)); err != nil {
		t.Logf("skipped: the file system accepts no such name: %v", err)
		return
	}
	if r := p.restore(name); r.Abandoned.Seq == 0 {
		t.Errorf("got %+v, want a branch recorded", r)
	}
	if got := sqlitetest.Found(t, p.path); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestAcceptFork: if the database that a restore replaces cannot be read, its branch is not recorded,
// and its newer backups are strays. AcceptFork records the branch afterwards, from the manifest of a
// backup.
func TestAcceptFork(t *testing.T) {
	const own, abandoned, stray = backup.Own, backup.Abandoned, backup.Stray
	p := newPast(t)
	p.backup("a") // through entry 14
	p.grow("EUR")
	p.backup("b") // 15
	p.grow("NOK", "SEK")
	p.backup("c") // 17
	if err := os.WriteFile(p.path, []byte(strings.Repeat("lost ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := p.restore("a"); !r.Unrecorded {
		t.Error("got Unrecorded false, want true: the old database cannot be read")
	}
	p.grow("DKK", "ISK")
	p.backup("d") // 16 on another branch
	p.lineage("lost", map[string]backup.Lineage{"a": own, "b": stray, "c": stray, "d": own})

	manifest := backup.ManifestOf(filepath.Join(p.dir, "c"))
	for range 2 { // the second time must change nothing
		head, err := sqlite.AcceptFork(t.Context(), p.path, manifest, nil, time.Now)
		if err != nil || head.Seq != 17 || head.Hash.String() != p.manifests["c"].Head {
			t.Errorf("got %v, %v, want the head of c", head, err)
		}
	}
	if got, want := p.given(), []string{"17 after 14 for c.json"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	p.lineage("accepted", map[string]backup.Lineage{"a": own, "b": abandoned, "c": abandoned, "d": own})
	if got := sqlitetest.Found(t, p.path); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestAcceptForkRefuses: AcceptFork refuses a manifest that is not of another branch of this database,
// and records nothing.
func TestAcceptForkRefuses(t *testing.T) {
	p, other := newPast(t), newPast(t)
	p.backup("a")
	other.backup("other")
	songs := filepath.Join(p.dir, "songs.json")
	if err := os.WriteFile(songs, []byte(`{"title":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	forged := func(name, from, to string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(p.dir, "a.json"))
		if err != nil {
			t.Fatal(err)
		}
		path, text := filepath.Join(t.TempDir(), name), regexp.MustCompile(from).ReplaceAllString(string(data), to)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil || text == string(data) {
			t.Fatalf("got %v, %s, want a forged manifest", err, text)
		}
		return path
	}
	const entries = `"journal_entries": *\d+`
	nowhere := filepath.Join(t.TempDir(), "app.db")
	for _, c := range []struct {
		path, manifest, want string
		kind                 fault.Kind
	}{
		{p.path, filepath.Join(p.dir, "a.json"), "is of this database as it is", fault.Invalid},
		{p.path, filepath.Join(other.dir, "other.json"), "is of another database", fault.Invalid},
		{p.path, songs, "is not the manifest of a backup", fault.Unavailable},
		{p.path, filepath.Join(p.dir, "none.json"), "no such file", fault.Unavailable},
		{p.path, forged("future.json", `"taken_at": *"\d+`, `"taken_at":"9000`), "in the future", fault.Invalid},
		{p.path, forged("huge.json", entries, `"journal_entries":9223372036854775806`), "which is impossible", fault.Invalid},
		{p.path, forged("none.json", entries, `"journal_entries":0`), "which is impossible", fault.Invalid},
		{nowhere, filepath.Join(p.dir, "a.json"), "holds no database", fault.Unavailable},
	} {
		if _, err := sqlite.AcceptFork(t.Context(), c.path, c.manifest, nil, time.Now); fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.manifest, err, c.want)
		}
	}
	if _, err := os.Stat(nowhere); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want no database there", err)
	}
	if got := p.given(); len(got) > 0 {
		t.Errorf("got the branches %q, want none", got)
	}
}

// TestTheForkOfTwoChains: Fork finds the last entry that two chains have in common, for chains with few
// and with many entries in common.
func TestTheForkOfTwoChains(t *testing.T) {
	p := newPast(t)
	p.backup("a")
	var codes []money.Currency
	for i := range 40 {
		codes = append(codes, money.Currency(fmt.Sprintf("C%02d", i)))
	}
	p.grow(codes...)
	whole := mustLocate(t, p.path)
	for _, shared := range []int{0, 1, 7, 39, 40} {
		other := &past{t: t, path: filepath.Join(t.TempDir(), "app.db"), dir: p.dir, taken: p.taken, manifests: p.manifests}
		other.restore("a")
		other.taken = p.taken // so that the common entries have the same time
		other.grow(codes[:shared]...)
		other.taken = other.taken.Add(time.Minute)
		other.grow("ZZ1", "ZZ2", "ZZ3")
		err := sqlitebackup.WithChain(t.Context(), whole, func(one *sqlitebackup.Chain) error {
			return sqlitebackup.WithChain(t.Context(), mustLocate(t, other.path), func(another *sqlitebackup.Chain) error {
				for _, pair := range [][2]*sqlitebackup.Chain{{one, another}, {another, one}} {
					if got, err := pair[0].Fork(pair[1]); err != nil || got != journal.Seq(14+shared) {
						t.Errorf("%d entries in common after 14: got the fork %d, %v, want %d", shared, got, err, 14+shared)
					}
				}
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
