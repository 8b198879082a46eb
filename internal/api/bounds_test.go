package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"weak"

	"daybook/internal/api"
)

const (
	tooManyFields = `400 {"error":"an object of the body has more than 1024 fields","code":"invalid_json"}`
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
		{"many fields deep inside", "POST", "/currency/add", `{"code":"EUR","extra":[1,{"more":` + fields + `}]}`, tooManyFields},
		{"commas alone", "POST", "/currency/add", "{" + strings.Repeat(",", 1_000_000), tooManyFields},
		{"many objects in a field", "POST", "/currency/add", `{"code":"EUR","extra":` + objects + `}`, `201 {"id":1,"code":"EUR","name":"EUR"}`},
		{"one long string", "POST", "/currency/add", `{"code":"SEK","extra":"` + strings.Repeat(`\u0041`, 170_000) + `"}`, `201 {"id":2,"code":"SEK","name":"SEK"}`},
	} {
		var got answer
		took := allocated(func() { got = serveDirectly(t, handler, c.method, c.path, c.body) })
		if text := fmt.Sprintf("%d %s", got.status, got.body); text != c.want {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
		if took > most {
			t.Errorf("%s: got %d bytes allocated for a body of %d, want at most %d", c.name, took, len(c.body), most)
		}
	}
}

// TestFields: an object may have at most 1,024 fields, also inside other values.
func TestFields(t *testing.T) {
	s := serve(t)
	for i, extra := range []string{
		numbered(`"k%d":1`, 1_023),
		`"x":{` + numbered(`"k%d":[1,2]`, 1_024) + `}`,
		`"x":[` + strings.Repeat("1,", 5_000) + `1]`,
		`"x":[{` + numbered(`"k%d":{}`, 1_024) + `},{` + numbered(`"k%d":1`, 1_024) + `}]`,
		`"x":"` + strings.Repeat(",", 5_000) + `"`,
	} {
		s.send(t, http.MethodPost, "/currency/add", fmt.Sprintf(`{"code":"C%02d",%s}`, i, extra), http.StatusCreated)
	}
	for _, extra := range []string{
		numbered(`"k%d":1`, 1_024),
		`"x":{` + numbered(`"k%d":[1,2]`, 1_025) + `}`,
		`"x":[[{"y":{}},{` + numbered(`"k%d":{}`, 1_025) + `}]]`,
	} {
		if got := s.send(t, http.MethodPost, "/currency/add", `{"code":"NEW",`+extra+`}`, http.StatusBadRequest); "400 "+got != tooManyFields {
			t.Errorf("got 400 %s, want %s", got, tooManyFields)
		}
	}
}

// TestABodyIsNotKept: the parser is used again for the next body. It keeps no memory of the body before.
func TestABodyIsNotKept(t *testing.T) {
	for _, size := range []int{100, 10_000, 1 << 20} {
		body := []byte(`{"code":"` + strings.Repeat("A", size-11) + `"}`)
		kept := weak.Make(&body[0])
		if err := api.ParseBody(body); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		if kept.Value() != nil {
			t.Errorf("got a body of %d bytes still in memory after it was parsed, want it free", size)
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
