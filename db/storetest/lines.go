package storetest

import (
	"slices"
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
)

func lines() []clause {
	return []clause{
		{"budget lines are returned as they were stored, with new, rising ids", echoedLines},
		{"all budget lines of a request are stored, or none", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			posted := must(s.CreateLines(t.Context(), []budget.Line{chart.line(1)}))(t)
			for _, bad := range chart.badKeys() {
				last := chart.line(3)
				last.Key = bad.key
				refused(s.CreateLines(t.Context(), []budget.Line{chart.line(2), last}))(t, fault.UnknownReference, bad.fields...)
			}
			odd := chart.line(3)
			odd.Currency = "X"
			refused(s.CreateLines(t.Context(), []budget.Line{chart.line(2), odd}))(t, fault.Invalid, "currency")
			refusedAsTaken[[]budget.Line](t, posted[0].ID)(s.CreateLines(t.Context(), []budget.Line{chart.line(2), chart.line(1)}))
			refused(s.CreateLines(t.Context(), []budget.Line{chart.line(2), chart.line(2)}))(t, fault.AlreadyExists)
			same(t, "lines", allLines(t, s), posted)
		}},
		{"a key has at most one line in each version", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			for _, version := range budget.Versions() {
				line := chart.line(1)
				line.Version = version
				stored := must(s.CreateLines(t.Context(), []budget.Line{line}))(t)
				line.Amount, line.Currency, line.Notes = 1, "EUR", "another"
				refusedAsTaken[[]budget.Line](t, stored[0].ID)(s.CreateLines(t.Context(), []budget.Line{line}))
			}
		}},
		{"a currency code that is not Plain is accepted after it is registered", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			must(s.AddCurrency(t.Context(), currency(t, "x")))(t)
			line := chart.line(1)
			line.Currency = "X"
			must(s.CreateLines(t.Context(), []budget.Line{line}))(t)
		}},
		{"an update changes only the line and the fields that it names, by id or by key", updatedLines},
		{"an update is refused if it names no line, or if its id and key contradict each other", refusedUpdates},
		{"a deleted line is returned and removed, and its id is never used again", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			posted := must(s.CreateLines(t.Context(), []budget.Line{chart.line(1), chart.line(2)}))(t)
			last := posted[1]
			same(t, "deleted line", must(s.DeleteLine(t.Context(), last.ID))(t), last)
			refused(s.DeleteLine(t.Context(), last.ID))(t, fault.NotFound)
			refused(s.UpdateLine(t.Context(), budget.LineRef{ID: last.ID}, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: 1}, "amount")}))(t, fault.NotFound)
			same(t, "lines", allLines(t, s), posted[:1])
			next := must(s.CreateLines(t.Context(), []budget.Line{chart.line(2)}))(t)
			if next[0].ID <= last.ID {
				t.Errorf("got id %d after deleting %d, want a higher one", next[0].ID, last.ID)
			}
		}},
		{"a page has the lines that match, by id", pagedLines},
		{"a page is in the requested order, and equal values are by id", sortedLines},
	}
}

func echoedLines(t *testing.T, s Store) {
	chart := newChart(t, s)
	most, least, empty := chart.line(12), chart.line(1), chart.line(2)
	most.Amount, most.Year, most.Version = amount("99999999999999.9999"), 9999, budget.Forecast3
	most.Notes = text.Note(strings.Repeat("漢", text.MaxNote))
	least.Amount, least.Year, least.Version = amount("-99999999999999.9999"), 1900, budget.Forecast1
	least.Notes = "one\n\ttwo 'quoted' \"twice\""
	empty.Amount, empty.Notes = 0, ""
	want := []budget.Line{most, least, empty}
	got := must(s.CreateLines(t.Context(), want))(t)
	checkRising(t, got, func(l budget.Line) int64 { return int64(l.ID) })
	for i := range want {
		want[i].ID = got[i].ID
	}
	same(t, "stored lines", got, want)
	same(t, "lines", allLines(t, s), want)
}

