//go:build !race

package sqlite_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/batch"
	"daybook/internal/commit"
	"daybook/internal/exchange"
	"daybook/internal/journal"
	"daybook/internal/spool"
	"daybook/internal/trading"
)

// fills is a file of trades: fill 0 is a purchase of 1 share, fill 1 of 2. With ids, each line has one.
func fills(ids bool, list ...int) []byte {
	var b bytes.Buffer
	b.WriteString("symbol,currency_code,shares,product,side,price,date,external_id\n")
	for i, one := range list {
		id := ""
		if ids {
			id = fmt.Sprint("x", i)
		}
		fmt.Fprintf(&b, "ACME,USD,%d,stock,buy,5,2026-01-31T10:00:00Z,%s\n", one+1, id)
	}
	return b.Bytes()
}

// taken takes a file of trades of the source a in.
func taken(t *testing.T, s *sqlite.Store, content []byte) exchange.Counts {
	t.Helper()
	rows, counts := seen(t, s, "trades", content, exchange.Map{Source: "a"})
	c := commit.Commit{Kind: "trades", Rows: each(rows), Batch: batch.Origin{Source: "a"}, Spool: spool.Beside(t.TempDir() + "/app.db")}
	result, err := c.Run(t.Context(), s)
	if err != nil || int(result.Counts.New) != counts.New || int(result.Counts.Already) != counts.Already {
		t.Fatalf("got %+v, %v, want %+v", result, err, counts)
	}
	return counts
}

// TestFilesOfTradesAgain: a file brings each of its trades once, whatever became of them since, and an extended file only
// its end. Trades of other sources do not count, but trades that no file brought do.
func TestFilesOfTradesAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 12 {
		s := openAt(t, time.Now)
		ids := round%3 == 0
		var file []int // the file of source a
		byHand := 0    // trades of fill 0 that no file brought
		if !ids && round%2 == 0 {
			byHand = 1
			trade := trading.Trade{Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Shares: 1, Side: trading.Buy, Price: 5_0000_0000, Date: time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)}
			if _, err := s.AddTrades(t.Context(), []trading.Trade{trade}); err != nil {
				t.Fatal(err)
			}
		}
		voided := map[trading.TradeID]bool{}
		for range 6 {
			before := len(file)
			for range random.IntN(3) {
				file = append(file, random.IntN(2))
			}
			if len(file) == 0 {
				continue
			}
			zeros := len(file[:before]) - sum(file[:before])
			covered := min(byHand, len(file)-sum(file)) - min(byHand, zeros)
			counts := taken(t, s, fills(ids, file...))
			if want := len(file) - before - covered; counts.New != want || counts.Already != len(file)-want {
				t.Fatalf("round %d: got %+v of the file %v, want %d new", round, counts, file, want)
			}
			live := collected(t, s.Trades(t.Context()))
			if again := taken(t, s, fills(ids, file...)); again.New != 0 {
				t.Fatalf("round %d: got %+v from the same file", round, again)
			}
			if random.IntN(2) == 0 && len(live) > byHand { // one that a file brought
				one := live[byHand+random.IntN(len(live)-byHand)]
				if _, err := s.VoidTrade(t.Context(), one.ID); err != nil {
					t.Fatal(err)
				}
				voided[one.ID] = true
			}
			_, rows := seenTrades(t, s, fills(ids, file...), "a")
			said := 0
			for _, row := range rows {
				if row.Voided {
					said++
				}
			}
			if said != len(voided) {
				t.Fatalf("round %d: got %d lines that say that their trade was voided, want %d", round, said, len(voided))
			}
		}
		if len(file) == 0 {
			continue
		}
		// Another source has trades of its own: they are new, and doubtful where an equal one lives.
		counts, _ := seenTrades(t, s, fills(false, file...), "b")
		if want := len(file) - min(byHand, len(file)-sum(file)); counts.New != want {
			t.Fatalf("round %d: got %+v from another source, want %d new", round, counts, want)
		}
	}
}

func sum(list []int) (all int) {
	for _, one := range list {
		all += one
	}
	return all
}

func seenTrades(t *testing.T, s *sqlite.Store, content []byte, source string) (exchange.Counts, []exchange.Row) {
	t.Helper()
	rows, counts := seen(t, s, "trades", content, exchange.Map{Source: source})
	return counts, rows
}

