package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/fault"
	"daybook/internal/money"
)

// TestALogThatIsOverwrittenIsNoticed: if somebody truncates or overwrites the write-ahead log of a
// store, or its index, the next health check and the next write fail, and Close does not copy the log
// into the database. As a control, an unchanged log is copied.
func TestALogThatIsOverwrittenIsNoticed(t *testing.T) {
	for name, harm := range map[string]func(log string, size int64) error{
		"emptied": func(log string, _ int64) error { return os.Truncate(log, 0) },
		"cut off": func(log string, size int64) error { return os.Truncate(log, size-1) },
		"zeroed": func(log string, size int64) error {
			if err := os.Truncate(log, 0); err != nil {
				return err
			}
			return os.Truncate(log, size)
		},
		"its first byte changed":     func(log string, _ int64) error { return flipAt(log, 0) },
		"its page size changed":      func(log string, _ int64) error { return flipAt(log, 9) },
		"its first checksum changed": func(log string, _ int64) error { return flipAt(log, 31) },
		// The next ones change the index after its header. Only the header has a checksum.
		"the pages of its index zeroed": func(log string, _ int64) error { return zeroAt(indexOf(log), 136, 32000) },
		"a page of its index zeroed":    func(log string, _ int64) error { return zeroAt(indexOf(log), 136, 4) },
		"a page of its index changed":   func(log string, _ int64) error { return flipAt(indexOf(log), 136) },
		"the hashes of its index zeroed": func(log string, _ int64) error {
			return zeroAt(indexOf(log), 4*4096, 2*8192)
		},
		"its index emptied": func(log string, _ int64) error {
			return os.Truncate(indexOf(log), 0)
		},
		"the control": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s, beside := storeAndFile(t)
			sqlitetest.Fill(t, s)
			copyLog(t, s, shortPause)
			if err := addCode(t, s, "LOG"); err != nil {
				t.Fatal(err)
			}
			good := content(t, beside)
			if harm != nil {
				log := s.file.Path + "-wal"
				if err := harm(log, file.SizeOf(log)); err != nil {
					t.Fatal(err)
				}
			}
			harmed := harm != nil
			if err := addCode(t, s, "AAA"); (fault.KindOf(err) == fault.Unavailable) != harmed {
				t.Errorf("a write: got %v, want it refused: %v", err, harmed)
			}
			if err := s.Ping(t.Context()); (fault.KindOf(err) == fault.Unavailable) != harmed {
				t.Errorf("Ping: got %v, want Unavailable: %v", err, harmed)
			}
			if err := s.Close(); (err != nil) != harmed {
				t.Errorf("Close: got %v, want an error: %v", err, harmed)
			}
			if same := bytes.Equal(content(t, beside), good); same != harmed {
				t.Errorf("after Close: got the database unchanged: %v, want %v", same, harmed)
			}
		})
	}
}

// TestRecordsThatAreReplacedAreNoticed: another program can replace all records through SQLite, as with its
// backup interface. Then the newest link of the journal is another. As a control, the store writes before.
func TestRecordsThatAreReplacedAreNoticed(t *testing.T) {
	s, specimen := opened(t, newFile(t), today), sqlitetest.NewSpecimen(t, Open)
	newCurrency(t, s, "AAA")
	sqlitetest.BehindItsBack(t, s.file.Path, specimen.Quietly("journal_links", "UPDATE journal_links SET hash = zeroblob(32)")...)
	if err := addCode(t, s, "BBB"); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "another program replaced its records") {
		t.Errorf("a write: got %v, want it refused, with the reason", err)
	}
	if err := s.Ping(t.Context()); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("Ping: got %v, want Unavailable", err)
	}
}

// indexOf returns the path of the index of a write-ahead log.
func indexOf(log string) string { return strings.TrimSuffix(log, "-wal") + "-shm" }

// flipAt changes a byte of a file.
func flipAt(path string, at int64) error {
	part, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	var was [1]byte
	_, err = part.ReadAt(was[:], at)
	if err == nil {
		_, err = part.WriteAt([]byte{was[0] ^ 1}, at)
	}
	return errors.Join(err, part.Close())
}

// TestAnIndexThatIsRemovedIsNoticed: if the index of the log is removed, the next health check and the
// next write fail. The commits that another process then appends to the log are still stored after the
// store closes.
func TestAnIndexThatIsRemovedIsNoticed(t *testing.T) {
	path := newFile(t)
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // a second time does nothing
	if err := addCode(t, s, "AAA"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path + "-shm"); err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("Ping without the index: got %v, want Unavailable", err)
	}
	if said, err := writeElsewhere(path, "BBB"); err != nil {
		t.Fatalf("another process: got %v: %s, want it written", err, said)
	}
	if err := addCode(t, s, "CCC"); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a write beside a new index: got %v, want Unavailable", err)
	}
	if err := s.Ping(t.Context()); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("Ping beside a new index: got %v, want Unavailable", err)
	}
	if err := s.Close(); err == nil {
		t.Error("Close: got no error, want one")
	}
	again, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if got := stored(t, again); !got["AAA"] || !got["BBB"] || got["CCC"] {
		t.Errorf("got %v, want AAA and BBB, which were acknowledged, and not CCC", got)
	}
}

