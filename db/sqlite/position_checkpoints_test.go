package sqlite

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/rows"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// spaced makes a store keep a position checkpoint for each few trades.
func spaced(s *Store, trades int64) *Store {
	s.writer.conn.trades.Spacing = trades
	return s
}

// TestPositionsAreWhatAllTradesFoldTo: whatever trades are recorded, late or not, voided or refused,
// alone or concurrently, every position and every checkpoint is the sum of all trades up to its date.
func TestPositionsAreWhatAllTradesFoldTo(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			trader := trader{Rand: rand.New(rand.NewPCG(seed, 11)), store: spaced(openStore(t), int64(1+seed))}
			most := 0
			for range 80 {
				trader.step(t)
				most = max(most, trader.wantFolds(t))
			}
			if most < 3 {
				t.Errorf("got at most %d position checkpoints, want some", most)
			}
			for len(trader.known) > 0 {
				trader.void(t)
				if left := trader.wantFolds(t); len(trader.known) == 0 && left > 0 {
					t.Errorf("got %d position checkpoints of no trades", left)
				}
			}
			if got := sqlitetest.Found(t, trader.store.file.Path); len(got) > 0 {
				t.Errorf("verifying found %q", got)
			}
		})
	}
}

// trader records and voids at random the trades of two instruments, which share few
// dates.
type trader struct {
	*rand.Rand
	store *Store
	days  int // that have passed
	known []trading.Trade
}

func (r *trader) step(t *testing.T) {
	switch r.IntN(8) {
	case 0, 1:
		r.void(t)
	case 2:
		r.voidAtAMark(t)
	case 3:
		r.refused(t)
	case 4:
		r.beside(t)
	default:
		r.add(t, r.trades())
	}
}

// trades returns some trades. Most are dated today or later, and some long ago.
func (r *trader) trades() []trading.Trade {
	trades := make([]trading.Trade, 1+r.IntN(5))
	for i := range trades {
		if r.IntN(3) == 0 {
			r.days++
		}
		date := r.days
		if r.IntN(3) == 0 {
			date = max(0, r.days-r.IntN(1+r.IntN(30)))
		}
		trades[i] = trading.Trade{
			Instrument: acme, Shares: trading.Shares(1 + r.IntN(30)), Side: trading.SideOf(r.IntN(2) == 0),
			Price: money.Price(r.Int64N(1_000_000_000_000)), Date: time.Date(2026, 1, 1+date, 0, 0, 0, 0, time.UTC),
		}
		if r.IntN(4) == 0 {
			trades[i].Product = trading.OptionCallTrade
		}
	}
	return trades
}

func (r *trader) add(t *testing.T, trades []trading.Trade) {
	t.Helper()
	stored, err := r.store.AddTrades(t.Context(), trades)
	if err != nil {
		t.Fatal(err)
	}
	r.known = append(r.known, stored...)
}

func (r *trader) void(t *testing.T) {
	t.Helper()
	if len(r.known) > 0 {
		r.voidOne(t, r.IntN(len(r.known)))
	}
}

// voidAtAMark voids a trade of the date of a position checkpoint.
func (r *trader) voidAtAMark(t *testing.T) {
	t.Helper()
	past := pastOf(t, r.store)
	if len(past) == 0 {
		return
	}
	mark := past[r.IntN(len(past))]
	r.voidOne(t, slices.IndexFunc(r.known, func(one trading.Trade) bool {
		return one.Instrument == mark.Instrument && one.Date.Equal(mark.Date)
	}))
}

func (r *trader) voidOne(t *testing.T, i int) {
	t.Helper()
	if _, err := r.store.VoidTrade(t.Context(), r.known[i].ID); err != nil {
		t.Fatal(err)
	}
	r.known = slices.Delete(r.known, i, i+1)
}

// refused sends late trades with an impossible one: none of them is stored.
func (r *trader) refused(t *testing.T) {
	t.Helper()
	trades := r.trades()
	huge := trading.Trade{Instrument: acme, Shares: math.MaxInt64, Side: trading.Buy, Price: 1, Date: trades[0].Date}
	if _, err := r.store.AddTrades(t.Context(), append(trades, huge, huge, huge)); fault.KindOf(err) != fault.Invalid {
		t.Fatalf("got %v, want Invalid", err)
	}
}

// beside sends concurrent trades. Some are refused and share transactions with the others.
func (r *trader) beside(t *testing.T) {
	t.Helper()
	var sent sync.WaitGroup
	var mutex sync.Mutex
	for i := range 6 {
		trades := r.trades()
		if i%3 == 1 {
			trades[len(trades)-1].Currency = "no currency"
		}
		sent.Go(func() {
			stored, err := r.store.AddTrades(t.Context(), trades)
			mutex.Lock()
			defer mutex.Unlock()
			switch {
			case (err != nil) != (i%3 == 1):
				t.Errorf("trades %d: got %v", i, err)
			case err == nil:
				r.known = append(r.known, stored...)
			}
		})
	}
	sent.Wait()
}

// allHeld returns all positions, also the flat ones.
func allHeld(t *testing.T, s *Store) (held []trading.Position, err error) {
	t.Helper()
	err = s.Holdings(t.Context(), func(i trading.Inventory) (err error) {
		held, err = gather(i.Positions(trading.Instrument{}))
		return err
	})
	return held, err
}

