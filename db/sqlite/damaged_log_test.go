package sqlite

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/internal/wal"
	"daybook/db/sqlite/verify"
	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/money"
)

// loggedFile makes a database as a killed process leaves it: some commits are only in its write-ahead
// log. It returns the numbers of the frames that end a commit.
func loggedFile(t *testing.T) (path string, commits []int) {
	t.Helper()
	s := openStore(t)
	for _, code := range []money.Currency{"AAA", "BBB", "CCC", "DDD"} {
		if err := addCode(t, s, code); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(t.TempDir(), "app.db")
	if err := errors.Join(sqlitebackup.Duplicate(s.file.Path, path), sqlitebackup.Duplicate(s.file.Path+"-wal", path+"-wal")); err != nil {
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
		t.Fatalf("got a log of %d commits, want at least 4", len(commits))
	}
	return path, commits
}

// frameAt returns where a frame of a log begins.
func frameAt(i int) int64 { return wal.HeaderSize + int64(i)*(wal.FrameHeaderSize+4096) }

// TestADamagedLogIsRefused: SQLite ignores a frame with a wrong checksum and everything after it. If the
// log has more commits after such a frame, no power cut did this, and commits would be lost. So verify
// and Open refuse the database, and a restore keeps the log aside. As controls, an undamaged log is
// used, and so is a log with damage in its last commit only, as after a power cut.
func TestADamagedLogIsRefused(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, Open))
	for _, c := range []struct {
		name string
		harm func(commits []int) int64 // returns where a byte is changed, or -1
		used bool
		lost int // if not 0, that many bytes from there are zeroed instead
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
		{"the checksum of the commit before", func(commits []int) int64 { return frameAt(commits[len(commits)-2]) + 17 }, false, 0},
		{"the salt of the commit before", func(commits []int) int64 { return frameAt(commits[len(commits)-2]) + 9 }, false, 0},
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
				t.Errorf("%s: Open: got %v, want no error", c.name, err)
			} else if err := s.Close(); err != nil {
				t.Errorf("%s: Close: got %v, want no error", c.name, err)
			}
			continue
		}
		if _, err := verify.Database(t.Context(), path, nil); err == nil || fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "-wal is damaged") {
			t.Errorf("%s: verify: got %v, want it refused", c.name, err)
		}
		if s, err := Open(t.Context(), path, time.Now); err == nil {
			t.Errorf("%s: Open: got no error, want one", c.name)
			_ = s.Close()
		}
		r, err := sqlitebackup.Restore(t.Context(), good, path, nil, sqlitetest.Midday)
		if err != nil {
			t.Errorf("%s: restore: got %v, want no error", c.name, err)
			continue
		}
		if kept, err := os.ReadFile(r.Aside + "-wal"); err != nil || !bytes.Equal(kept, log) {
			t.Errorf("%s: got another log aside, %v, want the log unchanged", c.name, err)
		}
	}
}

// TestDamageBetweenSignInsIsRefused: transactions without entries have no links, but they are lost too if a
// log is damaged before them. As a control, damage in the last one is accepted.
func TestDamageBetweenSignInsIsRefused(t *testing.T) {
	for harmed := range 4 {
		s := openStore(t)
		token, err := s.CreateToken(t.Context(), access.Token{Name: "feed", Scope: access.Read, Digest: access.Digest{1}, Created: today()})
		if err != nil {
			t.Fatal(err)
		}
		copyLog(t, s, shortPause)
		path, ends := filepath.Join(t.TempDir(), "app.db"), []int64{wal.HeaderSize}
		for use := range 4 {
			if err := s.TouchToken(t.Context(), token.ID, today().Add(time.Duration(use+1)*time.Minute)); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, file.SizeOf(s.file.Path+"-wal"))
		}
		if err := errors.Join(sqlitebackup.Duplicate(s.file.Path, path), sqlitebackup.Duplicate(s.file.Path+"-wal", path+"-wal")); err != nil {
			t.Fatal(err)
		}
		if err := flipAt(path+"-wal", ends[harmed]+wal.FrameHeaderSize+100); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(t.Context(), path, today)
		if err == nil {
			err = opened.Close()
		}
		if last := harmed == 3; (err == nil) != last || err != nil && !strings.Contains(err.Error(), "-wal is damaged") {
			t.Errorf("damage in transaction %d of 4: got %v, want no error only in the last", harmed+1, err)
		}
	}
}

