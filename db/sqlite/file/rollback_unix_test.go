//go:build unix

package file_test

import (
	"bytes"
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
	"daybook/db/sqlite/schema"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

// rollback is a rollback journal that SQLite plays back into any database that it lies
// beside: it holds all pages of another one. https://sqlite.org/fileformat2.html#the_rollback_journal
func rollback(t *testing.T, of string) []byte {
	t.Helper()
	const nonce, sector = 0x12345678, 512
	pages, err := os.ReadFile(of)
	if err != nil {
		t.Fatal(err)
	}
	size := int(binary.BigEndian.Uint16(pages[16:]))
	count := uint32(len(pages) / size)
	journal := []byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}
	for _, field := range []uint32{count, nonce, count, sector, uint32(size)} {
		journal = binary.BigEndian.AppendUint32(journal, field)
	}
	journal = append(journal, make([]byte, sector-len(journal))...)
	number := uint32(0)
	for page := range slices.Chunk(pages, size) {
		number++
		sum := uint32(nonce)
		for at := size - 200; at > 0; at -= 200 {
			sum += uint32(page[at])
		}
		journal = binary.BigEndian.AppendUint32(journal, number)
		journal = binary.BigEndian.AppendUint32(append(journal, page...), sum)
	}
	return journal
}

// TestAJournalBeside: who only reads plays no rollback journal back. One that another user
// made, or that more users may write to, is refused for all. As a control, who writes plays
// back one of the owner.
func TestAJournalBeside(t *testing.T) {
	const nobody = 65534
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	victim, forged := sqlitetest.RecordOfEach(t, sqlite.Open), rollback(t, good)
	genuine, err := os.ReadFile(victim)
	if err != nil {
		t.Fatal(err)
	}
	readers := []string{"Verify", "Migrations", "Backup"}
	owner, plants := os.Geteuid(), map[string]struct {
		mode  os.FileMode
		owner int
		want  string // of who writes; "" where it is played back
	}{
		"the owner's":          {0o600, os.Geteuid(), ""},
		"for all to read":      {0o644, os.Geteuid(), ""},
		"for all to write":     {0o666, os.Geteuid(), "chmod 600 "},
		"for a group to write": {0o660, os.Geteuid(), "chmod 600 "},
		"another's":            {0o600, nobody, "belongs to "},
	}
	if owner != file.Superuser {
		delete(plants, "another's") // which only root can make; disk.Stranger is tried as any user
	}
	for what, plant := range plants {
		for name, use := range uses(good) {
			path := filepath.Join(t.TempDir(), "app.db")
			sqlitetest.CopyOver(t, victim, path)
			if err := errors.Join(os.WriteFile(path+"-journal", forged, 0o600), os.Chmod(path+"-journal", plant.mode), os.Chown(path+"-journal", plant.owner, -1)); err != nil {
				t.Fatal(err)
			}
			want := plant.want
			if want == "" && slices.Contains(readers, name) {
				want = "app migrate does that"
			}
			err := use(t.Context(), path)
			after, reading := os.ReadFile(path)
			switch {
			case want == "" && err != nil:
				t.Errorf("%s, %s: got %v, want it done", what, name, err)
			case want == "":
				if file.Exists(path+"-journal") && name != "Served" {
					t.Errorf("%s, %s: the control: it is not played back", what, name)
				}
			case fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n"):
				t.Errorf("%s, %s: got %v, want %q", what, name, err, want)
			case reading != nil || !bytes.Equal(after, genuine) || !file.Exists(path+"-journal"):
				t.Errorf("%s, %s: a file was changed", what, name)
			}
		}
	}
}

// TestACopyThatIsExchanged: where another database gets into the copy of a restore after it
// was held against its manifest, by a journal beside it, it does not take the place. As a
// control, it does without the journal.
func TestACopyThatIsExchanged(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	other, _ := sqlitetest.BackupOf(t, anotherDatabase(t))
	for _, planted := range []bool{true, false} {
		path := sqlitetest.RecordOfEach(t, sqlite.Open)
		before := sqlitetest.MustHold(t, path)
		f, err := file.Locate(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sqlitebackup.OpenSource(good, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		copied := file.File{Path: path + ".restoring", Name: good, Synchronous: "FULL", Immutable: true, Schema: schema.Released}
		size, contents, err := s.CopyTo(t.Context(), copied)
		if err = errors.Join(err, s.File.Close()); err != nil {
			t.Fatal(err)
		}
		if planted {
			if err := os.WriteFile(copied.Path+"-journal", rollback(t, other), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err = sqlitebackup.Replaced(t.Context(), f, copied, sqlitebackup.Restoration{Bytes: size, Contents: contents}, sqlitetest.Midday)
		if !planted && err != nil {
			t.Errorf("the control: %v", err)
		}
		if !planted {
			continue
		}
		if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "not the journal that the link was noted of") && !strings.Contains(err.Error(), "names this link") {
			t.Errorf("got %v, want a refusal", err)
		}
		if !sqlitetest.SameRows(sqlitetest.MustHold(t, path), before) {
			t.Error("the database is not as it was")
		}
	}
}

// anotherDatabase has other records than aRecordOfEach.
func anotherDatabase(t *testing.T) string {
	t.Helper()
	path := emptyDatabase(t)
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.AddCurrency(t.Context(), trading.Currency{Code: "EVL", Name: "Another"})
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}
