// Package api speaks HTTP: it serves the two interface documents, and what the
// contract adds to them, from a Book and a Ledger.
//
// It owns every request and response shape and every status code, and knows neither
// SQL nor which database there is.
package api

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"daybook/internal/access"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/seed"
	"daybook/internal/trading"
)

// Database is what health and status report about the database.
type Database interface {
	// Ping reads, on a connection of its own, and fails where the database is not what it
	// was when it was opened: then no write is taken either. Unavailable.
	Ping(ctx context.Context) error
	// Ready is Ping, and fails where writes have failed for a while or would.
	// Unavailable, with a message that says why.
	Ready(ctx context.Context) error
	// Connections counts the connections to the file.
	Connections() (open, inUse, idle int)
	// SchemaVersion is the number of the newest migration.
	SchemaVersion() int64
	// File tells the name of the file, without its folder, its size and that of its
	// write-ahead log in bytes.
	File() (name string, size, log int64)
	// Checkpoints counts the times the write-ahead log was copied into the database
	// whole, the times that failed, and the times that readers prevented a restart of the log.
	Checkpoints() (done, failed, heldUp int64)
}

// Config is what the API needs, and who may use it.
type Config struct {
	Book     *trading.Book
	Ledger   *budget.Ledger
	Journal  journal.Store
	Keys     *access.Keyring
	Backups  Backups
	Database Database
	Page     fs.FS // the files of the page, each as NAME.gz; nil where it was not built
	Log      *slog.Logger
	Version  string              // of the program
	Demo     func() seed.Options // of demo data; nil for the usual, of today

	Atomically seed.Atomically // loads demo data through Book and Ledger in one transaction

	Addresses   []string        // where the server listens
	Connections func() int      // counts those of clients; nil where nobody counts
	Ending      <-chan struct{} // closed when the server is to end; what has no end by itself ends then

	RequireToken   bool     // who has none is refused
	OpenToAll      bool     // whoever reaches the address may do everything, and the page says so
	AllowHosts     []string // Host names to answer to besides those that cannot be rebound
	ShortHosts     bool     // any name without a dot is answered to as well
	Origins        Origins
	TrustedProxies Proxies
	BodyTime       time.Duration                           // how long a body may take to arrive, 0 for 15 s
	Patience       func(whole time.Duration) time.Duration // how much of that time there is now, where many are connected; nil for all of it
	MostHeld       int64                                   // bytes of all large bodies, and of all large answers; 0 for 64 MiB
}

// api is one running interface.
type api struct {
	Config
	started time.Time
	guesses *guesses
	reads   reads
	pings   singleflight.Group
	reports *turns // places for those that are read at once
	pages   *turns // the same of pages of the journal, which are long and no reports
	lists   *turns // places for short reads of lists
	watch   *watch

	unavailable rate.Sometimes // logs what a client can cause as often as it likes

	files      sync.Map // of the page, by name, each once it was asked for
	bodyRoom   *room    // for bodies that arrive
	answerRoom *room    // for answers that are not taken yet
}

// servingKey is the key of the api that serves a request in its context.
type servingKey struct{}

func serving(c *gin.Context) *api {
	a, _ := c.Request.Context().Value(servingKey{}).(*api) // each request has it
	return a
}

