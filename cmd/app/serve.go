package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
	"daybook/internal/api"
	"daybook/internal/budget"
	"daybook/internal/trading"
)

// longestDrain is how long requests in flight may take to end after a signal; it is
// less than the ten seconds after which most supervisors kill.
const longestDrain = 8 * time.Second

func serveCommand() *cobra.Command {
	var o serveOptions
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Serve the interfaces over HTTP",
		Long: `Serve migrates the database and serves both interfaces until SIGINT or SIGTERM.

It listens on the loopback addresses of this machine only, and asks for no
credential there. Other addresses are open to others: they need --no-auth.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			context.AfterFunc(ctx, stop) // a second signal ends the process at once
			return o.run(ctx, cmd)
		},
	}
	flags := serve.Flags()
	flags.StringVar(&o.addr, "addr", "localhost:8080", "the `host:port` to listen on; localhost is 127.0.0.1 and ::1")
	flags.BoolVar(&o.noAuth, "no-auth", false, "serve an address that others can reach without asking who they are")
	flags.StringSliceVar(&o.allowHosts, "allow-host", nil, "a host `name` to answer to, besides this machine's own (repeatable)")
	return serve
}

type serveOptions struct {
	addr       string
	noAuth     bool
	allowHosts []string
}

func (o serveOptions) run(ctx context.Context, cmd *cobra.Command) (err error) {
	if err := o.checkOpen(); err != nil {
		return err
	}
	path := database(cmd)
	release, err := sqlite.Guard(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	store, err := sqlite.Open(ctx, path, time.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	listeners, err := listen(ctx, o.addr)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	server := &http.Server{
		Handler: api.New(api.Config{
			Book:       trading.NewBook(store, time.Now),
			Ledger:     budget.NewLedger(store),
			Journal:    store,
			Database:   store,
			AllowHosts: o.allowHosts,
			Log:        log,
		}),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	o.announce(cmd, path, listeners)
	return serveUntil(ctx, server, listeners, log)
}

// checkOpen refuses an address that others can reach, unless that is said aloud.
func (o serveOptions) checkOpen() error {
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return fmt.Errorf("--addr %s is not host:port", o.addr)
	}
	if host == "localhost" || net.ParseIP(host).IsLoopback() || o.noAuth {
		return nil
	}
	return fmt.Errorf("--addr %s can be reached by others, and nothing asks who they are; add --no-auth to serve it all the same", o.addr)
}

// announce prints where the server really listens, and how to open it to others.
func (o serveOptions) announce(cmd *cobra.Command, path string, listeners []net.Listener) {
	out := cmd.OutOrStdout()
	for _, l := range listeners {
		fmt.Fprintf(out, "Daybook serves %s on http://%s\n", path, l.Addr())
	}
	if o.noAuth {
		fmt.Fprintln(out, "Everyone who reaches this address may read and write: --no-auth is given.")
		return
	}
	fmt.Fprintln(out, "Only this machine can reach it. To let everyone on the network read and write: --addr :8080 --no-auth")
}

// serveUntil serves until ctx ends, then answers what is in flight.
func serveUntil(ctx context.Context, server *http.Server, listeners []net.Listener, log *slog.Logger) error {
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- server.Serve(l) }()
	}
	select {
	case err := <-failed:
		return errors.Join(err, server.Close())
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.Background(), longestDrain)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		log.Warn("clients that did not end their requests were cut off", "after", longestDrain)
		return server.Close()
	}
	return nil
}
