package backup_test

import (
	"encoding/binary"
	"errors"
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
	"daybook/internal/fault"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// refusing returns a function that syncs a folder. It works the given number of times, then fails once.
func refusing(after int, sync func(folder string) error) func(folder string) error {
	return func(folder string) error {
		after--
		if after == -1 {
			return errors.New("input/output error")
		}
		return sync(folder)
	}
}

// TestAFolderThatIsNotSynced: each sync of the folder in a restore fails once. If the restored database
// is not in its place yet, the old one stays there and nothing is kept aside. If it is, the old one is
// aside, and the error names it. As a control, nothing fails.
func TestAFolderThatIsNotSynced(t *testing.T) {
	const syncs = 3
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	for fails := range syncs + 1 {
		path := sqlitetest.RecordOfEach(t, sqlite.Open)
		before, aside := sqlitetest.MustHold(t, path), path+file.BeforeRestore+"20260102-120000"
		f, err := file.Locate(path)
		if err != nil {
			t.Fatal(err)
		}
		f.SyncFolder = refusing(fails, f.SyncFolder)
		r, err := sqlitebackup.RestoreFile(t.Context(), f, good, path, nil, sqlitetest.Midday)
		old, want := path, fault.Unavailable
		switch fails {
		case syncs: // the control
			if err != nil || r.Aside != aside {
				t.Errorf("the control: got %q aside, %v, want %q, no error", r.Aside, err, aside)
			}
			continue
		case syncs - 1: // the sync after the rename
			old, want = aside, fault.OutcomeUnknown
			if copied := sqlitetest.SignedOut(sqlitetest.MustHold(t, good)); !sqlitetest.SameRows(sqlitetest.WithoutRestores(sqlitetest.MustHold(t, path), copied), copied) {
				t.Errorf("sync %d: got %v and other records, want the restored database in its place", fails, err)
			}
		}
		if fault.KindOf(err) != want || !strings.Contains(err.Error(), "input/output error") {
			t.Errorf("sync %d: got %v, want the kind %v and the cause", fails, err, want)
		}
		if there := file.Exists(aside); there != (old == aside) || strings.Contains(err.Error(), aside) != there {
			t.Errorf("sync %d: got %v, the files %v, want the old database aside exactly if the error names it", fails, err, sqlitetest.NamesIn(t, filepath.Dir(path)))
		}
		if got, err := sqlitetest.Held(t, old); err != nil || !sqlitetest.SameRows(got, before) {
			t.Errorf("sync %d: got other records in %s, %v, want the old database there", fails, filepath.Base(old), err)
		}
	}
}

// TestADamagedDatabaseThatIsNotSynced: a restore over a damaged database fails at a sync of the folder.
// The damaged database and its log are then both aside, and the error names them.
func TestADamagedDatabaseThatIsNotSynced(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	for fails := range 3 {
		path := filepath.Join(t.TempDir(), "app.db")
		aside := path + file.BeforeRestore + "20260102-120000"
		if err := errors.Join(os.WriteFile(path, []byte("damaged"), 0o600), os.WriteFile(path+"-wal", []byte("its log"), 0o600)); err != nil {
			t.Fatal(err)
		}
		f, err := file.Locate(path)
		if err != nil {
			t.Fatal(err)
		}
		f.SyncFolder = refusing(fails, f.SyncFolder)
		if _, err := sqlitebackup.RestoreFile(t.Context(), f, good, path, nil, sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), aside) {
			t.Errorf("sync %d: got %v, want an error with the name %s", fails, err, aside)
		}
		for name, want := range map[string]string{aside: "damaged", aside + "-wal": "its log"} {
			if got, err := os.ReadFile(name); string(got) != want || err != nil {
				t.Errorf("sync %d: %s: got %q, %v, want %q", fails, name, got, err, want)
			}
		}
	}
}

