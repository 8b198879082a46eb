package sqlite

import (
	"testing"

	"daybook/db/sqlite/internal/sqlitetest"
)

// TestTooManySourcesAreNotCounted: if there are 10,000 sources with long names, the cache keeps only the
// 100 that are listed, and the total number.
func TestTooManySourcesAreNotCounted(t *testing.T) {
	s, _ := openTwoWithPostings(t)
	sqlitetest.BehindItsBack(t, s.file.Path, `
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
		INSERT INTO actuals SELECT 1000 + i, department_id, gl_account_id, 3000 + i / 12, 1 + i % 12, 1, 'USD',
			printf('%04d', i) || replace(hex(zeroblob(500)), '0', 'a')
		FROM n, (SELECT department_id, gl_account_id FROM actuals LIMIT 1)`)
	err := s.snapshot(t.Context(), func(one *snapshot) error {
		sources, err := one.readSources()
		if got, total := sources.Listed(one.head); sources.Size() > 3000 || len(got) != 100 || total < 10_000 {
			t.Errorf("got %d of %d sources of size %d, want 100 of at least 10,000, of size 3,000 at most", len(got), total, sources.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
