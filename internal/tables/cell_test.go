package tables_test

import (
	"errors"
	"testing"
	"time"

	"daybook/internal/tables"
)

// TestCellNumber: only a text is read under the mark.
func TestCellNumber(t *testing.T) {
	for _, c := range []struct {
		name    string
		cell    tables.Cell
		want    string
		problem tables.NumberProblem
	}{
		{"a text", tables.Cell{Type: tables.TextCell, Value: "1.234"}, "1234", ""},
		{"a number", tables.Cell{Type: tables.NumberCell, Value: "1.234"}, "1.234", ""},
		{"a percentage", tables.Cell{Type: tables.NumberCell, Value: "0.5", Percent: true}, "", tables.Percentage},
		{"a huge number", tables.Cell{Type: tables.NumberCell, Value: "1e999"}, "", tables.OutOfRange},
		{"an error", tables.Cell{Type: tables.ErrorCell, Value: "#REF!"}, "", tables.NotAvailable},
		{"a date", tables.Cell{Type: tables.DateCell, Value: "46053"}, "", tables.NotANumber},
		{"a boolean", tables.Cell{Type: tables.BooleanCell, Value: "true"}, "", tables.NotANumber},
		{"no result", tables.Cell{Type: tables.UncalculatedCell}, "", tables.NotANumber},
		{"nothing", tables.Cell{}, "", tables.NotANumber},
	} {
		n, err := c.cell.Number(tables.Comma)
		e, _ := errors.AsType[*tables.NumberError](err)
		if n.Value != c.want || (e != nil) != (c.problem != "") || e != nil && e.Problem != c.problem {
			t.Errorf("%s: got %q, %v, want %q or %q", c.name, n.Value, err, c.want, c.problem)
		}
	}
}

// TestCellDate: the clock of a sheet is that of the rules; a day is a day in any location.
func TestCellDate(t *testing.T) {
	madrid, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Fatal(err)
	}
	sheet := func(value string, at time.Time) tables.Cell {
		return tables.Cell{Type: tables.DateCell, Value: value, Time: at}
	}
	day := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name    string
		cell    tables.Cell
		want    time.Time
		problem tables.DateProblem
	}{
		{"a day", sheet("46204", day), day, ""},
		{"a time", sheet("46204.5", day.Add(12*time.Hour)), day.Add(10 * time.Hour), ""},
		{"a time that does not exist", sheet("46110.1", time.Date(2026, 3, 29, 2, 30, 0, 0, time.UTC)), time.Time{}, tables.NoSuchTime},
		{"ISO", sheet("2026-07-01T12:00:00", day.Add(12*time.Hour)), day.Add(10 * time.Hour), ""},
		{"ISO with a zone", sheet("2026-07-01T12:00:00Z", day.Add(12*time.Hour)), day.Add(12 * time.Hour), ""},
		{"a text", tables.Cell{Type: tables.TextCell, Value: "1.7.2026"}, day, ""},
		{"a number", tables.Cell{Type: tables.NumberCell, Value: "46204"}, time.Time{}, tables.NotADate},
	} {
		d, err := c.cell.Date(tables.DateRules{Location: madrid})
		e, _ := errors.AsType[*tables.DateError](err)
		if !d.Time.Equal(c.want) || (e != nil) != (c.problem != "") || e != nil && e.Problem != c.problem {
			t.Errorf("%s: got %v, %v, want %v or %q", c.name, d.Time, err, c.want, c.problem)
		}
	}
}

func TestCellText(t *testing.T) {
	for want, cell := range map[string]tables.Cell{
		"0420": {Type: tables.NumberCell, Value: "420", Shown: "0420"}, "6100": {Type: tables.TextCell, Value: "6100"}, "": {},
	} {
		if got := cell.Text(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
