package api_test

import (
	"bytes"
	"net/http"
	"regexp"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestEveryRefusalIsDocumented sends what any operation may refuse, and checks that openapi.yaml names
// the answer: an Idempotency-Key that is no key, and a body that is larger than any may be.
func TestEveryRefusalIsDocumented(t *testing.T) {
	s := serve(t)
	parameter := regexp.MustCompile(`\{[a-z]+\}`)
	large := bytes.Repeat([]byte(" "), 1<<20+1)
	refused := 0
	each := func(path, method string, operation *openapi3.Operation) {
		target := parameter.ReplaceAllString(path, "1")
		if path == "/api/v1/events" { // its answer has no end
			return
		}
		for name, r := range map[string]request{
			"a bad key":    {method: method, target: target, header: http.Header{"Idempotency-Key": {""}, "Content-Type": {"application/json"}}, body: []byte("{}")},
			"a large body": {method: method, target: target, header: http.Header{"Content-Type": {"application/json"}}, body: large},
			"nothing":      {method: method, target: target},
		} {
			got := s.do(t, r)
			if got.status < 400 {
				continue
			}
			refused++
			if err := documentsItsCode(operation, got); err != nil {
				t.Errorf("%s %s with %s: got %d %s: %v", method, target, name, got.status, got.body, err)
			}
		}
	}
	for path, item := range publishedContract(t).Paths.Map() {
		for method, operation := range item.Operations() {
			each(path, method, operation)
		}
	}
	if refused < 50 {
		t.Errorf("got %d refusals, want those of all operations that write", refused)
	}
}
