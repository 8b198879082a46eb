package main

import (
	"context"
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
	"daybook/internal/disk"
	"daybook/internal/server"
	"daybook/internal/trading"
	"daybook/web"
)

func serveCommand() *cobra.Command {
	o := serveOptions{limits: server.DefaultLimits()}
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Serve the interfaces over HTTP",
		Long: `Serve migrates the database and serves both interfaces until SIGINT or SIGTERM.

It listens on the loopback addresses of this machine only, and asks for no
credential there. On any other address it asks for a token (app token create).`,
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
	backupEvery     string
	backupSignKey   string
}

func (o *serveOptions) declare(flags *pflag.FlagSet) {
	flags.StringVar(&o.addr, "addr", "localhost:8080", "the `host:port` to listen on, localhost is 127.0.0.1 and ::1; or unix:/path")
	flags.BoolVar(&o.requireToken, "require-token", false, "ask for a token on a loopback address too")
	flags.BoolVar(&o.noAuth, "no-auth", false, "serve an address that others can reach without asking who they are")
	flags.StringSliceVar(&o.allowHosts, "allow-host", nil, "one more host `name` to answer to, besides localhost, addresses and this machine's own (repeatable); where a token is asked for, or with --no-auth, every name without a dot is answered to")
	flags.StringSliceVar(&o.corsOrigins, "cors-origin", nil, "the `origin` of a web page that may use the interface, like https://reports.example.com (repeatable)")
	flags.StringSliceVar(&o.trustedProxies, "trusted-proxy", nil, "the `address` or network of a proxy whose X-Forwarded-For and -Proto are believed, or unix (repeatable)")
	flags.StringVar(&o.tlsCert, "tls-cert", "", "the `file` of the certificate to serve HTTPS with; followed when it changes")
	flags.StringVar(&o.tlsKey, "tls-key", "", "the `file` of its key")
	flags.IntVar(&o.limits.Connections, "max-conns", o.limits.Connections, "how many connections are served at once; for one more the one idle longest is closed")
	flags.StringVar(&o.backupDir, "backup-dir", "", "the `folder` that backups are kept in (default: that of the database)")
	flags.StringVar(&o.backupEvery, "backup-every", "", "the `time` from one backup to the next, like 24h or 7d; of these the newest of 7 days, 4 weeks and 12 months are kept, and the last of each branch that a restore gave up (default: only those that are asked for)")
	declareSignKey(flags, &o.backupSignKey)
}

// serve serves until a signal, and opens the page as soon as it is there.
func (o serveOptions) serve(cmd *cobra.Command, open opener) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	outliveReaders()
	return o.run(ctx, cmd, open)
}

// outliveReaders lets the process go on where nobody reads what it prints any more: writing
// to such a pipe fails, instead of ending the process. Programs that it starts, like a browser,
// inherit nothing of that, as they would of a signal that is ignored.
func outliveReaders() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// door is who may come in, as the flags say it.
type door struct {
	requireToken, openToAll bool
	shortHosts              bool // a Host name without a dot is answered to
	origins                 api.Origins
	proxies                 api.Proxies
}

// door reads and checks what the flags say.
func (o serveOptions) door() (d door, err error) {
	reachable, err := o.reachable()
	switch {
	case err != nil:
		return d, err
	case o.limits.Connections < 1:
		return d, fmt.Errorf("--max-conns must be at least 1, not %d", o.limits.Connections)
	case o.requireToken && o.noAuth:
		return d, errors.New("--require-token and --no-auth say the opposite of each other")
	}
	d.requireToken = o.requireToken || reachable && !o.noAuth
	d.openToAll = reachable && o.noAuth
	d.shortHosts = d.requireToken || o.noAuth // contract, "Access"
	if err := api.CheckHosts(o.allowHosts); err != nil {
		return d, fmt.Errorf("--allow-host: %w", err)
	}
	if d.origins, err = api.ParseOrigins(o.corsOrigins); err != nil {
		return d, fmt.Errorf("--cors-origin: %w", err)
	}
	if d.proxies, err = api.ParseProxies(o.trustedProxies); err != nil {
		return d, fmt.Errorf("--trusted-proxy: %w", err)
	}
	return d, nil
}

