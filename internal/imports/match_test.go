//go:build !race

package imports_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite/verify"
	"daybook/internal/batch"
	"daybook/internal/commit"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/imports"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// trades has two equal fills, and a trade of another instrument.
const trades = "symbol,currency_code,shares,product,side,price,date\n" +
	"ACME,EUR,100,stock,buy,10,2026-01-05T10:00:00Z\n" +
	"ACME,EUR,100,stock,buy,10,2026-01-05T10:00:00Z\n" +
	"BOLT,EUR,50,stock,buy,4,2026-01-06T10:00:00Z\n"

// corrections reads a file whose rows correct the records with their ids.
func (b books) corrections(t *testing.T, kind, content string) *imports.Import {
	t.Helper()
	u := upload(t, b.folder, kind, content)
	u.Map.Match = "id"
	one, err := b.service.Add(t.Context(), u)
	for err == nil && one.State == "reading" {
		one, err = b.service.Get(t.Context(), "me", one.ID)
	}
	if err != nil || one.State != "ready" {
		t.Fatalf("%s: got %v: %+v, want it ready", kind, err, one)
	}
	return one
}

func (b books) take(t *testing.T, one *imports.Import) (*imports.Done, error) {
	t.Helper()
	return b.service.Commit(t.Context(), "me", one.ID, imports.Order{Revision: one.Revision}, nil)
}

// positions are the positions, by symbol.
func (b books) positions(t *testing.T) map[trading.Symbol]trading.Position {
	t.Helper()
	held := map[trading.Symbol]trading.Position{}
	for p, err := range b.store.Positions(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		held[p.Symbol] = p
	}
	return held
}

// whole verifies the database.
func (b books) whole(t *testing.T) {
	t.Helper()
	if v, err := verify.Database(t.Context(), b.path, nil); err != nil || len(v.Findings) > 0 {
		t.Errorf("app verify: got %v, %v, want nothing", v.Findings, err)
	}
}

