package storetest

import (
	"fmt"
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/text"
)

func departments() []clause {
	return []clause{
		{"are echoed as stored, by id; names and cost centres may repeat", func(t *testing.T, s Store) {
			var want []budget.Department
			for _, d := range []budget.Department{
				{Code: "Eng", Name: "Engineering", CostCenter: "CC-1", Active: true},
				{Code: "ops", Name: "Engineering", CostCenter: "CC-1"},
				{Code: text.Code(strings.Repeat("Ж", text.MaxCode)), Name: text.Name(strings.Repeat("é", text.MaxName)), Active: true},
			} {
				got := must(s.CreateDepartment(t.Context(), d))(t)
				d.ID = got.ID
				same(t, "stored department", got, d)
				want = append(want, d)
			}
			same(t, "departments", all(t, s.Departments(t.Context())), want)
			rising(t, want, func(d budget.Department) int64 { return int64(d.ID) })
		}},
		{"a taken code is refused in whatever case and composition, and names the id", func(t *testing.T, s Store) {
			for _, spellings := range [][]text.Code{{"Eng", "eng", "ENG"}, {"é", "É", "e\u0301", "E\u0301"}, {"Στος", "στοσ", "ΣΤΟΣ"}} {
				stored := department(t, s, spellings[0])
				for _, code := range spellings {
					taken[budget.Department](t, stored.ID)(s.CreateDepartment(t.Context(), budget.Department{Code: code, Name: "other"}))
				}
			}
			if got := len(all(t, s.Departments(t.Context()))); got != 3 {
				t.Errorf("got %d departments, want 3", got)
			}
		}},
		{"are found by one identifier", func(t *testing.T, s Store) {
			want := must(s.CreateDepartment(t.Context(), budget.Department{Code: "Énergie", Name: "Power & Light", CostCenter: "CC-7", Active: true}))(t)
			department(t, s, "other")
			for _, i := range []budget.Identifier{
				{By: budget.ByCode, Value: "Énergie"},
				{By: budget.ByCode, Value: "éNERGIE"},
				{By: budget.ByCode, Value: "E\u0301nergie"},
				{By: budget.ByName, Value: "Power & Light"},
				{By: budget.ByCostCenter, Value: "CC-7"},
			} {
				same(t, "department by "+string(i.By), must(s.Department(t.Context(), i))(t), want)
			}
		}},
		{"an identifier that names none or several is refused", func(t *testing.T, s Store) {
			for _, code := range []text.Code{"NORTH", "SOUTH"} {
				must(s.CreateDepartment(t.Context(), budget.Department{Code: code, Name: "Sales", CostCenter: "CC-1", Active: true}))(t)
			}
			before := all(t, s.Departments(t.Context()))
			for _, by := range []budget.IdentifierField{budget.ByCode, budget.ByName, budget.ByCostCenter} {
				unknown := budget.Identifier{By: by, Value: "nowhere"}
				refused(s.Department(t.Context(), unknown))(t, fault.NotFound)
				refused(s.SetActive(t.Context(), unknown, false))(t, fault.NotFound)
			}
			for _, i := range []budget.Identifier{{By: budget.ByName, Value: "Sales"}, {By: budget.ByCostCenter, Value: "CC-1"}} {
				_, err := s.Department(t.Context(), i)
				says(t, refused(0, err)(t, fault.AmbiguousIdentifier, string(i.By)), "NORTH", "SOUTH")
				_, err = s.SetActive(t.Context(), i, false)
				says(t, refused(0, err)(t, fault.AmbiguousIdentifier, string(i.By)), "NORTH", "SOUTH")
			}
			same(t, "departments", all(t, s.Departments(t.Context())), before)
		}},
		{"an identifier that many share is refused with the first codes", func(t *testing.T, s Store) {
			for i := range budget.MostNamed + 2 {
				code := text.Code(fmt.Sprintf("D%02d", i))
				must(s.CreateDepartment(t.Context(), budget.Department{Code: code, Name: "Sales", CostCenter: "CC-1", Active: true}))(t)
			}
			for _, i := range []budget.Identifier{{By: budget.ByName, Value: "Sales"}, {By: budget.ByCostCenter, Value: "CC-1"}} {
				_, err := s.Department(t.Context(), i)
				says(t, refused(0, err)(t, fault.AmbiguousIdentifier, string(i.By)), "D00", "D09, and others")
				if strings.Contains(err.Error(), "D10") {
					t.Errorf("got %v, want %d codes", err, budget.MostNamed)
				}
			}
		}},
		{"the active flag is set, and set again", func(t *testing.T, s Store) {
			want := must(s.CreateDepartment(t.Context(), budget.Department{Code: "ENG", Name: "Engineering", CostCenter: "CC-1", Active: true}))(t)
			other := department(t, s, "OTHER")
			for _, step := range []struct {
				by     budget.Identifier
				active bool
			}{
				{budget.Identifier{By: budget.ByCode, Value: "eng"}, false},
				{budget.Identifier{By: budget.ByName, Value: "Engineering"}, false},
				{budget.Identifier{By: budget.ByCostCenter, Value: "CC-1"}, true},
			} {
				want.Active = step.active
				same(t, "department", must(s.SetActive(t.Context(), step.by, step.active))(t), want)
				same(t, "departments", all(t, s.Departments(t.Context())), []budget.Department{want, other})
			}
		}},
		{"a deleted one is returned, gone, and its id not used again", func(t *testing.T, s Store) {
			department(t, s, "FIRST")
			last := department(t, s, "LAST")
			same(t, "deleted department", must(s.DeleteDepartment(t.Context(), last.ID))(t), last)
			refused(s.DeleteDepartment(t.Context(), last.ID))(t, fault.NotFound)
			refused(s.Department(t.Context(), budget.Identifier{By: budget.ByCode, Value: "LAST"}))(t, fault.NotFound)
			if next := department(t, s, "last"); next.ID <= last.ID {
				t.Errorf("got id %d after deleting %d, want a higher one", next.ID, last.ID)
			}
		}},
		{"one with lines or actuals is in use, and the message counts them", func(t *testing.T, s Store) {
			g := ground(t, s)
			inUse(t, s, g, func() error {
				_, err := s.DeleteDepartment(t.Context(), g.department)
				return err
			})
		}},
	}
}

