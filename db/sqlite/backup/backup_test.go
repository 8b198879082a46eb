package backup_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/db/sqlite"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/verify"
	"daybook/internal/access"
	"daybook/internal/backup"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// TestABackupIsTheDatabase: a backup has all rows, triggers and counters of the database and no log
// beside it, and its manifest says what it contains.
func TestABackupIsTheDatabase(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	sqlitetest.BehindItsBack(t, path, "UPDATE sqlite_sequence SET seq = 77 WHERE name = 'trades'") // as after trades that were voided
	copied, m := sqlitetest.BackupOf(t, path)
	if got, want := sqlitetest.MustHold(t, copied), sqlitetest.MustHold(t, path); !sqlitetest.SameRows(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	v, err := verify.Database(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.File != "backup.db" || m.Entries != v.Entries || m.Head != v.Head.String() || m.Schema != schema.Released.Newest() || m.Counts["trades"] != 2 || m.Program != "test" || !m.TakenAt.Equal(sqlitetest.Midday) {
		t.Errorf("got the manifest %+v, want the contents of the database", m)
	}
	if origin := sqlitetest.LinksOf(t, path)[1].Hash.String(); origin == m.Head || m.Origin != origin {
		t.Errorf("got the origin %q, %v, and %q of the backup, want the first link", origin, err, m.Origin)
	}
	data, err := os.ReadFile(backup.ManifestOf(copied))
	if err != nil {
		t.Fatal(err)
	}
	if read, err := backup.Parse(data); err != nil || read.Differs(m.Contents) != "" || read.SHA256 != m.SHA256 || read.Bytes != m.Bytes {
		t.Errorf("got %+v, %v, want %+v", read, err, m)
	}
	if got, want := sqlitetest.NamesIn(t, filepath.Dir(copied)), []string{"backup.db", "backup.db.json"}; !slices.Equal(got, want) {
		t.Errorf("got %v beside the backup, want %v", got, want)
	}
	for _, trigger := range []string{"journal_refuses_update", "journal_links_refuse_replace"} {
		if !strings.Contains(strings.Join(sqlitetest.MustHold(t, copied)["sqlite_schema"], "\n"), trigger) {
			t.Errorf("got no trigger %s in the copy, want it", trigger)
		}
	}
}

// TestARestoredDatabaseGoesOn: a restored database can be written, and never uses the id of a deleted
// record again.
func TestARestoredDatabaseGoesOn(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	last, err := s.CreateDepartment(t.Context(), budget.Department{Code: "OPS", Name: "Operations"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DeleteDepartment(t.Context(), last.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	copied, m := sqlitetest.BackupOf(t, path)
	target := filepath.Join(t.TempDir(), "app.db")
	r, err := sqlitebackup.Restore(t.Context(), copied, target, nil, sqlitetest.Midday)
	if err != nil {
		t.Fatal(err)
	}
	if r.Aside != "" || r.Bytes != m.Bytes || r.Differs(m.Contents) != "" {
		t.Errorf("got %+v, want the contents of %+v, and no database kept aside", r, m)
	}
	if s, err = sqlite.Open(t.Context(), target, time.Now); err != nil {
		t.Fatal(err)
	}
	next, err := s.CreateDepartment(t.Context(), budget.Department{Code: "LAW", Name: "Law"})
	if err != nil || next.ID != last.ID+1 {
		t.Errorf("got id %d, %v, want %d", next.ID, err, last.ID+1)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := sqlitetest.Found(t, target); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestOrigin: the origin in a manifest tells databases apart. Two databases have different origins, even
// if their records are equal, and the origin of a database never changes.
func TestOrigin(t *testing.T) {
	one, another := sqlitetest.RecordOfEach(t, sqlite.Open), sqlitetest.RecordOfEach(t, sqlite.Open)
	_, first := sqlitetest.BackupOf(t, one)
	sqlitetest.BehindItsBack(t, one, "UPDATE currencies SET name = name") // writes to the file, but not to the chain
	_, second := sqlitetest.BackupOf(t, one)
	_, other := sqlitetest.BackupOf(t, another)
	if first.Origin != second.Origin || first.Origin == other.Origin {
		t.Errorf("got the origins %s, then %s, and %s of another database, want the first two equal only", first.Origin, second.Origin, other.Origin)
	}
	empty := filepath.Join(t.TempDir(), "app.db")
	if _, err := sqlite.Migrate(t.Context(), empty); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"no file": filepath.Join(t.TempDir(), "app.db"), "an empty one": empty} {
		got, err := sqlitebackup.Lineages(t.Context(), path, []backup.Manifest{first, {Contents: backup.Contents{Head: journal.Hash{}.String()}}})
		if want := []backup.Lineage{backup.Foreign, backup.Own}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %v, want %v: only a backup without entries is its own", name, got, err, want)
		}
	}
	songs := filepath.Join(t.TempDir(), "songs.db")
	if err := os.WriteFile(songs, sqlitetest.AnotherProgram(t, "CREATE TABLE songs (title TEXT)"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlitebackup.Lineages(t.Context(), songs, nil); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
}

// TestBackupRefuses: a backup from a wrong source, or to a wrong place, is refused in one line. It makes
// no file and changes none.
func TestBackupRefuses(t *testing.T) {
	path, dir := sqlitetest.RecordOfEach(t, sqlite.Open), t.TempDir()
	put := func(name string, content []byte) string {
		copied := filepath.Join(dir, name)
		if err := os.WriteFile(copied, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return copied
	}
	taken := put("taken.db", []byte("something"))
	put("half.db.json", []byte("{}"))
	for name, c := range map[string]struct {
		path, to, want string
		kind           fault.Kind
	}{
		"no database":       {filepath.Join(dir, "nowhere.db"), filepath.Join(dir, "b.db"), "holds no database", fault.Unavailable},
		"an empty file":     {put("empty.db", nil), filepath.Join(dir, "b.db"), "holds no database", fault.Unavailable},
		"a folder":          {dir, filepath.Join(dir, "b.db"), "is a directory", fault.Unavailable},
		"another program":   {put("songs.db", sqlitetest.AnotherProgram(t, "CREATE TABLE songs (title TEXT)")), filepath.Join(dir, "b.db"), "another program", fault.Unavailable},
		"a newer Daybook":   {put("newer.db", sqlitetest.NewerDaybook(t)), filepath.Join(dir, "b.db"), "use a newer one", fault.Unavailable},
		"a letter":          {put("letter.db", []byte("Dear reader")), filepath.Join(dir, "b.db"), "not a database", fault.Unavailable},
		"no folder":         {path, filepath.Join(dir, "no", "b.db"), "no directory", fault.Unavailable},
		"a file as folder":  {path, filepath.Join(taken, "b.db"), "not a directory", fault.Unavailable},
		"a name in use":     {path, taken, "exists already", fault.AlreadyExists},
		"itself":            {path, path, "exists already", fault.AlreadyExists},
		"a manifest in use": {path, filepath.Join(dir, "half.db"), "half.db.json exists already", fault.AlreadyExists},
	} {
		before := sqlitetest.NamesIn(t, dir)
		_, err := sqlitebackup.Backup(t.Context(), c.path, c.to, "test", sqlitetest.Midday)
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.KindOf(err) != c.kind || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
		if got := sqlitetest.NamesIn(t, dir); !slices.Equal(got, before) {
			t.Errorf("%s: got %v afterwards, want %v", name, got, before)
		}
	}
	if content, err := os.ReadFile(taken); err != nil || string(content) != "something" {
		t.Errorf("the file whose name was taken: got %q, %v, want it unchanged", content, err)
	}
}

// TestBackupOfADamagedDatabase: a database whose newest entry does not match its link is not backed up.
func TestBackupOfADamagedDatabase(t *testing.T) {
	s := sqlitetest.NewSpecimen(t, sqlite.Open)
	path := sqlitetest.FileOf(t, s.Content)
	sqlitetest.BehindItsBack(t, path, s.Quietly("journal", "UPDATE journal SET actor = 'me' WHERE seq = (SELECT max(seq) FROM journal)")...)
	to := filepath.Join(t.TempDir(), "b.db")
	if _, err := sqlitebackup.Backup(t.Context(), path, to, "test", sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("got %v, want it refused as damaged", err)
	}
	if got := sqlitetest.NamesIn(t, filepath.Dir(to)); len(got) > 0 {
		t.Errorf("got the files %v, want none", got)
	}
}

// TestBackupRemovesWhatAKillLeft: the next backup removes the drafts, and a manifest without its backup,
// that a killed backup left. It removes no other files.
func TestBackupRemovesWhatAKillLeft(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	old, _ := sqlitetest.BackupOf(t, path)
	dir := filepath.Dir(old)
	for from, to := range map[string]string{"backup.db": ".daybook-backup-backup.db", "backup.db.json": ".daybook-backup-backup.db.json"} {
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	orphan := filepath.Join(dir, "app-20260102-120000.db")
	if _, err := sqlitebackup.Backup(t.Context(), path, orphan, "test", sqlitetest.Midday); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(orphan, filepath.Join(dir, ".daybook-backup-app-20260102-120000.db")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notes-20260102-120000.db.json", ".daybook", "app.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := sqlitebackup.Backup(t.Context(), path, filepath.Join(dir, "b.db"), "test", sqlitetest.Midday); err != nil {
		t.Fatal(err)
	}
	if got, want := sqlitetest.NamesIn(t, dir), []string{".daybook", "app.json", "b.db", "b.db.json", "notes-20260102-120000.db.json"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRestoreOfADamagedBackup: a damaged backup is refused if its manifest is beside it. Without a
// manifest it is refused too, unless the damage is in unused bytes and all records are unchanged. The
// existing database is not changed.
func TestRestoreOfADamagedBackup(t *testing.T) {
	t.Parallel()
	whole, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(backup.ManifestOf(whole))
	if err != nil {
		t.Fatal(err)
	}
	holds := sqlitetest.MustHold(t, whole)
	target := sqlitetest.RecordOfEach(t, sqlite.Open)
	stood := sqlitetest.MustHold(t, target)
	random := rand.New(rand.NewPCG(1, 2))
	damages := map[string][]byte{}
	for range 10 {
		n := 1 + random.IntN(len(content)-1)
		damages[fmt.Sprintf("cut to %d bytes", n)] = content[:n]
		pages := random.IntN(len(content) / 4096)
		damages[fmt.Sprintf("cut to %d pages", pages)] = content[:pages*4096]
	}
	for i := range 80 {
		at := random.IntN(len(content))
		if i < 40 {
			at = 2 * i // in the header
		}
		damaged := slices.Clone(content)
		damaged[at] ^= byte(1 + random.IntN(255))
		damages[fmt.Sprintf("byte %d changed", at)] = damaged
	}
	accepted := 0
	for name, damaged := range damages {
		copied := filepath.Join(t.TempDir(), "damaged.db")
		if err := os.WriteFile(copied, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		fresh := filepath.Join(t.TempDir(), "app.db")
		if _, err := sqlitebackup.Restore(t.Context(), copied, fresh, nil, sqlitetest.Midday); err == nil {
			accepted++
			if got, err := sqlitetest.Held(t, fresh); err != nil || !sameRecords(sqlitetest.WithoutRestores(got, holds), holds) {
				t.Errorf("%s: got it restored with %v, %v, want the records of the backup", name, got, err)
			}
		} else if fault.KindOf(err) != fault.Unavailable || len(sqlitetest.NamesIn(t, filepath.Dir(fresh))) > 0 {
			t.Errorf("%s: got %v (%v) and the files %v, want Unavailable and no file", name, err, fault.KindOf(err), sqlitetest.NamesIn(t, filepath.Dir(fresh)))
		}
		if err := os.WriteFile(backup.ManifestOf(copied), manifest, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlitebackup.Restore(t.Context(), copied, target, nil, sqlitetest.Midday); err == nil || fault.KindOf(err) != fault.Unavailable || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s, with its manifest: got %v, want Unavailable in one line", name, err)
		}
	}
	if accepted == len(damages) || accepted == 0 {
		t.Errorf("got %d of %d accepted without a manifest, want some but not all: a change of unused bytes is harmless", accepted, len(damages))
	}
	if got := sqlitetest.MustHold(t, target); !sqlitetest.SameRows(got, stood) {
		t.Errorf("the database: got %v, want %v", got, stood)
	}
	if got, want := sqlitetest.NamesIn(t, filepath.Dir(target)), []string{"app.db"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// sameRecords compares the tables that the API reads: records, positions and the journal.
func sameRecords(a, b map[string][]string) bool {
	for _, table := range []string{
		"currencies", "companies", "revenues", "trades", "positions", "departments", "gl_accounts", "budget_lines", "actuals", "journal", "journal_links",
	} {
		if !slices.Equal(a[table], b[table]) {
			return false
		}
	}
	return true
}

// TestRestoreNamesAWholeBackup: when a backup is refused as damaged, the error names the newest
// undamaged backup of the same database. With a key, it names only a signed backup.
func TestRestoreNamesAWholeBackup(t *testing.T) {
	p, another := newPast(t), newPast(t)
	for i, name := range []string{"a.db", "b.db", "c.db", "d.db"} {
		if i == 3 {
			sqlitetest.BehindItsBack(t, p.path, "UPDATE currencies SET name = 'dollar'")
		}
		p.backup(name)
	}
	another.dir, another.taken = p.dir, p.taken.Add(24*time.Hour)
	another.backup("of-another.db")
	content, err := os.ReadFile(filepath.Join(p.dir, "c.db"))
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	target := filepath.Join(t.TempDir(), "app.db")
	restore := func(name string) string {
		_, err := sqlitebackup.Restore(t.Context(), filepath.Join(p.dir, name), target, nil, sqlitetest.Midday)
		if err == nil || file.Exists(target) || strings.Contains(err.Error(), "\n") || fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%s: got %v, want Unavailable in one line, and no database", name, err)
		}
		return fmt.Sprint(err)
	}
	whole := func(name string) string {
		return "; " + filepath.Join(p.dir, name) + ", taken at " + p.manifests[name].TakenAt.Format(time.RFC3339) + ", is whole: restore that"
	}
	if got := restore("d.db"); !strings.HasSuffix(got, whole("c.db")) {
		t.Errorf("got %q, want %q", got, whole("c.db"))
	}
	if err := os.WriteFile(filepath.Join(p.dir, "c.db"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"c.db", "d.db"} {
		if got := restore(name); !strings.HasSuffix(got, whole("b.db")) {
			t.Errorf("%s: got %q, want %q", name, got, whole("b.db"))
		}
	}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.db", "c.db"} { // not b.db, which is newer than a.db
		data, err := os.ReadFile(backup.ManifestOf(filepath.Join(p.dir, name)))
		if err == nil {
			err = os.WriteFile(backup.SignatureOf(filepath.Join(p.dir, name)), ed25519.Sign(private, data), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := sqlitebackup.Restore(t.Context(), filepath.Join(p.dir, "c.db"), target, public, sqlitetest.Midday); err == nil || !strings.HasSuffix(err.Error(), whole("a.db")) {
		t.Errorf("with a key: got %v, want the signed backup: %q", err, whole("a.db"))
	}
	for _, name := range []string{"a.db", "b.db"} {
		if err := os.Remove(filepath.Join(p.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := restore("c.db"), "no other backup in "+p.dir+" is known to be of the same database and whole; to save what is left, copy the file with cp"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestABackupSaysWhatItWaitsFor: a backup waits while another one writes into the same folder. It says
// so, and stops waiting when its context is canceled.
func TestABackupSaysWhatItWaitsFor(t *testing.T) {
	path, dir := sqlitetest.RecordOfEach(t, sqlite.Open), t.TempDir()
	busy, err := backup.OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	said := ""
	noticed := file.WithNotice(ctx, func(sentence string) { said = sentence; cancel() })
	if _, err := sqlitebackup.Backup(noticed, path, filepath.Join(dir, "app.db"), "test", sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("got %v, want the error of the canceled context", err)
	}
	if want := "waiting for another process that is busy with the backups in " + dir; said != want {
		t.Errorf("got the notice %q, want %q", said, want)
	}
}

// TestRestoreRefuses: a restore from a wrong source, with a wrong manifest, or to a wrong place is
// refused in one line. It makes no file, and the existing database is not changed.
func TestRestoreRefuses(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, content []byte) string {
		copied := filepath.Join(dir, name)
		if err := os.WriteFile(copied, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return copied
	}
	read := func(copied string) []byte {
		content, err := os.ReadFile(copied)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	target := sqlitetest.RecordOfEach(t, sqlite.Open)
	stood := sqlitetest.MustHold(t, target)
	good, m := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	other := sqlitetest.RecordOfEach(t, sqlite.Open)
	sqlitetest.BehindItsBack(t, other, "UPDATE idempotency_keys SET status = 1")
	another, _ := sqlitetest.BackupOf(t, other)
	with := func(name string, manifest []byte) string {
		copied := put(name, read(good))
		put(name+".json", manifest)
		return copied
	}
	lying := func(change func(*backup.Manifest)) []byte {
		lie := m
		lie.Counts = maps.Clone(m.Counts)
		change(&lie)
		text, err := lie.Format()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	edited := put("edited.db", read(good))
	sqlitetest.BehindItsBack(t, edited, "UPDATE trades SET price = price + 1 WHERE id = 1")
	logged := put("logged.db", read(good))
	put("logged.db-wal", []byte("what is not in the file"))
	songs := put("songs-in-use.db", sqlitetest.AnotherProgram(t, "CREATE TABLE songs (title TEXT)"))
	twin := filepath.Join(dir, "twin.db")
	if err := os.Symlink(target, twin); err != nil {
		t.Fatal(err)
	}
	nothing := filepath.Join(dir, "to-nothing.db")
	if err := os.Symlink(filepath.Join(dir, "nothing-here"), nothing); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"nothing", filepath.Join(dir, "nowhere"), target, "there is no file"},
		{"a folder", dir, target, "is a directory"},
		{"an empty file", put("empty.db", nil), target, "is empty"},
		{"a letter", put("letter.db", []byte("Dear reader, this is no database")), target, "letter.db is not a database"},
		{"another program", put("songs.db", sqlitetest.AnotherProgram(t, "CREATE TABLE songs (title TEXT)")), target, "songs.db is the database of another program"},
		{"a newer Daybook", put("newer.db", sqlitetest.NewerDaybook(t)), target, "newer.db has schema version"},
		{"a malformed manifest", with("torn.db", []byte(`{"file":`)), target, "torn.db.json is not the manifest"},
		{"an empty manifest", with("void.db", nil), target, "not the manifest"},
		{"a manifest of nothing", with("null.db", []byte("{}")), target, "not the manifest"},
		{"the manifest of another", with("swapped.db", read(backup.ManifestOf(another))), target, "swapped.db is not what its manifest says"},
		{"a wrong count", with("count.db", lying(func(m *backup.Manifest) { m.Counts["trades"]++ })), target, "rows in trades"},
		{"a wrong head", with("head.db", lying(func(m *backup.Manifest) { m.Head = strings.Repeat("0", 64) })), target, "chain head"},
		{"a wrong origin", with("origin.db", lying(func(m *backup.Manifest) { m.Origin = strings.Repeat("0", 64) })), target, "chain origin"},
		{"a wrong table", with("table.db", lying(func(m *backup.Manifest) { delete(m.Counts, "trades") })), target, "tables"},
		{"an edit behind its back", edited, target, "edited.db is damaged (2 findings): trades 1"},
		{"a log beside it", logged, target, "make a backup of it with app backup"},
		{"itself", target, target, "is the database itself"},
		{"itself by another name", twin, target, "is the database itself"},
		{"over another program", good, songs, "songs-in-use.db is the database of another program"},
		{"over a folder", good, dir, "is a directory"},
		{"into no folder", good, filepath.Join(dir, "no", "app.db"), "there is no directory"},
		{"over a link to nothing", good, nothing, "is a link to a file that is not there"},
	} {
		before := sqlitetest.NamesIn(t, dir)
		_, err := sqlitebackup.Restore(t.Context(), c.from, c.to, nil, sqlitetest.Midday)
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.KindOf(err) != fault.Unavailable || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if got := sqlitetest.NamesIn(t, dir); !slices.Equal(got, before) {
			t.Errorf("%s: got %v afterwards, want %v", c.name, got, before)
		}
	}
	if got := sqlitetest.MustHold(t, target); !sqlitetest.SameRows(got, stood) {
		t.Errorf("the database: got %v, want %v", got, stood)
	}
	if got, want := sqlitetest.NamesIn(t, filepath.Dir(target)), []string{"app.db"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRestoreKeepsTheOldDatabase: a restore keeps the old database aside, with the changes that were
// only in its log.
func TestRestoreKeepsTheOldDatabase(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	target := filepath.Join(t.TempDir(), "app.db")
	sqlitetest.Crashed(t, sqlite.Open, target)
	for i, want := range []string{"app.db.before-restore-20260102-120000", "app.db.before-restore-20260102-120000-2"} {
		r, err := sqlitebackup.Restore(t.Context(), good, target, nil, sqlitetest.Midday)
		if err != nil || r.Aside != filepath.Join(filepath.Dir(target), want) {
			t.Fatalf("got %+v, %v, want %s", r, err, want)
		}
		if got := sqlitetest.MustHold(t, r.Aside)["currencies"]; i == 0 && !slices.Equal(got, []string{"1|'LOG'|'In the log'"}) {
			t.Errorf("the database aside: got %v, want the currency that was in the log", got)
		}
		if got, want := sqlitetest.MustHold(t, target), sqlitetest.SignedOut(sqlitetest.MustHold(t, good)); !sqlitetest.SameRows(sqlitetest.WithoutRestores(got, want), want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if got := sqlitetest.Found(t, target); len(got) > 0 {
			t.Errorf("got %q, want nothing", got)
		}
	}
	for _, part := range []string{"-wal", ".restoring"} {
		if info, err := os.Stat(target + part); err == nil && info.Size() > 0 {
			t.Errorf("got %s of %d bytes, want none", part, info.Size())
		}
	}
}

// TestRestoreOverADamagedDatabase: a restore also replaces a database that cannot be read, and keeps it
// aside with its log.
func TestRestoreOverADamagedDatabase(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	target := filepath.Join(t.TempDir(), "app.db")
	noise := make([]byte, 8192)
	for i := range noise {
		noise[i] = byte(i)
	}
	for part, content := range map[string][]byte{"": noise, "-wal": []byte("log"), "-shm": []byte("shm")} {
		if err := os.WriteFile(target+part, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := sqlitebackup.Restore(t.Context(), good, target, nil, sqlitetest.Midday)
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]string{"": string(noise), "-wal": "log"} {
		if got, err := os.ReadFile(r.Aside + part); err != nil || string(got) != want {
			t.Errorf("aside%s: got %d bytes, %v, want %d", part, len(got), err, len(want))
		}
	}
	for _, part := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(target + part); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want it gone", part, err)
		}
	}
	if got := sqlitetest.Found(t, target); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestRestoreBesideAStaleLog: a log whose database is missing is kept aside and is not applied to the
// restored database.
func TestRestoreBesideAStaleLog(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	target := filepath.Join(t.TempDir(), "app.db")
	sqlitetest.Crashed(t, sqlite.Open, target)
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	r, err := sqlitebackup.Restore(t.Context(), good, target, nil, sqlitetest.Midday)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(r.Aside + "-wal"); err != nil || info.Size() == 0 {
		t.Errorf("got %v, want the log kept aside", err)
	}
	if got, want := sqlitetest.MustHold(t, target), sqlitetest.SignedOut(sqlitetest.MustHold(t, good)); !sqlitetest.SameRows(sqlitetest.WithoutRestores(got, want), want) || len(sqlitetest.Found(t, target)) > 0 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRestoreRefusesADatabaseInUse: a restore is refused while a server or another program has the
// database open, and does not disturb it. Afterwards the restore works.
func TestRestoreRefusesADatabaseInUse(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	target := sqlitetest.RecordOfEach(t, sqlite.Open)
	guarded, err := sqlite.Guard(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlitebackup.Restore(t.Context(), good, target, nil, sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), "already serves") {
		t.Errorf("beside a server: got %v, want it refused", err)
	}
	if err := guarded.Release(); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), target, time.Now) // as app seed does
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlitebackup.Restore(t.Context(), good, target, nil, sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), "another program has it open") {
		t.Errorf("beside another program: got %v, want it refused", err)
	}
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: "NOK", Name: "Krone"}); err != nil {
		t.Errorf("a write of the other program: got %v, want no error", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := sqlitetest.Found(t, target); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
	if r, err := sqlitebackup.Restore(t.Context(), good, target, nil, sqlitetest.Midday); err != nil || sqlitetest.MustHold(t, r.Aside)["currencies"][1] != "2|'NOK'|'Krone'" {
		t.Errorf("afterwards: got %+v, %v, want it restored, and the write of the other program aside", r, err)
	}
}

// TestRestoreThroughALink: a restore to a symbolic link replaces the database behind the link, and keeps
// the link.
func TestRestoreThroughALink(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	target := sqlitetest.RecordOfEach(t, sqlite.Open)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	r, err := sqlitebackup.Restore(t.Context(), good, link, nil, sqlitetest.Midday)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("got %v, %v, want it still a link", info, err)
	}
	want := sqlitetest.SignedOut(sqlitetest.MustHold(t, good))
	if filepath.Dir(r.Aside) != filepath.Dir(r.Path) || !sqlitetest.SameRows(sqlitetest.WithoutRestores(sqlitetest.MustHold(t, target), want), want) {
		t.Errorf("got %+v, want the database behind the link replaced", r)
	}
}

// TestRestoreAfterAKillInTheMidst: a restore gives the old database a second name before it replaces it.
// A kill at that moment leaves two names, and the next restore keeps the old database under the second.
func TestRestoreAfterAKillInTheMidst(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	target := sqlitetest.RecordOfEach(t, sqlite.Open)
	for _, err := range []error{
		os.Link(target, target+file.BeforeRestore+"20260101-000000"),
		os.WriteFile(target+".restoring", []byte("half a copy"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := sqlitebackup.Restore(t.Context(), good, target, nil, sqlitetest.Midday); err != nil {
		t.Fatal(err)
	}
	if got, want := sqlitetest.NamesIn(t, filepath.Dir(target)), []string{"app.db", "app.db" + file.BeforeRestore + "20260101-000000", "app.db" + file.BeforeRestore + "20260102-120000"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestDuplicate: Duplicate copies a file, and replaces no existing file. A restore uses it to keep the
// old database where the file system has no links.
func TestDuplicate(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := os.WriteFile(from, []byte("content"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := sqlitebackup.Duplicate(from, to); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != "content" {
		t.Errorf("got %q, %v, want the content of the file", got, err)
	}
	if err := sqlitebackup.Duplicate(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("to a file that exists: got %v, want fs.ErrExist", err)
	}
}

// TestRestoreSignsEveryoneOut: a restored database has no sessions. Otherwise a session that was ended
// after the backup would be valid again. The result of the restore counts the valid tokens.
func TestRestoreSignsEveryoneOut(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for i, token := range []access.Token{
		{Expires: sqlitetest.Midday.Add(time.Hour)},
		{},
		{Expires: sqlitetest.Midday.Add(-time.Hour)},
		{Revoked: sqlitetest.Midday.Add(-time.Hour)},
	} {
		token.Name, token.Scope, token.Created, token.Digest = "t", access.Read, sqlitetest.Midday.Add(-24*time.Hour), access.Digest{100, byte(i)}
		made, err := s.CreateToken(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		session := access.Session{Digest: access.Digest{200, byte(i)}, Token: made.ID, Expires: sqlitetest.Midday.Add(-time.Hour)}
		if err := s.CreateSession(t.Context(), session, sqlitetest.Midday.Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	copied, m := sqlitetest.BackupOf(t, path)
	if m.Counts["sessions"] < 4 {
		t.Fatalf("got %d sessions in the backup, want at least 4", m.Counts["sessions"])
	}
	logging := filepath.Join(t.TempDir(), "logging.db") // a copy of the file, made while no program has it open
	if err := sqlitebackup.Duplicate(path, logging); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{copied, logging} {
		target := filepath.Join(t.TempDir(), "app.db")
		if err := os.WriteFile(target+".restoring-journal", []byte("of a restore that was killed"), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := sqlitebackup.Restore(t.Context(), from, target, nil, sqlitetest.Midday)
		if err != nil || r.Tokens != 2 {
			t.Errorf("%s: got %d valid tokens, %v, want 2", from, r.Tokens, err)
		}
		if got, want := sqlitetest.MustHold(t, target), sqlitetest.SignedOut(sqlitetest.MustHold(t, path)); !sqlitetest.SameRows(sqlitetest.WithoutRestores(got, want), want) {
			t.Errorf("%s: got %v, want %v", from, got, want)
		}
		if got, want := sqlitetest.NamesIn(t, filepath.Dir(target)), []string{"app.db"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", from, got, want)
		}
		if got := sqlitetest.Found(t, target); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", from, got)
		}
	}
}

// TestRestoreOfABackupFromAClockThatIsAhead: a backup from a machine whose clock is ahead can be
// restored. Its sessions end later than a session that begins now, but a restore removes all sessions.
func TestRestoreOfABackupFromAClockThatIsAhead(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	far := time.Now().Add(access.SessionLength + time.Hour)
	sqlitetest.BehindItsBack(t, path, fmt.Sprintf("UPDATE sessions SET expires_at = %d", far.UnixMicro()))
	if got := sqlitetest.Found(t, path); !sqlitetest.Names(got, "sessions") {
		t.Errorf("the control: got %q, want a finding of sessions", got)
	}
	copied, _ := sqlitetest.BackupOf(t, path)
	target := filepath.Join(t.TempDir(), "app.db")
	if _, err := sqlitebackup.Restore(t.Context(), copied, target, nil, time.Now()); err != nil {
		t.Fatal(err)
	}
	if got := sqlitetest.Found(t, target); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestADraftGoesWithItsLog: a draft is removed together with the files that SQLite makes beside it.
func TestADraftGoesWithItsLog(t *testing.T) {
	dir := t.TempDir()
	draft := file.File{Path: filepath.Join(dir, "draft.db")}
	for _, part := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.WriteFile(draft.Path+part, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := sqlitebackup.RemoveAll(draft); err != nil {
		t.Error(err)
	}
	if err := sqlitebackup.RemoveAll(draft); err != nil { // a second time
		t.Error(err)
	}
	if got := sqlitetest.NamesIn(t, dir); len(got) > 0 {
		t.Errorf("got the files %v, want none", got)
	}
}

// TestAScheduledBackup: the manifest says whether a backup was scheduled or requested.
func TestAScheduledBackup(t *testing.T) {
	path, dir := sqlitetest.RecordOfEach(t, sqlite.Open), t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	keeper := backup.NewKeeper(backup.Config{
		Database: path, Dir: dir, Every: time.Hour,
		Lineages: func(ctx context.Context, of []backup.Manifest) ([]backup.Lineage, error) {
			return sqlitebackup.Lineages(ctx, path, of)
		},
		Take: func(ctx context.Context, copied string, now time.Time) (backup.Manifest, error) {
			return sqlitebackup.Backup(ctx, path, copied, "test", now)
		},
		Now: func() time.Time { return sqlitetest.Midday },
		After: func(time.Duration) <-chan time.Time {
			stop()
			return nil
		},
		Log: slog.New(slog.DiscardHandler),
	})
	keeper.Run(ctx)
	if got := keeper.Status().Newest; !got.Scheduled || got.File == "" {
		t.Errorf("got %+v, want a scheduled backup", got)
	}
	if got, err := keeper.Take(t.Context()); err != nil || got.Scheduled {
		t.Errorf("got %+v, %v, want a requested backup", got, err)
	}
}

// TestBackupBesideAWriter: while a process writes, it can take backups. No write is refused. Each backup
// is the database at one moment, and has all writes that were acknowledged before the backup began.
func TestBackupBesideAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // the file is verified before
	ctx, stop := context.WithCancel(t.Context())
	var stored atomic.Int64
	var writing sync.WaitGroup
	for w := range 4 {
		writing.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: money.Currency(fmt.Sprintf("C%d%d", w, i)), Name: "x"}); err != nil {
					t.Errorf("a write beside a backup: got %v, want no error", err)
					return
				}
				stored.Add(1)
			}
		})
	}
	for range 5 {
		before := stored.Load()
		copied, m := sqlitetest.BackupOf(t, path)
		v, err := verify.Database(t.Context(), copied, nil)
		if err != nil || len(v.Findings) > 0 || v.Entries < before || v.Entries != m.Entries || v.Entries != m.Counts["currencies"] {
			t.Errorf("got %d entries, %v, %v, want the %d of the manifest, at least %d, and no findings", v.Entries, v.Findings, err, m.Entries, before)
		}
	}
	stop()
	writing.Wait()
	if got := sqlitetest.Found(t, path); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestABackupThatIsGivenUp: a backup whose context is canceled fails and leaves no file.
func TestABackupThatIsGivenUp(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	to := filepath.Join(t.TempDir(), "b.db")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sqlitebackup.Backup(ctx, path, to, "test", sqlitetest.Midday); err == nil {
		t.Error("got a backup in a context that is canceled, want an error")
	}
	if got := sqlitetest.NamesIn(t, filepath.Dir(to)); len(got) > 0 {
		t.Errorf("got the files %v, want none", got)
	}
}