// withIDs is the export of a kind with its ids.
func (b books) withIDs(t *testing.T, kind string) string {
	t.Helper()
	var file bytes.Buffer
	err := b.store.Export(t.Context(), func(one exchange.Snapshot) error {
		return exchange.Export{Kind: kind, Form: forms["csv"], IDs: true}.Write(one, &file)
	})
	if err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// TestTradesAreCorrectedByTheirIDs: a file that was exported with ids and corrected changes the trades that have the ids,
// and their positions. The same file again changes nothing, and the undo brings all back.
func TestTradesAreCorrectedByTheirIDs(t *testing.T) {
	b := openBooks(t)
	b.bring(t, "trades", []byte(trades))
	before, held := b.withIDs(t, "trades"), b.positions(t)
	corrected := strings.Replace(before, "2,ACME,EUR,100,stock,buy,10,", "2,ACME,EUR,100,stock,buy,12.5,", 1)
	corrected = strings.Replace(corrected, "3,BOLT,EUR,50,", "3,BULT,EUR,60,", 1) + ",CORE,EUR,7,stock,buy,3,2026-01-07T10:00:00Z\r\n"

	one := b.corrections(t, "trades", corrected)
	if c := one.Counts; c.Changed != 2 || c.Unchanged != 1 || c.New != 1 || c.Wrong+c.Doubtful+c.Already > 0 {
		t.Fatalf("got %+v (%+v), want 2 changed, 1 unchanged and 1 new", c, one.Findings)
	}
	done, err := b.take(t, one)
	if err != nil || done.Counts.Changed != 2 || done.Counts.New != 1 {
		t.Fatalf("got %+v, %v, want 2 changed and 1 new", done, err)
	}
	now := b.positions(t)
	if got := now["ACME"]; got.Quantity != 200 || got.Average.Price.String() != "11.25" {
		t.Errorf("got %+v, want 200 shares at 11.25", got)
	}
	if _, is := now["BOLT"]; is || now["BULT"].Quantity != 60 || now["CORE"].Quantity != 7 {
		t.Errorf("got %+v, want 60 BULT, 7 CORE and no BOLT", now)
	}
	entries, err := b.store.JournalPage(t.Context(), journal.Filter{Entity: journal.Trades, EntityID: 2, Limit: 10})
	if err != nil || len(entries) != 2 || entries[1].Action() != journal.Changed || entries[1].Batch != int64(done.Batch.ID) {
		t.Errorf("got %+v, %v, want the change of trade 2 in the batch", entries, err)
	}
	b.whole(t)

	again := b.corrections(t, "trades", corrected)
	if c := again.Counts; c.Unchanged != 3 || c.Already != 1 || c.New+c.Changed+c.Wrong > 0 {
		t.Errorf("again: got %+v, want nothing new", c)
	}
	if old := b.bring(t, "trades", []byte(trades)); old.Counts.New > 0 || old.Counts.Already != 3 {
		t.Errorf("the first file again: got %+v, want all here already", old.Counts)
	}

	if _, err := b.store.UndoBatch(t.Context(), done.Batch.ID, batch.All, func(journal.Entry) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if after := b.withIDs(t, "trades"); after != before {
		t.Errorf("after the undo: got\n%s\nwant\n%s", after, before)
	}
	for symbol, p := range b.positions(t) {
		if p != held[symbol] {
			t.Errorf("after the undo: got %+v, want %+v", p, held[symbol])
		}
	}
	b.whole(t)
}

// TestARowWithAnIDNeedsOnlyWhatChanges: the other columns may be absent.
func TestARowWithAnIDNeedsOnlyWhatChanges(t *testing.T) {
	b := openBooks(t)
	b.bring(t, "trades", []byte(trades))
	one := b.corrections(t, "trades", "id,price\n3,5\n")
	if _, err := b.take(t, one); err != nil {
		t.Fatal(err)
	}
	if got := b.positions(t)["BOLT"]; got.Average.Price.String() != "5" || got.Quantity != 50 {
		t.Errorf("got %+v, want 50 shares at 5", got)
	}
}

// TestWhatIsWrongWithIDs: each row says why, and the others are good.
func TestWhatIsWrongWithIDs(t *testing.T) {
	b := openBooks(t)
	b.bring(t, "trades", []byte(trades))
	b.bring(t, "departments", []byte("code,name\nFIN,Finance\nOPS,Operations\n"))
	b.bring(t, "accounts", []byte("code,type\n6100,opex\n"))
	b.bring(t, "currencies", []byte("code,name\nPTS,Points\n"))
	b.bring(t, "actuals", []byte("department,gl_code,fiscal_year,fiscal_period,amount,currency\nFIN,6100,2027,1,5,EUR\nFIN,6100,2027,2,6,EUR\n"))
	for _, c := range []struct{ name, kind, file, code, says string }{
		{"no such trade", "trades", "id,price\n9,5\n1,6\n", "unknown_reference", "None of the trades has the id 9"},
		{"no number", "trades", "id,price\nx,5\n1,6\n", "not_a_number", "The field id"},
		{"zero", "trades", "id,price\n0,5\n1,6\n", "not_a_number", "1 or more"},
		{"one id twice", "trades", "id,price\n2,5\n2,7\n1,6\n", "duplicate_in_file", "The id 2 comes 2 times in the file, first on line 2 and last on line 3"},
		{"a new trade that is not whole", "trades", "id,price\n,5\n1,6\n", "missing", "The field symbol is empty"},
		{"a purchase with a sign", "trades", "id,shares\n2,-5\n1,6\n", "negative_buy", "negative number of shares"},
		{"a gross alone", "trades", "id,gross,price\n2,500,\n1,,6\n", "missing", "a gross but no shares"},
		{"a code of another", "departments", "id,code,name\n1,ops,Finance\n", "key_changed", "The record 2 has the code ops already"},
		{"two rows for one", "departments", "id,code,name\n1,FIN2,Finance\n,FIN,Money\n", "duplicate_in_file", "Line 2 names the same record by its id, 1"},
		{"a code of a currency", "currencies", "id,code\n1,PTX\n", "key_changed", "stays"},
		{"a key of another", "actuals", "id,department,gl_code,fiscal_year,fiscal_period,amount,currency\n1,FIN,6100,2027,2,9,EUR\n2,FIN,6100,2027,1,9,EUR\n", "unknown_reference", "has the id 2, not 1"},
		{"a key of none", "actuals", "id,department,gl_code,fiscal_year,fiscal_period,amount,currency\n1,FIN,6100,2027,3,9,EUR\n", "unknown_reference", "No stored record with this key has the id 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := b.corrections(t, c.kind, c.file)
			if !slices.ContainsFunc(one.Findings, func(f exchange.Finding) bool { return f.Code == c.code && strings.Contains(f.Message, c.says) }) {
				t.Errorf("got %+v, want %s: %s", one.Findings, c.code, c.says)
			}
			if c.kind == "trades" && one.Counts.Changed != 1 {
				t.Errorf("got %+v, want the last row good", one.Counts)
			}
		})
	}
	u := upload(t, b.folder, "actuals", "id,department,gl_code,fiscal_year,currency,Jan,Feb\n1,FIN,6100,2027,EUR,5,6\n")
	u.Map.Match = "id"
	if _, err := b.service.Add(t.Context(), u); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "column for each period") {
		t.Errorf("the wide form: got %v, want it refused", err)
	}
	plain := b.bring(t, "departments", []byte("id,code,name\n2,FIN,Finance\n"))
	if plain.Counts.Unchanged != 1 {
		t.Errorf("without match: got %+v, want the id not read", plain.Counts)
	}
}