// TestATornHeaderIsNoDamage: after SQLite has copied all of a log into the database, it writes the log
// from its start again. A power cut at that moment can leave a broken header. Nothing is lost, so the
// database is opened. As a control, it is refused if the database does not have the commits of the log.
func TestATornHeaderIsNoDamage(t *testing.T) {
	for _, copied := range []bool{true, false} {
		for name, harm := range map[string]func(log []byte){
			"a torn header":    func(log []byte) { log[15]++; log[19]++ },
			"no first sector":  func(log []byte) { clear(log[:512]) },
			"no first frame":   func(log []byte) { clear(log[40:512]) },
			"scattered blocks": func(log []byte) { clear(log[:512]); clear(log[9_000:10_000]) },
		} {
			path, _ := loggedFile(t)
			log, err := os.ReadFile(path + "-wal")
			if err != nil {
				t.Fatal(err)
			}
			if copied {
				sqlitetest.BehindItsBack(t, path, "PRAGMA wal_checkpoint(PASSIVE)")
			}
			harm(log)
			if err := os.WriteFile(path+"-wal", log, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path, time.Now)
			if (err == nil) != copied {
				t.Errorf("%s, copied %t: Open: got %v, want no error only if copied", name, copied, err)
			}
			if err != nil {
				continue
			}
			if got := stored(t, s); !got["DDD"] {
				t.Errorf("%s, copied %t: got %v, want all currencies", name, copied, got)
			}
			if err := s.Close(); err != nil {
				t.Errorf("%s, copied %t: Close: %v", name, copied, err)
			}
		}
	}
}

// TestAKillDuringACopyOfTheLog: SQLite copies pages out of the log in the order of their numbers, and the
// first says how many pages the database has. Wherever a kill ends that, the database is opened, also if
// it has a finding of verify from before.
func TestAKillDuringACopyOfTheLog(t *testing.T) {
	from := sqlitetest.RecordOfEach(t, Open)
	sqlitetest.BehindItsBack(t, from, "UPDATE departments SET name = 'another'")
	s, err := Open(t.Context(), from, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	release := hold(t, s)
	many := send(t.Context(), t, s, registerMany("B", 500))
	release()
	if err := <-many; err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "app.db")
	if err := errors.Join(sqlitebackup.Duplicate(from, copied), sqlitebackup.Duplicate(from+"-wal", copied+"-wal"), s.Close()); err != nil {
		t.Fatal(err)
	}
	database, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(copied + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[uint32][]byte{}
	for i := 0; frameAt(i+1) <= int64(len(log)); i++ {
		frame := log[frameAt(i):frameAt(i+1)]
		if bytes.Equal(frame[8:16], log[16:24]) {
			pages[binary.BigEndian.Uint32(frame)] = frame[wal.FrameHeaderSize:]
		}
	}
	short := 0
	for _, number := range slices.Sorted(maps.Keys(pages)) {
		at := int(number-1) * 4096
		database = append(database, make([]byte, max(0, at+4096-len(database)))...)
		copy(database[at:], pages[number])
		if int(binary.BigEndian.Uint32(database[28:]))*4096 > len(database) {
			short++
		}
		path := filepath.Join(t.TempDir(), "app.db")
		if err := errors.Join(os.WriteFile(path, database, 0o600), os.WriteFile(path+"-wal", log, 0o600)); err != nil {
			t.Fatal(err)
		}
		killed, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Errorf("up to page %d: got %v, want no error", number, err)
			continue
		}
		if err := killed.Close(); err != nil {
			t.Error(err)
		}
		if err := sqlitetest.Verified(t.Context(), path); err == nil || !strings.Contains(err.Error(), "departments 1") || strings.Contains(err.Error(), ";") {
			t.Errorf("up to page %d: got %v, want the finding from before only", number, err)
		}
	}
	if short == 0 {
		t.Error("got no file that is shorter than its header says, want some")
	}
}

