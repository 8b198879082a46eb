package soak_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
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

// unbounded is the control: what an onslaught makes a server take that does not bound
// what bodies and answers hold.
func unbounded(t *testing.T, db string, o onslaught) int64 {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, addr := launchCommand(t, exec.CommandContext(t.Context(), own), unboundedServer+"="+db)
	defer p.listening(t, addr).kill()
	s := rage(t, p, o)
	defer s.end()
	peak := peakMemory(t, p)
	for deadline := time.Now().Add(patience); peak < mostUnderAttack; peak = peakMemory(t, p) {
		if time.Now().After(deadline) {
			t.Errorf("%s: a server without bounds takes %s", o.name, mebibytes(peak))
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return peak
}

// unboundedServer is the environment variable that makes this binary a server of a
// database whose bodies and answers may hold any number of bytes, for as long as they like:
// a slow machine could not fill it otherwise.
const unboundedServer = "SOAK_UNBOUNDED"

// serveUnbounded is that server. It serves until it is killed.
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
		Database: store,
		Log:      log,
		MostHeld: math.MaxInt64,
		BodyTime: time.Hour,
	})}
	if err := serving.Serve(ctx, listeners); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
