package sqlite

import (
	"bytes"
	"os"
	"testing"

	"daybook/internal/fault"
)

// A write-ahead log that somebody cuts off or overwrites under a store is noticed by the next
// look and by the next write, which is refused. The store does not copy it into the database
// when it is closed. As a control, a log that nobody touched is copied.
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
		"the control": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s, beside := scribbled(t)
			fill(t, s)
			if _, err := checkpoint(s.writer.conn, true); err != nil {
				t.Fatal(err)
			}
			if err := addCode(t, s, "LOG"); err != nil {
				t.Fatal(err)
			}
			good := content(t, beside)
			if harm != nil {
				log := s.file.path + "-wal"
				if err := harm(log, sizeOf(log)); err != nil {
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
				t.Errorf("after Close: got the database as it was: %v, want %v", same, harmed)
			}
		})
	}
}
