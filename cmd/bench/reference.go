package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"daybook/internal/api"
	"daybook/internal/budget"
	"daybook/internal/metrics"
	"daybook/internal/server"
	"daybook/internal/trading"
)

// The references that are processes.
const (
	constantReference = "constant" // sends the same response to every request
	echoReference     = "echo"     // decodes, validates and responds, but stores nothing
	singleReference   = "single"   // stores each post and its journal entry in its own transaction; takes a database
	bareReference     = "bare"     // the same without a journal
	listReference     = "list"     // prints a database's trades; takes a database
)

// beReference runs a reference.
func beReference(ctx context.Context, name string, args []string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch name {
	case constantReference:
		return serveReference(ctx, name, http.HandlerFunc(constant))
	case echoReference:
		return serveReference(ctx, name, handler(nowhere{}))
	}
	if len(args) != 1 {
		return fmt.Errorf("the reference %s takes a database", name)
	}
	switch name {
	case singleReference, bareReference:
		store, err := openSingly(ctx, args[0], name == singleReference)
		if err != nil {
			return err
		}
		return errors.Join(serveReference(ctx, name, handler(store)), store.close())
	case listReference:
		return printTrades(ctx, args[0], os.Stdout)
	}
	return fmt.Errorf("there is no reference %s", name)
}

// stores are the stores that the interface needs.
type stores interface {
	trading.Store
	budget.Store
}

// handler returns the product's whole interface on other stores.
func handler(s stores) http.Handler {
	return api.New(api.Config{
		Book:     trading.NewBook(s),
		Ledger:   budget.NewLedger(s, time.Now),
		Database: unwatched{},
		Log:      slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
}

// unwatched is the database of a reference, whose state nobody asks for.
type unwatched struct{ api.Database }

// Writing returns counts that stay 0.
func (unwatched) Writing() *metrics.Writer { return metrics.NewWriter(func() int { return 0 }) }

// serveReference serves a handler as the program does.
func serveReference(ctx context.Context, name string, h http.Handler) error {
	listeners, err := server.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("bench serves %s on http://%s\n", name, listeners[0].Addr())
	web := server.Server{Handler: h, Limits: server.DefaultLimits(), Log: slog.New(slog.NewTextHandler(os.Stderr, nil))}
	return web.Serve(ctx, listeners)
}

var constantAnswer = []byte(`{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":6,"amount":1000000.01,"currency":"EUR","source":"bench"}`)

// constant is the handler with the least work.
func constant(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(constantAnswer)))
	_, _ = w.Write(constantAnswer) // the client notices a missing response
}

// unasked is embedded in a store for the methods that the workloads do not call. Its methods panic: the
// request gets a 500, which ends the run.
type unasked struct {
	tradingStore
	budgetStore
}

type (
	tradingStore = trading.Store
	budgetStore  = budget.Store
)

// nowhere is a store that stores nothing.
type nowhere struct{ unasked }

// IngestActuals gives every actual an id.
func (nowhere) IngestActuals(_ context.Context, actuals []budget.Actual) ([]budget.Actual, error) {
	for i := range actuals {
		actuals[i].ID = 1
	}
	return actuals, nil
}

// AddTrades gives every trade an id.
func (nowhere) AddTrades(_ context.Context, trades []trading.Trade) ([]trading.Trade, error) {
	for i := range trades {
		trades[i].ID = 1
	}
	return trades, nil
}
