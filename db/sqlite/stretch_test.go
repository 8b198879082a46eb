package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// small has stretches of a page be so short that they are gone on with, and cut.
func small(p page) page {
	p.walk, p.least, p.most, p.trial = 3, 9, 40, 30
	return p
}

// TestAListInAnyOrderFollowsItsRecords reads pages anywhere, while records come, change
// and go in one process or another, and holds each to the records as they are sorted here.
func TestAListInAnyOrderFollowsItsRecords(t *testing.T) {
	s, other := books(t)
	for i := range 40 { // some of which nothing is posted to
		code := text.Code(fmt.Sprint("c", i*7%40))
		if _, err := s.CreateDepartment(t.Context(), budget.Department{Code: code, Name: "D", Active: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CreateAccount(t.Context(), budget.Account{Code: code, Type: budget.Opex}); err != nil {
			t.Fatal(err)
		}
	}
	chance := rand.New(rand.NewPCG(11, 7))
	actual := func() budget.Actual {
		department := []budget.DepartmentID{3, 9, 10, 13}[chance.IntN(4)]
		if chance.IntN(20) == 0 { // the next few by code may have less than a page of records
			department = budget.DepartmentID(14 + chance.IntN(28))
		}
		return budget.Actual{
			Key: budget.Key{
				DepartmentID: department, AccountID: []budget.AccountID{2, 7, 12}[chance.IntN(3)],
				Year: fiscal.Year(2024 + chance.IntN(3)), Period: fiscal.Period(1 + chance.IntN(12)),
			},
			Amount: money.Amount(chance.IntN(9) - 4), Currency: "EUR", Source: []text.Source{"ERP", "cards"}[chance.IntN(2)],
		}
	}
	departments, accounts := codesOf(t, s)
	compare := func(by budget.Sort, a, b budget.Actual) int {
		switch by {
		case budget.SortByAmount:
			return cmp.Compare(a.Amount, b.Amount)
		case budget.SortByDepartment:
			return cmp.Compare(departments[a.DepartmentID], departments[b.DepartmentID])
		case budget.SortByAccount:
			return cmp.Compare(accounts[a.AccountID], accounts[b.AccountID])
		case budget.SortByPeriod:
			return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Period, b.Period))
		default:
			return 0
		}
	}
	remembered := 0
	for range 900 {
		one := []*Store{s, other}[chance.IntN(2)]
		var stored []budget.Actual
		for range chance.IntN(4) {
			stored = append(stored, actual())
		}
		if _, err := one.IngestActuals(t.Context(), stored); err != nil {
			t.Fatal(err)
		}
		all := amongAll(t, s, actualPage(budget.ActualFilter{Limit: 10_000}), actualAt)
		if gone := all[chance.IntN(len(all))]; chance.IntN(2) == 0 && len(all) > 1 {
			if _, err := one.DeleteActual(t.Context(), gone.ID); err != nil {
				t.Fatal(err)
			}
			all = slices.DeleteFunc(all, func(a budget.Actual) bool { return a.ID == gone.ID })
		}
		f := budget.ActualFilter{Sort: budget.Sorts()[chance.IntN(5)], Down: chance.IntN(2) == 0, Limit: 1 + chance.IntN(9)}
		switch chance.IntN(4) {
		case 0:
			f.Source = new(text.Source("cards"))
		case 1:
			f.AccountID = new(budget.AccountID(7))
		}
		matching := slices.DeleteFunc(all, func(a budget.Actual) bool {
			return f.Source != nil && a.Source != *f.Source || f.AccountID != nil && a.AccountID != *f.AccountID
		})
		slices.SortFunc(matching, func(a, b budget.Actual) int {
			return cmp.Or(compare(f.Sort, a, b), cmp.Compare(a.ID, b.ID))
		})
		if readAnywhere(t, s, chance, actualPage(f), matching, func(a budget.Actual) int64 { return int64(a.ID) }, actualAt) {
			remembered++
		}
	}
	if remembered < 400 {
		t.Errorf("got %d pages of 900 in an order that is remembered, want it to be put to the test", remembered)
	}
}

