package soak_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/verify"
	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// damagedFiles is the environment variable that names a directory. This binary then exercises the
// files in it (exerciseAll), in a process that may crash or hang.
const damagedFiles = "SOAK_DAMAGED"

// The files for which the exercise panics or hangs on purpose, for the control.
const (
	panicsOn = "panic.db"
	hangsOn  = "hang.db"
)

// How the exercise of a file may end.
const (
	endRefused = "refused" // it does not open
	endErrors  = "errors"  // something could not be read, verified or written
	endWhole   = "whole"   // nothing is wrong
)

// verdict is the result of exercising a file.
type verdict struct {
	end    string // "" when the process crashed or hung
	read   string // the digest of what was read
	detail string
}

// complaint returns what is wrong with the verdict, "" when it is allowed. read is the digest that
// the content must have if the file is whole.
func (v verdict) complaint(read string) string {
	switch {
	case v.end == "":
		return v.detail
	case strings.Contains(v.detail, "panic") || strings.Contains(v.detail, "endless"):
		return v.detail
	case v.end == endWhole && v.read != read:
		return "verifying found nothing wrong, but the content differs from what was written"
	}
	return ""
}

// exerciseIn exercises the files of a directory in another process, and returns the verdicts. When
// the process prints nothing for as long as silence, it hangs and is killed. It has more time
// (patience) for its first line. Files after the one that it crashed or hung on have no verdict.
func exerciseIn(t *testing.T, dir string, silence time.Duration) map[string]verdict {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), own)
	command.Env = append(os.Environ(), damagedFiles+"="+dir)
	var complaint lockedBuffer
	command.Stderr = &complaint
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var hung atomic.Bool
	watchdog := time.AfterFunc(patience, func() { hung.Store(command.Process.Kill() == nil) })
	verdicts, at := map[string]verdict{}, ""
	for lines := bufio.NewScanner(out); lines.Scan(); watchdog.Reset(silence) {
		words := strings.SplitN(lines.Text(), " ", 4)
		if len(words) < 4 {
			at = lines.Text()
			continue
		}
		verdicts[words[0]], at = verdict{words[1], words[2], words[3]}, ""
	}
	watchdog.Stop()
	err = command.Wait()
	if at != "" {
		verdicts[at] = verdict{detail: fmt.Sprintf("the process crashed or hung (hung: %t): %v\n%s", hung.Load(), err, complaint.String())}
	} else if err != nil {
		t.Errorf("the process that exercises files: %v\n%s", err, complaint.String())
	}
	return verdicts
}

// exerciseAll is the whole process that exerciseIn starts. It exercises every database of a
// directory. For each it prints the name first, and then the name with the verdict.
func exerciseAll(ctx context.Context, dir string) (exitCode int) {
	files, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, path := range files {
		name := filepath.Base(path)
		fmt.Println(name)
		v := exercise(ctx, path)
		fmt.Println(name, v.end, v.read, strings.ReplaceAll(v.detail, "\n", " / "))
	}
	return 0
}

// exercise opens a file, reads all of it, verifies it, and writes to it.
func exercise(ctx context.Context, path string) verdict {
	switch filepath.Base(path) {
	case panicsOn:
		panic("on purpose, for the control")
	case hangsOn:
		select {}
	}
	e := exerciser{digest: sha256.New()}
	store, err := sqlite.Open(ctx, path, time.Now)
	if err != nil {
		return verdict{endRefused, "-", err.Error()}
	}
	e.book, e.ledger, e.store = trading.NewBook(store), budget.NewLedger(store, time.Now), store
	e.readAll(ctx)
	read := fmt.Sprintf("%x", e.digest.Sum(nil)[:8])
	if v, err := verify.Database(ctx, path, nil); err != nil {
		e.note("verify", err)
	} else if len(v.Findings) > 0 {
		e.note("verify", fmt.Errorf("%v", v.Findings[0]))
	}
	e.writeSome(ctx)
	e.note("close", store.Close())
	end := endWhole
	if e.failed {
		end = endErrors
	}
	return verdict{end, read, "- " + e.detail.String()}
}

