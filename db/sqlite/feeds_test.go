package sqlite

import (
	"fmt"
	"strings"
	"testing"
)

// TestSourcesAreRememberedByTheirBytes: 10,000 short names follow the journal, and as many
// of a kilobyte each do not.
func TestSourcesAreRememberedByTheirBytes(t *testing.T) {
	for _, c := range []struct {
		bytes int
		want  bool
	}{{4, true}, {1000, false}} {
		changes := make([]change, 10_000)
		for i := range changes {
			name := fmt.Sprintf("%04d%s", i, strings.Repeat("a", c.bytes-4))
			changes[i] = change{Key: periodKey(1), source: name, n: 1}
		}
		if f, got := noFeeds().after(changes); got != c.want || len(f.counts) != len(changes) {
			t.Errorf("names of %d bytes: got %t of %d, want %t of %d", c.bytes, got, len(f.counts), c.want, len(changes))
		}
	}
}

// TestAThrongOfSourcesIsNotGathered holds what is remembered of 10,000 sources with long
// names to the few that are listed.
func TestAThrongOfSourcesIsNotGathered(t *testing.T) {
	s, _ := books(t)
	behindItsBack(t, s.file.Path, `
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
		INSERT INTO actuals SELECT 1000 + i, department_id, gl_account_id, 3000 + i / 12, 1 + i % 12, 1, 'USD',
			printf('%04d', i) || replace(hex(zeroblob(500)), '0', 'a')
		FROM n, (SELECT department_id, gl_account_id FROM actuals LIMIT 1)`)
	err := s.view(t.Context(), func(v *view) error {
		f, err := v.readFeeds()
		if got, total := f.sources(v.head); f.size() > 3000 || len(got) != 100 || total < 10_000 {
			t.Errorf("got %d of %d sources of size %d, want 100 of size 3,000 at most", len(got), total, f.size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