// readAnywhere reads a page that begins anywhere among the records that it is one of, which
// come in its order upwards, and holds it to them. It reports whether the order was
// remembered before.
func readAnywhere[T comparable](
	t *testing.T, s *Store, chance *rand.Rand, p page, records []T, id func(T) int64, record func(*scanner, *cursor.Rows) T,
) (remembered bool) {
	t.Helper()
	p = small(p)
	if p.down {
		slices.Reverse(records)
	}
	next := 0
	if len(records) > 0 && chance.IntN(3) > 0 {
		next = 1 + chance.IntN(len(records))
		p.after = standsAt(t, s, p, id(records[next-1]))
	}
	_, remembered = s.memory.known()[p.what()]
	got, err := readPage(t.Context(), s, p, record)
	if want := records[next:min(next+p.limit, len(records))]; err != nil || !slices.Equal(got.Records, want) || (got.Next == "") != (next+p.limit >= len(records)) {
		t.Fatalf("%d of %s after %q: got %v, %v, want %v", p.limit, p.what(), p.after, got, err, want)
	}
	if size := s.memory.known()[p.what()].size; size > leastSize+p.most {
		t.Fatalf("%s: got a stretch of size %d remembered", p.what(), size)
	}
	return remembered
}

// standsAt is the place of a record in the order of a page.
func standsAt(t *testing.T, s *Store, p page, id int64) (place listing.Place) {
	t.Helper()
	err := s.scan(t.Context(), func(c *scanner) error {
		rankOf, err := c.ranker(p)
		if err != nil {
			return err
		}
		return c.each(p.found([]int64{id}), func(row *cursor.Rows) bool {
			place = p.placeOf(rankOf(row))
			return true
		})
	})
	if err != nil || place == "" {
		t.Fatalf("record %d stands nowhere: %v", id, err)
	}
	return place
}

// codesOf are the folded codes of departments and accounts.
func codesOf(t *testing.T, s *Store) (map[budget.DepartmentID]string, map[budget.AccountID]string) {
	t.Helper()
	departments, accounts := map[budget.DepartmentID]string{}, map[budget.AccountID]string{}
	for d, err := range s.Departments(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		departments[d.ID] = d.Code.Fold()
	}
	for a, err := range s.Accounts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		accounts[a.ID] = a.Code.Fold()
	}
	return departments, accounts
}

// TestTradesInAnyOrderFollowTheirRecords is the same of trades, whose texts are not codes.
func TestTradesInAnyOrderFollowTheirRecords(t *testing.T) {
	s := openStore(t)
	chance := rand.New(rand.NewPCG(3, 5))
	compare := func(by trading.Sort, a, b trading.Trade) int {
		switch by {
		case trading.SortByDate:
			return a.Date.Compare(b.Date)
		case trading.SortBySymbol:
			return cmp.Compare(a.Symbol, b.Symbol)
		case trading.SortByShares:
			return cmp.Compare(a.Shares, b.Shares)
		case trading.SortByPrice:
			return cmp.Compare(a.Price, b.Price)
		default:
			return 0
		}
	}
	remembered := 0
	for range 400 {
		var sent []trading.Trade
		for range 1 + chance.IntN(3) {
			sent = append(sent, trading.Trade{
				Instrument: trading.Instrument{Symbol: trading.Symbol("abBC"[chance.IntN(4):][:1]), Currency: []money.Currency{"USD", "EUR"}[chance.IntN(2)]},
				Shares:     trading.Shares(1 + chance.IntN(5)), Side: trading.Buy, Price: money.Price(chance.IntN(5)),
				Date: time.Date(2026, 1, 1+chance.IntN(9), 0, 0, 0, 0, time.UTC),
			})
		}
		if _, err := s.AddTrades(t.Context(), sent); err != nil {
			t.Fatal(err)
		}
		all := amongAll(t, s, tradePage(trading.TradeFilter{Limit: 10_000}), tradeAt)
		if gone := all[chance.IntN(len(all))]; chance.IntN(2) == 0 {
			if _, err := s.VoidTrade(t.Context(), gone.ID); err != nil {
				t.Fatal(err)
			}
			all = slices.DeleteFunc(all, func(one trading.Trade) bool { return one.ID == gone.ID })
		}
		f := trading.TradeFilter{Sort: trading.Sorts()[chance.IntN(5)], Down: chance.IntN(2) == 0, Limit: 1 + chance.IntN(9)}
		if chance.IntN(3) == 0 {
			f.Currency = new(money.Currency("EUR"))
		}
		all = slices.DeleteFunc(all, func(one trading.Trade) bool { return f.Currency != nil && one.Currency != *f.Currency })
		slices.SortFunc(all, func(a, b trading.Trade) int {
			return cmp.Or(compare(f.Sort, a, b), cmp.Compare(a.ID, b.ID))
		})
		if readAnywhere(t, s, chance, tradePage(f), all, func(one trading.Trade) int64 { return int64(one.ID) }, tradeAt) {
			remembered++
		}
	}
	if remembered < 200 {
		t.Errorf("got %d pages of 400 in an order that is remembered, want it to be put to the test", remembered)
	}
}

