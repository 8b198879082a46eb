package sqlite

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"daybook/db/records"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// registerMany returns work that stores and journals n currencies.
func registerMany(letter string, n int) work {
	return func(ctx context.Context, q *tx) error {
		for i := range n {
			code := fmt.Sprintf("%s%06d", letter, i)
			id, err := q.InsertCurrency(ctx, nil, code, "any")
			if err != nil {
				return err
			}
			record := records.Currency(trading.Currency{ID: trading.CurrencyID(id), Code: money.Currency(code), Name: "any"})
			if err := q.tell(ctx, journal.Currencies, id, nil, record); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestALongTransactionHasSeveralLinks: a long transaction writes several links of the journal, so that
// it does not hold all its entries in memory. If it fails after a link, nothing of it is stored.
func TestALongTransactionHasSeveralLinks(t *testing.T) {
	s := openStore(t)
	links := func() (n int) {
		t.Helper()
		if err := s.writer.conn.conn.QueryRowContext(t.Context(), "SELECT count(*) FROM journal_links").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	release := hold(t, s)
	almost := send(t.Context(), t, s, registerMany("A", chain.MostHeld-1))
	failed := errors.New("refused after a link")
	bad := send(t.Context(), t, s, func(ctx context.Context, q *tx) error {
		return errors.Join(registerMany("B", 100)(ctx, q), failed)
	})
	after := send(t.Context(), t, s, registerMany("C", chain.MostHeld+2))
	release()
	if err := <-bad; !errors.Is(err, failed) {
		t.Errorf("got %v, want %v", err, failed)
	}
	if err := errors.Join(<-almost, <-after, sqlitetest.Verified(t.Context(), s.file.Path)); err != nil {
		t.Fatal(err)
	}
	if got, want := len(stored(t, s)), 2*chain.MostHeld+1; got != want {
		t.Errorf("got %d currencies, want %d", got, want)
	}
	if got := links(); got != 3 {
		t.Errorf("got %d links, want 3, for twice as many entries as are held and one more", got)
	}
}
