package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/db/sqlite"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/internal/access"
	"daybook/internal/api"
	"daybook/internal/api/gate"
	"daybook/internal/backup"
	"daybook/internal/budget"
	"daybook/internal/imports"
	"daybook/internal/seed"
	"daybook/internal/spool"
	"daybook/internal/trading"
	"daybook/web"
)

// frozen is the time of every clock in these tests.
var frozen = time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)

// publishedHost is the Host that a client of the documented port sends.
const publishedHost = "localhost:8080"

// server is the whole interface with a new database of its own.
type server struct {
	url     string
	store   *sqlite.Store
	imports *imports.Service
	path    string // the path of the database file
	log     *bytes.Buffer
	page    fs.FS
	client  *http.Client
}

// serve starts a server that ends with the test.
func serve(t testing.TB) *server {
	t.Helper()
	s := open(t)
	s.listen(t, api.New(s.config()))
	return s
}

// migrated returns an empty database. It is made only once, because the migrations take most of the time
// to open a new file.
var migrated = sync.OnceValues(func() (content []byte, err error) {
	dir, err := os.MkdirTemp("", "daybook-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "app.db")
	if _, err := sqlite.Migrate(context.Background(), path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// open opens a server's database. The server does not listen yet.
func open(t testing.TB) *server {
	t.Helper()
	return openAt(t, func() time.Time { return frozen })
}

// openAt is like open, with another clock for the database.
func openAt(t testing.TB, now func() time.Time) *server {
	t.Helper()
	s := &server{path: filepath.Join(t.TempDir(), "app.db"), log: &bytes.Buffer{}, page: builtPage(t)}
	empty, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path, empty, 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), s.path, now)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	s.store, s.imports = store, imports.New(spool.Beside(s.path), store)
	t.Cleanup(func() {
		s.imports.Close()
		_ = store.Close() // a test may have closed it already
	})
	return s
}

// littleDemo returns the options for a small demo database, which is fast to make.
func littleDemo() seed.Options {
	return seed.Options{AsOf: frozen, Trades: 40, Departments: 2, Accounts: 5, Years: 1}
}

// ended is closed, so that streams, which have no end by themselves, end at once.
var ended = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (s *server) config() api.Config {
	return api.Config{
		Config:   gate.Config{Authenticator: access.NewAuthenticator(s.store, func() time.Time { return frozen })},
		Book:     trading.NewBook(s.store),
		Ledger:   budget.NewLedger(s.store, func() time.Time { return frozen }),
		Journal:  s.store,
		Batches:  s.store,
		Backups:  s.backups(),
		Database: s.store,
		Exporter: s.store,
		Imports:  s.imports,
		Maps:     s.store,
		Spool:    spool.Beside(s.path),
		Page:     web.NewPage(s.page),
		Demo:     littleDemo,
		Ending:   ended,
		Version:  "test",
		Log:      slog.New(slog.NewTextHandler(s.log, nil)),

		Atomically: s.store.Atomically,
	}
}

// backups returns a keeper of backups in the folder of the database.
func (s *server) backups() *backup.Keeper {
	return backup.NewKeeper(backup.Config{
		Database: s.path,
		Dir:      filepath.Dir(s.path),
		Take: func(ctx context.Context, file string, now time.Time) (backup.Manifest, error) {
			return sqlitebackup.Backup(ctx, s.path, file, "test", now)
		},
		Lineages: func(ctx context.Context, of []backup.Manifest) ([]backup.Lineage, error) {
			return sqlitebackup.Lineages(ctx, s.path, of)
		},
		Now:   func() time.Time { return frozen },
		After: time.After,
		Log:   slog.New(slog.DiscardHandler),
	})
}

func (s *server) listen(t testing.TB, h http.Handler) {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(server.Close)
	s.url = server.URL
	s.client = server.Client()
	s.client.Timeout = patience
	s.client.Transport.(*http.Transport).MaxIdleConnsPerHost = 64
	s.client.Transport.(*http.Transport).DisableCompression = true // so that the tests see the bytes that the server sent
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
}

// request is what a client sends. A body is sent as JSON unless the header has another Content-Type.
// With an empty Content-Type the header is left out, as curl does.
type request struct {
	method, target string
	header         http.Header
	body           []byte // nil for none
}

// answer is what the server sent back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// exchange is one request and its answer.
type exchange struct {
	request
	answer
}

// do sends a request.
func (s *server) do(t testing.TB, r request) answer {
	t.Helper()
	got, err := s.try(t, r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.method, r.target, err)
	}
	return got
}

// try sends a request. It may be called from any goroutine.
func (s *server) try(t testing.TB, r request) (answer, error) {
	response, err := s.client.Do(s.prepare(t, r))
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, body}, err
}

func (s *server) prepare(t testing.TB, r request) *http.Request {
	t.Helper()
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	q, err := http.NewRequestWithContext(t.Context(), r.method, s.url+r.target, body)
	if err != nil {
		t.Fatalf("%s %s: %v", r.method, r.target, err)
	}
	q.Host = publishedHost
	if r.body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(q.Header, r.header)
	if host := r.header.Get("Host"); host != "" {
		q.Host = host
	}
	if q.Header.Get("Content-Type") == "" {
		q.Header.Del("Content-Type")
	}
	return q
}

// send sends a request, with a body unless that is "". The answer must have the status want. send
// returns its body.
func (s *server) send(t testing.TB, method, target, body string, want int) string {
	t.Helper()
	r := request{method: method, target: target}
	if body != "" {
		r.body = []byte(body)
	}
	got := s.do(t, r)
	if got.status != want {
		t.Fatalf("%s %s %s: got %d %s, want %d", method, target, body, got.status, got.body, want)
	}
	return string(got.body)
}

func (s *server) get(t testing.TB, target string) string {
	t.Helper()
	return s.send(t, http.MethodGet, target, "", http.StatusOK)
}

// create posts a record and returns its id.
func (s *server) create(t testing.TB, target, body string) int64 {
	t.Helper()
	created := read[struct{ ID int64 }](t, s.send(t, http.MethodPost, target, body, http.StatusCreated))
	return created.ID
}

// read decodes an answer. T has json.Number where numbers must be exact.
func read[T any](t testing.TB, body string) T {
	t.Helper()
	var v T
	if err := json.NewDecoder(strings.NewReader(body)).Decode(&v); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return v
}

// object returns the fields of a request as JSON.
func object(t testing.TB, fields map[string]any) string {
	t.Helper()
	body, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