func updatedLines(t *testing.T, s Store) {
	chart := newChart(t, s)
	forecast := chart.line(1)
	forecast.Version = budget.Forecast2
	posted := must(s.CreateLines(t.Context(), []budget.Line{chart.line(1), forecast, chart.line(2)}))(t)
	original := posted[0].LineKey
	noVersion := original
	noVersion.Version = ""
	set := budget.LineFields.Part
	for _, step := range []struct {
		name string
		ref  budget.LineRef
		to   field.Part[budget.Line]
		line int
	}{
		{"amount by id", budget.LineRef{ID: posted[0].ID}, set(budget.Line{Amount: -7}, "amount"), 0},
		{"notes by id", budget.LineRef{ID: posted[0].ID}, set(budget.Line{Notes: "noted"}, "notes"), 0},
		{"both by key", budget.LineRef{LineKey: original}, set(budget.Line{}, "amount", "notes"), 0},
		{"by key without a version", budget.LineRef{LineKey: noVersion}, set(budget.Line{Amount: 8}, "amount"), 0},
		{"by key of another version", budget.LineRef{LineKey: posted[1].LineKey}, set(budget.Line{Amount: 9}, "amount"), 1},
		{"by id and its key", budget.LineRef{ID: posted[1].ID, LineKey: posted[1].LineKey}, set(budget.Line{Amount: 10}, "amount"), 1},
		{"by id and part of its key", budget.LineRef{ID: posted[2].ID, LineKey: budget.LineKey{Key: budget.Key{Period: 2}}}, set(budget.Line{Amount: 11}, "amount"), 2},
	} {
		want := &posted[step.line]
		change := budget.LineChange{To: step.to}
		*want, _ = change.Apply(*want)
		same(t, step.name, must(s.UpdateLine(t.Context(), step.ref, change))(t), *want)
		same(t, "lines after "+step.name, allLines(t, s), posted)
	}
}

func refusedUpdates(t *testing.T, s Store) {
	chart := newChart(t, s)
	posted := must(s.CreateLines(t.Context(), []budget.Line{chart.line(1), chart.line(2)}))(t)
	id, key := posted[0].ID, posted[0].LineKey
	otherVersion := key
	otherVersion.Version = budget.Forecast3
	for _, c := range []struct {
		name   string
		ref    budget.LineRef
		kind   fault.Kind
		fields []string
	}{
		{"nothing", budget.LineRef{}, fault.MissingIdentifier, []string{"department_id", "gl_account_id", "fiscal_year", "fiscal_period"}},
		{"part of a key", budget.LineRef{LineKey: budget.LineKey{Key: budget.Key{DepartmentID: 1, Year: 2025}}}, fault.MissingIdentifier, []string{"gl_account_id", "fiscal_period"}},
		{"an unknown id", budget.LineRef{ID: 99}, fault.NotFound, nil},
		{"an unknown id and a known key", budget.LineRef{ID: 99, LineKey: key}, fault.NotFound, nil},
		{"an unknown key", budget.LineRef{LineKey: otherVersion}, fault.NotFound, nil},
		{"an id and the key of another", budget.LineRef{ID: id, LineKey: posted[1].LineKey}, fault.ConflictingIdentifiers, []string{"fiscal_period"}},
		{"an id and another version", budget.LineRef{ID: id, LineKey: otherVersion}, fault.ConflictingIdentifiers, []string{"version"}},
		{"an id and wrong parts", budget.LineRef{ID: id, LineKey: budget.LineKey{Key: budget.Key{DepartmentID: 77, AccountID: 78}}}, fault.ConflictingIdentifiers, []string{"department_id", "gl_account_id"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := s.UpdateLine(t.Context(), c.ref, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: 5}, "amount")})
			refused(0, err)(t, c.kind, c.fields...)
			same(t, "lines", allLines(t, s), posted)
		})
	}
}

func pagedLines(t *testing.T, s Store) {
	chart := newChart(t, s)
	var sent []budget.Line
	for i := range 96 {
		line := chart.line(1 + i%12)
		line.Year = fiscal.Year(2024 + i/12%2)
		line.Version = budget.Versions()[i/24%2]
		line.Currency = []money.Currency{"USD", "EUR"}[i%5%2]
		if i/48 == 1 {
			line.DepartmentID, line.AccountID = chart.otherDepartment, chart.otherAccount
		}
		sent = append(sent, line)
	}
	stored := must(s.CreateLines(t.Context(), sent))(t)
	filters := map[string]budget.LineFilter{
		"nothing":     {},
		"version":     {Version: new(budget.Forecast1)},
		"currency":    {Currency: new(money.Currency("EUR"))},
		"all of them": {KeyFilter: chart.every(), Version: new(budget.Original), Currency: new(money.Currency("USD"))},
	}
	for name, f := range chart.filters() {
		filters[name] = budget.LineFilter{KeyFilter: f}
	}
	for name, f := range filters {
		var want []budget.Line
		for _, l := range stored {
			if keyMatches(f.KeyFilter, l.Key) && valueMatches(f.Version, l.Version) && valueMatches(f.Currency, l.Currency) {
				want = append(want, l)
			}
		}
		for _, newest := range []bool{false, true} {
			for _, limit := range []int{1, 5, 1000} {
				f.Limit, f.Down = limit, newest
				got := inPages(t, limit, func(after listing.Place) (listing.Page[budget.Line], error) {
					f.After = after
					return s.LinePage(t.Context(), f)
				})
				same(t, "lines narrowed by "+name, got, want)
			}
			slices.Reverse(want)
		}
	}
}

// allLines returns every line.
func allLines(t *testing.T, s Store) []budget.Line {
	t.Helper()
	return must(s.LinePage(t.Context(), budget.LineFilter{Limit: 10_000}))(t).Records
}
