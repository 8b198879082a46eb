package sorted_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"daybook/internal/sorted"
	"daybook/internal/spool"
)

// TestRowsComeBackByKey: rows of several parts come back by their keys, those of one key by their lines, each with its
// mark and what was written in it. They can be read again.
func TestRowsComeBackByKey(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	rows, err := sorted.New(spool.Beside(t.TempDir() + "/app.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}()
	want := make([]sorted.Entry, 100_000)
	for i := range want {
		key := sorted.Key{random.Int64N(3) - 1, random.Int64N(100), random.Int64N(100)}
		want[i] = sorted.Entry{Key: key, Line: i + 1, Mark: byte(i % 3), Written: fmt.Append(nil, "row ", i)}
		if err := rows.Add(want[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.End(); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(want, func(a, b sorted.Entry) int {
		return cmp.Or(slices.Compare(a.Key[:], b.Key[:]), cmp.Compare(a.Line, b.Line))
	})
	for range 2 {
		next := 0
		for group, err := range rows.Groups() {
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range group {
				w := want[next]
				if got.Key != w.Key || got.Line != w.Line || got.Mark != w.Mark || !bytes.Equal(got.Written, w.Written) {
					t.Fatalf("row %d: got %+v, want %+v", next, got, w)
				}
				next++
			}
			if next < len(want) && want[next].Key == group[0].Key {
				t.Fatalf("got a group that ends before row %d, which has its key", next)
			}
		}
		if next != len(want) {
			t.Errorf("got %d rows, want %d", next, len(want))
		}
	}
}
