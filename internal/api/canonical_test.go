package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// inDocumentedForm rewrites the parameters and the body of a request: each value gets the type that the
// document gives it. The server accepts other forms too, which info.description describes in words. A
// value in none of these forms stays as it is, and does not conform.
func inDocumentedForm(q *http.Request, operation *openapi3.Operation) error {
	parameters := q.URL.Query()
	for _, p := range operation.Parameters {
		if name := p.Value.Name; p.Value.In == openapi3.ParameterInQuery && parameters.Has(name) {
			parameters.Set(name, fmt.Sprint(documented(p.Value.Schema.Value, parameters.Get(name))))
		}
	}
	q.URL.RawQuery = parameters.Encode()
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return err
	}
	if operation.RequestBody != nil && len(bytes.TrimSpace(body)) > 0 {
		schema := operation.RequestBody.Value.Content.Get("application/json").Schema.Value
		if body, err = documentedBody(operation.OperationID, schema, body); err != nil {
			return err
		}
	}
	q.Body, q.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return nil
}

// documentedBody returns a body without the array around its record, which the server accepts too.
func documentedBody(operation string, schema *openapi3.Schema, body []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if list, ok := value.([]any); ok && len(list) == 1 {
		value = list[0]
	}
	if fields, ok := value.(map[string]any); ok && operation == "addTrade" {
		for _, f := range [][2]string{
			{"Symbol", "symbol"}, {"CurrencyCode", "currency_code"}, {"Shares", "shares"}, {"Product", "product"},
			{"Type", "type"}, {"Price", "price"}, {"Date", "date"},
		} {
			if capitalised, ok := fields[f[0]]; ok {
				fields[f[1]] = capitalised
			}
		}
	}
	return json.Marshal(documented(schema, value))
}

var (
	writtenDecimal = regexp.MustCompile(`^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$`)
	writtenInteger = regexp.MustCompile(`^\s*\+?([0-9]+)(\.0*)?\s*$`)
	writtenDate    = regexp.MustCompile(`^\s*([0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?)?|` +
		`[0-9]{8}([Tt ][0-9]{4}([0-9]{2}([.,][0-9]{1,9})?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?)?)\s*$`)
)

// documented returns a value in the type of the schema.
func documented(schema *openapi3.Schema, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, p := range schema.Properties {
			if field, ok := v[name]; ok && field == nil {
				delete(v, name)
			} else if ok {
				v[name] = documented(p.Value, field)
			}
		}
	case string:
		trimmed := strings.TrimSpace(v)
		switch {
		case schema.Type.Is("integer") && writtenInteger.MatchString(v):
			return json.Number(writtenInteger.FindStringSubmatch(v)[1])
		case schema.Type.Is("number") && writtenDecimal.MatchString(v):
			near, _ := strconv.ParseFloat(trimmed, 64) // no error: the pattern allows only what it parses
			return near
		case schema.Type.Is("string") && slices.Contains(schema.Enum, any(strings.ToLower(trimmed))):
			return strings.ToLower(trimmed)
		case schema.Format == "date-time" && writtenDate.MatchString(v):
			return "2026-01-05T09:00:00Z"
		}
	}
	return value
}
