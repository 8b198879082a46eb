// Package api serves the interface over HTTP, as openapi.yaml describes it, from a Book and a
// Ledger.
//
// It owns every route, the form of every request and response, and every status code. It must
// not know SQL, nor which database there is. Who may use the interface is decided by package
// gate.
package api

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"daybook/internal/api/gate"
	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/imports"
	"daybook/internal/journal"
	"daybook/internal/mapping"
	"daybook/internal/metrics"
	"daybook/internal/seed"
	"daybook/internal/spool"
	"daybook/internal/trading"
)

// Database is what health and status report about the database.
type Database interface {
	// Ping reads on a connection of its own. It fails if the file is not the one that was opened;
	// then writes fail too. Unavailable.
	Ping(ctx context.Context) error
	// Ready is Ping, and fails if writes would fail, or have failed for a while. Unavailable, with
	// the reason.
	Ready(ctx context.Context) error
	// Connections counts the connections to the file.
	Connections() (open, inUse, idle int)
	// SchemaVersion is the number of the newest migration.
	SchemaVersion() int64
	// File returns the name of the file without its folder, and the bytes of the file and of its
	// write-ahead log.
	File() (name string, size, log int64)
	// Checkpoints counts the checkpoints that copied the whole write-ahead log, those that failed,
	// and those after which readers kept the log from restarting.
	Checkpoints() (done, failed, heldUp int64)
	// Free is how many bytes are free on the disk of the file, -1 if that is not known.
	Free() int64
	// Writing counts what the writer does.
	Writing() *metrics.Writer
}

// Config is what the API needs, and who may use it.
type Config struct {
	gate.Config

	Book     *trading.Book
	Ledger   *budget.Ledger
	Journal  journal.Store
	Batches  batch.Store
	Backups  Backups
	Database Database
	Exporter exchange.Exporter
	Imports  *imports.Service
	Maps     mapping.Store // by which files are read
	Spool    spool.Folder  // for files that end with their request
	Page     Page          // nil for none
	Log      *slog.Logger
	// AccessLog: each request is logged when it ends.
	AccessLog bool
	Version   string              // of the program
	Demo      func() seed.Options // of demo data; nil for the default as of today

	Atomically seed.Atomically // loads demo data through Book and Ledger in one transaction

	Addresses   []string        // where the server listens
	Warnings    []string        // what the operator should know about the database
	Connections func() int      // counts the connections of clients; nil if they are not counted
	Places      int             // the connections that the server allows, which bound the requests that wait; 0 for 2048
	Ending      <-chan struct{} // closed when the server begins to shut down; streams end then
	OpenToAll   bool            // everyone who reaches the address may do everything; the page says so

	Named func(sentence string) string // makes a sentence call the program as its operator does; nil if that is app

	BodyTime time.Duration // how long a body may take to arrive, 0 for 15 s
	MostHeld int64         // bytes that the large bodies of one client may hold, and its large responses; all clients together twice as many; 0 for 64 MiB
}

// api is one running interface.
type api struct {
	Config
	started time.Time
	gate    *gate.Gate
	reads   reads
	pings   singleflight.Group
	reports *gate.Slots // for reports
	pages   *gate.Slots // for pages of the journal, which are long but no reports
	lists   *gate.Slots // for short reads of lists
	bulks   *gate.Slots // for many rows that are checked and stored
	watch   *watch
	metrics *metrics.Metrics

	unavailable rate.Sometimes // limits log entries that clients can cause without end

	receiving chan struct{} // holds one for each body with many rows that arrives
	bodies    *gate.Bytes   // of large bodies that are arriving
	responses *gate.Bytes   // of large responses that are being sent
	files     *gate.Bytes   // of exports that are being made and sent, on the disk
}

