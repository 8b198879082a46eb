package sqlite

import (
	"context"
	"testing"

	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/text"
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

// TestTwoCodesThatAreOneNow: an older schema kept two codes apart whose keys are equal now. Each is found
// by its code, and another case of it means the one with the key.
func TestTwoCodesThatAreOneNow(t *testing.T) {
	path := newFile(t)
	sqlitetest.BehindItsBack(t, path,
		"INSERT INTO departments (code, code_key, name, cost_center, active) VALUES ('STRASSE', 'strasse', 'n', '', 1), ('straße', ' straße', 'n', '', 1)",
		"INSERT INTO gl_accounts (code, code_key, description, type, favour_high) VALUES ('STRASSE', 'strasse', '', 'opex', 0), ('straße', ' straße', '', 'opex', 0)")
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for code, want := range map[text.Code]int64{"STRASSE": 1, "straße": 2, "Strasse": 1, "STRAẞE": 1} {
		d, err := s.Department(t.Context(), budget.Identifier{By: budget.ByCode, Value: string(code)})
		if err != nil || int64(d.ID) != want {
			t.Errorf("%s: got the department %d, %v, want %d", code, d.ID, err, want)
		}
		a, err := s.Account(t.Context(), code)
		if err != nil || int64(a.ID) != want {
			t.Errorf("%s: got the account %d, %v, want %d", code, a.ID, err, want)
		}
	}
}
