package sqlite

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// TestAnUndatedTradeIsDatedInItsTransaction: a trade without a date gets the time of its transaction,
// not of its request. So it is not older than a trade that was stored before it. A repeated request gets
// the stored date in its answer.
func TestAnUndatedTradeIsDatedInItsTransaction(t *testing.T) {
	var clock atomic.Int64
	now := func() time.Time { return today().Add(time.Duration(clock.Load())) }
	s := openStoreAt(t, now)
	undated := []trading.Trade{{Instrument: acme, Shares: 1, Side: trading.Buy, Price: 1}}
	ctx := claimedAs(t, "undated")
	add := func() ([]trading.Trade, error) { return s.AddTrades(ctx, undated) }

	release := hold(t, s)
	waited := queue(t, s, add)
	clock.Store(int64(time.Minute)) // makes the open group too old, so that the next one begins at this time
	release()
	got, err := waited()
	if want := today().Add(time.Minute); err != nil || len(got) != 1 || !got[0].Date.Equal(want) {
		t.Errorf("got %+v, %v, want one trade of %s", got, err, want)
	}
	if !undated[0].Date.IsZero() {
		t.Errorf("got the date %s in the trade that was passed, want none", undated[0].Date)
	}
	entries, err := s.JournalPage(t.Context(), journal.Filter{Entity: journal.Trades, Limit: 9})
	if err != nil || len(entries) != 1 || !entries[0].At.Equal(got[0].Date) {
		t.Errorf("got the entries %+v, %v, want one at the date of the trade", entries, err)
	}

	clock.Store(int64(time.Hour))
	_, err = add()
	answered, repeated := errors.AsType[*idempotency.AnsweredError](err)
	if !repeated || !strings.Contains(string(answered.Answer.Body), today().Add(time.Minute).Format(time.RFC3339)) {
		t.Errorf("the request again: got %v, want the answer with the stored date", err)
	}
}
