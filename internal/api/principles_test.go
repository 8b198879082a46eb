package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestEveryAnswerHoldsToThePrinciples checks every answer in the transcripts against the rules that the
// interface states for all responses.
func TestEveryAnswerHoldsToThePrinciples(t *testing.T) {
	each(t, func(t *testing.T, file string) {
		for _, e := range readTranscript(t, file).play(t) {
			path, _, _ := strings.Cut(e.target, "?")
			if isDocument(path) && e.status < 400 {
				continue
			}
			if complaint := broken(e); complaint != "" {
				t.Errorf("%s %s: got %d %q %s: %s", e.method, e.target, e.status, e.answer.header, e.answer.body, complaint)
			}
		}
	})
}

// isDocument reports whether a path is a file of the page or the OpenAPI document.
func isDocument(path string) bool {
	return strings.Trim(path, "/") == "" || path == "/icon.svg" || strings.HasPrefix(path, "/assets/") || strings.HasPrefix(path, "/openapi.")
}

// broken returns the rule that an answer breaks, "" for none.
func broken(e exchange) string {
	content := e.answer.header["Content-Type"]
	switch {
	case len(content) != 1 || content[0] != "application/json":
		return "want exactly one Content-Type application/json"
	case e.status == http.StatusNoContent || e.status/100 == 3 || e.status >= 500:
		return "want a status with a body, no redirect and no failure"
	case e.method == http.MethodHead && len(e.answer.body) > 0:
		return "want no body for HEAD"
	case e.method == http.MethodHead:
		return ""
	case !json.Valid(e.answer.body):
		return "want a JSON body"
	case bytes.HasSuffix(e.answer.body, []byte("\n")), string(e.answer.body) == "null":
		return "want one JSON value that is not null, and nothing after it"
	}
	if e.status >= 400 {
		return brokenError(e)
	}
	return brokenNumber(e.answer.body)
}

func brokenError(e exchange) string {
	var body struct {
		Error   string
		Code    string
		Details []struct{ Field, Message string }
	}
	if err := json.Unmarshal(e.answer.body, &body); err != nil || body.Error == "" || body.Code == "" {
		return "want a sentence and a code"
	}
	for _, d := range body.Details {
		if d.Field == "" || d.Message == "" || !strings.Contains(body.Error, d.Field+" "+d.Message) {
			return "want each detail to be in the sentence"
		}
	}
	if body.Code == "method_not_allowed" && e.answer.header.Get("Allow") == "" {
		return "want Allow"
	}
	return ""
}

var canonical = regexp.MustCompile(`^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9])$`)

// brokenNumber searches for a number with an exponent, a trailing zero, or a minus before zero.
func brokenNumber(body []byte) string {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return "" // the end; the body is valid
		}
		if n, ok := token.(json.Number); ok && !canonical.MatchString(n.String()) {
			return "want no exponent and no trailing zeros in " + n.String()
		}
	}
}
