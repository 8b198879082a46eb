package sqlite

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// A page of a symbol's trades is the same whether they are looked for among all trades or
// sorted by themselves.
func TestAPageOfASymbolIsTheSameEitherWay(t *testing.T) {
	s := openStore(t)
	var sent []trading.Trade
	for i := range 60 {
		sent = append(sent, trading.Trade{
			Instrument: trading.Instrument{Symbol: []trading.Symbol{"A", "B"}[i%2], Currency: []money.Currency{"USD", "EUR"}[i/2%2], Product: trading.Product(i % 3)},
			Shares:     1, Side: trading.SideOf(i%4 > 0), Price: 100,
			Date: time.Date(2026, 1, 1+i*7%13, 0, 0, 0, 0, time.UTC), // not in the order of the ids
		})
	}
	if _, err := s.AddTrades(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	symbol, from, to := trading.Symbol("A"), time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC)
	for _, f := range []trading.TradeFilter{
		{Limit: 100}, {Limit: 7}, {Limit: 7, After: "30"}, {Limit: 100, Currency: new(money.Currency("EUR"))}, {Limit: 100, Product: new(trading.OptionPutTrade)},
		{Limit: 100, Side: new(trading.Sell)}, {Limit: 100, From: &from, To: &to},
	} {
		for _, newest := range []bool{false, true} {
			f.Symbol, f.Down = &symbol, newest
			few, err := s.TradePage(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			if all := amongAll(t, s, tradePage(f), tradeAt); len(all) == 0 || !slices.Equal(few.Records, all) {
				t.Errorf("%+v: got %v by itself, and %v among all", f, few, all)
			}
		}
	}
}

// A trade that brings no date bears that of its transaction, however long it waited for it:
// so it is not older than a trade that was stored before it. A repetition is answered with
// the date that was stored.
func TestAnUndatedTradeIsDatedInItsTransaction(t *testing.T) {
	var clock atomic.Int64
	now := func() time.Time { return today().Add(time.Duration(clock.Load())) }
	s := openStoreAt(t, now)
	undated := []trading.Trade{{Instrument: acme, Shares: 1, Side: trading.Buy, Price: 1}}
	ctx := claimedAs(t, "undated")
	add := func() ([]trading.Trade, error) { return s.AddTrades(ctx, undated) }

	release := hold(t, s)
	waited := queue(t, s, add)
	clock.Store(int64(time.Minute)) // ends the batch that is open, so that the next begins now
	release()
	got, err := waited()
	if want := today().Add(time.Minute); err != nil || len(got) != 1 || !got[0].Date.Equal(want) {
		t.Errorf("got %+v, %v, want one trade of %s", got, err, want)
	}
	if !undated[0].Date.IsZero() {
		t.Errorf("got the date %s in what was passed, want it as it was", undated[0].Date)
	}
	entries, err := s.JournalPage(t.Context(), journal.Filter{Entity: journal.Trades, Limit: 9})
	if err != nil || len(entries) != 1 || !entries[0].At.Equal(got[0].Date) {
		t.Errorf("got the entries %+v, %v, want one at the date of the trade", entries, err)
	}

	clock.Store(int64(time.Hour))
	_, err = add()
	answered, repeated := errors.AsType[*idempotency.AnsweredError](err)
	if !repeated || !strings.Contains(string(answered.Answer.Body), today().Add(time.Minute).Format(time.RFC3339)) {
		t.Errorf("a repetition: got %v, want the answer with the date that was stored", err)
	}
}
