package soak_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// client sends requests to one server.
type client struct {
	base string
	http *http.Client
}

// newClient returns a client that waits at most patience for an answer. It opens as many connections
// as it needs, so no request waits for the connection of another.
func newClient(base string) *client {
	return &client{base: base, http: &http.Client{
		Timeout:   patience,
		Transport: &http.Transport{MaxIdleConnsPerHost: 256},
	}}
}

// answer is what a server sent back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// code is the machine code of an error response.
func (a answer) code() string {
	var errorBody struct{ Code string }
	if json.Unmarshal(a.body, &errorBody) != nil {
		return ""
	}
	return errorBody.Code
}

// pingTime is how long /health and /ready wait for the database before they answer with 503.
const pingTime = time.Second

// do sends a request, with a body and an Idempotency-Key unless they are "". It returns an error when
// no complete answer came. The short form runs beside other tests, which can make the database too
// slow for /health and /ready. Then do asks again.
func (c *client) do(ctx context.Context, method, target, body, key string) (answer, error) {
	for first := time.Now(); ; {
		began := time.Now()
		got, err := c.try(ctx, method, target, body, key)
		probe := target == "/health" || target == "/ready"
		late := probe && got.status == http.StatusServiceUnavailable && time.Since(began) >= pingTime
		if *soak || !late || time.Since(first) >= patience {
			return got, err
		}
	}
}

// try sends the request of do once.
func (c *client) try(ctx context.Context, method, target, body, key string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+target, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	request.GetBody = nil // otherwise the transport could send the request twice
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, read}, err
}

// get reads a target, which must answer with 200.
func (c *client) get(t *testing.T, target string) []byte {
	t.Helper()
	return c.send(t, http.MethodGet, target, "", http.StatusOK)
}

// send sends a request, which must be answered with the status want.
func (c *client) send(t *testing.T, method, target, body string, want int) []byte {
	t.Helper()
	got, err := c.do(t.Context(), method, target, body, "")
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	if got.status != want {
		t.Fatalf("%s %s %s: got %d %s, want %d", method, target, body, got.status, got.body, want)
	}
	return got.body
}

// page is a page of one of the lists that have pages.
type page[T any] struct {
	Items []T
	Next  *int64
}

// all reads every page of a list. The target must have a "?" already.
func all[T any](t *testing.T, c *client, target string) []T {
	t.Helper()
	var items []T
	for after := int64(0); ; {
		p := decoded[page[T]](t, c.get(t, fmt.Sprintf("%s&limit=1000&after=%d", target, after)))
		items = append(items, p.Items...)
		if p.Next == nil {
			return items
		}
		after = *p.Next
	}
}

// decoded reads a body of JSON.
func decoded[T any](t *testing.T, body []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return v
}
