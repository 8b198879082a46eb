package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/access"
	"daybook/internal/api"
)

// barrier is a clock that can stop the writer of a database inside a transaction. A transaction reads
// the clock after it has begun; while the barrier is shut, that read does not return.
type barrier struct {
	mu      sync.Mutex
	shutter chan struct{} // nil while open
	arrived chan struct{} // closed when the writer waits at the barrier
}

func (b *barrier) now() time.Time {
	b.mu.Lock()
	shutter, arrived := b.shutter, b.arrived
	b.arrived = nil
	b.mu.Unlock()
	if shutter != nil {
		if arrived != nil {
			close(arrived)
		}
		<-shutter
	}
	return frozen
}

// shut shuts the barrier. The channel is closed when the writer waits at the barrier.
func (b *barrier) shut() (arrived <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shutter, b.arrived = make(chan struct{}), make(chan struct{})
	return b.arrived
}

func (b *barrier) open() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.shutter)
	b.shutter = nil
}

// TestReadsAreAnsweredWhileAWriteIsAtWork: every read is answered while the writer is stopped inside a
// transaction. As a control, the write of that transaction is not.
func TestReadsAreAnsweredWhileAWriteIsAtWork(t *testing.T) {
	var b barrier
	s := openAt(t, b.now)
	config := s.config()
	config.RequireToken = true
	secret, _, err := config.Authenticator.Create(t.Context(), "feed", access.Write, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.listen(t, api.New(config))
	bearer := with(secret)
	write := func(target, body string) (answer, error) {
		return s.try(t, request{method: http.MethodPost, target: target, header: bearer, body: []byte(body)})
	}
	if got, err := write("/api/v1/department/create", `{"code":"RD","name":"Research"}`); err != nil || got.status != http.StatusCreated {
		t.Fatalf("got %d %s, %v, want 201", got.status, got.body, err)
	}

	arrived := b.shut()
	open := sync.OnceFunc(b.open)
	defer open()
	written := make(chan error, 1)
	go func() {
		got, err := write("/currency/add", `{"code":"EUR"}`)
		if err == nil && got.status != http.StatusCreated {
			err = fmt.Errorf("got %d %s, want 201", got.status, got.body)
		}
		written <- err
	}()
	<-arrived
	queries := map[string]string{
		"/company/revenue/list": "?company_id=1", "/company/revenue/categories": "?company_id=1",
		"/api/v1/department": "?code=RD", "/api/v1/variance": "?year=2025&period=1", "/api/v1/variance/alerts": "?year=2025&period=1",
		"/api/v1/variance/summary": "?year=2025&period=1", "/api/v1/variance/trend": "?year=2025",
	}
	reads := 0
	for route := range api.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if method != http.MethodGet && path != "/trade/list" && path != "/positions/list" {
			continue
		}
		if path == "/ready" {
			continue // 503, because the channel Ending of this server is closed; the store's tests cover it
		}
		reads++
		path = strings.NewReplacer(":name", "index-Bq3wXk1T.js", ":id", "1").Replace(path)
		got := s.do(t, request{method: method, target: path + queries[path], header: bearer})
		unknown := got.status == http.StatusNotFound && strings.Contains(route, "/:") // there is no such record, which needs a read too
		if got.status != http.StatusOK && !unknown {
			t.Errorf("%s: got %d %s beside a write, want 200", route, got.status, got.body)
		}
	}
	if reads < 20 {
		t.Errorf("got %d reads, want at least 20", reads)
	}
	select {
	case err := <-written:
		t.Errorf("got the write answered (%v) while the writer is stopped, want it to wait", err)
	default:
	}
	open()
	if err := <-written; err != nil {
		t.Error(err)
	}
}
