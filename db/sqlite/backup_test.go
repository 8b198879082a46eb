package sqlite

import (
	"context"
	"crypto/ed25519"
	"database/sql"
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

	"daybook/internal/access"
	"daybook/internal/backup"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// backupOf backs a database up into a folder of its own.
func backupOf(t *testing.T, path string) (file string, m backup.Manifest) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "backup.db")
	m, err := Backup(t.Context(), path, file, "test", midday)
	if err != nil {
		t.Fatal(err)
	}
	return file, m
}

// midday is when every backup of these tests is taken.
var midday = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// held is every row of a database, by table, those of SQLite's own included; a damaged
// file gives an error.
func held(t *testing.T, path string) (map[string][]string, error) {
	t.Helper()
	f := file{path: path, still: true}
	db, err := f.open(t.Context(), "ro", 1, readerPragmas)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	tables, err := texts(t.Context(), db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
	if err != nil {
		return nil, err
	}
	rows := map[string][]string{}
	if rows["sqlite_schema"], err = texts(t.Context(), db, "SELECT concat_ws('|', type, name, tbl_name, sql) FROM sqlite_schema ORDER BY name"); err != nil {
		return nil, err
	}
	for _, table := range tables {
		columns, err := texts(t.Context(), db, "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('"+table+"') ORDER BY cid")
		if err != nil {
			return nil, err
		}
		list := strings.Join(columns, ", ")
		if rows[table], err = texts(t.Context(), db, fmt.Sprintf("SELECT concat_ws('|', %s) FROM %q ORDER BY %s", list, table, list)); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func texts(ctx context.Context, db *sql.DB, query string) ([]string, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	return column1(ctx, tx, query)
}

// mustHold is held of a file that is whole.
func mustHold(t *testing.T, path string) map[string][]string {
	t.Helper()
	rows, err := held(t, path)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// signedOut is what a backup holds when it is restored.
func signedOut(rows map[string][]string) map[string][]string {
	rows["sessions"] = nil
	return rows
}

// butForGivenUp is what a restored database holds, without what the restore has recorded of the
// database that was there before: a row of abandoned_heads, which is journalled.
func butForGivenUp(rows, of map[string][]string) map[string][]string {
	for _, table := range []string{"abandoned_heads", "journal", "journal_links", "sqlite_sequence"} {
		rows[table] = slices.DeleteFunc(rows[table], func(row string) bool { return !slices.Contains(of[table], row) })
	}
	return rows
}

func sameRows(a, b map[string][]string) bool { return maps.EqualFunc(a, b, slices.Equal) }

// namesIn lists a folder, locks left out.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".lock") {
			names = append(names, entry.Name())
		}
	}
	return names
}

// What SQLite keeps for us in the copy, and what it must not.
func TestABackupIsTheDatabase(t *testing.T) {
	path := aRecordOfEach(t)
	behindItsBack(t, path, "UPDATE sqlite_sequence SET seq = 77 WHERE name = 'trades'") // ids that were given and removed
	file, m := backupOf(t, path)
	if got, want := mustHold(t, file), mustHold(t, path); !sameRows(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	v, err := Verify(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.File != "backup.db" || m.Entries != v.Entries || m.Head != v.Head.String() || m.Schema != released.newest() || m.Counts["trades"] != 2 || m.Program != "test" || !m.TakenAt.Equal(midday) {
		t.Errorf("got %+v, want what the database holds", m)
	}
	if origin := linksOf(t, path)[1].Hash.String(); origin == m.Head || m.Origin != origin {
		t.Errorf("got the origin %q, %v, and %q of the backup, want the first link", origin, err, m.Origin)
	}
	data, err := os.ReadFile(backup.ManifestOf(file))
	if err != nil {
		t.Fatal(err)
	}
	if read, err := backup.Parse(data); err != nil || read.Differs(m.Contents) != "" || read.SHA256 != m.SHA256 || read.Bytes != m.Bytes {
		t.Errorf("got %+v, %v, want %+v", read, err, m)
	}
	if got, want := namesIn(t, filepath.Dir(file)), []string{"backup.db", "backup.db.json"}; !slices.Equal(got, want) {
		t.Errorf("got %v beside the backup, want %v", got, want)
	}
	for _, trigger := range []string{"journal_refuses_update", "journal_links_refuse_replace"} {
		if !strings.Contains(strings.Join(mustHold(t, file)["sqlite_schema"], "\n"), trigger) {
			t.Errorf("the copy lacks the trigger %s", trigger)
		}
	}
}

// A restored database goes on where it was: its ids too are never given twice.
func TestARestoredDatabaseGoesOn(t *testing.T) {
	path := aRecordOfEach(t)
	s, err := Open(t.Context(), path, time.Now)
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
	file, m := backupOf(t, path)
	target := filepath.Join(t.TempDir(), "app.db")
	r, err := Restore(t.Context(), file, target, nil, midday)
	if err != nil {
		t.Fatal(err)
	}
	if r.Aside != "" || r.Bytes != m.Bytes || r.Differs(m.Contents) != "" {
		t.Errorf("got %+v, want what is in %+v, and nothing kept aside", r, m)
	}
	if s, err = Open(t.Context(), target, time.Now); err != nil {
		t.Fatal(err)
	}
	next, err := s.CreateDepartment(t.Context(), budget.Department{Code: "LAW", Name: "Law"})
	if err != nil || next.ID != last.ID+1 {
		t.Errorf("got id %d, %v, want %d", next.ID, err, last.ID+1)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := found(t, target); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// Two databases have two origins, however alike they are; one keeps its own.
func TestOrigin(t *testing.T) {
	one, another := aRecordOfEach(t), aRecordOfEach(t)
	_, first := backupOf(t, one)
	behindItsBack(t, one, "UPDATE currencies SET name = name") // as any write that leaves the chain alone
	_, second := backupOf(t, one)
	_, other := backupOf(t, another)
	if first.Origin != second.Origin || first.Origin == other.Origin {
		t.Errorf("got %s, then %s, and %s of another, want one a database", first.Origin, second.Origin, other.Origin)
	}
	empty := filepath.Join(t.TempDir(), "app.db")
	if _, err := Migrate(t.Context(), empty); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"no file": filepath.Join(t.TempDir(), "app.db"), "an empty one": empty} {
		got, err := Standings(t.Context(), path, []backup.Manifest{first, {Contents: backup.Contents{Head: journal.Hash{}.String()}}})
		if want := []backup.Standing{backup.Foreign, backup.Own}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %v, want %v: only a journal without entries is of it", name, got, err, want)
		}
	}
	songs := filepath.Join(t.TempDir(), "songs.db")
	if err := os.WriteFile(songs, anotherProgram(t, "CREATE TABLE songs (title TEXT)"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Standings(t.Context(), songs, nil); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
}

func TestBackupRefuses(t *testing.T) {
	path, dir := aRecordOfEach(t), t.TempDir()
	put := func(name string, content []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
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
		"another program":   {put("songs.db", anotherProgram(t, "CREATE TABLE songs (title TEXT)")), filepath.Join(dir, "b.db"), "another program", fault.Unavailable},
		"a newer Daybook":   {put("newer.db", newerDaybook(t)), filepath.Join(dir, "b.db"), "use a newer one", fault.Unavailable},
		"a letter":          {put("letter.db", []byte("Dear reader")), filepath.Join(dir, "b.db"), "not a database", fault.Unavailable},
		"no folder":         {path, filepath.Join(dir, "no", "b.db"), "no directory", fault.Unavailable},
		"a file as folder":  {path, filepath.Join(taken, "b.db"), "not a directory", fault.Unavailable},
		"a name in use":     {path, taken, "exists already", fault.AlreadyExists},
		"itself":            {path, path, "exists already", fault.AlreadyExists},
		"a manifest in use": {path, filepath.Join(dir, "half.db"), "half.db.json exists already", fault.AlreadyExists},
	} {
		before := namesIn(t, dir)
		_, err := Backup(t.Context(), c.path, c.to, "test", midday)
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.KindOf(err) != c.kind || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
		if got := namesIn(t, dir); !slices.Equal(got, before) {
			t.Errorf("%s: got %v afterwards, want %v", name, got, before)
		}
	}
	if content, err := os.ReadFile(taken); err != nil || string(content) != "something" {
		t.Errorf("got %q, %v, want the file that was there", content, err)
	}
}

// A database that is damaged is not backed up as if it were whole.
func TestBackupOfADamagedDatabase(t *testing.T) {
	s := newSpecimen(t)
	path := fileOf(t, s.content)
	behindItsBack(t, path, s.quietly("journal", "UPDATE journal SET actor = 'me' WHERE seq = (SELECT max(seq) FROM journal)")...)
	to := filepath.Join(t.TempDir(), "b.db")
	if _, err := Backup(t.Context(), path, to, "test", midday); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("got %v, want it refused as damaged", err)
	}
	if got := namesIn(t, filepath.Dir(to)); len(got) > 0 {
		t.Errorf("got %v, want nothing", got)
	}
}

// A kill leaves drafts and a manifest without its backup; the next backup tidies up.
func TestBackupRemovesWhatAKillLeft(t *testing.T) {
	path := aRecordOfEach(t)
	old, _ := backupOf(t, path)
	dir := filepath.Dir(old)
	for from, to := range map[string]string{"backup.db": ".daybook-backup-backup.db", "backup.db.json": ".daybook-backup-backup.db.json"} {
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	orphan := filepath.Join(dir, "app-20260102-120000.db")
	if _, err := Backup(t.Context(), path, orphan, "test", midday); err != nil {
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
	if _, err := Backup(t.Context(), path, filepath.Join(dir, "b.db"), "test", midday); err != nil {
		t.Fatal(err)
	}
	if got, want := namesIn(t, dir), []string{".daybook", "app.json", "b.db", "b.db.json", "notes-20260102-120000.db.json"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Whatever was done to a backup: with its manifest it is refused; without, it is refused
// or holds exactly what it held. The database in its place is not touched.
func TestRestoreOfADamagedBackup(t *testing.T) {
	t.Parallel()
	whole, _ := backupOf(t, aRecordOfEach(t))
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(backup.ManifestOf(whole))
	if err != nil {
		t.Fatal(err)
	}
	holds := mustHold(t, whole)
	target := aRecordOfEach(t)
	stood := mustHold(t, target)
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
		file := filepath.Join(t.TempDir(), "damaged.db")
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		fresh := filepath.Join(t.TempDir(), "app.db")
		if _, err := Restore(t.Context(), file, fresh, nil, midday); err == nil {
			accepted++
			if got, err := held(t, fresh); err != nil || !sameRecords(got, holds) {
				t.Errorf("%s: was restored and holds %v, %v", name, got, err)
			}
		} else if fault.KindOf(err) != fault.Unavailable || len(namesIn(t, filepath.Dir(fresh))) > 0 {
			t.Errorf("%s: got %v (%v) and %v, want a refusal that leaves nothing", name, err, fault.KindOf(err), namesIn(t, filepath.Dir(fresh)))
		}
		if err := os.WriteFile(backup.ManifestOf(file), manifest, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(t.Context(), file, target, nil, midday); err == nil || fault.KindOf(err) != fault.Unavailable || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s, with its manifest: got %v, want a refusal in one line", name, err)
		}
	}
	if accepted == len(damages) || accepted == 0 {
		t.Errorf("got %d of %d accepted without a manifest, want some: unused bytes change nothing", accepted, len(damages))
	}
	if got := mustHold(t, target); !sameRows(got, stood) {
		t.Errorf("the database: got %v, want %v", got, stood)
	}
	if got, want := namesIn(t, filepath.Dir(target)), []string{"app.db"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// sameRecords compares what the interfaces answer: records, positions, journal.
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

// The refusal of a damaged backup names the newest other one of the same database that is whole.
func TestRestoreNamesAWholeBackup(t *testing.T) {
	p, another := newPast(t), newPast(t)
	for i, name := range []string{"a.db", "b.db", "c.db", "d.db"} {
		if i == 3 {
			behindItsBack(t, p.path, "UPDATE currencies SET name = 'dollar'")
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
		_, err := Restore(t.Context(), filepath.Join(p.dir, name), target, nil, midday)
		if err == nil || exists(target) || strings.Contains(err.Error(), "\n") || fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%s: got %v, want a refusal in one line", name, err)
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
	if _, err := Restore(t.Context(), filepath.Join(p.dir, "c.db"), target, public, midday); err == nil || !strings.HasSuffix(err.Error(), whole("a.db")) {
		t.Errorf("with a key: got %v, want %q, which is signed", err, whole("a.db"))
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

// A backup that waits for another one into the same folder says so, and waits as long as the
// caller does.
func TestABackupSaysWhatItWaitsFor(t *testing.T) {
	path, dir := aRecordOfEach(t), t.TempDir()
	busy, err := backup.OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	said := ""
	noticed := WithNotice(ctx, func(sentence string) { said = sentence; cancel() })
	if _, err := Backup(noticed, path, filepath.Join(dir, "app.db"), "test", midday); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("got %v, want that the caller gave up", err)
	}
	if want := "waiting for another process that is busy with the backups in " + dir; said != want {
		t.Errorf("got %q, want %q", said, want)
	}
}

func TestRestoreRefuses(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, content []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	read := func(file string) []byte {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	target := aRecordOfEach(t)
	stood := mustHold(t, target)
	good, m := backupOf(t, aRecordOfEach(t))
	other := aRecordOfEach(t)
	behindItsBack(t, other, "UPDATE idempotency_keys SET status = 1")
	another, _ := backupOf(t, other)
	with := func(name string, manifest []byte) string {
		file := put(name, read(good))
		put(name+".json", manifest)
		return file
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
	behindItsBack(t, edited, "UPDATE trades SET price = price + 1 WHERE id = 1")
	logged := put("logged.db", read(good))
	put("logged.db-wal", []byte("what is not in the file"))
	songs := put("songs-in-use.db", anotherProgram(t, "CREATE TABLE songs (title TEXT)"))
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
		{"another program", put("songs.db", anotherProgram(t, "CREATE TABLE songs (title TEXT)")), target, "songs.db is the database of another program"},
		{"a newer Daybook", put("newer.db", newerDaybook(t)), target, "newer.db has schema version"},
		{"a malformed manifest", with("torn.db", []byte(`{"file":`)), target, "torn.db.json is not the manifest"},
		{"an empty manifest", with("void.db", nil), target, "not the manifest"},
		{"a manifest of nothing", with("null.db", []byte("{}")), target, "not the manifest"},
		{"the manifest of another", with("swapped.db", read(backup.ManifestOf(another))), target, "swapped.db is not what its manifest says"},
		{"a wrong count", with("count.db", lying(func(m *backup.Manifest) { m.Counts["trades"]++ })), target, "rows in trades"},
		{"a wrong head", with("head.db", lying(func(m *backup.Manifest) { m.Head = strings.Repeat("0", 64) })), target, "chain head"},
		{"a wrong origin", with("origin.db", lying(func(m *backup.Manifest) { m.Origin = strings.Repeat("0", 64) })), target, "chain origin"},
		{"a wrong table", with("table.db", lying(func(m *backup.Manifest) { delete(m.Counts, "trades") })), target, "tables"},
		{"an edit behind its back", edited, target, "edited.db is damaged (2 findings): trades 1"},
		{"a log beside it", logged, target, "app backup makes one of it"},
		{"itself", target, target, "is the database itself"},
		{"itself by another name", twin, target, "is the database itself"},
		{"over another program", good, songs, "songs-in-use.db is the database of another program"},
		{"over a folder", good, dir, "is a directory"},
		{"into no folder", good, filepath.Join(dir, "no", "app.db"), "there is no directory"},
		{"over a link to nothing", good, nothing, "is a link to a file that is not there"},
	} {
		before := namesIn(t, dir)
		_, err := Restore(t.Context(), c.from, c.to, nil, midday)
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.KindOf(err) != fault.Unavailable || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if got := namesIn(t, dir); !slices.Equal(got, before) {
			t.Errorf("%s: got %v afterwards, want %v", c.name, got, before)
		}
	}
	if got := mustHold(t, target); !sameRows(got, stood) {
		t.Errorf("the database: got %v, want %v", got, stood)
	}
	if got, want := namesIn(t, filepath.Dir(target)), []string{"app.db"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What was there is kept aside, with what was only in its log.
func TestRestoreKeepsTheOldDatabase(t *testing.T) {
	good, _ := backupOf(t, aRecordOfEach(t))
	target := filepath.Join(t.TempDir(), "app.db")
	crashed(t, target)
	for i, want := range []string{"app.db.before-restore-20260102-120000", "app.db.before-restore-20260102-120000-2"} {
		r, err := Restore(t.Context(), good, target, nil, midday)
		if err != nil || r.Aside != filepath.Join(filepath.Dir(target), want) {
			t.Fatalf("got %+v, %v, want %s", r, err, want)
		}
		if got := mustHold(t, r.Aside)["currencies"]; i == 0 && !slices.Equal(got, []string{"1|'LOG'|'In the log'"}) {
			t.Errorf("aside: got %v, want what was in the log", got)
		}
		if got, want := mustHold(t, target), signedOut(mustHold(t, good)); !sameRows(butForGivenUp(got, want), want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if got := found(t, target); len(got) > 0 {
			t.Errorf("got %q, want nothing", got)
		}
	}
	for _, part := range []string{"-wal", "-shm", ".restoring"} {
		if info, err := os.Stat(target + part); err == nil && info.Size() > 0 && part != "-shm" {
			t.Errorf("got %s of %d bytes, want none", part, info.Size())
		}
	}
}

// crashed makes a database whose one record is in its log only, as a kill leaves it.
func crashed(t *testing.T, path string) {
	t.Helper()
	living := filepath.Join(t.TempDir(), "app.db")
	s, err := Open(t.Context(), living, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err := checkpoint(s.writer.conn, shortPause); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: "LOG", Name: "In the log"}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"", "-wal"} {
		if err := duplicate(living+part, path+part); err != nil {
			t.Fatal(err)
		}
	}
}

// A database that cannot be read makes way with its log; that is what a backup is for.
func TestRestoreOverADamagedDatabase(t *testing.T) {
	good, _ := backupOf(t, aRecordOfEach(t))
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
	r, err := Restore(t.Context(), good, target, nil, midday)
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
	if got := found(t, target); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// A log that stands alone is not read as that of the database that comes to it.
func TestRestoreBesideAStaleLog(t *testing.T) {
	good, _ := backupOf(t, aRecordOfEach(t))
	target := filepath.Join(t.TempDir(), "app.db")
	crashed(t, target)
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	r, err := Restore(t.Context(), good, target, nil, midday)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(r.Aside + "-wal"); err != nil || info.Size() == 0 {
		t.Errorf("got %v, want the log kept aside", err)
	}
	if got, want := mustHold(t, target), signedOut(mustHold(t, good)); !sameRows(got, want) || len(found(t, target)) > 0 {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRestoreRefusesADatabaseInUse(t *testing.T) {
	good, _ := backupOf(t, aRecordOfEach(t))
	target := aRecordOfEach(t)
	guarded, err := Guard(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), good, target, nil, midday); err == nil || !strings.Contains(err.Error(), "already serves") {
		t.Errorf("beside a server: got %v, want a refusal", err)
	}
	if err := guarded.Release(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), target, time.Now) // as app seed does
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), good, target, nil, midday); err == nil || !strings.Contains(err.Error(), "another program has it open") {
		t.Errorf("beside another program: got %v, want a refusal", err)
	}
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: "NOK", Name: "Krone"}); err != nil {
		t.Errorf("the other program: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := found(t, target); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
	if r, err := Restore(t.Context(), good, target, nil, midday); err != nil || mustHold(t, r.Aside)["currencies"][1] != "2|'NOK'|'Krone'" {
		t.Errorf("afterwards: got %+v, %v", r, err)
	}
}

// A link to the database is followed, as everywhere.
func TestRestoreThroughALink(t *testing.T) {
	good, _ := backupOf(t, aRecordOfEach(t))
	target := aRecordOfEach(t)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	r, err := Restore(t.Context(), good, link, nil, midday)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("got %v, %v, want a link still", info, err)
	}
	want := signedOut(mustHold(t, good))
	if filepath.Dir(r.Aside) != filepath.Dir(r.Path) || !sameRows(butForGivenUp(mustHold(t, target), want), want) {
		t.Errorf("got %+v, want the database that the link leads to replaced", r)
	}
}

// A kill between the second name and the copy taking the first leaves a database with
// two names; the next restore ends that.
func TestRestoreAfterAKillInTheMidst(t *testing.T) {
	good, _ := backupOf(t, aRecordOfEach(t))
	target := aRecordOfEach(t)
	for _, err := range []error{
		os.Link(target, target+beforeRestore+"20260101-000000"),
		os.WriteFile(target+".restoring", []byte("half a copy"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Restore(t.Context(), good, target, nil, midday); err != nil {
		t.Fatal(err)
	}
	if got, want := namesIn(t, filepath.Dir(target)), []string{"app.db", "app.db" + beforeRestore + "20260102-120000"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Where the file system has no links, the old database is copied aside.
func TestDuplicate(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := os.WriteFile(from, []byte("content"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := duplicate(from, to); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != "content" {
		t.Errorf("got %q, %v", got, err)
	}
	if err := duplicate(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want it to replace nothing", err)
	}
}

// A session that was ended after the backup is not good again. What tokens are is told.
func TestRestoreSignsEveryoneOut(t *testing.T) {
	path := aRecordOfEach(t)
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for i, token := range []access.Token{
		{Expires: midday.Add(time.Hour)},
		{},
		{Expires: midday.Add(-time.Hour)},
		{Revoked: midday.Add(-time.Hour)},
	} {
		token.Name, token.Scope, token.Created, token.Digest = "t", access.Read, midday.Add(-24*time.Hour), access.Digest{100, byte(i)}
		made, err := s.CreateToken(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		session := access.Session{Digest: access.Digest{200, byte(i)}, Token: made.ID, Expires: midday.Add(-time.Hour)}
		if err := s.CreateSession(t.Context(), session, midday.Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file, m := backupOf(t, path)
	if m.Counts["sessions"] < 4 {
		t.Fatalf("got %d sessions in the backup, want those that were begun", m.Counts["sessions"])
	}
	logging := filepath.Join(t.TempDir(), "logging.db") // a plain copy of a database that nobody has open
	if err := duplicate(path, logging); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{file, logging} {
		target := filepath.Join(t.TempDir(), "app.db")
		if err := os.WriteFile(target+".restoring-journal", []byte("of a restore that was killed"), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Restore(t.Context(), from, target, nil, midday)
		if err != nil || r.Tokens != 2 {
			t.Errorf("%s: got %d good tokens, %v, want 2", from, r.Tokens, err)
		}
		if got, want := mustHold(t, target), signedOut(mustHold(t, path)); !sameRows(got, want) {
			t.Errorf("%s: got %v, want %v", from, got, want)
		}
		if got, want := namesIn(t, filepath.Dir(target)), []string{"app.db"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", from, got, want)
		}
		if got := found(t, target); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", from, got)
		}
	}
}

// A backup of a machine whose clock is ahead is restored: its sessions look too long, and
// are ended anyway.
func TestRestoreOfABackupFromAClockThatIsAhead(t *testing.T) {
	path := aRecordOfEach(t)
	far := time.Now().Add(access.SessionLength + time.Hour)
	behindItsBack(t, path, fmt.Sprintf("UPDATE sessions SET expires_at = %d", far.UnixMicro()))
	if got := found(t, path); !names(got, "sessions") {
		t.Errorf("the control: got %q, want a finding of sessions", got)
	}
	file, _ := backupOf(t, path)
	target := filepath.Join(t.TempDir(), "app.db")
	if _, err := Restore(t.Context(), file, target, nil, time.Now()); err != nil {
		t.Fatal(err)
	}
	if got := found(t, target); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// What SQLite leaves beside a draft goes with it.
func TestADraftGoesWithItsLog(t *testing.T) {
	dir := t.TempDir()
	draft := file{path: filepath.Join(dir, "draft.db")}
	for _, part := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.WriteFile(draft.path+part, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := draft.removeAll(); err != nil {
		t.Error(err)
	}
	if err := draft.removeAll(); err != nil { // a second time
		t.Error(err)
	}
	if got := namesIn(t, dir); len(got) > 0 {
		t.Errorf("got %v, want nothing", got)
	}
}

// The clock's backups are told from those that somebody asked for.
func TestAScheduledBackup(t *testing.T) {
	path, dir := aRecordOfEach(t), t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	keeper := backup.NewKeeper(backup.Config{
		Database: path, Dir: dir, Every: time.Hour,
		Standings: func(ctx context.Context, of []backup.Manifest) ([]backup.Standing, error) {
			return Standings(ctx, path, of)
		},
		Take: func(ctx context.Context, file string, now time.Time) (backup.Manifest, error) {
			return Backup(ctx, path, file, "test", now)
		},
		Now: func() time.Time { return midday },
		After: func(time.Duration) <-chan time.Time {
			stop()
			return nil
		},
		Log: slog.New(slog.DiscardHandler),
	})
	keeper.Run(ctx)
	if got := keeper.Status().Newest; !got.Scheduled || got.File == "" {
		t.Errorf("got %+v, want one of the clock's", got)
	}
	if got, err := keeper.Take(t.Context()); err != nil || got.Scheduled {
		t.Errorf("got %+v, %v, want one that was asked for", got, err)
	}
}

// Backups are taken by the process that writes, too: no write is refused, and each
// backup is the database at one moment, after all that was acknowledged before.
func TestBackupBesideAWriter(t *testing.T) {
	s := openStore(t)
	ctx, stop := context.WithCancel(t.Context())
	var stored atomic.Int64
	var writing sync.WaitGroup
	for w := range 4 {
		writing.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: money.Currency(fmt.Sprintf("C%d%d", w, i)), Name: "x"}); err != nil {
					t.Errorf("a write beside a backup: %v", err)
					return
				}
				stored.Add(1)
			}
		})
	}
	for range 5 {
		before := stored.Load()
		file, m := backupOf(t, s.file.path)
		v, err := Verify(t.Context(), file, nil)
		if err != nil || len(v.Findings) > 0 || v.Entries < before || v.Entries != m.Entries || v.Entries != m.Counts["currencies"] {
			t.Errorf("got %d entries, %v, %v, want the %d of the manifest, no less than %d, and nothing wrong", v.Entries, v.Findings, err, m.Entries, before)
		}
	}
	stop()
	writing.Wait()
	if got := found(t, s.file.path); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

// A backup that is given up leaves nothing.
func TestABackupThatIsGivenUp(t *testing.T) {
	path := aRecordOfEach(t)
	to := filepath.Join(t.TempDir(), "b.db")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Backup(ctx, path, to, "test", midday); err == nil {
		t.Error("a backup was taken in a context that has ended")
	}
	if got := namesIn(t, filepath.Dir(to)); len(got) > 0 {
		t.Errorf("got %v, want nothing", got)
	}
}
