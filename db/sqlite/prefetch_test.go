package sqlite

import (
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"daybook/db/sqlite/rows"
)

// idTable is a table of ids. Its read is what prefetch calls to read a page. It counts the reads.
type idTable struct {
	ids   []int64 // rising
	reads atomic.Int64
}

func (s *idTable) read(page []int64, after, through int64) (_ []int64, reached int64, err error) {
	s.reads.Add(1)
	for _, id := range s.ids {
		switch {
		case id > through:
			return page, id - 1, nil
		case id > after:
			page = append(page, id)
		}
	}
	return page, math.MaxInt64, nil
}

func idsTo(n int64) (ids []int64) {
	for id := range n {
		ids = append(ids, id+1)
	}
	return ids
}

// TestPrefetch: prefetch yields the ids from 1 to the newest, in order, with few reads.
func TestPrefetch(t *testing.T) {
	const far = math.MaxInt64
	for _, c := range []struct {
		name   string
		ids    []int64
		newest int64
		want   []int64
		reads  int64 // at most
	}{
		{"nothing", nil, 0, nil, 0},
		{"one", idsTo(1), 1, idsTo(1), 1},
		{"a page", idsTo(rows.PageSize), rows.PageSize, idsTo(rows.PageSize), 1},
		{"a page and one", idsTo(rows.PageSize + 1), rows.PageSize + 1, idsTo(rows.PageSize + 1), 2},
		{"many pages", idsTo(7*rows.PageSize + 3), 7*rows.PageSize + 3, idsTo(7*rows.PageSize + 3), 8},
		{"ids that were added later", idsTo(3 * rows.PageSize), 2*rows.PageSize - 1, idsTo(2*rows.PageSize - 1), 2},
		{"most ids were removed meanwhile", idsTo(10), 9 * rows.PageSize, idsTo(10), atOnce},
		{"ids that were all removed meanwhile", nil, far, nil, atOnce},
		{"gaps", []int64{1, rows.PageSize, 5 * rows.PageSize, 5*rows.PageSize + 1, far - 1, far}, far, []int64{1, rows.PageSize, 5 * rows.PageSize, 5*rows.PageSize + 1, far - 1, far}, 4 * atOnce},
		{"below 1", []int64{-5, 0, 1}, 1, []int64{1}, 1},
		{"only below 1", []int64{-5}, -5, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &idTable{ids: c.ids}
			var got []int64
			for id, err := range prefetch(c.newest, s.read) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, id)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %d ids, want %d: %v", len(got), len(c.want), got)
			}
			if reads := s.reads.Load(); reads > c.reads {
				t.Errorf("got %d reads, want at most %d", reads, c.reads)
			}
		})
	}
}

// TestPrefetchEndsWithItsError: prefetch yields the ids of the pages before the one that fails, then its
// error, and nothing more.
func TestPrefetchEndsWithItsError(t *testing.T) {
	broken := errors.New("broken")
	s := &idTable{ids: idsTo(9 * rows.PageSize)}
	got, failed := 0, 0
	for _, err := range prefetch(9*rows.PageSize, func(page []int64, after, through int64) ([]int64, int64, error) {
		if after >= 2*rows.PageSize {
			return page, after, broken
		}
		return s.read(page, after, through)
	}) {
		switch {
		case failed > 0:
			t.Fatal("got an id after the error, want the end of the sequence")
		case err == nil:
			got++
		case errors.Is(err, broken):
			failed++
		default:
			t.Errorf("got %v, want the error of the page", err)
		}
	}
	if got != 2*rows.PageSize || failed != 1 {
		t.Errorf("got %d ids and %d errors, want the %d ids of the pages before, and one error", got, failed, 2*rows.PageSize)
	}
}

// TestPagesAreReadAtOnce: the first page waits until the second is requested, and the caller holds the
// first until the third is requested. A reader that requested one after the other would wait forever.
func TestPagesAreReadAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &idTable{ids: idsTo(4 * rows.PageSize)}
		second, third := make(chan struct{}), make(chan struct{})
		for id, err := range prefetch(4*rows.PageSize, func(page []int64, after, through int64) ([]int64, int64, error) {
			switch after {
			case 0:
				<-second
			case rows.PageSize:
				close(second)
			case 2 * rows.PageSize:
				close(third)
			}
			return s.read(page, after, through)
		}) {
			if err != nil {
				t.Fatal(err)
			}
			if id == 1 {
				<-third
			}
		}
	})
}
