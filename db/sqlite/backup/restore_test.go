package backup_test

import (
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
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/fault"
)

// refusing is a sync of a folder that fails once, after the given number of successes.
func refusing(after int, sync func(folder string) error) func(folder string) error {
	return func(folder string) error {
		after--
		if after == -1 {
			return errors.New("input/output error")
		}
		return sync(folder)
	}
}

// TestAFolderThatIsNotSynced fails each sync of the folder in a restore. Before the restored database
// has its place, the old one stays there and nothing is aside. After that the old one is aside, and the
// error names it. As a control, nothing fails.
func TestAFolderThatIsNotSynced(t *testing.T) {
	const syncs = 3
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	for fails := range syncs + 1 {
		path := sqlitetest.RecordOfEach(t, sqlite.Open)
		before, aside := sqlitetest.MustHold(t, path), path+file.BeforeRestore+"20260102-120000"
		f, err := file.Locate(path, verify.Whole)
		if err != nil {
			t.Fatal(err)
		}
		f.SyncFolder = refusing(fails, f.SyncFolder)
		r, err := sqlitebackup.RestoreFile(t.Context(), f, good, path, nil, sqlitetest.Midday)
		old, want := path, fault.Unavailable
		switch fails {
		case syncs: // the control
			if err != nil || r.Aside != aside {
				t.Errorf("the control: got %v, %v", r.Aside, err)
			}
			continue
		case syncs - 1: // the sync after the rename
			old, want = aside, fault.OutcomeUnknown
			if copied := sqlitetest.SignedOut(sqlitetest.MustHold(t, good)); !sqlitetest.SameRows(sqlitetest.WithoutGivenUp(sqlitetest.MustHold(t, path), copied), copied) {
				t.Errorf("sync %d: got %v, and the restored database is not in its place", fails, err)
			}
		}
		if fault.KindOf(err) != want || !strings.Contains(err.Error(), "input/output error") {
			t.Errorf("sync %d: got %v, want the kind %v and the cause", fails, err, want)
		}
		if there := file.Exists(aside); there != (old == aside) || strings.Contains(err.Error(), aside) != there {
			t.Errorf("sync %d: got %v, %v, want what is aside named", fails, err, sqlitetest.NamesIn(t, filepath.Dir(path)))
		}
		if got, err := sqlitetest.Held(t, old); err != nil || !sqlitetest.SameRows(got, before) {
			t.Errorf("sync %d: the old database is not %s: %v", fails, filepath.Base(old), err)
		}
	}
}

// TestADamagedDatabaseThatIsNotSynced: a damaged database keeps its log. Both are aside once it may
// have lost its place, and the error names it.
func TestADamagedDatabaseThatIsNotSynced(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	for fails := range 3 {
		path := filepath.Join(t.TempDir(), "app.db")
		aside := path + file.BeforeRestore + "20260102-120000"
		if err := errors.Join(os.WriteFile(path, []byte("damaged"), 0o600), os.WriteFile(path+"-wal", []byte("its log"), 0o600)); err != nil {
			t.Fatal(err)
		}
		f, err := file.Locate(path, verify.Whole)
		if err != nil {
			t.Fatal(err)
		}
		f.SyncFolder = refusing(fails, f.SyncFolder)
		if _, err := sqlitebackup.RestoreFile(t.Context(), f, good, path, nil, sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), aside) {
			t.Errorf("sync %d: got %v, want that it names %s", fails, err, aside)
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
			t.Errorf("the control: got %v, %v, want it restored by its manifest", r.TakenAt, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want) || file.Exists(target)) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestARestoreKeepsItsSource: a restore removes drafts and other files of the database that a kill
// left. A source with such a name is refused before anything is removed, also through a link. As a
// control, its copy under another name is restored.
func TestARestoreKeepsItsSource(t *testing.T) {
	good, err := os.ReadFile(sqlitetest.RecordOfEach(t, sqlite.Open))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{sqlitebackup.CopyDraft, sqlitebackup.CopyDraft + "-wal", sqlitebackup.CopyDraft + "-shm", sqlitebackup.CopyDraft + "-journal", "-shm", sqlitebackup.AsideDraft, ".serve.addr.new"} {
		target := filepath.Join(t.TempDir(), "app.db")
		source, link, other := target+part, target+"-link", target+"-copy"
		if err := errors.Join(os.WriteFile(source, good, 0o600), os.WriteFile(other, good, 0o600), os.Symlink(source, link)); err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{source, link} {
			if _, err := sqlitebackup.Restore(t.Context(), from, target, nil, sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), "a restore of "+target+" removes "+source) {
				t.Errorf("%s: got %v, want a refusal", filepath.Base(from), err)
			}
			if got, err := os.ReadFile(source); !slices.Equal(got, good) {
				t.Errorf("%s: the source is not what it was: %v", filepath.Base(from), err)
			}
		}
		if file.Exists(target) {
			t.Errorf("%s: a database was made", part)
		}
		if _, err := sqlitebackup.Restore(t.Context(), other, target, nil, sqlitetest.Midday); err != nil {
			t.Errorf("the control beside %s: %v", part, err)
		}
	}
}

// TestNoDatabaseHasTheNameOfADraft: the next restore would remove such a database. Commands that only
// read may use what a restore left.
func TestNoDatabaseHasTheNameOfADraft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "app.db"+sqlitebackup.CopyDraft)
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	for _, name := range []string{"app.db" + sqlitebackup.CopyDraft, "app.db-journal", "app.db-wal", "app.db.serve.lock", backup.DraftPrefix + "app.db"} {
		path := filepath.Join(dir, name)
		if _, err := sqlite.Open(t.Context(), path, time.Now); err == nil || !strings.Contains(err.Error(), "give it another name") || file.Exists(path) {
			t.Errorf("Open %s: got %v, want a refusal", name, err)
		}
		if _, err := sqlitebackup.Restore(t.Context(), good, path, nil, sqlitetest.Midday); err == nil || file.Exists(path) {
			t.Errorf("Restore %s: got %v, want a refusal", name, err)
		}
	}
	draft := filepath.Join(dir, backup.DraftPrefix+"rescue.db")
	sqlitetest.CopyOver(t, good, draft)
	if _, err := sqlitebackup.Backup(t.Context(), draft, filepath.Join(dir, "x.db"), "test", sqlitetest.Midday); err == nil || !strings.Contains(err.Error(), "give it another name") || !file.Exists(draft) {
		t.Errorf("Backup: got %v, want a refusal, and the database there", err)
	}
	sqlitetest.CopyOver(t, good, path)
	if got := sqlitetest.Found(t, path); len(got) > 0 {
		t.Errorf("verify: got %q, want nothing", got)
	}
}
