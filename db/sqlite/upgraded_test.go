//go:build !race

package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"
	"time"

	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/verify"
	"daybook/internal/journal"
)

// TestADatabaseOfEverySchemaIsUpgraded: a database of every released schema can be migrated to the
// newest, and verify then finds nothing. Each of these databases has records of every kind in its
// journal.
func TestADatabaseOfEverySchemaIsUpgraded(t *testing.T) {
	newest := schema.Released.Newest()
	if _, err := os.Stat(fixture(newest)); *writeFixture && errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(fixture(newest), []byte(dump(t, restored(t))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range schema.Released.Steps(nil) {
		path := ofSchema(t, step.Version)
		if _, err := Migrate(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		v, err := verify.Database(t.Context(), path, nil)
		if err != nil || len(v.Findings) > 0 {
			t.Errorf("schema %d: got %+v, %v, want nothing found", step.Version, v, err)
		}
		s, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.JournalEntities(t.Context(), 0, journal.Seq(v.Entries))
		if err = errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		event := journal.AbandonedHeads
		if step.Version >= 14 {
			event = journal.Restores
		}
		for _, entity := range append(journal.Kept(), event) {
			younger := entity == journal.Batches || entity == journal.Maps
			if !slices.Contains(got, entity) && (!younger || step.Version >= 16) {
				t.Errorf("schema %d: got no entry of %s, want some", step.Version, entity)
			}
		}
	}
}
