package sqlite

import (
	"context"
	"testing"

	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/budget"
	"daybook/internal/fault"
)

// TestADeletionOfWhatIsInUseDoesNotHoldTheWriter: the deletion of a department or account in use is
// refused before it reaches the writer, so that other writes do not wait while SQLite searches the
// postings. As a control, the deletion of an unused one waits for the writer.
func TestADeletionOfWhatIsInUseDoesNotHoldTheWriter(t *testing.T) {
	s := openStore(t)
	sqlitetest.Fill(t, s)
	free, err := s.CreateDepartment(t.Context(), budget.Department{Code: "FREE", Name: "Nothing is posted to it"})
	if err != nil {
		t.Fatal(err)
	}
	release := hold(t, s)
	if _, err := s.DeleteDepartment(t.Context(), 1); fault.KindOf(err) != fault.InUse {
		t.Errorf("a department in use, while the writer is held: got %v, want InUse", err)
	}
	if _, err := s.DeleteAccount(t.Context(), 1); fault.KindOf(err) != fault.InUse {
		t.Errorf("an account in use, while the writer is held: got %v, want InUse", err)
	}
	deleted := queue(t, s, func() (budget.Department, error) { return s.DeleteDepartment(t.Context(), free.ID) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.DeleteDepartment(ctx, free.ID); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a second deletion: got %v, want Unavailable because its context is canceled", err)
	}
	release()
	if _, err := deleted(); err != nil {
		t.Errorf("a department without postings: got %v, want it deleted", err)
	}
}
