package tables_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"daybook/internal/tables"
)

// TestJSON: records, their lines and columns, with the exact decimals.
func TestJSON(t *testing.T) {
	for _, c := range []struct {
		name, content string
		lines         []int
		rows          [][]string
	}{
		{"lines", "{\"a\":1.50,\"b\":\"x\"}\n\r\n{\"b\":null,\"a\":1e-2}\n", []int{1, 3}, [][]string{{"1.5", "x"}, {"0.01", ""}}},
		{"an array", "[\n{\"a\":12345678901234567890.125},\r\n\n{\"b\":true}\n]\n", []int{2, 4}, [][]string{{"12345678901234567890.125"}, {"", "true"}}},
		{"one object over lines", "\n{\n\"a\":\n1\n}{\"a\":2}", []int{2, 5}, [][]string{{"1"}, {"2"}}},
		{"an empty array", "[]", nil, nil},
		{"an empty object", "{}", []int{1}, [][]string{{}}},
		{"a huge exponent", `{"a":1e999999}`, []int{1}, [][]string{{"1e999999"}}},
		{"nested", `{"a":[1],"b":{"c":1}}`, []int{1}, [][]string{{"[1]", `{"c":1}`}}},
		{"invalid UTF-8", "{\"a\":\"\xFC\",\"b\":\"\\ud800\"}", []int{1}, [][]string{{"\uFFFD", "\uFFFD"}}},
		{"a BOM", "\xEF\xBB\xBF{\"a\":1}", []int{1}, [][]string{{"1"}}},
	} {
		lines, rows, err := all(c.content, tables.Dialect{}, tables.Limits{})
		if err != nil || !slices.Equal(lines, c.lines) || !slices.EqualFunc(rows, c.rows, slices.Equal[[]string]) {
			t.Errorf("%s: got %v %q %v, want %v %q", c.name, lines, rows, err, c.lines, c.rows)
		}
	}
}

// TestWrongJSON: the error names the line.
func TestWrongJSON(t *testing.T) {
	small := tables.DefaultLimits()
	small.Record, small.Columns, small.Characters = 2000, 5, 100
	for _, c := range []struct {
		name, content string
		reason        tables.Reason
		line          int
		says          string
	}{
		{"a name twice", "{\"a\":1}\n{\"a\":1,\n\"a\":2}\n", tables.Malformed, 3, "twice"},
		{"not whole", "{\"a\":1}\n{\"a\":", tables.Malformed, 2, "middle"},
		{"an array that is not whole", "[{\"a\":1}\n", tables.Malformed, 2, "middle"},
		{"no object", "{\"a\":1}\n7\n", tables.Malformed, 2, "no object"},
		{"behind the array", "[{\"a\":1}]\n{\"a\":1}", tables.Malformed, 2, "behind the end"},
		{"no JSON", "{\"a\":1}\n{\"a\":nope}", tables.Malformed, 2, "not JSON"},
		{"a long record", "{\"a\":1}\n{" + strings.Repeat("\"a\": \""+strings.Repeat("x", 90)+"\",\n", 3), tables.Malformed, 3, "twice"},
		{"a long text", "{\"a\":\"" + strings.Repeat("x", 101) + "\"}", tables.TooLarge, 1, "characters"},
		{"a longer text", "{\"a\":1}\n{\"a\":\"" + strings.Repeat("x", 100_000) + "\"}", tables.TooLarge, 2, "record"},
		{"white space", "{\"a\":1}\n" + strings.Repeat(" ", 100_000) + "{\"a\":1}", tables.TooLarge, 1, "record"},
		{"many names", "{\"a\":1,\"b\":1,\"c\":1}\n{\"d\":1,\"e\":1,\"f\":1}", tables.TooLarge, 2, "names"},
		{"deep", "{\"a\":" + strings.Repeat("[", 20_000), tables.TooLarge, 1, "record"},
	} {
		_, _, err := all(c.content, tables.Dialect{}, small)
		e, ours := errors.AsType[*tables.Error](err)
		if !ours || e.Reason != c.reason || e.Line != c.line || !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: got %+v, want %s on line %d that says %q", c.name, err, c.reason, c.line, c.says)
		}
	}
}
