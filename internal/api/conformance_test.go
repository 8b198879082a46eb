package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"

	"daybook/internal/access"
	"daybook/internal/api"
	"daybook/internal/budget"
)

// TestEveryExchangeConforms validates the transcripts against openapi.yaml: every answer, and every
// request that was accepted.
func TestEveryExchangeConforms(t *testing.T) {
	document := publishedContract(t)
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, file string) {
		for _, e := range readTranscript(t, file).play(t) {
			if e.method == http.MethodHead || describedInWords(e) {
				continue
			}
			if err := conforms(t.Context(), router, e); err != nil {
				t.Errorf("%s %s %s\n%d %s\ndoes not conform: %v", e.method, e.target, e.request.body, e.status, e.answer.body, err)
			}
		}
	})
}

// TestOperationConforms validates the requests of an operator. They are in no transcript, because their
// answers differ in each run.
func TestOperationConforms(t *testing.T) {
	router, err := gorillamux.NewRouter(publishedContract(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range operation(t) {
		if err := conforms(t.Context(), router, e); err != nil {
			t.Errorf("%s %s\n%d %s\ndoes not conform: %v", e.method, e.target, e.status, e.answer.body, err)
		}
	}
}

// operation sends the requests of an operator. All succeed except the last two.
func operation(t *testing.T) (exchanges []exchange) {
	t.Helper()
	g := serveGuarded(t, nil)
	do := func(method, target string, header http.Header, body string) answer {
		r := request{method: method, target: target, header: header}
		if body != "" {
			r.body = []byte(body)
		}
		e := exchange{r, g.do(t, r)}
		exchanges = append(exchanges, e)
		return e.answer
	}
	admin := with(g.tokens[access.Admin])
	do(http.MethodGet, "/api/v1/status", admin, "")
	do(http.MethodPost, "/api/v1/backups", admin, "{}")
	do(http.MethodGet, "/api/v1/status", admin, "")
	do(http.MethodGet, "/metrics", admin, "")
	do(http.MethodGet, "/api/v1/events", admin, "")
	do(http.MethodPost, "/api/v1/demo", admin, "{}")
	exchanges = append(exchanges, readiness(t))
	file := g.do(t, request{method: http.MethodPost, target: "/api/v1/imports?kind=actuals", header: labelled(admin, "text/csv"), body: []byte(fileToImport)})
	exchanges = append(exchanges, exchange{request{http.MethodPost, "/api/v1/imports?kind=actuals", labelled(admin, "text/csv"), []byte(fileToImport)}, file})
	path := "/api/v1/imports/" + read[importBody](t, string(file.body)).ID
	do(http.MethodGet, path, admin, "")
	do(http.MethodPut, path+"/map", admin, `{"kind":"actuals","numbers":{"decimal":","}}`)
	do(http.MethodGet, path+"/rows", admin, "")
	do(http.MethodPost, path+"/commit", admin, `{"revision":2,"rows":"good"}`)
	do(http.MethodDelete, path, admin, "")
	do(http.MethodGet, "/api/v1/session", nil, "")
	in := do(http.MethodPost, "/api/v1/session", nil, `{"token":"`+string(g.tokens[access.Admin])+`"}`)
	cookie, _, _ := strings.Cut(in.header.Get("Set-Cookie"), ";")
	do(http.MethodGet, "/api/v1/session", http.Header{"Cookie": {cookie}}, "")
	do(http.MethodDelete, "/api/v1/session", http.Header{"Cookie": {cookie}}, "")
	for _, e := range exchanges {
		if e.status >= 300 {
			t.Errorf("%s %s: got %d %s, want a status below 300", e.method, e.target, e.status, e.answer.body)
		}
	}
	do(http.MethodGet, "/api/v1/status", nil, "")
	do(http.MethodPost, "/api/v1/demo", admin, "{}")
	return exchanges
}

// fileToImport has a question, rows that are wrong, and a row that is none.
const fileToImport = "Costs\nDept;Account;Year;Period;Amount;Currency\nFIN;6100;2027;1;1.234;EUR\nFIN;6100;2027;13;1.234;EUR\n"

// labelled is a header with the type of a body.
func labelled(h http.Header, media string) http.Header {
	h = h.Clone()
	h.Set("Content-Type", media)
	return h
}

// readiness asks a server that is not shutting down whether it is ready.
func readiness(t *testing.T) exchange {
	t.Helper()
	g := serveGuarded(t, func(c *api.Config) { c.Ending = nil })
	r := request{method: http.MethodGet, target: "/ready"}
	return exchange{r, g.do(t, r)}
}

// describedInWords reports whether an answer belongs to no operation: the path or the method is unknown.
// info.description describes these answers in words.
func describedInWords(e exchange) bool {
	return e.status == http.StatusMethodNotAllowed ||
		e.status == http.StatusNotFound && bytes.Contains(e.answer.body, []byte(`"there is no path `))
}

func conforms(ctx context.Context, router routers.Router, e exchange) error {
	q := asDocumented(ctx, e)
	route, parameters, err := router.FindRoute(q)
	if err != nil {
		return err
	}
	options := &openapi3filter.Options{SkipSettingDefaults: true, IncludeResponseStatus: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
	options.WithCustomSchemaErrorFunc(func(err *openapi3.SchemaError) string { return err.Reason })
	in := &openapi3filter.RequestValidationInput{Request: q, Route: route, PathParams: parameters, Options: options}
	// The document says only in words what CSV and NDJSON hold.
	options.ExcludeRequestBody = e.request.header.Get("Content-Type") != "" && route.Operation.RequestBody != nil &&
		route.Operation.RequestBody.Value.Content[e.request.header.Get("Content-Type")] != nil
	if e.status < 300 && !options.ExcludeRequestBody {
		if err := inDocumentedForm(q, route.Operation); err != nil {
			return err
		}
	}
	if e.status < 300 {
		if err := openapi3filter.ValidateRequest(ctx, in); err != nil {
			return err
		}
	}
	if err := documentsItsCode(route.Operation, e.answer); err != nil {
		return err
	}
	return openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in,
		Status:                 e.status,
		Header:                 e.answer.header,
		Body:                   io.NopCloser(bytes.NewReader(e.answer.body)),
		Options:                options,
	})
}

// asDocumented returns a request with its path and its Content-Type as in the document. The document
// describes the other accepted spellings in words.
func asDocumented(ctx context.Context, e exchange) *http.Request {
	path, query, _ := strings.Cut(e.target, "?")
	path = repeatedSlashes.ReplaceAllString(path, "/")
	if path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	parameters, _ := url.ParseQuery(query) // the server refuses a query that cannot be parsed
	for name, values := range parameters {
		if values[0] == "" {
			parameters.Del(name)
		}
	}
	q := httptest.NewRequestWithContext(ctx, e.method, "http://"+publishedHost+path+"?"+parameters.Encode(), bytes.NewReader(e.request.body))
	if e.request.body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	return q
}

var repeatedSlashes = regexp.MustCompile(`//+`)

// documentsItsCode checks that the description of a response names the code of its error. Only a
// response that the server is not healthy or not ready has no code.
func documentsItsCode(operation *openapi3.Operation, a answer) error {
	if a.status < 400 {
		return nil
	}
	var errorBody struct{ Code string }
	if err := json.Unmarshal(a.body, &errorBody); err != nil {
		return err
	}
	if errorBody.Code == "" {
		return nil
	}
	response := operation.Responses.Status(a.status)
	if response == nil || !strings.Contains(*response.Value.Description, "`"+errorBody.Code+"`") {
		return fmt.Errorf("the document does not name %s at %d of %s", errorBody.Code, a.status, operation.OperationID)
	}
	return nil
}

func publishedContract(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// TestEnumsAreInTheOrderOfTheDomain: the document lists versions and account types in the order of the
// domain, because the page takes the order from the document.
func TestEnumsAreInTheOrderOfTheDomain(t *testing.T) {
	schemas := publishedContract(t).Components.Schemas
	if got, want := fmt.Sprint(schemas["AccountType"].Value.Enum), fmt.Sprint(budget.AccountTypes()); got != want {
		t.Errorf("got the account types %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(schemas["Version"].Value.Enum), fmt.Sprint(budget.Versions()); got != want {
		t.Errorf("got the versions %s, want %s", got, want)
	}
}

// TestRoutesAreThoseOfTheDocument: the server and the document have the same operations, and each needs
// the same scope in both.
func TestRoutesAreThoseOfTheDocument(t *testing.T) {
	want := map[string]access.Scope{}
	for path, item := range publishedContract(t).Paths.Map() {
		for method, operation := range item.Operations() {
			if path != "/" {
				path = strings.TrimSuffix(path, "/")
			}
			want[method+" "+path] = documentedScope(t, operation)
		}
	}
	parameter := regexp.MustCompile(`:(\w+)`)
	got := map[string]access.Scope{}
	for route, scope := range api.Routes() {
		got[parameter.ReplaceAllString(route, "{$1}")] = scope
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("routes and their scopes, -documented +served:\n%s", diff)
	}
}

// documentedScope returns the scope that an operation needs, "" for none. It must be the same for a
// token and for a session.
func documentedScope(t *testing.T, operation *openapi3.Operation) access.Scope {
	t.Helper()
	if operation.Security == nil {
		t.Fatalf("%s: got no security in the document, want one", operation.OperationID)
	}
	var scopes []string
	for _, way := range *operation.Security {
		for _, needed := range way {
			scopes = append(scopes, needed...)
		}
	}
	switch len(slices.Compact(scopes)) {
	case 0:
		return ""
	case 1:
		return access.Scope(scopes[0])
	}
	t.Errorf("%s: got the scopes %v, want one", operation.OperationID, scopes)
	return ""
}

// TestEveryOperationIsCovered: every operation succeeds in some transcript, or among the requests of the
// operator.
func TestEveryOperationIsCovered(t *testing.T) {
	document := publishedContract(t)
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		t.Fatal(err)
	}
	covered := map[*openapi3.Operation]bool{}
	for _, file := range transcripts(t) {
		for _, p := range readTranscript(t, file) {
			if !strings.HasPrefix(p.answer, "< 2") {
				continue
			}
			e := exchange{request: p.request(t)}
			if route, _, err := router.FindRoute(asDocumented(t.Context(), e)); err == nil {
				covered[route.Operation] = true
			}
		}
	}
	for _, e := range operation(t) {
		if route, _, err := router.FindRoute(asDocumented(t.Context(), e)); err == nil && e.status < 300 {
			covered[route.Operation] = true
		}
	}
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			if !covered[operation] {
				t.Errorf("no transcript has a success of %s %s", method, path)
			}
		}
	}
}
