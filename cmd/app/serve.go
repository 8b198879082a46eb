package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/db/sqlite"
	"daybook/internal/access"
	"daybook/internal/api"
	"daybook/internal/backup"
	"daybook/internal/budget"
	"daybook/internal/imports"
	"daybook/internal/server"
	"daybook/internal/spool"
	"daybook/internal/trading"
	"daybook/web"
)

func serveCommand() *cobra.Command {
	o := defaultServeOptions()
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page and the interface over HTTP",
		Long: `Serve migrates the database, then serves the page and the interface until SIGINT or
SIGTERM.

By default it listens on the loopback addresses of this machine and asks for no token.
On any other address it asks for a token (app token create).`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.serve(cmd, func(context.Context, string) {})
		},
	}
	o.declare(serve.Flags())
	return serve
}

type serveOptions struct {
	addr            string
	requireToken    bool
	noAuth          bool
	allowHosts      []string
	corsOrigins     []string
	trustedProxies  []string
	tlsCert, tlsKey string
	limits          server.Limits
	backupDir       string
	backupEvery     span
	backupSignKey   string
	log             logOptions
}

func defaultServeOptions() serveOptions {
	return serveOptions{limits: server.DefaultLimits(), backupEvery: span{least: time.Minute}, log: defaultLogOptions()}
}

func (o *serveOptions) declare(flags *pflag.FlagSet) {
	flags.StringVar(&o.addr, "addr", "localhost:8080", "the `host:port` to listen on, localhost is 127.0.0.1 and ::1; or unix:/path")
	flags.BoolVar(&o.requireToken, "require-token", false, "ask for a token on a loopback address too")
	flags.BoolVar(&o.noAuth, "no-auth", false, "serve everyone on an address that others can reach")
	flags.StringSliceVar(&o.allowHosts, "allow-host", nil, "one more host `name` to answer, besides localhost, addresses and the names of this machine (repeatable); with tokens or --no-auth, every name without a dot is answered")
	flags.StringSliceVar(&o.corsOrigins, "cors-origin", nil, "the `origin` of a web page that may use the interface, like https://reports.example.com (repeatable)")
	flags.StringSliceVar(&o.trustedProxies, "trusted-proxy", nil, "the `address` or network of a proxy whose X-Forwarded-For and X-Forwarded-Proto are believed, or unix (repeatable)")
	flags.StringVar(&o.tlsCert, "tls-cert", "", "the `file` of the certificate for HTTPS; read again when it changes")
	flags.StringVar(&o.tlsKey, "tls-key", "", "the `file` of the key of the certificate")
	flags.IntVar(&o.limits.Connections, "max-conns", o.limits.Connections, "the number of connections served at once; for one more, the one idle longest is closed")
	flags.StringVar(&o.backupDir, "backup-dir", "", "the `folder` of backups (default: that of the database)")
	flags.Var(&o.backupEvery, "backup-every", "the `time` between backups, like 24h or 7d; the newest of 7 days, 4 weeks and 12 months are kept (default: no schedule)")
	declareSignKey(flags, &o.backupSignKey)
	o.log.declare(flags)
}

