package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite/verify"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// TestMain lets the tests start this binary as a reference.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == referenceArgument {
		main()
		return
	}
	os.Exit(m.Run())
}

// tiny returns the options for one round of every workload on very small databases.
func tiny(t *testing.T) *options {
	t.Helper()
	app := filepath.Join(t.TempDir(), "app")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-tags", "nomsgpack", "-o", app, "../../cmd/app")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, said)
	}
	dir := t.TempDir()
	return &options{
		app: app, dir: dir, json: filepath.Join(dir, "bench.json"), workloads: workloads(), rounds: 1, seconds: 0.05,
		scale: scale{trades: 1_000, departments: 2, accounts: 41, deep: 500, rows: 3_000},
	}
}

// TestEveryWorkload runs every workload on small databases. Each row of the table has a figure, and a
// ratio if it has a reference. The run leaves no files, and the table can be saved and read.
func TestEveryWorkload(t *testing.T) {
	o := tiny(t)
	r, err := o.measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, w := range workloads() {
		want += len(w.rows)
	}
	if len(r.Rows) != want || want < 20 {
		t.Errorf("got %d rows, want %d", len(r.Rows), want)
	}
	for _, m := range r.Rows {
		// A short list may need no more memory than the process had, so a figure in MiB may be 0.
		if m.Ours.Median <= 0 && m.Unit != "MiB" && m.Held != "unknown" {
			t.Errorf("%s: got %+v, want a figure", m.Workload, m.Ours)
		}
		if m.Ratio != nil && (m.Ratio.Median <= 0 || m.Against == "" || m.Reference.Median <= 0) {
			t.Errorf("%s: got %+v against %q, want a ratio", m.Workload, m.Ratio, m.Against)
		}
	}
	if left, err := filepath.Glob(filepath.Join(o.dir, "run-*")); err != nil || len(left) > 0 {
		t.Errorf("after the run: got the folders %v, %v, want none", left, err)
	}
	var table bytes.Buffer
	r.print(&table)
	if lines := strings.Count(table.String(), "\n"); lines != want+3 {
		t.Errorf("got a table of %d lines, want %d\n%s", lines, want+3, table.String())
	}
	if err := r.save(o.json); err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(o.json)
	if err != nil {
		t.Fatal(err)
	}
	var read report
	if err := json.Unmarshal(saved, &read); err != nil || len(read.Rows) != want {
		t.Errorf("got %d rows in the file, %v, want %d", len(read.Rows), err, want)
	}
	testLedgerCheck(t, o)
	testPortfolioCheck(t, o)
	testSingly(t, o)
}

