package budget_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/text"
)

func TestParseVersion(t *testing.T) {
	for raw, want := range map[string]budget.Version{
		"original": "original", " Forecast1 ": "forecast1", "FORECAST2": "forecast2", "forecast3": "forecast3",
		"": "", "forecast": "", "forecast4": "", "forecast 1": "", "original\x00": "",
	} {
		got, err := budget.ParseVersion(raw)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", raw, got, err, want)
		}
	}
	_, err := budget.ParseVersion("draft")
	if want := `must be one of original, forecast1, forecast2, forecast3, got "draft"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestParseAccountType(t *testing.T) {
	for raw, want := range map[string]budget.AccountType{
		"revenue": budget.Revenue, "COGS": budget.COGS, "Opex": budget.Opex, " capex": budget.Capex, "headCount": budget.Headcount,
		"": "", "rev": "", "income": "", "revenue,cogs": "",
	} {
		got, err := budget.ParseAccountType(raw)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", raw, got, err, want)
		}
		if got.FavoursHigh() != (want == budget.Revenue) {
			t.Errorf("%q: got favours high %t, want %t", raw, got.FavoursHigh(), want == budget.Revenue)
		}
	}
	if _, err := budget.ParseAccountType(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 300 {
		t.Errorf("a type of a mebibyte: got %.300v, want an error of at most 300 bytes", err)
	}
}

func TestParseDepartmentCode(t *testing.T) {
	for raw, want := range map[string]text.Code{
		" Eng ": "Eng", "ALLE": "ALLE", "Al l": "Al l", "all": "", "ALL": "", " aLL\n": "", "": "", strings.Repeat("x", 65): "",
	} {
		got, err := budget.ParseDepartmentCode(raw)
		if (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("%q: got %q, %v, want %q", raw, got, err, want)
		}
	}
}

// TestOnly: an identifier must match exactly one department. An error names the value, or the
// departments that match.
func TestOnly(t *testing.T) {
	by := budget.Identifier{By: budget.ByName, Value: "Sales"}
	north, south := budget.Department{ID: 1, Code: "NORTH"}, budget.Department{ID: 2, Code: "SOUTH"}
	if got, err := by.Only([]budget.Department{south}); err != nil || got != south {
		t.Errorf("got %+v, %v, want %+v", got, err, south)
	}
	if _, err := by.Only(nil); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "Sales") {
		t.Errorf("got %v, want not found, with the name Sales", err)
	}
	_, err := by.Only([]budget.Department{north, south})
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || e.Kind != fault.AmbiguousIdentifier || len(e.Details) != 1 || e.Details[0].Field != "name" {
		t.Fatalf("got %v, want an ambiguous name", err)
	}
	for _, code := range []string{"NORTH", "SOUTH"} {
		if !strings.Contains(e.Details[0].Message, code) {
			t.Errorf("got %q, want it to name %s", e.Details[0].Message, code)
		}
	}
}

func TestLineChange(t *testing.T) {
	for name, c := range map[string]struct {
		change budget.LineChange
		want   fault.Kind
	}{
		"nothing": {budget.LineChange{}, fault.Invalid},
		"amount":  {budget.LineChange{To: budget.LineFields.Part(budget.Line{}, "amount")}, fault.Internal},
		"notes":   {budget.LineChange{To: budget.LineFields.Part(budget.Line{}, "notes")}, fault.Internal},
	} {
		err := budget.ChangedLineFields.Check(c.change)
		if fault.KindOf(err) != c.want || (err == nil) != (c.want == fault.Internal) {
			t.Errorf("%s: got %v, want kind %q", name, err, c.want)
		}
	}
}

var full = budget.LineKey{Key: budget.Key{DepartmentID: 1, AccountID: 2, Year: 2025, Period: 3}, Version: budget.Forecast1}

func TestNaturalKey(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*budget.LineKey)
		fields []string
	}{
		{"all of it", func(*budget.LineKey) {}, nil},
		{"no version", func(k *budget.LineKey) { k.Version = "" }, nil},
		{"no department", func(k *budget.LineKey) { k.DepartmentID = 0 }, []string{"department_id"}},
		{"no account", func(k *budget.LineKey) { k.AccountID = 0 }, []string{"gl_account_id"}},
		{"no year", func(k *budget.LineKey) { k.Year = 0 }, []string{"fiscal_year"}},
		{"no period", func(k *budget.LineKey) { k.Period = 0 }, []string{"fiscal_period"}},
		{"nothing", func(k *budget.LineKey) { *k = budget.LineKey{} }, []string{"department_id", "gl_account_id", "fiscal_year", "fiscal_period"}},
	} {
		said := full
		c.change(&said)
		got, err := budget.LineRef{LineKey: said}.NaturalKey()
		atFault(t, c.name, err, fault.MissingIdentifier, c.fields)
		want := said
		if want.Version == "" {
			want.Version = budget.Original
		}
		if err == nil && got != want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
}

// TestAgrees: the key beside an id must agree with the line of that id. The error names each field that
// does not.
func TestAgrees(t *testing.T) {
	line := budget.Line{ID: 7, LineKey: full}
	for _, c := range []struct {
		name   string
		said   budget.LineKey
		fields []string
	}{
		{"nothing", budget.LineKey{}, nil},
		{"all of it", full, nil},
		{"part of it", budget.LineKey{Key: budget.Key{Year: 2025}, Version: budget.Forecast1}, nil},
		{"another department", budget.LineKey{Key: budget.Key{DepartmentID: 9}}, []string{"department_id"}},
		{"another account", budget.LineKey{Key: budget.Key{AccountID: 9}}, []string{"gl_account_id"}},
		{"another year", budget.LineKey{Key: budget.Key{Year: 2024}}, []string{"fiscal_year"}},
		{"another period", budget.LineKey{Key: budget.Key{DepartmentID: 1, Period: 4}}, []string{"fiscal_period"}},
		{"another version", budget.LineKey{Version: budget.Original}, []string{"version"}},
		{"another of each", budget.LineKey{Key: budget.Key{DepartmentID: 9, AccountID: 9, Year: 2024, Period: 4}, Version: budget.Original},
			[]string{"department_id", "gl_account_id", "fiscal_year", "fiscal_period", "version"}},
	} {
		err := budget.LineRef{ID: 7, LineKey: c.said}.Agrees(line)
		atFault(t, c.name, err, fault.ConflictingIdentifiers, c.fields)
	}
}

// atFault fails the test unless err has the kind and exactly these fields, or unless err is nil if there
// are no fields.
func atFault(t *testing.T, name string, err error, kind fault.Kind, fields []string) {
	t.Helper()
	if len(fields) == 0 {
		if err != nil {
			t.Errorf("%s: got %v, want none", name, err)
		}
		return
	}
	var got []string
	if e, ok := errors.AsType[*fault.Error](err); ok {
		for _, d := range e.Details {
			got = append(got, d.Field)
		}
	}
	if fault.KindOf(err) != kind || !slices.Equal(got, fields) {
		t.Errorf("%s: got %v, want kind %q with %v", name, err, kind, fields)
	}
}