// TestFillsOfBothSorts: equal fills, some brought with external ids and some typed by hand, are each there once, in whatever
// order a file has them, and a new one among them is new.
func TestFillsOfBothSorts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 12 {
		s := openAt(t, time.Now)
		byHand := random.IntN(3)
		for range byHand {
			trade := trading.Trade{Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Shares: 1, Side: trading.Buy, Price: 5_0000_0000, Date: time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)}
			if _, err := s.AddTrades(t.Context(), []trading.Trade{trade}); err != nil {
				t.Fatal(err)
			}
		}
		count := 0
		for range 4 {
			before := count
			count += random.IntN(3)
			lines := strings.SplitAfter(strings.TrimSpace(string(fills(true, make([]int, count)...)))+"\n", "\n")
			body := lines[1 : 1+count]
			random.Shuffle(len(body), func(i, j int) { body[i], body[j] = body[j], body[i] })
			if count == 0 {
				continue
			}
			want := max(count-byHand, 0) - max(before-byHand, 0)
			if counts := taken(t, s, []byte(lines[0]+strings.Join(body, ""))); counts.New != want || counts.Already != count-want {
				t.Fatalf("round %d: got %+v of %d fills, %d by hand, %d before, want %d new", round, counts, count, byHand, before, want)
			}
		}
		if live := collected(t, s.Trades(t.Context())); len(live) != max(count, byHand) {
			t.Fatalf("round %d: got %d trades, want %d", round, len(live), max(count, byHand))
		}
	}
}

// TestAKnownIdWithOtherContent: a line whose external id came in before with other content is wrong, and an equal trade
// of another source is new and doubtful.
func TestAKnownIdWithOtherContent(t *testing.T) {
	s := openAt(t, time.Now)
	taken(t, s, fills(true, 0, 0))
	if counts, _ := seenTrades(t, s, fills(true, 0, 1, 1), "a"); counts.Already != 1 || counts.Wrong != 1 || counts.New != 1 {
		t.Errorf("got %+v, want one already, one wrong, and one new", counts)
	}
	if counts, _ := seenTrades(t, s, fills(true, 0), "b"); counts.New != 1 || counts.Doubtful != 1 {
		t.Errorf("got %+v of another source, want it new and doubtful", counts)
	}
	anyway, _ := seen(t, s, "trades", fills(true, 0, 0), exchange.Map{Source: "a"})
	c := commit.Commit{Kind: "trades", Rows: each(anyway), Batch: batch.Origin{Source: "a"}, Anyway: func(line int) bool { return line == 3 }, Spool: spool.Beside(t.TempDir() + "/app.db")}
	if result, err := c.Run(t.Context(), s); err != nil || result.Counts.New != 1 || result.Counts.Already != 1 {
		t.Errorf("got %+v, %v, want line 3 stored anyway", result, err)
	}
	if live := collected(t, s.Trades(t.Context())); len(live) != 3 || !slices.ContainsFunc(live, func(t trading.Trade) bool { return t.ID == 3 }) {
		t.Errorf("got %v, want three trades", live)
	}
}

// TestAnUndoneImportIsForgotten: the trades of an import that was undone are new again, and after a redo they are there
// already. A trade that was voided stays voided, also after the void was undone and done again.
func TestAnUndoneImportIsForgotten(t *testing.T) {
	s := openAt(t, time.Now)
	file := fills(false, 0, 0, 1)
	states := func(want string) {
		t.Helper()
		if c, _ := seenTrades(t, s, file, "a"); fmt.Sprint(c.New, c.Already) != want {
			t.Errorf("got %+v, want %s new and already", c, want)
		}
	}
	taken(t, s, file)
	states("0 3")
	undone(t, s, 1)
	states("3 0")
	undone(t, s, 2) // a redo
	states("0 3")
	head := headOf(t, s) + 1
	if _, err := s.VoidTrade(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	states("0 3")
	for range 2 { // the void is undone, and done again
		through := headOf(t, s)
		if _, err := s.Undo(t.Context(), journal.Range{First: head, Last: through}, func(journal.Entry) error { return nil }); err != nil {
			t.Fatal(err)
		}
		head = through + 1
		states("0 3")
	}
	if live := collected(t, s.Trades(t.Context())); len(live) != 2 {
		t.Errorf("got %v, want two trades, as one is voided", live)
	}
}
