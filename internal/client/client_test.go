// Package client_test makes the calls of the manual with a client that oapi-codegen
// generated from openapi.yaml, on a server that runs as a process of its own.
package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/client"
)

// TestManual makes each call of the manual twice: with the generated client, and with plain HTTP to a
// second server. Both must send the same request and get the same answer. The answer of the client is
// compared in the form of its types, so that a field that they lack is found.
func TestManual(t *testing.T) {
	generated, sent := connect(t, serve(t))
	twin := serve(t)
	todo, ofTwin := slices.Clone(calls), shownImport
	for _, command := range manualCommands(t) {
		shown := command.path
		command.path = strings.ReplaceAll(shown, shownImport, ofTwin)
		status, want, err := command.send(t.Context(), twin)
		if err != nil {
			t.Fatal(err)
		}
		if id := importAnswered.FindSubmatch(want); id != nil {
			ofTwin = string(id[1])
		}
		command.path = strings.ReplaceAll(shown, shownImport, imported)
		if slices.Contains(notTyped, command.method+" "+command.path) {
			continue
		}
		if len(todo) == 0 {
			t.Fatalf("curl %s: got no call with the client for it, want one", command.line)
		}
		answer, err := todo[0](t.Context(), generated)
		todo = todo[1:]
		if err != nil {
			t.Fatalf("curl %s: got %v from the client, want no error", command.line, err)
		}
		if diff := command.differs(sent.last); diff != "" {
			t.Fatalf("curl %s: the client sent %s", command.line, diff)
		}
		code, got, err := understood(answer)
		if err != nil {
			t.Fatalf("curl %s: %v", command.line, err)
		}
		if taken, is := answer.(*client.AddImportResponse); is {
			imported = taken.JSON201.Id
		}
		got = bytes.ReplaceAll(got, []byte(imported), []byte(ofTwin))
		if code != status || lasting(got) != lasting(want) {
			t.Errorf("curl %s:\nthe client got  %d %s\nplain HTTP got %d %s", command.line, code, got, status, want)
		}
	}
	if len(todo) > 0 {
		t.Errorf("got no command in the manual for the last %d calls, want one for each", len(todo))
	}
}

// shownImport is the id of an import in the manual. The real one differs in each run.
const shownImport = "K7QZ2M4XPB6TIVJ3NRW5C6YHDA"

var importAnswered = regexp.MustCompile(`^{"id":"([A-Z2-7]{26})"`)

// imported is the import of the client.
var imported = shownImport

// TestPages reads a list to its end: in the order of ids, where `next` is a number, and in other orders,
// where it is a text.
func TestPages(t *testing.T) {
	c, _ := connect(t, serve(t))
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.FixedZone("", 2*60*60))
	for _, price := range []float64{80, 1234567.1234567, 86, 0.00000001} {
		answer, err := c.AddTradeWithResponse(t.Context(), nil, trade(100, true, price, 5))
		if err != nil || answer.JSON201 == nil {
			t.Fatalf("got %v, %v", answer, err)
		}
	}
	for sort, want := range map[client.PageTradesParamsSort][]float64{
		client.PageTradesParamsSortId:         {80, 1234567.1234567, 86, 0.00000001},
		client.PageTradesParamsSortMinusId:    {0.00000001, 86, 1234567.1234567, 80},
		client.PageTradesParamsSortMinusPrice: {1234567.1234567, 86, 80, 0.00000001},
	} {
		var got []float64
		var after *client.Place
		for range want {
			page, err := c.PageTradesWithResponse(t.Context(), &client.PageTradesParams{Sort: &sort, From: &start, Limit: new(1), After: after})
			if err != nil || page.JSON200 == nil {
				t.Fatalf("got %v, %v", page, err)
			}
			got = append(got, page.JSON200.Items[0].Price)
			if after = page.JSON200.Next; after == nil {
				break
			}
		}
		if !slices.Equal(got, want) || after != nil {
			t.Errorf("%s: got %v, then %v, want %v and no next page", sort, got, after, want)
		}
	}
}

