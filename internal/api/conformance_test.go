package api_test

import (
	"bytes"
	"context"
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

	"daybook/internal/api"
)

// TestEveryExchangeConforms validates all that the transcripts record against
// openapi.yaml: every answer, and every request that was accepted.
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

// describedInWords reports an answer that no operation can bear, so that
// info.description describes it: an unknown path or method.
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
	options := &openapi3filter.Options{SkipSettingDefaults: true, IncludeResponseStatus: true}
	options.WithCustomSchemaErrorFunc(func(err *openapi3.SchemaError) string { return err.Reason })
	in := &openapi3filter.RequestValidationInput{Request: q, Route: route, PathParams: parameters, Options: options}
	if e.status < 300 {
		if err := openapi3filter.ValidateRequest(ctx, in); err != nil {
			return err
		}
	}
	return openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in,
		Status:                 e.status,
		Header:                 e.answer.header,
		Body:                   io.NopCloser(bytes.NewReader(e.answer.body)),
		Options:                options,
	})
}

// asDocumented is a request in the one spelling of its path, its parameters and the
// label of its body that the document has; it describes the others in words.
func asDocumented(ctx context.Context, e exchange) *http.Request {
	path, query, _ := strings.Cut(e.target, "?")
	if path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	if path == "/api/v1/department" {
		path += "/"
	}
	parameters, _ := url.ParseQuery(query) // what cannot be parsed is refused
	for name, values := range parameters {
		parameters.Set(name, strings.TrimSuffix(values[0], ".0"))
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

func publishedContract(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func TestOpenAPIDocumentIsValid(t *testing.T) {
	if err := publishedContract(t).Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestRoutesAreThoseOfTheDocument(t *testing.T) {
	var want []string
	for path, item := range publishedContract(t).Paths.Map() {
		for method := range item.Operations() {
			if path != "/" {
				path = strings.TrimSuffix(path, "/")
			}
			want = append(want, method+" "+path)
		}
	}
	parameter := regexp.MustCompile(`:(\w+)`)
	var got []string
	for _, route := range api.Routes() {
		got = append(got, parameter.ReplaceAllString(route, "{$1}"))
	}
	for _, route := range got {
		if !slices.Contains(want, route) {
			t.Errorf("%s is served, but not in openapi.yaml", route)
		}
	}
	for _, route := range want {
		if !slices.Contains(got, route) {
			t.Errorf("%s is in openapi.yaml, but not served", route)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d routes, want %d", len(got), len(want))
	}
}

// TestTranscriptsCoverEveryOperation wants a success of every operation in some
// transcript.
func TestTranscriptsCoverEveryOperation(t *testing.T) {
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
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			if !covered[operation] {
				t.Errorf("no transcript has a success of %s %s", method, path)
			}
		}
	}
}
