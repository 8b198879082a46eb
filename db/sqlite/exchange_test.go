package sqlite_test

import (
	"bytes"
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"daybook/db/sqlite"
	"daybook/internal/budget"
	"daybook/internal/exchange"
	"daybook/internal/journal"
	"daybook/internal/tables"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// listed is an exchange.Stored that searches lists from their beginning.
type listed struct {
	seq         int64
	currencies  []trading.Currency
	companies   []trading.Company
	revenues    []trading.Revenue
	departments []budget.Department
	accounts    []budget.Account
	lines       []budget.Line
	actuals     []budget.Actual
	trades      []trading.Trade
}

// listOf reads all records of a store.
func listOf(t *testing.T, s *sqlite.Store) *listed {
	t.Helper()
	l := &listed{}
	err := s.Export(t.Context(), func(one exchange.Snapshot) error {
		l.seq = one.Seq()
		l.currencies, l.companies, l.revenues = collected(t, one.Currencies()), collected(t, one.Companies()), collected(t, one.Revenues())
		l.departments, l.accounts = collected(t, one.Departments()), collected(t, one.Accounts())
		l.lines, l.actuals = collected(t, one.Lines(budget.LineFilter{})), collected(t, one.Actuals(budget.ActualFilter{}))
		l.trades = collected(t, one.Trades(trading.TradeFilter{}))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func collected[T any](t *testing.T, list iter.Seq2[T, error]) (all []T) {
	t.Helper()
	for one, err := range list {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

func each[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, one := range list {
			if !yield(one, nil) {
				return
			}
		}
	}
}

func (l *listed) Seq() int64                                       { return l.seq }
func (l *listed) Currencies() iter.Seq2[trading.Currency, error]   { return each(l.currencies) }
func (l *listed) Companies() iter.Seq2[trading.Company, error]     { return each(l.companies) }
func (l *listed) Departments() iter.Seq2[budget.Department, error] { return each(l.departments) }
func (l *listed) Accounts() iter.Seq2[budget.Account, error]       { return each(l.accounts) }

func nth[T any](list []T, n int, same func(T) bool) *T {
	for i, one := range list {
		if !same(one) {
			continue
		}
		n--
		if n == 0 {
			return &list[i]
		}
	}
	return nil
}

func (l *listed) Actual(key budget.Key) (*budget.Actual, error) {
	return nth(l.actuals, 1, func(a budget.Actual) bool { return a.Key == key }), nil
}

func (l *listed) Line(key budget.LineKey) (*budget.Line, error) {
	return nth(l.lines, 1, func(one budget.Line) bool { return one.LineKey == key }), nil
}

func (l *listed) Revenue(like trading.Revenue, n int) (*trading.Revenue, error) {
	return nth(l.revenues, n, func(r trading.Revenue) bool {
		r.ID, r.Amount = like.ID, like.Amount
		return r == like
	}), nil
}

func (l *listed) RevenueByID(id trading.RevenueID) (*trading.Revenue, error) {
	return nth(l.revenues, 1, func(r trading.Revenue) bool { return r.ID == id }), nil
}

func (l *listed) Trade(id trading.TradeID) (*trading.Trade, error) {
	return nth(l.trades, 1, func(t trading.Trade) bool { return t.ID == id }), nil
}

func (l *listed) KnownTrades(_, _ string, like trading.Trade, _ int) (known exchange.Known, err error) {
	for _, one := range l.trades {
		if one.ID = like.ID; one == like {
			known.Already++
		}
	}
	return known, nil
}

// checked is a preview as JSON, and all rows with their results.
func checked(t *testing.T, content []byte, kind string, m exchange.Map, one exchange.Stored) (string, []exchange.Row, exchange.Counts) {
	t.Helper()
	file, err := tables.Open(bytes.NewReader(content), int64(len(content)), tables.Options{Dir: t.TempDir()})
	if err != nil {
		return err.Error(), nil, exchange.Counts{}
	}
	defer func() { _ = file.Close() }()
	store, err := exchange.NewStore(one, kind)
	if err != nil {
		t.Fatal(err)
	}
	var list []exchange.Row
	p, err := exchange.Check(t.Context(), exchange.Source{File: file, Kind: kind, Map: m, Store: store, Now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC), Each: func(row exchange.Row) error {
		list = append(list, row)
		return nil
	}})
	if err != nil {
		return err.Error(), nil, exchange.Counts{}
	}
	written, err := json.Marshal(p, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(written), list, p.Counts
}

// compareBoth checks a file against the store and against its lists, which must agree.
func compareBoth(t *testing.T, s *sqlite.Store, l *listed, name string, content []byte, kind string, m exchange.Map) exchange.Counts {
	t.Helper()
	want, wantRows, counts := checked(t, content, kind, m, l)
	var got string
	var gotRows []exchange.Row
	err := s.Compare(t.Context(), func(one exchange.Stored) error {
		got, gotRows, _ = checked(t, content, kind, m, one)
		return nil
	})
	if err != nil || got != want {
		t.Errorf("%s: got %v\n%s\nwant\n%s", name, err, got, want)
	}
	if difference := cmp.Diff(wantRows, gotRows); difference != "" {
		t.Errorf("%s: rows (- want, + got):\n%s", name, difference)
	}
	return counts
}

// TestFilesAreComparedWithTheStore: a file of every kind, with stored, changed and new records, has the same preview
// against the store as against lists of all records that are searched one by one.
func TestFilesAreComparedWithTheStore(t *testing.T) {
	s := seeded(t)
	l := listOf(t, s)
	for _, kind := range exchange.Kinds() {
		content := exported(t, s, kind.Name)
		counts := compareBoth(t, s, l, kind.Name, content, kind.Name, exchange.Map{})
		if known := counts.Unchanged + counts.Already; known == 0 || known != counts.Unchanged+counts.Already+counts.New+counts.Changed+counts.Wrong {
			t.Errorf("%s: got %+v, want all records there already", kind.Name, counts)
		}
		changed := changedFile(content)
		counts = compareBoth(t, s, l, kind.Name+" changed", changed, kind.Name, exchange.Map{})
		if counts.New+counts.Changed == 0 || counts.Unchanged+counts.Already == 0 {
			t.Errorf("%s changed: got %+v, want some of each", kind.Name, counts)
		}
		if kind.Wide {
			compareBoth(t, s, l, kind.Name+" cleared", clearedFile(content), kind.Name, exchange.Map{Empty: "clear"})
		}
	}
}

// exported is all records of a kind as CSV.
func exported(t *testing.T, s *sqlite.Store, kind string) []byte {
	t.Helper()
	var b bytes.Buffer
	err := s.Export(t.Context(), func(one exchange.Snapshot) error {
		return exchange.Export{Kind: kind, Form: exchange.Form{Format: exchange.CSV}}.Write(one, &b)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// changedFile changes a file: every third line gets another amount, name or code, every fifth is taken out, and the last
// comes twice.
func changedFile(content []byte) []byte {
	lines := strings.Split(strings.TrimSpace(string(content)), "\r\n")
	names := strings.Split(lines[0], ",")
	changed := lines[:1:1]
	for i, line := range append(lines[1:], lines[len(lines)-1]) {
		cells := strings.Split(line, ",")
		for column, name := range names {
			switch {
			case i%3 > 0:
			case name == "amount" || name == "shares":
				cells[column] += "1"
			case name == "name" || name == "description" || name == "code" && i%2 == 0:
				cells[column] += "x"
			}
		}
		if i%5 < 4 {
			changed = append(changed, strings.Join(cells, ","))
		}
	}
	return []byte(strings.Join(changed, "\r\n"))
}

// clearedFile is a file in which every second record has no amount.
func clearedFile(content []byte) []byte {
	lines := bytes.Split(content, []byte("\r\n"))
	at := slices.Index(strings.Split(string(lines[0]), ","), "amount")
	for i := 1; i < len(lines)-1; i += 2 {
		cells := bytes.Split(lines[i], []byte(","))
		cells[at] = nil
		lines[i] = bytes.Join(cells, []byte(","))
	}
	return bytes.Join(lines, []byte("\r\n"))
}

// TestAnybodysFilesAreComparedWithTheStore does so with the files of other people, before and after their records are
// stored.
func TestAnybodysFilesAreComparedWithTheStore(t *testing.T) {
	var setup struct {
		Departments []text.Code    `json:"departments"`
		Accounts    [][2]text.Code `json:"accounts"`
	}
	const folder = "../../internal/exchange/testdata/imports/"
	readJSON(t, folder+"SETUP.json", &setup)
	s := openAt(t, time.Now)
	ctx := journal.With(t.Context(), journal.Origin{Actor: "test"})
	for _, code := range setup.Departments {
		if _, err := s.CreateDepartment(ctx, budget.Department{Code: code, Name: "n", Active: true}); err != nil {
			t.Fatal(err)
		}
	}
	for _, account := range setup.Accounts {
		if _, err := s.CreateAccount(ctx, budget.Account{Code: account[0], Type: budget.AccountType(account[1])}); err != nil {
			t.Fatal(err)
		}
	}
	names, err := filepath.Glob(folder + "[0-9]*.json")
	if err != nil || len(names) < 42 {
		t.Fatalf("got %d files, %v, want at least 42", len(names), err)
	}
	for _, name := range names {
		var said struct {
			File   string `json:"file"`
			Kind   string `json:"kind"`
			Expect struct {
				Map exchange.Map `json:"map"`
			} `json:"expect"`
		}
		readJSON(t, name, &said)
		content, err := os.ReadFile("../../internal/tables/testdata/imports/" + said.File)
		if err != nil || said.File == "" {
			continue
		}
		_, list, _ := checked(t, content, said.Kind, said.Expect.Map, listOf(t, s))
		storeSome(ctx, t, s, said.Kind, list)
		compareBoth(t, s, listOf(t, s), name, content, said.Kind, said.Expect.Map)
	}
}

// storeSome stores the new postings and trades of a file.
func storeSome(ctx context.Context, t *testing.T, s *sqlite.Store, kind string, list []exchange.Row) {
	t.Helper()
	codecs, err := exchange.NewCodecs(listOf(t, s), kind)
	if err != nil {
		t.Fatal(err)
	}
	actuals, lines, trades := codecs.Actuals(), codecs.Lines(), codecs.Trades()
	for _, row := range list {
		var err error
		switch {
		case row.Result != "new":
		case kind == "actuals":
			var a budget.Actual
			if a, err = actuals.Read(0, row.After); err == nil {
				_, err = s.IngestActuals(ctx, []budget.Actual{a})
			}
		case kind == "budgets":
			var one budget.Line
			if one, err = lines.Read(0, row.After); err == nil {
				_, err = s.CreateLines(ctx, []budget.Line{one})
			}
		case kind == "trades":
			var one trading.Trade
			if one, err = trades.Read(0, row.After); err == nil {
				_, err = s.AddTrades(ctx, []trading.Trade{one})
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		t.Fatal(name, err)
	}
}