// recorder keeps the last request.
type recorder struct{ last *http.Request }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.last = request
	return http.DefaultTransport.RoundTrip(request)
}

func connect(t *testing.T, addr string) (*client.ClientWithResponses, *recorder) {
	t.Helper()
	sent := &recorder{}
	c, err := client.NewClientWithResponses(addr, client.WithHTTPClient(&http.Client{Transport: sent}))
	if err != nil {
		t.Fatal(err)
	}
	return c, sent
}

// differs returns how a request differs from that of the command, "" if it does not.
func (c curl) differs(r *http.Request) string {
	path, query, _ := strings.Cut(c.path, "?")
	parameters, _ := url.ParseQuery(query)
	var body []byte
	if r.GetBody != nil {
		reader, _ := r.GetBody() // of bytes
		body, _ = io.ReadAll(reader)
	}
	switch {
	case r.Method != c.method || strings.TrimSuffix(r.URL.Path, "/") != strings.TrimSuffix(path, "/"):
		return r.Method + " " + r.URL.Path
	case r.URL.Query().Encode() != parameters.Encode():
		return "the query " + r.URL.RawQuery
	case meant(body) != meant([]byte(c.body)):
		return "the body " + string(body)
	}
	for _, name := range []string{"Idempotency-Key", "X-Request-Id"} {
		if r.Header.Get(name) != c.header.Get(name) {
			return name + ": " + r.Header.Get(name)
		}
	}
	return ""
}

// meant returns a body in one of its accepted forms: without the array around one record, and with
// numbers instead of numbers in texts. No body counts as an empty object.
func meant(body []byte) string {
	text := regexp.MustCompile(`"(-?[0-9.]+)"`).ReplaceAllString(string(body), "$1")
	if trimmed, found := strings.CutPrefix(text, "["); found {
		text = strings.TrimSuffix(trimmed, "]")
	}
	fields := map[string]any{}
	if text != "" && json.Unmarshal([]byte(text), &fields) != nil {
		return text
	}
	return fmt.Sprint(fields)
}

// understood returns the status of an answer, and its body in the form of the client's types. If they
// have no type for it, it returns the body unchanged.
func understood(answer any) (status int, body []byte, err error) {
	if r, ok := answer.(*http.Response); ok {
		defer func() { _ = r.Body.Close() }()
		body, err = content(r)
		return r.StatusCode, body, err
	}
	v := reflect.ValueOf(answer).Elem()
	status = v.FieldByName("HTTPResponse").Interface().(*http.Response).StatusCode
	typed := v.FieldByName(fmt.Sprint("JSON", status))
	switch {
	case !typed.IsValid():
		return status, v.FieldByName("Body").Bytes(), nil
	case typed.IsNil():
		return status, nil, fmt.Errorf("the client has no answer of status %d", status)
	}
	body, err = json.Marshal(typed.Interface())
	return status, body, err
}

// measured are the fields whose values differ from one server to another.
var measured = strings.Fields(`addresses alloc_mb at bytes chain_head chain_origin connections file goroutines hash idle in_use
	latency expires_at log_bytes memory_bytes num_gc open_connections received_at sha256 sys_mb taken_at uptime`)

// measuredInText are hashes, and the values of metrics.
var measuredInText = regexp.MustCompile(`"hash":"[0-9a-f]{64}"|(?m)^[a-z_]+({.*})? [-+0-9.e]+$`)

// lasting returns an answer with each measured value replaced by its type.
func lasting(body []byte) string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return measuredInText.ReplaceAllString(string(bytes.TrimSpace(body)), "")
	}
	erase(value)
	out, _ := json.Marshal(value) // it was JSON
	return string(out)
}

func erase(value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			erase(item)
		}
	case map[string]any:
		for name, field := range v {
			if slices.Contains(measured, name) {
				v[name] = fmt.Sprintf("%T", field)
			} else {
				erase(field)
			}
		}
	}
}

// call is one call of the manual.
type call func(context.Context, *client.ClientWithResponses) (any, error)