// New returns the handler of every path.
func New(c Config) http.Handler {
	a := &api{Config: c, started: time.Now(), guesses: newGuesses(time.Now), watch: newWatch(c.Journal), reports: newTurns(reportsAtOnce), pages: newTurns(reportsAtOnce), lists: newTurns(listsAtOnce())}
	a.unavailable = rate.Sometimes{First: 10, Interval: 6 * time.Second}
	a.BodyTime = cmp.Or(a.BodyTime, longestBody)
	a.MostHeld = cmp.Or(a.MostHeld, mostHeld)
	if a.Patience == nil {
		a.Patience = func(whole time.Duration) time.Duration { return whole }
	}
	a.bodyRoom = newRoom(a.MostHeld, 0, "too many large bodies are arriving; try again")
	a.answerRoom = newRoom(a.MostHeld, answerPatience, "too many large answers wait to be taken; try again")
	if a.Page == nil {
		a.Page = embed.FS{}
	}
	if a.Demo == nil {
		a.Demo = func() seed.Options { return seed.Defaults(time.Now()) }
	}
	gin.SetMode(gin.ReleaseMode)
	a.reads = readsAmong(a.routes())
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.ForwardedByClientIP = false
	for _, h := range []handle{a.identify, guardHeaders, newGuard(c.AllowHosts, c.ShortHosts, c.Origins, a.reads).check, c.Origins.share, a.checkKey} {
		engine.Use(a.answer(h))
	}
	for _, r := range a.routes() {
		engine.Handle(r.method, r.path, a.answer(a.admit(r.needs)), a.answer(r.handle))
		if r.method == http.MethodGet {
			engine.Handle(http.MethodHead, r.path, a.answer(a.admit(r.needs)), a.answer(r.handle))
		}
	}
	engine.NoRoute(a.answer(noPath))
	engine.NoMethod(a.answer(func(c *gin.Context) error {
		return fault.New(fault.MethodNotAllowed, "this path serves %s, not %s", c.Writer.Header().Get("Allow"), c.Request.Method)
	}))
	return a.bodies(respelled(engine))
}

// noPath is the answer of a path that nothing is at. NotFound.
func noPath(c *gin.Context) error {
	return fault.New(fault.NotFound, "there is no path %s", c.Request.URL.Path)
}

// respelled serves the spellings of a path as one, without redirect.
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

// canonicalPath is the decoded path with repeated slashes taken for one, and without the
// slash at its end. Slashes that are sent as %2F are not repeated ones, and "." and ".."
// are names like any other.
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

// handle does a request and writes its answer, or returns a fault and writes nothing.
type handle func(*gin.Context) error

// answer is the one way out: it turns what a handle returns, or panics with, into a
// response.
func (a *api) answer(h handle) gin.HandlerFunc {
	return func(c *gin.Context) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p) // net/http cuts the connection
			}
			a.refuse(c, fault.Wrap(fault.Internal, errors.New(string(debug.Stack())), "panic: %v", p))
		}()
		err := h(c)
		if replayed, ok := errors.AsType[*idempotency.AnsweredError](err); ok {
			c.Header(replayedHeader, "true")
			writeBytes(c, replayed.Answer.Status, "application/json", replayed.Answer.Body)
		} else if err != nil {
			a.refuse(c, err)
		}
	}
}

// refuse answers with a fault. A response that has begun cannot be taken back: its
// connection is cut, so that no client takes half an answer for a whole one.
func (a *api) refuse(c *gin.Context, err error) {
	answer, body := refusalOf(err)
	gone := fault.KindOf(err) == fault.Unavailable && c.Request.Context().Err() != nil // what a client gave up is nobody's fault
	if answer.status >= http.StatusInternalServerError && !gone {
		a.logFailed(c, err)
	}
	if c.Writer.Written() {
		panic(http.ErrAbortHandler)
	}
	if fault.KindOf(err) == fault.Unavailable { // after outcome_unknown a blind retry could store twice
		c.Header("Retry-After", "1")
	}
	c.Abort()
	if err := write(c, answer.status, body); err != nil {
		a.Log.Error("an error could not be written", "err", err)
		writeBytes(c, http.StatusInternalServerError, "application/json", []byte(`{"error":"the server made a mistake","code":"internal"}`))
	}
}

// logFailed logs why a request failed. Clients can be refused as Unavailable without end,
// so of those refusals the first ten are logged, and then one in six seconds.
func (a *api) logFailed(c *gin.Context, err error) {
	log := func() {
		a.Log.Error("request failed", "request", c.Writer.Header().Get("X-Request-Id"), "method", c.Request.Method, "path", c.Request.URL.Path, "err", err)
	}
	if fault.KindOf(err) == fault.Unavailable {
		a.unavailable.Do(log)
		return
	}
	log()
}