// TestALinkToABackup: a link to a database in use is refused like the database. As a control, a link to
// a backup is restored, with the manifest beside the backup.
func TestALinkToABackup(t *testing.T) {
	living := filepath.Join(t.TempDir(), "app.db")
	sqlitetest.Crashed(t, sqlite.Open, living)
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	for from, want := range map[string]string{living: "a database with changes in app.db-wal", good: ""} {
		link, target := filepath.Join(t.TempDir(), "link.db"), filepath.Join(t.TempDir(), "app.db")
		if err := os.Symlink(from, link); err != nil {
			t.Fatal(err)
		}
		r, err := sqlitebackup.Restore(t.Context(), link, target, nil, sqlitetest.Midday)
		if want == "" && (err != nil || r.TakenAt.IsZero()) {
			t.Errorf("the control: got the time %v, %v, want it restored with its manifest", r.TakenAt, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want) || file.Exists(target)) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestARestoreKeepsItsSource: a restore removes drafts and other files that a kill left beside the
// database. So a source with the name of such a file is refused before anything is removed, also through
// a link. As a control, a copy of it with another name is restored.
func TestARestoreKeepsItsSource(t *testing.T) {
	good, err := os.ReadFile(sqlitetest.RecordOfEach(t, sqlite.Open))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{file.CopyDraft, file.CopyDraft + "-wal", file.CopyDraft + "-shm", file.CopyDraft + "-journal", "-shm", sqlitebackup.AsideDraft} {
		target := filepath.Join(t.TempDir(), "app.db")
		source, link, other := target+part, target+"-link", target+"-copy"
		if err := errors.Join(os.WriteFile(source, good, 0o600), os.WriteFile(other, good, 0o600), os.Symlink(source, link)); err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{source, link} {
			if _, err := sqlitebackup.Restore(t.Context(), from, target, nil, sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), "a restore of "+target+" removes "+source) {
				t.Errorf("%s: got %v, want it refused", filepath.Base(from), err)
			}
			if got, err := os.ReadFile(source); !slices.Equal(got, good) {
				t.Errorf("%s: got the source changed, %v, want it unchanged", filepath.Base(from), err)
			}
		}
		if file.Exists(target) {
			t.Errorf("%s: got a restored database, want none", part)
		}
		if _, err := sqlitebackup.Restore(t.Context(), other, target, nil, sqlitetest.Midday); err != nil {
			t.Errorf("%s, the control: got %v, want no error", part, err)
		}
	}
}

// TestNoDatabaseHasTheNameOfADraft: no command makes or backs up a database with the name of a draft or
// of another file that Daybook removes. Commands that only read can use such a file.
func TestNoDatabaseHasTheNameOfADraft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "app.db"+file.CopyDraft)
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	for _, name := range []string{"app.db" + file.CopyDraft, "app.db-journal", "app.db-wal", "app.db.lock", backup.DraftPrefix + "app.db"} {
		path := filepath.Join(dir, name)
		if _, err := sqlite.Open(t.Context(), path, time.Now); err == nil || !strings.Contains(err.Error(), "give it another name") || file.Exists(path) {
			t.Errorf("Open %s: got %v, want it refused", name, err)
		}
		if _, err := sqlitebackup.Restore(t.Context(), good, path, nil, sqlitetest.Midday); err == nil || file.Exists(path) {
			t.Errorf("Restore %s: got %v, want it refused", name, err)
		}
	}
	draft := filepath.Join(dir, backup.DraftPrefix+"rescue.db")
	sqlitetest.CopyOver(t, good, draft)
	if _, err := sqlitebackup.Backup(t.Context(), draft, filepath.Join(dir, "x.db"), "test", sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), "give it another name") || !file.Exists(draft) {
		t.Errorf("Backup: got %v, want it refused, and the database kept", err)
	}
	sqlitetest.CopyOver(t, good, path)
	if got := sqlitetest.Found(t, path); len(got) > 0 {
		t.Errorf("verify: got %q, want nothing", got)
	}
}

// TestRestoreAfterAKillInACheckpoint: a kill while SQLite copies the log leaves a file that is shorter than its first
// page says. Together with its log it is whole, so a restore keeps it aside in one file.
// As a control, the file cannot be read without its log.
func TestRestoreAfterAKillInACheckpoint(t *testing.T) {
	living := sqlitetest.RecordOfEach(t, sqlite.Open)
	good, _ := sqlitetest.BackupOf(t, living)
	s, err := sqlite.Open(t.Context(), living, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // it was copied
	for range 50 {
		if _, err := s.AddCompany(t.Context(), trading.Company{Name: text.Name(strings.Repeat("x", 200))}); err != nil {
			t.Fatal(err)
		}
	}
	target := filepath.Join(t.TempDir(), "app.db")
	for _, part := range []string{"", "-wal"} {
		if err := sqlitebackup.Duplicate(living+part, target+part); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyFirstPage(target); err != nil {
		t.Fatal(err)
	}
	if alone, err := os.ReadFile(target); err != nil {
		t.Fatal(err)
	} else if err := sqlitetest.Verified(t.Context(), sqlitetest.FileOf(t, alone)); err == nil {
		t.Error("the control: got a file that is whole without its log, want one that cannot be read")
	}
	r, err := sqlitebackup.Restore(t.Context(), good, target, nil, sqlitetest.Midday)
	if err != nil {
		t.Fatal(err)
	}
	if file.Exists(r.Aside + "-wal") {
		t.Error("got a log beside the old database, want it in one file")
	}
	if n := len(sqlitetest.MustHold(t, r.Aside)["companies"]); n < 50 || len(sqlitetest.Found(t, r.Aside)) > 0 {
		t.Errorf("got %d companies aside, want at least 50 and no findings", n)
	}
}

// copyFirstPage copies the newest first page of a log into its database, as SQLite begins a checkpoint.
func copyFirstPage(path string) error {
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		return err
	}
	const headerSize, frameHeaderSize = 32, 24
	page := int(binary.BigEndian.Uint32(log[8:]))
	var newest []byte
	for at := headerSize; at+frameHeaderSize+page <= len(log); at += frameHeaderSize + page {
		if binary.BigEndian.Uint32(log[at:]) == 1 {
			newest = log[at+frameHeaderSize:][:page]
		}
	}
	database, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = database.WriteAt(newest, 0)
	return errors.Join(err, database.Close())
}
