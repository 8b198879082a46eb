package tables_test

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daybook/internal/tables"
)

// numberRow is a row of testdata/numbers.json.
type numberRow struct {
	Text, Mark, Value, Currency, Problem, Reads string
	Decimals, Scale                             int
	M, Exponent                                 bool
}

func numberRows(t testing.TB) []numberRow {
	t.Helper()
	content, err := os.ReadFile("testdata/numbers.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []numberRow
	if err := json.Unmarshal(content, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestNumbers: each text of the table reads as the table says.
func TestNumbers(t *testing.T) {
	rows := numberRows(t)
	for _, row := range rows {
		got := numberRow{Text: row.Text, Mark: row.Mark}
		n, err := tables.ParseNumber(row.Text, tables.Mark(row.Mark[0]))
		if e, refused := errors.AsType[*tables.NumberError](err); refused {
			got.Problem, got.Reads = string(e.Problem), e.Reads.Value
		} else {
			got.Value, got.Currency, got.Decimals, got.Scale, got.M, got.Exponent = n.Value, n.Currency, n.Decimals, n.Scale, n.M, n.Exponent
		}
		if d := cmp.Diff(row, got); d != "" {
			t.Errorf("%q under %s: %s", row.Text, row.Mark, d)
		}
	}
	if len(rows) < 300 {
		t.Errorf("got %d rows, want at least 300", len(rows))
	}
}