// wantFolds compares all positions with the sums of the known trades, and returns the number of
// checkpoints.
func (r *trader) wantFolds(t *testing.T) int {
	t.Helper()
	histories := map[trading.Instrument][]trading.Trade{}
	for _, one := range r.known {
		histories[one.Instrument] = append(histories[one.Instrument], one)
	}
	held, err := allHeld(t, r.store)
	if err != nil || len(held) != len(histories) {
		t.Fatalf("got %d positions, %v, want %d", len(held), err, len(histories))
	}
	latest := map[trading.Instrument]time.Time{}
	for _, p := range held {
		latest[p.Instrument] = p.Date
		if want := foldedUntil(t, histories[p.Instrument], forever); p != want {
			t.Fatalf("got the position %+v, want %+v", p, want)
		}
	}
	past := pastOf(t, r.store)
	for _, p := range past {
		if want := foldedUntil(t, histories[p.Instrument], p.Date); p != want || !p.Date.Before(latest[p.Instrument]) {
			t.Fatalf("got the position checkpoint %+v before %v, want %+v", p, latest[p.Instrument], want)
		}
	}
	return len(past)
}

// forever is after every date.
var forever = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// foldedUntil returns the sum of the trades dated up to and including a date.
func foldedUntil(t *testing.T, trades []trading.Trade, date time.Time) trading.Position {
	t.Helper()
	trades = slices.DeleteFunc(slices.Clone(trades), func(one trading.Trade) bool { return one.Date.After(date) })
	slices.SortFunc(trades, func(a, b trading.Trade) int { return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID)) })
	p, err := trading.Fold(trading.Position{}, func(yield func(trading.Trade, error) bool) {
		for _, one := range trades {
			if !yield(one, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func pastOf(t *testing.T, s *Store) []trading.Position {
	t.Helper()
	found, err := s.reader.ListPositionCheckpoints(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rows.Map(found, func(r gen.PositionCheckpoint) trading.Position { return rows.Position(gen.Position(r)) })
}

// daily returns purchases of one share, several on each day.
func daily(days, each int) []trading.Trade {
	trades := make([]trading.Trade, days*each)
	for i := range trades {
		trades[i] = trading.Trade{Instrument: acme, Shares: 1, Side: trading.Buy, Price: 1, Date: today().AddDate(0, 0, i/each)}
	}
	return trades
}

// wantPast fails unless the position checkpoints have these numbers of trades.
func wantPast(t *testing.T, s *Store, want ...int64) {
	t.Helper()
	if got := rows.Map(pastOf(t, s), func(p trading.Position) int64 { return p.Trades }); !slices.Equal(got, want) {
		t.Errorf("got position checkpoints of %d trades, want %d", got, want)
	}
}

// After a late trade, position checkpoints are kept at the ends of dates, with a fixed number of trades
// between them. The next late trade begins at the newest checkpoint before it, and reads no trade from
// before that.
func TestALateTradeBeginsAtAPositionCheckpoint(t *testing.T) {
	s := spaced(openStore(t), 100)
	held := func(trades ...trading.Trade) int64 {
		t.Helper()
		if _, err := s.AddTrades(t.Context(), trades); err != nil {
			t.Fatal(err)
		}
		held, err := allHeld(t, s)
		if err != nil || len(held) != 1 {
			t.Fatalf("got %v, %v, want one position", held, err)
		}
		return held[0].Quantity
	}
	trades := daily(200, 3)
	held(trades...)
	wantPast(t, s)
	late := trades[570]
	late.Date = late.Date.Add(-time.Second)
	if got := held(late); got != 601 {
		t.Errorf("got %d shares, want 601", got)
	}
	wantPast(t, s, 102, 204, 306, 408, 510)
	sqlitetest.BehindItsBack(t, s.file.Path, "UPDATE position_checkpoints SET quantity = quantity + 1000 WHERE trades = 408")
	if got := held(late); got != 602 {
		t.Errorf("got %d shares, want 602: all that follows the newest position checkpoint", got)
	}
	late.Date = trades[480].Date
	if got := held(late); got != 1603 {
		t.Errorf("got %d shares, want 1603: it was to begin at what was edited", got)
	}
	late.Date = trades[0].Date
	if got := held(late); got != 604 {
		t.Errorf("got %d shares, want 604: all there are", got)
	}
	wantPast(t, s, 100, 202, 304, 406, 506)
}

// When all trades after a position checkpoint are voided, it is the present position, which another
// trade of its date may change.
func TestAPositionCheckpointThatBecomesThePresentOneIsNotKept(t *testing.T) {
	s := spaced(openStore(t), 1)
	trades := daily(3, 1)
	slices.Reverse(trades)
	for _, one := range trades {
		if _, err := s.AddTrades(t.Context(), []trading.Trade{one}); err != nil {
			t.Fatal(err)
		}
	}
	wantPast(t, s, 1, 2)
	if _, err := s.VoidTrade(t.Context(), 1); err != nil { // of the last day
		t.Fatal(err)
	}
	wantPast(t, s, 1)
}
