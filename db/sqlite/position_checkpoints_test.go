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

// withSpacing makes a store keep a position checkpoint after that many trades.
func withSpacing(s *Store, trades int64) *Store {
	s.writer.conn.trades.Spacing = trades
	return s
}

// TestPositionsAreWhatAllTradesFoldTo: every position and every position checkpoint is the fold of all
// trades up to its date. The trades are random: late or not, voided or refused, alone or concurrent.
func TestPositionsAreWhatAllTradesFoldTo(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			trader := trader{Rand: rand.New(rand.NewPCG(seed, 11)), store: withSpacing(openStore(t), int64(1+seed))}
			most := 0
			for range 80 {
				trader.step(t)
				most = max(most, trader.wantFolds(t))
			}
			if most < 3 {
				t.Errorf("got at most %d position checkpoints, want at least 3", most)
			}
			for len(trader.known) > 0 {
				trader.void(t)
				if left := trader.wantFolds(t); len(trader.known) == 0 && left > 0 {
					t.Errorf("got %d position checkpoints without trades, want none", left)
				}
			}
			if got := sqlitetest.Found(t, trader.store.file.Path); len(got) > 0 {
				t.Errorf("got the findings %q, want none", got)
			}
		})
	}
}

// trader adds and voids trades of two instruments at random. Many trades have the same date.
type trader struct {
	*rand.Rand
	store *Store
	days  int // how many days have passed
	known []trading.Trade
}

// step makes one random change.
func (r *trader) step(t *testing.T) {
	switch r.IntN(8) {
	case 0, 1:
		r.void(t)
	case 2:
		r.voidAtCheckpoint(t)
	case 3:
		r.refused(t)
	case 4:
		r.addAtOnce(t)
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

// voidAtCheckpoint voids a trade of the date of a position checkpoint.
func (r *trader) voidAtCheckpoint(t *testing.T) {
	t.Helper()
	checkpoints := checkpointsOf(t, r.store)
	if len(checkpoints) == 0 {
		return
	}
	checkpoint := checkpoints[r.IntN(len(checkpoints))]
	r.voidOne(t, slices.IndexFunc(r.known, func(one trading.Trade) bool {
		return one.Instrument == checkpoint.Instrument && one.Date.Equal(checkpoint.Date)
	}))
}

func (r *trader) voidOne(t *testing.T, i int) {
	t.Helper()
	if _, err := r.store.VoidTrade(t.Context(), r.known[i].ID); err != nil {
		t.Fatal(err)
	}
	r.known = slices.Delete(r.known, i, i+1)
}

// refused sends late trades together with impossible ones. The request must be refused.
func (r *trader) refused(t *testing.T) {
	t.Helper()
	trades := r.trades()
	huge := trading.Trade{Instrument: acme, Shares: math.MaxInt64, Side: trading.Buy, Price: 1, Date: trades[0].Date}
	if _, err := r.store.AddTrades(t.Context(), append(trades, huge, huge, huge)); fault.KindOf(err) != fault.Invalid {
		t.Fatalf("got %v, want Invalid", err)
	}
}

// addAtOnce sends several requests at the same time, so that they share transactions. Some of them must
// be refused.
func (r *trader) addAtOnce(t *testing.T) {
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
				t.Errorf("request %d: got %v, want it refused: %t", i, err, i%3 == 1)
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

// wantFolds fails the test unless all positions and position checkpoints are the folds of the known
// trades. It returns the number of checkpoints.
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
	checkpoints := checkpointsOf(t, r.store)
	for _, p := range checkpoints {
		if want := foldedUntil(t, histories[p.Instrument], p.Date); p != want || !p.Date.Before(latest[p.Instrument]) {
			t.Fatalf("got the position checkpoint %+v before %v, want %+v", p, latest[p.Instrument], want)
		}
	}
	return len(checkpoints)
}

// forever is after every date.
var forever = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// foldedUntil returns the fold of the trades up to and including a date.
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

// checkpointsOf returns all position checkpoints.
func checkpointsOf(t *testing.T, s *Store) []trading.Position {
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

// wantCheckpoints fails unless the position checkpoints have these numbers of trades.
func wantCheckpoints(t *testing.T, s *Store, want ...int64) {
	t.Helper()
	if got := rows.Map(checkpointsOf(t, s), func(p trading.Position) int64 { return p.Trades }); !slices.Equal(got, want) {
		t.Errorf("got position checkpoints of %d trades, want %d", got, want)
	}
}

// TestALateTradeBeginsAtAPositionCheckpoint: a late trade makes position checkpoints at the ends of
// dates, a fixed number of trades apart. The next late trade folds from the newest checkpoint before it,
// and reads no older trades.
func TestALateTradeBeginsAtAPositionCheckpoint(t *testing.T) {
	s := withSpacing(openStore(t), 100)
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
	wantCheckpoints(t, s)
	late := trades[570]
	late.Date = late.Date.Add(-time.Second)
	if got := held(late); got != 601 {
		t.Errorf("got %d shares, want 601", got)
	}
	wantCheckpoints(t, s, 102, 204, 306, 408, 510)
	sqlitetest.BehindItsBack(t, s.file.Path, "UPDATE position_checkpoints SET quantity = quantity + 1000 WHERE trades = 408")
	if got := held(late); got != 602 {
		t.Errorf("got %d shares, want 602: the fold begins at a checkpoint that was not edited", got)
	}
	late.Date = trades[480].Date
	if got := held(late); got != 1603 {
		t.Errorf("got %d shares, want 1603: the fold begins at the edited checkpoint", got)
	}
	late.Date = trades[0].Date
	if got := held(late); got != 604 {
		t.Errorf("got %d shares, want 604: the fold begins at the first trade", got)
	}
	wantCheckpoints(t, s, 100, 202, 304, 406, 506)
}

// TestAPositionCheckpointThatBecomesThePresentOneIsNotKept: when all trades after a position checkpoint
// are voided, the checkpoint equals the present position and is removed, because another trade of its
// date may change it.
func TestAPositionCheckpointThatBecomesThePresentOneIsNotKept(t *testing.T) {
	s := withSpacing(openStore(t), 1)
	trades := daily(3, 1)
	slices.Reverse(trades)
	for _, one := range trades {
		if _, err := s.AddTrades(t.Context(), []trading.Trade{one}); err != nil {
			t.Fatal(err)
		}
	}
	wantCheckpoints(t, s, 1, 2)
	if _, err := s.VoidTrade(t.Context(), 1); err != nil { // of the last day
		t.Fatal(err)
	}
	wantCheckpoints(t, s, 1)
}