// serve serves until a signal, and opens the page when the server listens.
func (o serveOptions) serve(cmd *cobra.Command, open opener) error {
	end, reload := hangups()
	ctx, stop := signal.NotifyContext(cmd.Context(), end...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	outliveReaders()
	return located(settingsOf(cmd), o.run(ctx, cmd, open, reload))
}

// outliveReaders keeps the process alive when the reader of its output is gone: a write to the pipe fails
// instead of ending the process. Programs that it starts, like a browser, do not inherit this, as they
// would inherit an ignored signal.
func outliveReaders() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

func (o serveOptions) run(ctx context.Context, cmd *cobra.Command, open opener, reload <-chan os.Signal) (err error) {
	starting := true
	defer func() {
		if starting && ctx.Err() != nil {
			err = nil // a signal ended the start, and nothing was served
		}
	}()
	admitted, err := o.check()
	if err != nil {
		return err
	}
	named := naming(cmd)
	log := o.log.open(namedWriter{cmd.ErrOrStderr(), named})
	if unused := settingsOf(cmd).Unused; len(unused) > 0 {
		log.Info("no setting has the name of these variables of the environment", "variables", unused)
	}
	pair, err := o.loadPair(log)
	if err != nil {
		return err
	}
	path := database(cmd)
	if _, err := os.Stat(path); admitted.RequireToken && errors.Is(err, fs.ErrNotExist) {
		return o.noToken(path) // before the command creates a file
	}
	key, err := privateKey(o.backupSignKey)
	if err != nil {
		return err
	}
	supervisor := server.Supervisor{Log: log}
	supervisor.Starting("Opening " + path)
	signing := backup.Signed(ctx, key)
	guarded, err := sqlite.Guard(signing, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, guarded.Release()) }()
	store, err := guarded.Open(signing, time.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	files := spool.Beside(path)
	if err := files.Sweep(); err != nil {
		log.Warn("files of a server that was killed are still there", "err", err)
	}
	admitted.Authenticator = access.NewAuthenticator(store, time.Now)
	defer admitted.Authenticator.Wait()
	if err := o.checkTokens(ctx, admitted, path); err != nil {
		return err
	}
	backups, err := o.backups(path, store, key, log)
	if err != nil {
		return err
	}
	warnings, err := warningsOf(ctx, log, path, backups.Status().Dir)
	if err != nil {
		return err
	}
	o.warnOfSocketFolder(log)
	listeners, err := server.Listen(ctx, o.addr)
	if err != nil {
		return err
	}
	addresses := o.announce(cmd, admitted, path, listeners)
	address := o.address(listeners[0])
	if err := guarded.Announce(address); err != nil {
		log.Warn("other processes will not find this server", "err", err)
	}
	show(ctx, open, address)
	ctx, end := context.WithCancel(ctx)
	var scheduled sync.WaitGroup
	defer func() { end(); scheduled.Wait() }() // before the store closes
	scheduled.Go(func() { backups.Run(ctx) })
	heads := headLog{journal: store, log: log, now: time.Now, after: time.After}
	scheduled.Go(func() { heads.run(ctx) })
	o.limits.Connections = affordable(log, o.limits.Connections)
	serving := server.Server{Limits: o.limits, KeyPair: pair, Proxies: admitted.Known.IsProxy, Log: log}
	taken := imports.New(files, store)
	serving.Handler = api.New(api.Config{
		Config:      admitted.Config,
		Book:        trading.NewBook(store),
		Ledger:      budget.NewLedger(store, time.Now),
		Atomically:  store.Atomically,
		Journal:     store,
		Batches:     store,
		Backups:     backups,
		Database:    store,
		Exporter:    store,
		Imports:     taken,
		Maps:        store,
		Spool:       files,
		Page:        web.NewPage(web.Files()),
		Log:         log,
		AccessLog:   o.log.access,
		Version:     version,
		Addresses:   addresses,
		Warnings:    warnings,
		Connections: serving.Connections,
		Places:      o.limits.Connections,
		Ending:      ctx.Done(),
		OpenToAll:   admitted.openToAll,
		Named:       named,
	})
	defer taken.Close()                            // before the store
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set
		debug.SetMemoryLimit(memoryLimit)
	}
	starting = false
	status := "Serving " + path + " on " + address
	supervisor.Ready(status)
	context.AfterFunc(ctx, supervisor.Stopping)
	scheduled.Go(func() { supervisor.Watch(ctx, status, namedCheck(store.Ready, named)) })
	again := reloader{pair: pair, log: log, options: o.log, known: admitted.Known, inForce: settingsOf(cmd), supervisor: &supervisor}
	scheduled.Go(func() { again.run(ctx, reload) })
	if err := serving.Serve(ctx, listeners); err != nil {
		return err
	}
	heads.write(context.WithoutCancel(ctx)) // no more writes can follow
	return nil
}