// TestRecordsAreCorrectedByTheirIDs: what is exported with ids comes back as it is, and a new code or name is one of the
// same record.
func TestRecordsAreCorrectedByTheirIDs(t *testing.T) {
	b := openBooks(t)
	for _, file := range [][2]string{
		{"currencies", "code,name\nPTS,Points\n"},
		{"companies", "name,price\nACME,5\nACME,6\n"},
		{"revenue", "company,company_nth,category,amount,fiscal_year\nACME,1,Lamps,10,2026\nACME,2,Lamps,20,2026\nACME,2,Lamps,20,2026\n"},
		{"departments", "code,name\nFIN,Finance\nOPS,Operations\n"},
		{"accounts", "code,type\n6100,opex\n"},
		{"budgets", "department,gl_code,fiscal_year,fiscal_period,amount,currency\nFIN,6100,2027,1,5,EUR\n"},
		{"actuals", "department,gl_code,fiscal_year,fiscal_period,amount,currency\nFIN,6100,2027,1,5,EUR\n"},
		{"trades", trades},
	} {
		b.bring(t, file[0], []byte(file[1]))
	}
	for _, c := range []struct{ kind, from, to string }{
		{"currencies", "Points", "Score"},
		{"companies", "2,ACME,0,6", "2,ACNE,0,7"},
		{"revenue", "20,2026", "21,2025"},
		{"departments", "FIN,Finance", "FNC,Finances"},
		{"accounts", "6100,", "6200,Rent"},
		{"budgets", ",5,EUR", ",6,USD"},
		{"actuals", ",5,EUR", ",6,USD"},
		{"trades", "buy,4,", "sell,4.5,"},
	} {
		t.Run(c.kind, func(t *testing.T) {
			before := b.withIDs(t, c.kind)
			if one := b.corrections(t, c.kind, before); one.Counts.Unchanged != strings.Count(before, "\n")-1 || one.Counts.Wrong+one.Counts.New > 0 {
				t.Errorf("got %+v (%+v), want all unchanged", one.Counts, one.Findings)
			}
			corrected := strings.Replace(before, c.from, c.to, 1)
			one := b.corrections(t, c.kind, corrected)
			if one.Counts.Changed != 1 || one.Counts.Wrong+one.Counts.New > 0 {
				t.Fatalf("%s\ngot %+v (%+v), want 1 changed", corrected, one.Counts, one.Findings)
			}
			done, err := b.take(t, one)
			if err != nil || done.Counts.Changed != 1 {
				t.Fatalf("got %+v, %v, want 1 changed", done, err)
			}
			if now := b.withIDs(t, c.kind); now != corrected {
				t.Errorf("got\n%s\nwant\n%s", now, corrected)
			}
			if _, err := b.store.UndoBatch(t.Context(), done.Batch.ID, batch.All, func(journal.Entry) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if now := b.withIDs(t, c.kind); now != before {
				t.Errorf("after the undo: got\n%s\nwant\n%s", now, before)
			}
		})
	}
	b.whole(t)
}

// TestATradeThatChangedSinceIsAConflict: a trade that was voided after the preview is not corrected, and nothing is.
func TestATradeThatChangedSinceIsAConflict(t *testing.T) {
	b := openBooks(t)
	b.bring(t, "trades", []byte(trades))
	one := b.corrections(t, "trades", "id,price\n1,11\n2,12\n")
	if _, err := b.store.VoidTrade(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	_, err := b.take(t, one)
	found, is := errors.AsType[*commit.ConflictsError](err)
	if fault.KindOf(err) != fault.ChangedSince || !is || found.Total != 1 || found.Conflicts[0].Line != 3 || found.Conflicts[0].Is != nil || found.Conflicts[0].Seen == nil {
		t.Errorf("got %v (%+v), want a conflict on line 3", err, found)
	}
	if got := b.positions(t)["ACME"]; got.Average.Price.String() != "10" {
		t.Errorf("got %+v, want it as it was", got)
	}
}
