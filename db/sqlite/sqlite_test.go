package sqlite_test

import (
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/storetest"
)

// TestStoreKeepsItsContract runs the suite that every store must pass.
func TestStoreKeepsItsContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T, now func() time.Time) storetest.Store { return openAt(t, now) })
}

func openAt(t *testing.T, now func() time.Time) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.NewFile(t), now)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return store
}
