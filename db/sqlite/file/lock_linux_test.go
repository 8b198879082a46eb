package file_test

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"daybook/db/sqlite"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/fault"
)

// TestTheLockOfTheServerOutlivesItsFile: if somebody removes the lock file while a server runs, no
// other process serves, migrates or restores the database. They can after the server has ended.
func TestTheLockOfTheServerOutlivesItsFile(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	path := emptyDatabase(t)
	f, err := file.Locate(path)
	if err != nil {
		t.Fatal(err)
	}
	later, using := file.File{Path: f.Path, Synchronous: "FULL", Schema: sqlitetest.Later(t)}, uses(good)
	attempts := []struct {
		name, want string
		do         func() error
	}{
		{"serving", "another process already serves", func() error { return using["Guard"](t.Context(), path) }},
		{"restoring", "another process already serves", func() error { return using["Restore"](t.Context(), path) }},
		{"migrating", "an older program serves", func() error { _, err := sqlite.MigrateFile(t.Context(), later); return err }},
	}
	guarded, err := sqlite.Guard(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range attempts {
		if err := os.Remove(path + file.LockFile); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err := a.do(); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), a.want) {
			t.Errorf("%s beside a server: got %v, want %q", a.name, err, a.want)
		}
	}
	if err := guarded.Release(); err != nil {
		t.Fatal(err)
	}
	for _, a := range attempts {
		if err := a.do(); err != nil {
			t.Errorf("%s after the server has ended: got %v, want no error", a.name, err)
		}
	}
}

// TestALockToReadIsNoServer: a user who can only read the database can still lock it, so that no server
// starts. The error says that the process with the lock is not a server, and how to find it.
func TestALockToReadIsNoServer(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() })
	lock := unix.Flock_t{Type: unix.F_RDLCK, Start: 1 << 62, Len: 1} // as disk.Claim has it
	if err := unix.FcntlFlock(reader.Fd(), unix.F_OFD_SETLK, &lock); err != nil {
		t.Fatal(err)
	}
	_, err = sqlite.Guard(t.Context(), path)
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "is not a server keeps it locked, perhaps one of another user; find it with lsof") {
		t.Errorf("got %v, want it refused, with a hint how to find the process", err)
	}
}