// TestAListIsReadOnceForManyPages has an edit behind the program's back tell what is
// remembered, and a record that is gone without an entry what is not.
func TestAListIsReadOnceForManyPages(t *testing.T) {
	s, _ := books(t)
	for i := range 9 {
		key := periodKey(1 + i)
		if _, err := s.IngestActuals(t.Context(), []budget.Actual{{Key: key, Amount: money.Amount(i), Currency: "EUR"}}); err != nil {
			t.Fatal(err)
		}
	}
	byAmount := actualPage(budget.ActualFilter{Sort: budget.SortByAmount})
	place := func(amount money.Amount, id int64) listing.Place {
		return byAmount.placeOf(rank{number: int64(amount), id: id})
	}
	page := func(after listing.Place) (amounts []money.Amount) {
		t.Helper()
		got, err := s.ActualPage(t.Context(), budget.ActualFilter{Sort: budget.SortByAmount, After: after, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range got.Records {
			amounts = append(amounts, a.Amount)
		}
		return amounts
	}
	want := func(got []money.Amount, want ...money.Amount) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	want(page(""), 0, 1, 2)
	behindItsBack(t, s.file.path, "UPDATE actuals SET amount = 100 WHERE fiscal_period = 5")
	want(page(place(2, 3)), 3, 100, 5) // where it stood
	posted(t, s, 4)                    // instead of 0
	want(page(""), 1, 2, 3)
	head, err := s.JournalHead(t.Context())
	if kept := s.memory.kept; err != nil || len(kept) != 1 || kept[0].head != head.Seq {
		t.Errorf("got %v remembered, %v, want one list as of %d", kept, err, head.Seq)
	}
	behindItsBack(t, s.file.path, "DELETE FROM actuals WHERE fiscal_period = 2")
	want(page(""), 2, 3, 4)
	want(page(place(4, 1)), 5, 6, 7)
	behindItsBack(t, s.file.path, "UPDATE actuals SET amount = 1 WHERE fiscal_period = 9")
	want(page(""), 2, 3, 4)
	posted(t, s, make([]money.Amount, mostBetween+1)...) // too many to go through
	want(page(""), 0, 1, 2)
}

// TestTheNewestTradesAreGoneThroughFirst where the latest are asked for: they are likely
// to be among them, and all others are passed over.
func TestTheNewestTradesAreGoneThroughFirst(t *testing.T) {
	s := openStore(t)
	fill(t, s)
	for _, c := range []struct {
		down bool
		want []int64
	}{{false, []int64{1, 3}}, {true, []int64{3, 1}}} {
		p := tradePage(trading.TradeFilter{Sort: trading.SortByDate, Down: c.down})
		var ids []int64
		err := s.scan(t.Context(), func(one *scanner) error {
			return one.each(p.searched(p.start(), p.finish()), func(row *cursor.Rows) bool {
				ids = append(ids, row.Int(1))
				return true
			})
		})
		if err != nil || !slices.Equal(ids, c.want) {
			t.Errorf("down %t: got %v, %v, want %v", c.down, ids, err, c.want)
		}
	}
}

// TestAPageThatWasWalkedIsNotWalkedAgain has edits behind the program's back tell.
func TestAPageThatWasWalkedIsNotWalkedAgain(t *testing.T) {
	s, _ := books(t)
	for i := range 9 {
		a := budget.Actual{Key: periodKey(1 + i), Source: []text.Source{"ERP", "cards"}[i%2], Currency: "EUR"}
		if _, err := s.IngestActuals(t.Context(), []budget.Actual{a}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(after listing.Place, want ...budget.ActualID) {
		t.Helper()
		got, err := s.ActualPage(t.Context(), budget.ActualFilter{Source: new(text.Source("ERP")), After: after, Limit: 2})
		var ids []budget.ActualID
		for _, a := range got.Records {
			ids = append(ids, a.ID)
		}
		if err != nil || !slices.Equal(ids, want) {
			t.Errorf("after %q: got %v, %v, want %v", after, ids, err, want)
		}
	}
	want("", 1, 3)
	want("3", 5, 7)
	behindItsBack(t, s.file.path, "UPDATE actuals SET source = 'cards' WHERE id IN (3, 5)")
	want("", 1, 3)
	want("1", 3, 5) // a part of both
	want("5", 7, 9)
}

// TestListsAreReadSideBySide has readers ask for the largest amount while larger ones are
// posted: each sees at least what had been posted when it asked.
func TestListsAreReadSideBySide(t *testing.T) {
	s, other := books(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var readers sync.WaitGroup
	var newest atomic.Int64
	for range 4 {
		readers.Go(func() {
			for ctx.Err() == nil {
				least := newest.Load()
				got, err := s.ActualPage(context.WithoutCancel(ctx), budget.ActualFilter{Sort: budget.SortByAmount, Down: true, Limit: 1})
				if err != nil || len(got.Records) != 1 || int64(got.Records[0].Amount) < least {
					t.Errorf("got %v, %v, want %d or more", got, err, least)
					return
				}
			}
		})
	}
	for amount := range money.Amount(100) {
		posted(t, other, amount)
		newest.Store(int64(amount))
	}
	stop()
	readers.Wait()
}

// TestPagesOfFiltersThatReadAlikeAreApart: what is remembered of one is of no other.
func TestPagesOfFiltersThatReadAlikeAreApart(t *testing.T) {
	both := actualPage(budget.ActualFilter{Currency: new(money.Currency("EUR")), Source: new(text.Source("a"))})
	for _, forged := range []money.Currency{
		"EUR} {source = ? a",
		`EUR"}, sqlite.condition{column:"source", holds:"= ?", value:"a`,
	} {
		if one := actualPage(budget.ActualFilter{Currency: &forged}); one.what() == both.what() {
			t.Errorf("got %s for both", one.what())
		}
	}
	up, down := actualPage(budget.ActualFilter{}), actualPage(budget.ActualFilter{Down: true})
	if up.what() == down.what() || up.what() == linePage(budget.LineFilter{}).what() {
		t.Errorf("got %s for another direction or list", up.what())
	}
}

func TestAStretchOfAnotherEntityStays(t *testing.T) {
	s, _ := books(t)
	if _, err := s.ActualPage(t.Context(), budget.ActualFilter{Sort: budget.SortByAmount, Limit: 1}); err != nil {
		t.Fatal(err)
	}
	err := s.view(t.Context(), func(v *view) error {
		for of, want := range map[journal.Entity]int{journal.Actuals: 1, journal.BudgetLines: 1, journal.Trades: 0} {
			ids, known, err := v.changedSince(0, of)
			if err != nil || !known || len(ids) != want {
				t.Errorf("%s: got %v, %t, %v, want %d", of, ids, known, err, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
