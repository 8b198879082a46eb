package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"daybook/internal/api"
)

const (
	tooManyFields = `400 {"error":"the body has more than 1024 fields","code":"invalid_json"}`
	severalBodies = `400 {"error":"the body must hold one JSON object, not several","code":"invalid_json"}`
	severalNamed  = `409 {"error":"the body names several records; one request is about one","code":"conflicting_identifiers"}`
)

// numbered returns a list of texts, each with its number.
func numbered(text string, count int) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = fmt.Sprintf(text, i)
	}
	return strings.Join(parts, ",")
}

// TestABodyTakesLittleMoreThanItsBytes: for a body of 1 MiB the server allocates at most 8 MiB, whatever
// JSON it is.
func TestABodyTakesLittleMoreThanItsBytes(t *testing.T) {
	s := open(t)
	handler := api.New(s.config())
	const most = 8 << 20
	objects := "[" + strings.Repeat("{},", 340_000) + "{}]"
	fields := "{" + numbered(`"k%07d":1`, 80_000) + "}"
	for _, c := range []struct{ name, method, path, body, want string }{
		{"an array to ingest", "POST", "/api/v1/actuals/ingest", objects, severalBodies},
		{"an array to look up", "GET", "/api/v1/department/", objects, severalNamed},
		{"an array to delete", "DELETE", "/api/v1/departments/delete", objects, severalNamed},
		{"an array of arrays", "POST", "/api/v1/actuals/ingest", "[" + strings.Repeat("[],", 340_000) + "[]]", `400 {"error":"the array must hold JSON objects only","code":"invalid_json"}`},
		{"many fields", "POST", "/currency/add", fields, tooManyFields},
		{"many fields in an array", "POST", "/api/v1/actuals/ingest", "[" + fields + "]", tooManyFields},
		{"many fields deep inside", "POST", "/currency/add", `{"code":"EUR","extra":[1,{"more":` + fields + `}]}`, `201 {"id":1,"code":"EUR","name":"EUR"}`},
		{"arrays inside arrays", "POST", "/currency/add", `{"extra":` + strings.Repeat("[", 1_000_000), `400 {"error":"the body is not valid JSON: exceeded max depth`},
		{"many objects in a field", "POST", "/currency/add", `{"code":"NOK","extra":` + objects + `}`, `201 {"id":2,"code":"NOK","name":"NOK"}`},
		{"one long string", "POST", "/currency/add", `{"code":"SEK","extra":"` + strings.Repeat(`\u0041`, 170_000) + `"}`, `201 {"id":3,"code":"SEK","name":"SEK"}`},
	} {
		var got answer
		took := allocated(func() { got = serveDirectly(t, handler, c.method, c.path, c.body) })
		if text := fmt.Sprintf("%d %s", got.status, got.body); !strings.HasPrefix(text, c.want) {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
		if took > most {
			t.Errorf("%s: got %d bytes allocated for a body of %d, want at most %d", c.name, took, len(c.body), most)
		}
	}
}

// allocated returns how many bytes the process allocates while f runs.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// serveDirectly sends a request to a handler without a connection.
func serveDirectly(t *testing.T, h http.Handler, method, path, body string) answer {
	t.Helper()
	w := httptest.NewRecorder()
	q := httptest.NewRequestWithContext(t.Context(), method, "http://"+publishedHost+path, strings.NewReader(body))
	q.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(w, q)
	return answer{w.Code, w.Header(), w.Body.Bytes()}
}