// The environment variables of TestWriteElsewhere: the database that it writes to, and the code that it
// adds.
const (
	elsewherePath = "DAYBOOK_TEST_ELSEWHERE"
	elsewhereCode = "DAYBOOK_TEST_ELSEWHERE_CODE"
)

// writeElsewhere adds a currency in another process, because SQLite shares the index within one
// process. It returns the output of the process.
func writeElsewhere(path string, code money.Currency) (said []byte, err error) {
	write := exec.CommandContext(context.Background(), os.Args[0], "-test.run=^TestWriteElsewhere$")
	write.Env = append(os.Environ(), elsewherePath+"="+path, elsewhereCode+"="+string(code))
	return write.CombinedOutput()
}

// TestWriteElsewhere is the process that writeElsewhere starts. Otherwise it does nothing.
func TestWriteElsewhere(t *testing.T) {
	path := os.Getenv(elsewherePath)
	if path == "" {
		return
	}
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addCode(t, s, money.Currency(os.Getenv(elsewhereCode))), s.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestALogThatIsReplacedIsNotSaved: if the log is replaced by a copy, and another process writes to the
// copy, the server copies nothing of its old log into the database. All acknowledged writes are stored.
func TestALogThatIsReplacedIsNotSaved(t *testing.T) {
	path := newFile(t)
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	sqlitetest.Fill(t, s)
	copyLog(t, s, 0) // SQLite overwrites the log from here on
	if err := addCode(t, s, "AAA"); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err == nil {
		err = os.WriteFile(path+"-copy", log, 0o600)
	}
	if err == nil {
		err = os.Rename(path+"-copy", path+"-wal")
	}
	if err != nil {
		t.Fatal(err)
	}
	if said, err := writeElsewhere(path, "BBB"); err != nil {
		t.Fatalf("got %v: %s, want it written to the new log", err, said)
	}
	if err := addCode(t, s, "CCC"); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a write to the old log: got %v, want Unavailable", err)
	}
	if err := s.Close(); !errors.Is(err, file.ErrLogReplaced) {
		t.Errorf("Close: got %v, want ErrLogReplaced", err)
	}
	if err := sqlitetest.Verified(t.Context(), path); err != nil {
		t.Error(err)
	}
	codes := codesIn(t, path)
	if !slices.Contains(codes, "AAA") || !slices.Contains(codes, "BBB") || slices.Contains(codes, "CCC") {
		t.Errorf("got %v, want AAA and BBB, which were acknowledged, and not CCC", codes)
	}
}

// TestAnIndexThatIsCutOffIsAnError: reading an index whose file was truncated returns an error. It does
// not end the process, as an access to truncated shared memory could.
func TestAnIndexThatIsCutOffIsAnError(t *testing.T) {
	s, _ := storeAndFile(t)
	conn := cursorOn(t, s)
	if _, err := conn.Copying(); err != nil {
		t.Errorf("the control: got %v, want it read", err)
	}
	if err := os.Truncate(s.file.Path+"-shm", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Copying(); err == nil {
		t.Error("Copying: got no error, want one")
	}
	if _, err := conn.LogWhole(4096); err == nil {
		t.Error("LogWhole: got no error, want one")
	}
}

// TestALogThatIsStartedAgainIsNoAlarm: when SQLite restarts the log, it first writes new salts and later
// resets how far the old log was copied. A check between the two raises no alarm when the new log is
// then copied as far. As a control, a file that changes without a copy raises an alarm.
func TestALogThatIsStartedAgainIsNoAlarm(t *testing.T) {
	const page, salts, frames, header = 4096, 32, 16, 48 // positions in the index, whose header is stored twice
	for name, starting := range map[string]bool{"in that moment": true, "the control": false} {
		t.Run(name, func(t *testing.T) {
			s, beside := storeAndFile(t)
			sqlitetest.Fill(t, s)
			copyLog(t, s, 0)
			if err := s.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			w, wanted := s.writer.monitor, content(t, beside)
			copying := copyingOf(t, s)
			copied := copying.Done
			if copied == 0 || copied != copying.Begun {
				t.Fatalf("got %+v, want a log that was copied completely", copying)
			}
			index, err := os.OpenFile(s.file.Path+"-shm", os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = index.Close() }()
			before := content(t, index)
			write := func(f *os.File, data []byte, at int64) {
				t.Helper()
				if _, err := f.WriteAt(data, at); err != nil {
					t.Fatal(err)
				}
			}
			word := func(value uint32, at int64) {
				t.Helper()
				write(index, binary.NativeEndian.AppendUint32(nil, value), at)
				write(index, binary.NativeEndian.AppendUint32(nil, value), at+header)
			}
			word(12345, salts)
			if starting {
				word(0, frames)
			}
			w.AfterTransaction()
			word(copied, frames)
			write(beside, []byte("changed"), page-100)
			if err := w.Check(t.Context()); errors.Is(err, file.ErrOverwritten) == starting {
				t.Errorf("got %v, want an alarm: %v", err, !starting)
			}
			write(beside, wanted[page-100:page], page-100)
			write(index, before, 0)
		})
	}
}
