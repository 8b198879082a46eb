package api_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestOpenAPIDocumentIsPlain: generators of clients can read the document. Each value has one type, or
// one type and null; each number has a width; each component is used. The only union is Place, the type
// of `next` in all lists.
func TestOpenAPIDocumentIsPlain(t *testing.T) {
	written, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range complaints(t, string(written)) {
		t.Error(complaint)
	}
}

// TestAnOpenAPIDocumentThatIsNotPlainIsFound is the control of TestOpenAPIDocumentIsPlain.
func TestAnOpenAPIDocumentThatIsNotPlainIsFound(t *testing.T) {
	for name, schema := range map[string]string{
		"two types":        `{type: [number, string], format: double}`,
		"a union":          `{oneOf: [{type: string}, {type: boolean}]}`,
		"a nullable union": `{type: [integer, string, "null"], format: int64}`,
		"enum and pattern": `{anyOf: [{type: string, enum: [a]}, {type: string, pattern: a}]}`,
		"a merger":         `{allOf: [{type: object}]}`,
		"a bare enum":      `{enum: [a]}`,
		"a bare number":    `{type: number}`,
		"a bare integer":   `{type: [integer, "null"]}`,
		"no use":           `{type: string}`,
	} {
		document := "components: {schemas: {Used: {type: object, properties: {a: " + schema + `}}}}` + "\n" +
			`paths: {/: {$ref: "#/components/schemas/Used"}}`
		if name == "no use" {
			document = "components: {schemas: {Unused: " + schema + "}}"
		}
		if got := complaints(t, document); len(got) == 0 {
			t.Errorf("%s: got nothing reported, want something", name)
		}
	}
	if got := complaints(t, `{schema: {oneOf: [{$ref: "#/a"}, {type: "null"}]}}`); len(got) != 0 {
		t.Errorf("a value that may be null: got %v reported, want nothing", got)
	}
}

// complaints lists what generators cannot read.
func complaints(t *testing.T, document string) (found []string) {
	t.Helper()
	var whole map[string]any
	if err := yaml.Unmarshal([]byte(document), &whole); err != nil {
		t.Fatal(err)
	}
	uses := map[string]bool{}
	each := func(at string, node map[string]any) {
		if ref, ok := node["$ref"].(string); ok {
			uses[ref] = true
		}
		if reason := notPlain(node); reason != "" && at != "#/components/schemas/Place" {
			found = append(found, at+": "+reason)
		}
	}
	walk("#", whole, each)
	parts, _ := whole["components"].(map[string]any)
	for _, kind := range slices.Sorted(maps.Keys(parts)) {
		for name := range parts[kind].(map[string]any) {
			if at := "#/components/" + kind + "/" + name; kind != "securitySchemes" && !uses[at] {
				found = append(found, at+": is used nowhere")
			}
		}
	}
	return found
}

// walk calls each for every object except examples.
func walk(at string, node any, each func(string, map[string]any)) {
	switch n := node.(type) {
	case map[string]any:
		each(at, n)
		for _, name := range slices.Sorted(maps.Keys(n)) {
			if name != "example" && name != "examples" {
				walk(at+"/"+name, n[name], each)
			}
		}
	case []any:
		for i, item := range n {
			walk(fmt.Sprint(at, "/", i), item, each)
		}
	}
}

// notPlain returns why some generators cannot read a schema, "" if all can.
func notPlain(schema map[string]any) string {
	if union, ok := schema["oneOf"].([]any); ok && !orNull(union) {
		return "is a union"
	}
	for _, word := range []string{"allOf", "anyOf", "not"} {
		if _, ok := schema[word].([]any); ok {
			return "has " + word
		}
	}
	kind, _ := schema["type"].(string)
	if list, ok := schema["type"].([]any); ok {
		if len(list) != 2 || list[1] != "null" {
			return fmt.Sprint("has the types ", list)
		}
		kind, _ = list[0].(string)
	}
	_, enumerated := schema["enum"].([]any)
	_, bounded := schema["maximum"]
	switch {
	case enumerated && kind == "":
		return "enumerates values of no type"
	case kind == "number" && schema["format"] != "double":
		return "is a number without format: double"
	case kind == "integer" && schema["format"] != "int64" && !bounded && !enumerated:
		return "is an integer without format: int64 and without a maximum"
	}
	return ""
}

// orNull reports whether a union is a named schema or null.
func orNull(union []any) bool {
	if len(union) != 2 {
		return false
	}
	named, _ := union[0].(map[string]any)
	null, _ := union[1].(map[string]any)
	ref, _ := named["$ref"].(string)
	return strings.HasPrefix(ref, "#/") && null["type"] == "null"
}