// reachable reports whether others than this machine's own can reach the address. A
// unix socket counts as such: what listens behind it is most often a proxy.
func (o serveOptions) reachable() (bool, error) {
	if _, is := server.SocketPath(o.addr); is {
		return true, nil
	}
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return false, fmt.Errorf("--addr %s is neither host:port nor unix:/path", o.addr)
	}
	return host != "localhost" && !net.ParseIP(host).IsLoopback(), nil
}

func (o serveOptions) run(ctx context.Context, cmd *cobra.Command, open opener) (err error) {
	starting := true
	defer func() {
		if starting && ctx.Err() != nil {
			err = nil // a signal broke the start off, and nothing was served
		}
	}()
	d, err := o.door()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	pair, err := o.loadPair(log)
	if err != nil {
		return err
	}
	path := database(cmd)
	if _, err := os.Stat(path); d.requireToken && errors.Is(err, fs.ErrNotExist) {
		return o.noKey(path) // before there is a file
	}
	guarded, err := sqlite.Guard(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, guarded.Release()) }()
	store, err := guarded.Open(ctx, time.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	keys := access.NewKeyring(store, time.Now)
	defer keys.Wait()
	if err := o.checkKeys(ctx, d, keys, path); err != nil {
		return err
	}
	backups, err := o.backups(path, store, log)
	if err != nil {
		return err
	}
	if err := warnOfExposed(log, path, backups.Status().Dir); err != nil {
		return err
	}
	o.warnOfSocketFolder(log)
	listeners, err := server.Listen(ctx, o.addr)
	if err != nil {
		return err
	}
	addresses := o.announce(cmd, d, path, listeners)
	address := o.address(listeners[0])
	if err := guarded.Announce(address); err != nil {
		log.Warn("other processes will not find this server", "err", err)
	}
	show(ctx, open, address)
	ctx, end := context.WithCancel(ctx)
	var scheduled sync.WaitGroup
	defer func() { end(); scheduled.Wait() }() // before the store is closed
	scheduled.Go(func() { backups.Run(ctx) })
	heads := headLog{journal: store, log: log, now: time.Now, after: time.After}
	scheduled.Go(func() { heads.run(ctx) })
	o.limits.Connections = affordable(log, o.limits.Connections)
	serving := server.Server{Limits: o.limits, Pair: pair, Proxies: d.proxies.Contain, Log: log}
	serving.Handler = api.New(api.Config{
		Book:           trading.NewBook(store),
		Ledger:         budget.NewLedger(store, time.Now),
		Atomically:     store.Atomically,
		Journal:        store,
		Keys:           keys,
		Backups:        backups,
		Database:       store,
		Page:           web.Files(),
		Log:            log,
		Version:        version,
		Addresses:      addresses,
		Connections:    serving.Connections,
		Patience:       serving.Patience,
		Ending:         ctx.Done(),
		RequireToken:   d.requireToken,
		OpenToAll:      d.openToAll,
		AllowHosts:     o.allowHosts,
		ShortHosts:     d.shortHosts,
		Origins:        d.origins,
		TrustedProxies: d.proxies,
	})
	go boundGarbage(ctx)
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set
		debug.SetMemoryLimit(memoryLimit)
	}
	starting = false
	if err := serving.Serve(ctx, listeners); err != nil {
		return err
	}
	heads.write(context.WithoutCancel(ctx)) // nothing is written any more
	return nil
}

// memoryLimit is the number of bytes that Go tries to stay below. boundGarbage looks once a second,
// which is too late when many large bodies and answers come at once.
const memoryLimit = 336 << 20

// affordable is how many connections of --max-conns are served, and logs when these are fewer.
func affordable(log *slog.Logger, connections int) int {
	served := server.Affordable(connections)
	if served < connections {
		log.Warn("fewer connections than --max-conns are served, because this process may open too few files; raise its limit (ulimit -n, LimitNOFILE of systemd) or lower --max-conns", "max_conns", connections, "served", served)
	}
	return served
}