// memoryLimit is the number of bytes that Go tries to stay below. By default it lets garbage grow to the size of
// the memory in use, which with many connections is most of the process. Lower, it would collect without
// end beside 15,000 connections, which take 300 MiB.
const memoryLimit = 336 << 20

// backups returns the keeper of the backups of the open database, in the folder of --backup-dir. It
// resolves links now, so that a later change of a link moves neither the database nor the folder.
func (o serveOptions) backups(path string, store *sqlite.Store, key ed25519.PrivateKey, log *slog.Logger) (*backup.Keeper, error) {
	dir := o.backupDir
	if dir == "" {
		beside, err := filepath.Abs(filepath.Dir(path))
		if err == nil {
			dir, err = filepath.EvalSymlinks(beside)
		}
		if err != nil {
			return nil, fmt.Errorf("the folder of the database cannot be found: %w", err)
		}
	}
	if err := backup.MakeFolder(dir); err != nil {
		return nil, fmt.Errorf("--backup-dir: %w", err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--backup-dir %s is not a folder", dir)
	}
	return backup.NewKeeper(backup.Config{
		Database: path, Dir: dir, Every: o.backupEvery.lasts, Now: time.Now, After: time.After, Log: log,
		Take: func(ctx context.Context, to string, now time.Time) (backup.Manifest, error) {
			return store.Backup(backup.Signed(ctx, key), to, version, now)
		},
		Lineages: store.Lineages,
	}), nil
}

// loadPair reads the certificate for HTTPS; nil if there is none.
func (o serveOptions) loadPair(log *slog.Logger) (*server.KeyPair, error) {
	switch {
	case o.tlsCert == "" && o.tlsKey == "":
		return nil, nil
	case o.tlsKey == "":
		return nil, errors.New("--tls-cert needs --tls-key, the key of the certificate")
	case o.tlsCert == "":
		return nil, errors.New("--tls-key needs --tls-cert, the certificate of the key")
	}
	return server.LoadKeyPair(o.tlsCert, o.tlsKey, log)
}

// scheme is the scheme of the server's addresses.
func (o serveOptions) scheme() string {
	if o.tlsCert != "" {
		return "https"
	}
	return "http"
}

// address is the address of the page for a browser on this machine. For a socket, which no browser opens,
// it is unix:/path.
func (o serveOptions) address(l net.Listener) string {
	if l.Addr().Network() == "unix" {
		return "unix:" + l.Addr().String()
	}
	host, _, _ := net.SplitHostPort(o.addr)            // valid, because the server listens on it
	_, port, _ := net.SplitHostPort(l.Addr().String()) // the same
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return o.scheme() + "://" + net.JoinHostPort(host, port) + "/"
}

// announce prints the addresses of the server, and who may use it. It returns the addresses for the status,
// without the folder of a socket.
func (o serveOptions) announce(cmd *cobra.Command, a admission, path string, listeners []net.Listener) (addresses []string) {
	out := namedWriter{cmd.OutOrStdout(), naming(cmd)}
	for _, l := range listeners {
		where := o.scheme() + "://" + l.Addr().String()
		if l.Addr().Network() == "unix" {
			where = "unix:" + l.Addr().String() + ", " + o.scheme()
			addresses = append(addresses, "unix:"+filepath.Base(l.Addr().String()))
		} else {
			addresses = append(addresses, where)
		}
		fmt.Fprintf(out, "Daybook serves %s on %s\n", path, where)
	}
	switch {
	case a.openToAll:
		fmt.Fprintln(out, "Everyone who reaches this address may read and write: --no-auth is given.")
	case a.RequireToken:
		fmt.Fprintln(out, "Everyone with a token may use it; app token list shows the tokens.")
	default:
		fmt.Fprintln(out, "Only this machine can reach it. To let others use it with a token: app token create, then app serve --addr :8080")
	}
	return addresses
}
