package sqlite

import (
	"context"
	"errors"
	"iter"
	"testing"

	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/fault"
	"daybook/internal/listing"
)

// sequences are the methods that read a list in short reads. Each function calls look for each record,
// and returns the number of records.
var sequences = map[string]func(ctx context.Context, s *Store, look func()) (int, error){
	"Currencies": func(ctx context.Context, s *Store, look func()) (int, error) { return counted(s.Currencies(ctx), look) },
	"Companies":  func(ctx context.Context, s *Store, look func()) (int, error) { return counted(s.Companies(ctx), look) },
	"Revenues": func(ctx context.Context, s *Store, look func()) (int, error) {
		return counted(s.Revenues(ctx, 1), look)
	},
	"RevenueCategories": func(ctx context.Context, s *Store, look func()) (int, error) {
		return counted(s.RevenueCategories(ctx, 1), look)
	},
	"Trades":    func(ctx context.Context, s *Store, look func()) (int, error) { return counted(s.Trades(ctx), look) },
	"Positions": func(ctx context.Context, s *Store, look func()) (int, error) { return counted(s.Positions(ctx), look) },
	"Departments": func(ctx context.Context, s *Store, look func()) (int, error) {
		return counted(s.Departments(ctx), look)
	},
	"Accounts": func(ctx context.Context, s *Store, look func()) (int, error) { return counted(s.Accounts(ctx), look) },
}

func counted[T any](records iter.Seq2[T, error], look func()) (n int, err error) {
	for _, err := range records {
		if err != nil {
			return n, err
		}
		look()
		n++
	}
	return n, nil
}

// TestShortReadsOfAListTakeTurns: each short read waits for its turn. The list holds no slot while the
// caller handles a record. A turn that fails ends the list. A caller that leaves meanwhile is no defect. As a control, a list without turns has the
// same records.
func TestShortReadsOfAListTakeTurns(t *testing.T) {
	s := openStore(t)
	sqlitetest.Fill(t, s)
	refused := errors.New("no turn")
	for name, list := range sequences {
		want, err := list(t.Context(), s, func() {})
		if err != nil || want == 0 {
			t.Fatalf("%s without turns: got %d records, %v, want at least one", name, want, err)
		}
		taken, held := 0, 0
		ctx := listing.WithTurns(t.Context(), func(context.Context) (func(), error) {
			taken++
			held++
			return func() { held-- }, nil
		})
		n, err := list(ctx, s, func() {
			if held != 0 {
				t.Errorf("%s: got %d slots held while the caller handles a record, want none", name, held)
			}
		})
		if n != want || err != nil || taken == 0 || held != 0 {
			t.Errorf("%s: got %d records, %v, in %d turns, and %d slots still held; want %d records in at least one turn, and no slot held", name, n, err, taken, held, want)
		}
		ctx = listing.WithTurns(t.Context(), func(context.Context) (func(), error) { return nil, refused })
		if n, err := list(ctx, s, func() {}); n != 0 || !errors.Is(err, refused) {
			t.Errorf("%s with a turn that fails: got %d records and %v, want none and %v", name, n, err, refused)
		}
		ctx = listing.WithTurns(t.Context(), func(context.Context) (func(), error) { return nil, context.Canceled })
		if _, err := list(ctx, s, func() {}); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%s of a caller that has left: got %v, want Unavailable", name, err)
		}
	}
}