// inUse posts three lines and two actuals to the ground and removes them again,
// holding what a deletion of one of the ground's parents says at each stage.
func inUse(t *testing.T, s Store, g plot, remove func() error) {
	t.Helper()
	posted := must(s.CreateLines(t.Context(), []budget.Line{g.line(1), g.line(2), g.line(3)}))(t)
	says(t, refused(0, remove())(t, fault.InUse), "3 budget line")
	feed := must(s.IngestActuals(t.Context(), []budget.Actual{g.actual(1), g.actual(2)}))(t)
	says(t, refused(0, remove())(t, fault.InUse), "3 budget line", "2 actual")
	for _, l := range posted {
		must(s.DeleteLine(t.Context(), l.ID))(t)
	}
	must(s.DeleteActual(t.Context(), feed[0].ID))(t)
	says(t, refused(0, remove())(t, fault.InUse), "1 actual")
	must(s.DeleteActual(t.Context(), feed[1].ID))(t)
	if err := remove(); err != nil {
		t.Errorf("without children: got error %v, want none", err)
	}
}

// says complains about a part that is in neither the message nor the details.
func says(t *testing.T, e *fault.Error, parts ...string) {
	t.Helper()
	sentences := []string{e.Message}
	for _, d := range e.Details {
		sentences = append(sentences, d.Message)
	}
	said := strings.Join(sentences, "; ")
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("got message %q, want it to say %q", said, part)
		}
	}
}

func department(t *testing.T, s Store, code text.Code) budget.Department {
	t.Helper()
	return must(s.CreateDepartment(t.Context(), budget.Department{Code: code, Name: text.Name(code), Active: true}))(t)
}