// testLedgerCheck: the check of a ledger finds a post that is not stored. So a run whose posts are not
// stored fails.
func testLedgerCheck(t *testing.T, o *options) {
	t.Helper()
	b, err := newBench(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	l, err := b.copyLedger(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.check(t.Context(), 0); err != nil {
		t.Errorf("nothing was posted: got %v, want no error", err)
	}
	if err := l.check(t.Context(), 1); err == nil {
		t.Error("a post without a journal entry: got no error, want one")
	}
	l.journaled--
	l.actuals[3].amount++
	if err := l.check(t.Context(), 0); err == nil {
		t.Error("an amount that is not stored: got no error, want one")
	}
}

// testSingly: the reference writes the same journal as the product, so that verifying its database finds
// nothing wrong. As a control, the reference without a journal changes a record, and verifying reports
// that the journal has no entry for it.
func testSingly(t *testing.T, o *options) {
	t.Helper()
	b, err := newBench(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	for _, journals := range []bool{true, false} {
		l, err := b.copyLedger(t.Context(), journals)
		if err != nil {
			t.Fatal(err)
		}
		s, err := openSingly(t.Context(), l.path, journals)
		if err != nil {
			t.Fatal(err)
		}
		a := l.actuals[0]
		_, err = s.IngestActuals(t.Context(), []budget.Actual{{
			Key: budget.Key{
				DepartmentID: budget.DepartmentID(a.department), AccountID: budget.AccountID(a.account),
				Year: year, Period: fiscal.Period(a.period),
			},
			Amount: money.Amount(a.amount + 1), Currency: money.Currency(a.currency), Source: "one \"of\" the tests",
		}})
		if err := errors.Join(err, s.close()); err != nil {
			t.Fatal(err)
		}
		got, err := verify.Database(t.Context(), l.path, func(_, _ int64) {})
		if err != nil {
			t.Fatal(err)
		}
		if whole := len(got.Findings) == 0; whole != journals {
			t.Errorf("with a journal %t: got the findings %v", journals, got.Findings)
		}
	}
}

// testPortfolioCheck: the check of a portfolio finds a trade that is not stored.
func testPortfolioCheck(t *testing.T, o *options) {
	t.Helper()
	b, err := newBench(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	p, err := b.copyPortfolio(t.Context(), o.scale.trades)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.check(t.Context()); err != nil {
		t.Errorf("nothing was posted: got %v, want no error", err)
	}
	p.trades++
	if err := p.check(t.Context()); err == nil {
		t.Error("a trade that is not stored: got no error, want one")
	}
}

// TestTwoDoNotMeasureEachOther: a second benchmark in the same folder is refused, because two at once
// would slow each other down.
func TestTwoDoNotMeasureEachOther(t *testing.T) {
	dir := t.TempDir()
	app, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	first, err := newShelf(t.Context(), app, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newShelf(t.Context(), app, dir); err == nil {
		t.Error("a second benchmark in the same folder: got no error, want one")
	}
	if err := first.lock.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOptions(t *testing.T) {
	o, err := parseOptions([]string{"-workload", "list-1m,start", "-rounds", "2"})
	if err != nil || len(o.workloads) != 2 || o.workloads[1].name != "start" || o.rounds != 2 {
		t.Errorf("got %+v, %v, want list-1m and start, and two rounds", o, err)
	}
	if o, err := parseOptions(nil); err != nil || len(o.workloads) != len(workloads()) || o.rounds < 5 {
		t.Errorf("got %+v, %v, want all workloads, and at least five rounds", o, err)
	}
	for _, args := range [][]string{{"-workload", "list"}, {"-rounds", "0"}, {"-seconds", "0"}, {"list-1m"}} {
		if _, err := parseOptions(args); err == nil {
			t.Errorf("%v: got no error, want one", args)
		}
	}
}

// TestRatiosAreOfTheSameRound: the ratio of a row is the median of the ratios of the rounds. It is not
// the ratio of two medians.
func TestRatiosAreOfTheSameRound(t *testing.T) {
	rounds := []figures{{"a": 10, "b": 100}, {"a": 20, "b": 20}, {"a": 90, "b": 30}}
	m, err := row{ours: "a", reference: "b", goal: atMost(0.99)}.measured("", rounds)
	if err != nil {
		t.Fatal(err)
	}
	if want := (spread{Median: 1, Min: 0.1, Max: 3}); *m.Ratio != want || m.Ours.Median != 20 || m.Held != "no" {
		t.Errorf("got the ratio %+v, the figure %+v, held %s, want %+v, 20, no", *m.Ratio, m.Ours, m.Held, want)
	}
	m, err = row{ours: "a", goal: atLeast(20)}.measured("", rounds)
	if err != nil || m.Ratio != nil || m.Held != "yes" {
		t.Errorf("without a reference: got %+v, %v, want no ratio, and the goal held", m, err)
	}
	if m, err := (row{ours: "c", goal: atMost(1), optional: true}).measured("", rounds); err != nil || m.Held != "unknown" {
		t.Errorf("an optional figure that is missing: got %+v, %v, want held unknown", m, err)
	}
	if _, err := (row{ours: "a", reference: "c"}).measured("", rounds); err == nil {
		t.Error("a missing figure of the reference: got no error, want one")
	}
	if m, err := (row{ours: "a"}).measured("", rounds[:2]); err != nil || m.Held != "-" || m.Ours.Median != 15 {
		t.Errorf("without a goal: got %+v, %v, want the median 15 and held -", m, err)
	}
}

// TestAmountsDiffer: each post has another amount, which is as wide as the placeholder and does not end
// in 0.
func TestAmountsDiffer(t *testing.T) {
	p := newPost("/", `{"amount":`+placeholder+`}`, 0)
	seen := map[string]bool{}
	for serial := range int64(1_000) {
		n := p.set(serial)
		if want := fmt.Sprintf("%d.%02d", n/100, n%100); string(p.amount) != want || len(want) != len(placeholder) || n%10 == 0 {
			t.Fatalf("got %s, want %s", p.amount, want)
		}
		if seen[string(p.amount)] {
			t.Fatalf("got %s twice", p.amount)
		}
		seen[string(p.amount)] = true
	}
	if !bytes.HasSuffix(p.wire, append(p.amount, '}')) {
		t.Errorf("got the request %q, want it to end with the amount %s", p.wire, p.amount)
	}
}

// TestNoTwoFeedsHaveARecordInCommon: each record belongs to exactly one caller of a feed.
func TestNoTwoFeedsHaveARecordInCommon(t *testing.T) {
	l := &ledger{actuals: make([]actual, 1_000)}
	for _, ordered := range []bool{true, false} {
		of := map[int]int{}
		for caller, posts := range l.feed(64, ordered).callers {
			for _, p := range posts {
				if other, taken := of[p.record]; taken {
					t.Fatalf("the callers %d and %d both post record %d, want one caller", caller, other, p.record)
				}
				of[p.record] = caller
			}
		}
		if len(of) != len(l.actuals) {
			t.Errorf("got %d records, want %d", len(of), len(l.actuals))
		}
	}
}

// TestConnectionReadsAnswers: a connection reads answers with a length and in chunks. A status other
// than 200 and 201 is an error.
func TestConnectionReadsAnswers(t *testing.T) {
	long := strings.Repeat("0123456789", 20_000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/length":
			fmt.Fprint(w, "short")
		case "/chunks":
			fmt.Fprint(w, long)
		default:
			http.Error(w, "no", http.StatusTeapot)
		}
	}))
	defer server.Close()
	conn, err := dial(t.Context(), strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for range 2 {
		for path, want := range map[string]string{"/length": "short", "/chunks": long} {
			if got, err := conn.ask(get(path)); err != nil || string(got) != want {
				t.Fatalf("%s: got %d bytes, %v, want %d", path, len(got), err, len(want))
			}
		}
	}
	if _, err := conn.ask(get("/other")); err == nil {
		t.Error("an answer of 418: got no error, want one")
	}
}

// TestBrokenListsAreFound: a list without its end is an error.
func TestBrokenListsAreFound(t *testing.T) {
	for text, good := range map[string]bool{`[{"a":1},{"a":2}]`: true, `[{"a":1},{"a":2}`: false, ``: false} {
		l, err := readList(strings.NewReader(text), time.Now())
		if (err == nil) != good || good && l.records != 2 {
			t.Errorf("%s: got %+v, %v, want two records: %t, else an error", text, l, err, good)
		}
	}
}
