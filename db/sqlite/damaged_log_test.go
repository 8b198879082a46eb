package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite/internal/wal"
	"daybook/internal/fault"
	"daybook/internal/money"
)

// loggedFile is a database as a kill leaves it: some commits are in its log only. It returns
// the frames that end a commit.
func loggedFile(t *testing.T) (path string, commits []int) {
	t.Helper()
	s := openStore(t)
	for _, code := range []money.Currency{"AAA", "BBB", "CCC", "DDD"} {
		if err := addCode(t, s, code); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(t.TempDir(), "app.db")
	if err := errors.Join(duplicate(s.file.path, path), duplicate(s.file.path+"-wal", path+"-wal")); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	salts := string(log[16:24])
	for i := 0; frameAt(i+1) <= int64(len(log)) && string(log[frameAt(i)+8:frameAt(i)+16]) == salts; i++ {
		if binary.BigEndian.Uint32(log[frameAt(i)+4:]) != 0 {
			commits = append(commits, i)
		}
	}
	if len(commits) < 4 {
		t.Fatalf("the log has %d commits, want more", len(commits))
	}
	return path, commits
}

// frameAt is where a frame of a log begins.
func frameAt(i int) int64 { return wal.HeaderSize + int64(i)*(wal.FrameHeaderSize+4096) }

// TestADamagedLogIsRefused: SQLite drops what stands behind a frame with a wrong checksum. Where
// that was on the disk, every command refuses the file. As controls, a log that nobody damaged
// and one whose last commit was torn by a power cut are used.
func TestADamagedLogIsRefused(t *testing.T) {
	good, _ := backupOf(t, aRecordOfEach(t))
	for _, c := range []struct {
		name string
		harm func(commits []int) int64 // where a byte is changed; below 0 none is
		used bool
		lost int // bytes from there that are zeros, 0 where one is changed
	}{
		{"nothing", func([]int) int64 { return -1 }, true, 0},
		{"a page of the last commit", func(commits []int) int64 { return frameAt(commits[len(commits)-1]) + 100 }, true, 0},
		{"the checksum of the last commit", func(commits []int) int64 { return frameAt(commits[len(commits)-1]) + 16 }, true, 0},
		{"a page of the commit before", func(commits []int) int64 { return frameAt(commits[len(commits)-2]) + 100 }, false, 0},
		{"the first page", func([]int) int64 { return frameAt(0) + wal.FrameHeaderSize }, false, 0},
		{"a page in the middle", func(commits []int) int64 { return frameAt(commits[1]) + 4000 }, false, 0},
		{"a checksum", func(commits []int) int64 { return frameAt(commits[1]) + 17 }, false, 0},
		{"the salt of a frame", func(commits []int) int64 { return frameAt(commits[1]+1) + 9 }, false, 0},
		{"the page number of a frame", func(commits []int) int64 { return frameAt(commits[1]+1) + 3 }, false, 0},
		{"a block across two frames", func(commits []int) int64 { return frameAt(commits[1]) + 2000 }, false, 4096},
		{"the last block", func(commits []int) int64 { return frameAt(commits[len(commits)-1]) + 2000 }, true, 2000},
		{"the version of the log", func([]int) int64 { return 7 }, false, 0},
		{"the salt of the log", func([]int) int64 { return 17 }, false, 0},
		{"the checksum of the log", func([]int) int64 { return 25 }, false, 0},
	} {
		path, commits := loggedFile(t)
		if at := c.harm(commits); c.lost > 0 {
			if err := zeroAt(path+"-wal", at, c.lost); err != nil {
				t.Fatal(err)
			}
		} else if at >= 0 {
			if err := flipAt(path+"-wal", at); err != nil {
				t.Fatal(err)
			}
		}
		log, err := os.ReadFile(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		if c.used {
			s, err := Open(t.Context(), path, time.Now)
			if err != nil {
				t.Errorf("%s: Open: %v", c.name, err)
			} else if err := s.Close(); err != nil {
				t.Errorf("%s: Close: %v", c.name, err)
			}
			continue
		}
		if _, err := Verify(t.Context(), path, nil); err == nil || fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "-wal is damaged") {
			t.Errorf("%s: verify: got %v, want a refusal", c.name, err)
		}
		if s, err := Open(t.Context(), path, time.Now); err == nil {
			t.Errorf("%s: was opened", c.name)
			_ = s.Close()
		}
		r, err := Restore(t.Context(), good, path, nil, midday)
		if err != nil {
			t.Errorf("%s: restore: %v", c.name, err)
			continue
		}
		if kept, err := os.ReadFile(r.Aside + "-wal"); err != nil || !bytes.Equal(kept, log) {
			t.Errorf("%s: the log is not aside as it was: %v", c.name, err)
		}
	}
}

// TestATornHeaderIsNoDamage: SQLite begins a log again once all of it is in the database. A
// power cut may tear the new header, and nothing is lost. As a control, the same header is torn
// while the database does not have what the log holds, or has not all of it.
func TestATornHeaderIsNoDamage(t *testing.T) {
	for _, c := range []struct {
		name string
		copy int64 // bytes at the end of the database that are not copied
		torn bool
		used bool
	}{
		{"a torn header of a copied log", 0, true, true},
		{"a whole header of a copied log", 0, false, true},
		{"a torn header of a log of which a page is not copied", 4096, true, false},
	} {
		path, _ := loggedFile(t)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		log, err := os.ReadFile(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		behindItsBack(t, path, "PRAGMA wal_checkpoint(PASSIVE)") // and copies it once more when it is closed
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.copy > 0 { // the last page that copying changed is as it was
			at := len(after) - int(c.copy)
			for at < len(before) && bytes.Equal(before[at:at+4096], after[at:at+4096]) {
				at -= 4096
			}
			old := make([]byte, 4096)
			if at < len(before) {
				copy(old, before[at:at+4096])
			}
			copy(after[at:], old)
		}
		if c.torn { // as a header with the next salts, of which the end was not written
			log[15]++
			log[19]++
		}
		if err := errors.Join(os.WriteFile(path, after, 0o600), os.WriteFile(path+"-wal", log, 0o600)); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), path, time.Now)
		if (err == nil) != c.used {
			t.Errorf("%s: Open: got %v", c.name, err)
		}
		if err != nil {
			continue
		}
		if got := stored(t, s); !got["DDD"] {
			t.Errorf("%s: got %v, want all that was stored", c.name, got)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: Close: %v", c.name, err)
		}
	}
}

func zeroAt(path string, at int64, n int) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(make([]byte, n), at)
	return errors.Join(err, f.Close())
}