// New returns the handler of every path.
func New(c Config) http.Handler {
	a := &api{Config: c, started: time.Now(), gate: gate.New(c.Config), watch: newWatch(c.Journal, cmp.Or(c.Places, places)/8), reports: gate.NewSlots(reportsAtOnce), pages: gate.NewSlots(reportsAtOnce), lists: gate.NewSlots(listsAtOnce()), bulks: gate.NewSlots(1), receiving: make(chan struct{}, mostReceived)}
	a.unavailable = rate.Sometimes{First: 10, Interval: 6 * time.Second}
	a.BodyTime = cmp.Or(a.BodyTime, longestBody)
	a.Places = cmp.Or(a.Places, places)
	if a.Named == nil {
		a.Named = func(sentence string) string { return sentence }
	}
	a.MostHeld = cmp.Or(a.MostHeld, mostHeld)
	a.bodies = gate.NewBytes(2*a.MostHeld, a.MostHeld, "too many large bodies arrive at once; try again")
	a.responses = gate.NewBytes(2*a.MostHeld, a.MostHeld, "the large answers that clients are still reading fill the memory for answers; read them, or try again")
	a.files = gate.NewBytes(2*mostExported, mostExported, "the files that clients are still reading fill the room for files; read them, or try again")
	if a.Demo == nil {
		a.Demo = func() seed.Options { return seed.Defaults(time.Now()) }
	}
	a.metrics = metrics.New(a.Version, a.Database.Writing(), a.state)
	gin.SetMode(gin.ReleaseMode)
	a.reads = readsAmong(a.routes())
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.ForwardedByClientIP = false
	engine.Use(a.count)
	for _, r := range a.routes() {
		engine.Handle(r.method, r.path, a.serve(r.needs, r.handle))
		if r.method == http.MethodGet {
			engine.Handle(http.MethodHead, r.path, a.serve(r.needs, r.handle))
		}
	}
	engine.NoRoute(a.serve(gate.Anyone, noPath))
	engine.NoMethod(a.serve(gate.Anyone, func(c *request) error {
		return fault.New(methodNotAllowed, "this path serves %s, not %s", c.Writer.Header().Get("Allow"), c.Request.Method)
	}))
	return respelled(engine)
}

// enter checks where a request comes from. HostNotAllowed, Forbidden.
func (a *api) enter(c *request) error {
	gate.SetHeaders(c.Writer.Header())
	if err := a.gate.CheckHost(c.Request); err != nil {
		return err
	}
	if !a.reads.have(c) {
		if err := a.gate.CheckWrite(c.Request); err != nil {
			return err
		}
	}
	if a.reads.ofRecords(c) {
		if err := a.gate.CheckRead(c.Request); err != nil {
			return err
		}
	}
	if preflight := a.gate.Share(c.Writer.Header(), c.Request); preflight {
		c.Abort()
		return write(c, http.StatusOK, struct{}{})
	}
	return nil
}

// noPath is the error of a path that does not exist. NotFound.
func noPath(c *request) error {
	return fault.New(fault.NotFound, "there is no path %s", c.Request.URL.Path)
}

// respelled serves all spellings of a path alike, without a redirect.
func respelled(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := canonicalPath(r.URL)
		if path == "" && r.Method != http.MethodConnect {
			path = "/" // RFC 9110, section 4.2.3
		}
		if path != r.URL.Path {
			spelled := *r.URL
			spelled.Path, spelled.RawPath = path, ""
			r = r.Clone(r.Context())
			r.URL = &spelled
		}
		next.ServeHTTP(w, r)
	})
}

// canonicalPath is the decoded path without repeated slashes and without a slash at its end.
// Slashes that are sent as %2F do not count as repeated, and "." and ".." are ordinary names.
func canonicalPath(u *url.URL) string {
	path := u.Path
	if sent := u.EscapedPath(); strings.Contains(sent, "//") {
		if once, err := url.PathUnescape(repeatedSlashes.ReplaceAllString(sent, "/")); err == nil {
			path = once
		}
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

var repeatedSlashes = regexp.MustCompile(`//+`)

// respondError responds with an error, or with the answer that a key had before. If the response has begun already, it closes the
// connection, so that no client takes half a response for a whole one.
func (a *api) respondError(c *request, err error) {
	if replayed, ok := errors.AsType[*idempotency.AnsweredError](err); ok {
		c.Header(replayedHeader, "true")
		writeBytes(c, replayed.Answer.Status, "application/json", replayed.Answer.Body)
		return
	}
	response, body := errorResponseOf(err)
	body.Error = a.Named(body.Error)
	// A client that has gone is not a fault.
	gone := c.Request.Context().Err() != nil && (fault.KindOf(err) == fault.Unavailable || errors.Is(err, context.Canceled))
	if response.status >= http.StatusInternalServerError && !gone {
		a.logFailed(c, err)
	}
	if c.Writer.Written() {
		panic(http.ErrAbortHandler)
	}
	if fault.KindOf(err) == fault.Unavailable { // after OutcomeUnknown a blind retry could store twice
		c.Header("Retry-After", "1")
	}
	if err := write(c, response.status, body); err != nil {
		a.Log.Error("an error could not be written", "err", err)
		writeBytes(c, http.StatusInternalServerError, "application/json", []byte(`{"error":"the server made a mistake","code":"internal"}`))
	}
}

// logFailed logs why a request failed. Clients can cause Unavailable without end, so the first ten
// of these are logged, and then one every six seconds.
func (a *api) logFailed(c *request, err error) {
	log := func() {
		a.Log.Error("request failed", "request", c.Writer.Header().Get("X-Request-Id"), "method", c.Request.Method, "path", c.Request.URL.Path, "err", err)
	}
	if fault.KindOf(err) == fault.Unavailable {
		a.unavailable.Do(log)
		return
	}
	log()
}