// exerciser exercises one database.
type exerciser struct {
	book   *trading.Book
	ledger *budget.Ledger
	store  *sqlite.Store
	digest hash.Hash
	detail strings.Builder
	failed bool
}

func (e *exerciser) note(what string, err error) {
	if err != nil {
		e.failed = true
		fmt.Fprintf(&e.detail, "%s: %v; ", what, err)
	}
}

// readAll reads every kind of record and report.
func (e *exerciser) readAll(ctx context.Context) {
	e.note("ping", e.store.Ping(ctx))
	readList(e, "currencies", e.book.Currencies(ctx))
	readList(e, "companies", e.book.Companies(ctx))
	readList(e, "trades", e.book.Trades(ctx))
	readList(e, "positions", e.book.Positions(ctx))
	readList(e, "departments", e.ledger.Departments(ctx))
	readList(e, "accounts", e.ledger.Accounts(ctx))
	for company := range trading.CompanyID(4) {
		readList(e, "revenues", e.book.Revenues(ctx, company))
	}
	lines, err := e.ledger.LinePage(ctx, budget.LineFilter{Limit: 10_000})
	e.read("lines", lines, err)
	actuals, err := e.ledger.ActualPage(ctx, budget.ActualFilter{Limit: 10_000})
	e.read("actuals", actuals, err)
	trades, err := e.book.TradePage(ctx, trading.TradeFilter{Limit: 10_000})
	e.read("trade page", trades, err)
	entries, err := e.store.JournalPage(ctx, journal.Filter{Limit: 100_000})
	e.read("journal", entries, err)
	for _, q := range []budget.ReportQuery{
		{Year: 2026, Period: 1, Version: budget.Original}, {Year: 2025, Period: 12, Version: budget.Forecast1},
	} {
		report, err := e.ledger.Variance(ctx, q)
		e.read("variance", report, err)
	}
}

func (e *exerciser) read(what string, v any, err error) {
	e.note(what, err)
	fmt.Fprintf(e.digest, "%s %+v\n", what, v)
}

// readList reads a list to its end. A list with more records than the database has is endless.
func readList[T any](e *exerciser, what string, list iter.Seq2[T, error]) {
	n := 0
	for record, err := range list {
		e.read(what, record, err)
		n++
		if n > 100_000 {
			e.note(what, fmt.Errorf("the list is endless"))
			return
		}
	}
}

// tradeLate adds a trade one nanosecond after each of the first few trades. To fold the position, the
// store must then read old trades and position checkpoints from the file.
func (e *exerciser) tradeLate(ctx context.Context) {
	trades, err := e.book.TradePage(ctx, trading.TradeFilter{Limit: 20})
	e.note("trade page", err)
	for _, first := range trades.Records {
		first.Date = first.Date.Add(time.Nanosecond)
		_, err := e.book.AddTrade(ctx, first)
		e.note("add late trade", err)
	}
}

// writeSome adds, replaces and removes records.
func (e *exerciser) writeSome(ctx context.Context) {
	trade, err := e.book.AddTrade(ctx, trading.Trade{
		Instrument: trading.Instrument{Symbol: "S1", Currency: "EUR"}, Shares: 1, Side: trading.Buy, Price: 1,
	})
	e.note("add trade", err)
	if err == nil {
		_, err = e.book.VoidTrade(ctx, trade.ID)
		e.note("void trade", err)
	}
	e.tradeLate(ctx)
	_, err = e.ledger.Ingest(ctx, budget.Actual{Key: budget.Key{DepartmentID: 1, AccountID: 1, Year: 2026, Period: 1}, Amount: 1, Currency: "EUR"})
	e.note("ingest", err)
	_, err = e.ledger.CreateDepartment(ctx, budget.Department{Code: "NEW", Name: "New"})
	e.note("create department", err)
}