// checkKeys refuses to ask for tokens that nobody has.
func (o serveOptions) checkKeys(ctx context.Context, d door, keys *access.Keyring, path string) error {
	if !d.requireToken {
		return nil
	}
	good, err := keys.AnyGood(ctx)
	if err != nil || good {
		return err
	}
	return o.noKey(path)
}

func (o serveOptions) noKey(path string) error {
	return fmt.Errorf("--addr %s asks for tokens, and there is none that is good; make one with `app token create --db %s --name me --scope admin`, or let everyone in with --no-auth", o.addr, path)
}

// backups keeps the backups of the open database in the folder of --backup-dir. A link on the
// way to the database may lead elsewhere later: that moves neither them nor what they are of.
func (o serveOptions) backups(path string, store *sqlite.Store, log *slog.Logger) (*backup.Keeper, error) {
	var every time.Duration
	if o.backupEvery != "" {
		var err error
		if every, err = parseSpan(o.backupEvery); err == nil && every < time.Minute {
			err = fmt.Errorf("must be at least 1m, not %s", every)
		}
		if err != nil {
			return nil, fmt.Errorf("--backup-every %w", err)
		}
	}
	dir := o.backupDir
	if dir == "" {
		beside, err := filepath.Abs(filepath.Dir(path))
		if err == nil {
			dir, err = disk.Resolve(beside)
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
	key, err := privateKey(o.backupSignKey)
	if err != nil {
		return nil, err
	}
	return backup.NewKeeper(backup.Config{
		Database: path, Dir: dir, Every: every, Now: time.Now, After: time.After, Log: log,
		Take: func(ctx context.Context, to string, now time.Time) (backup.Manifest, error) {
			return store.Backup(backup.Signed(ctx, key), to, version, now)
		},
		Standings: store.Standings,
		Holds:     sqlite.Holds,
	}), nil
}

// loadPair is the certificate to serve with, nil when none is named.
func (o serveOptions) loadPair(log *slog.Logger) (*server.Pair, error) {
	switch {
	case o.tlsCert == "" && o.tlsKey == "":
		return nil, nil
	case o.tlsKey == "":
		return nil, errors.New("--tls-cert needs --tls-key, the key of the certificate")
	case o.tlsCert == "":
		return nil, errors.New("--tls-key needs --tls-cert, the certificate of the key")
	}
	return server.LoadPair(o.tlsCert, o.tlsKey, log)
}

// scheme is how the server is spoken to.
func (o serveOptions) scheme() string {
	if o.tlsCert != "" {
		return "https"
	}
	return "http"
}

// address is where a browser on this machine finds the page, as the flags name it; for a
// socket, which no browser opens, as unix:/path.
func (o serveOptions) address(l net.Listener) string {
	if l.Addr().Network() == "unix" {
		return "unix:" + l.Addr().String()
	}
	host, _, _ := net.SplitHostPort(o.addr)            // it is listened on
	_, port, _ := net.SplitHostPort(l.Addr().String()) // the same
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return o.scheme() + "://" + net.JoinHostPort(host, port) + "/"
}

// announce prints where the server really listens, and how to open it to others. It
// returns the addresses as the status tells them, without the folder of a socket.
func (o serveOptions) announce(cmd *cobra.Command, d door, path string, listeners []net.Listener) (addresses []string) {
	out := cmd.OutOrStdout()
	for _, l := range listeners {
		where := o.scheme() + "://" + l.Addr().String()
		if l.Addr().Network() == "unix" {
			where = "unix:" + l.Addr().String() + ", " + o.scheme()
			addresses = append(addresses, "unix:"+filepath.Base(l.Addr().String())+", "+o.scheme())
		} else {
			addresses = append(addresses, where)
		}
		fmt.Fprintf(out, "Daybook serves %s on %s\n", path, where)
	}
	switch {
	case d.openToAll:
		fmt.Fprintln(out, "Everyone who reaches this address may read and write: --no-auth is given.")
	case d.requireToken:
		fmt.Fprintln(out, "Whoever has a token may come in; app token list shows them.")
	default:
		fmt.Fprintln(out, "Only this machine can reach it. To let others in, by token: app token create, then serve with --addr :8080")
	}
	return addresses
}
