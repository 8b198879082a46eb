package soak_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/api"
	"daybook/internal/budget"
	"daybook/internal/server"
	"daybook/internal/trading"
)

// unbounded is the control: it runs an overload against a server without a bound on the memory of
// bodies and answers, and returns the memory that the server uses. That must exceed the bound.
func unbounded(t *testing.T, db string, o overload) int64 {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, addr := launchCommand(t, exec.CommandContext(t.Context(), own), unboundedServer+"="+db)
	defer p.listening(t, addr).kill()
	s := startOverload(t, p, o)
	defer s.end()
	peak := peakMemory(t, p)
	for deadline := time.Now().Add(patience); peak < mostUnderAttack; peak = peakMemory(t, p) {
		if time.Now().After(deadline) {
			t.Errorf("%s: got %s of memory without bounds, want at least %s", o.name, mebibytes(peak), mebibytes(mostUnderAttack))
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return peak
}

// unboundedServer is the environment variable that makes this binary a server of a database. Bodies
// and answers may use any number of bytes, for any time. Without the long time, a slow machine could
// not fill the memory.
const unboundedServer = "SOAK_UNBOUNDED"

// serveUnbounded is the server of unboundedServer. It serves until it is killed.
func serveUnbounded(ctx context.Context, db string) (exitCode int) {
	store, err := sqlite.Open(ctx, db, time.Now)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	listeners, err := server.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Printf("Daybook serves %s on http://%s\n", db, listeners[0].Addr())
	log, limits := slog.New(slog.DiscardHandler), server.DefaultLimits()
	limits.HeaderTime, limits.StallTime = time.Hour, time.Hour
	serving := server.Server{Limits: limits, Log: log, Handler: api.New(api.Config{
		Book:     trading.NewBook(store),
		Ledger:   budget.NewLedger(store, time.Now),
		Journal:  store,
		Batches:  store,
		Maps:     store,
		Database: store,
		Log:      log,
		MostHeld: 1 << 50,
		BodyTime: time.Hour,
	})}
	if err := serving.Serve(ctx, listeners); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