// TestAnOlderLogIsRefused: if somebody puts an old log beside a newer database, or if a log that was
// copied completely is damaged, SQLite would replace newer pages by older ones. So the database is
// refused. Without the log it is complete. As a control, an undamaged log that was copied completely is
// used.
func TestAnOlderLogIsRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(t *testing.T, path string, log []byte, commits []int)
		used bool
	}{
		{"copied whole", func(*testing.T, string, []byte, []int) {}, true},
		{"copied whole and damaged", func(_ *testing.T, _ string, log []byte, commits []int) { log[frameAt(commits[1])+100]++ }, false},
		{"older than the database", func(t *testing.T, path string, _ []byte, _ []int) {
			t.Helper()
			s, err := Open(t.Context(), path, time.Now) // the database has no log here
			if err == nil {
				err = errors.Join(addCode(t, s, "EEE"), s.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		path, commits := loggedFile(t)
		log, err := os.ReadFile(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		sqlitetest.BehindItsBack(t, path, "PRAGMA wal_checkpoint(PASSIVE)")
		c.harm(t, path, log, commits)
		if err := os.WriteFile(path+"-wal", log, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), path, time.Now)
		if (err == nil) != c.used || err != nil && !strings.Contains(err.Error(), "move the -wal away") {
			t.Errorf("%s: Open: got %v, want it used: %t", c.name, err, c.used)
		}
		if !c.used {
			if err := os.Remove(path + "-wal"); err != nil {
				t.Fatal(err)
			}
			if s, err = Open(t.Context(), path, time.Now); err != nil {
				t.Fatalf("%s, without the log: Open: got %v, want no error", c.name, err)
			}
		}
		if got := stored(t, s); !got["DDD"] {
			t.Errorf("%s: got %v, want all currencies", c.name, got)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: Close: %v", c.name, err)
		}
	}
}

// TestARefusedDatabaseKeepsItsLog: a database whose journal ends with a wrong link is refused, and
// closing the connection does not copy the log into it. As a control, a log that is accepted is copied.
func TestARefusedDatabaseKeepsItsLog(t *testing.T) {
	for _, wrong := range []bool{true, false} {
		from, _ := loggedFile(t)
		other, err := sql.Open("sqlite", from)
		if err != nil {
			t.Fatal(err)
		}
		if wrong {
			if _, err := other.ExecContext(t.Context(), "INSERT INTO journal_links (through, hash) SELECT max(through) + 1, zeroblob(32) FROM journal_links"); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(t.TempDir(), "app.db")
		if err := errors.Join(sqlitebackup.Duplicate(from, path), sqlitebackup.Duplicate(from+"-wal", path+"-wal"), other.Close()); err != nil {
			t.Fatal(err)
		}
		before := [2]int64{file.SizeOf(path), file.SizeOf(path + "-wal")}
		s, err := Open(t.Context(), path, time.Now)
		if (err != nil) != wrong {
			t.Fatalf("a wrong link %t: Open: got %v, want an error only then", wrong, err)
		}
		if err == nil {
			err = s.Close()
		} else if strings.Contains(err.Error(), "the end of the journal is damaged") {
			err = nil
		}
		if after := [2]int64{file.SizeOf(path), file.SizeOf(path + "-wal")}; err != nil || (after == before) != wrong {
			t.Errorf("a wrong link %t: got %v, and sizes of file and log %d after %d, want them unchanged: %t", wrong, err, after, before, wrong)
		}
	}
}

// zeroAt writes n zeros into a file.
func zeroAt(path string, at int64, n int) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(make([]byte, n), at)
	return errors.Join(err, f.Close())
}
