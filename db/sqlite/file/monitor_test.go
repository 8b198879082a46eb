package file_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// TestACheckEndsWithItsContext: a check of the monitor waits while another check runs, for example on a
// disk that does not answer. It returns when its context ends.
func TestACheckEndsWithItsContext(t *testing.T) {
	f, err := file.Locate(sqlitetest.RecordOfEach(t, sqlite.Open), verify.Whole)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.OpenFile(t.Context(), f, time.Now) // makes the log and its index
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	m, err := f.Monitor(journal.Head{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	release := file.Hold(m)
	defer release()
	err = m.Check(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || fault.KindOf(file.Unreachable(err)) != fault.Unavailable {
		t.Errorf("got %v, want the error of the context, as Unavailable", err)
	}
}
