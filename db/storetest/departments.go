package storetest

import (
	"fmt"
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/journal"
	"daybook/internal/text"
)

func departments() []clause {
	return []clause{
		{"departments are returned as they were stored, and listed by id; two may have the same name or cost centre", func(t *testing.T, s Store) {
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
			checkRising(t, want, func(d budget.Department) int64 { return int64(d.ID) })
		}},
		{"a code that exists is refused in upper and lower case and in any Unicode form, and the error has the id of its department", func(t *testing.T, s Store) {
			for _, spellings := range [][]text.Code{{"Eng", "eng", "ENG"}, {"é", "É", "e\u0301", "E\u0301"}, {"Στος", "στοσ", "ΣΤΟΣ"}} {
				stored := department(t, s, spellings[0])
				for _, code := range spellings {
					refusedAsTaken[budget.Department](t, stored.ID)(s.CreateDepartment(t.Context(), budget.Department{Code: code, Name: "other"}))
				}
			}
			if got := len(all(t, s.Departments(t.Context()))); got != 3 {
				t.Errorf("got %d departments, want 3", got)
			}
		}},
		{"a department is found by its code, name or cost centre", func(t *testing.T, s Store) {
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
		{"an identifier of no department, or of several, is refused", func(t *testing.T, s Store) {
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
				checkMessage(t, refused(0, err)(t, fault.AmbiguousIdentifier, string(i.By)), "NORTH", "SOUTH")
				_, err = s.SetActive(t.Context(), i, false)
				checkMessage(t, refused(0, err)(t, fault.AmbiguousIdentifier, string(i.By)), "NORTH", "SOUTH")
			}
			same(t, "departments", all(t, s.Departments(t.Context())), before)
		}},
		{"an identifier of many departments is refused, and the message has the first codes only", func(t *testing.T, s Store) {
			for i := range budget.MostNamed + 2 {
				code := text.Code(fmt.Sprintf("D%02d", i))
				must(s.CreateDepartment(t.Context(), budget.Department{Code: code, Name: "Sales", CostCenter: "CC-1", Active: true}))(t)
			}
			for _, i := range []budget.Identifier{{By: budget.ByName, Value: "Sales"}, {By: budget.ByCostCenter, Value: "CC-1"}} {
				_, err := s.Department(t.Context(), i)
				checkMessage(t, refused(0, err)(t, fault.AmbiguousIdentifier, string(i.By)), "D00", "D09, and others")
				if strings.Contains(err.Error(), "D10") {
					t.Errorf("got %v, want only %d codes in it", err, budget.MostNamed)
				}
			}
		}},
		{"the active flag can be set several times", func(t *testing.T, s Store) {
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
		{"a change sets the fields that it names, its own code in other letters too, and the department is found by them", func(t *testing.T, s Store) {
			want := must(s.CreateDepartment(t.Context(), budget.Department{Code: "Eng", Name: "Engineering", CostCenter: "CC-1", Active: true}))(t)
			other := department(t, s, "OTHER")
			set := budget.DepartmentFields.Part
			for _, to := range []field.Part[budget.Department]{
				set(budget.Department{Name: "Products"}, "name"),
				set(budget.Department{Code: "ENG"}, "code", "cost_center"),
				set(budget.Department{Code: "É"}, "code", "active"),
			} {
				change := budget.DepartmentChange{To: to}
				want, _ = change.Apply(want)
				same(t, "department", must(s.UpdateDepartment(t.Context(), want.ID, change))(t), want)
				same(t, "departments", all(t, s.Departments(t.Context())), []budget.Department{want, other})
				same(t, "department by code", must(s.Department(t.Context(), budget.Identifier{By: budget.ByCode, Value: string(want.Code)}))(t), want)
			}
			same(t, "a department of the old code", department(t, s, "eng").Name, "eng")
		}},
		{"a change of no department, or to the code of another one in whatever case, is refused and stores nothing", func(t *testing.T, s Store) {
			d, other := department(t, s, "ENG"), department(t, s, "é")
			rename := func(id budget.DepartmentID, code text.Code) (budget.Department, error) {
				return s.UpdateDepartment(t.Context(), id, budget.DepartmentChange{To: budget.DepartmentFields.Part(budget.Department{Code: code, Name: "new"}, "code", "name")})
			}
			refused(rename(other.ID+1, "NEW"))(t, fault.NotFound)
			refusedAsTaken[budget.Department](t, other.ID)(rename(d.ID, "É"))
			same(t, "departments", all(t, s.Departments(t.Context())), []budget.Department{d, other})
		}},
		{"a change of a department that has other values than were seen is refused with its values and its newest entry, and stores nothing", func(t *testing.T, s Store) {
			d := must(s.CreateDepartment(t.Context(), budget.Department{Code: "ENG", Name: "Engineering", CostCenter: "CC-1", Active: true}))(t)
			change := budget.DepartmentChange{
				To:  budget.DepartmentFields.Part(budget.Department{Name: "mine"}, "name"),
				Was: budget.DepartmentFields.Part(d, "name", "cost_center"),
			}
			theirs := budget.DepartmentChange{To: budget.DepartmentFields.Part(budget.Department{Name: "theirs"}, "name", "active")}
			want := must(s.UpdateDepartment(journal.With(t.Context(), journal.Origin{Actor: "them"}), d.ID, theirs))(t)
			department(t, s, "OTHER")
			_, err := s.UpdateDepartment(t.Context(), d.ID, change)
			checkSince(t, s, refused(0, err)(t, fault.ChangedSince, "name"), "theirs")
			same(t, "department", must(s.Department(t.Context(), budget.Identifier{By: budget.ByCode, Value: "ENG"}))(t), want)
			change.Was = budget.DepartmentFields.Part(want, "name", "cost_center")
			same(t, "department", must(s.UpdateDepartment(t.Context(), d.ID, change))(t).Name, "mine")
		}},
		{"a deleted department is returned and removed, and its id is never used again", func(t *testing.T, s Store) {
			department(t, s, "FIRST")
			last := department(t, s, "LAST")
			same(t, "deleted department", must(s.DeleteDepartment(t.Context(), last.ID))(t), last)
			refused(s.DeleteDepartment(t.Context(), last.ID))(t, fault.NotFound)
			refused(s.Department(t.Context(), budget.Identifier{By: budget.ByCode, Value: "LAST"}))(t, fault.NotFound)
			if next := department(t, s, "last"); next.ID <= last.ID {
				t.Errorf("got id %d after deleting %d, want a higher one", next.ID, last.ID)
			}
		}},
		{"a department with budget lines or actuals cannot be deleted, and the message counts them", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			inUse(t, s, chart, func() error {
				_, err := s.DeleteDepartment(t.Context(), chart.department)
				return err
			})
		}},
	}
}

// checkSince fails the test unless the error has the value that the one field has, and the newest entry of its
// record, which is the last but one of the journal, by the actor "them".
func checkSince(t *testing.T, s Store, e *fault.Error, is any) {
	t.Helper()
	entries := must(s.JournalPage(t.Context(), journal.Filter{Limit: 100}))(t)
	newest := entries[len(entries)-2]
	same(t, "entry", e.Since, &fault.Since{Seq: int64(newest.Seq), At: newest.At, Actor: "them"})
	same(t, "value", e.Details[0].Is, is)
}

// inUse posts three budget lines and two actuals, and deletes them again. remove tries to delete their
// department or account. Until the last posting is deleted, it must be refused, and its message must
// count the postings.
func inUse(t *testing.T, s Store, chart chart, remove func() error) {
	t.Helper()
	posted := must(s.CreateLines(t.Context(), []budget.Line{chart.line(1), chart.line(2), chart.line(3)}))(t)
	checkMessage(t, refused(0, remove())(t, fault.InUse), "3 budget line")
	feed := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1), chart.actual(2)}))(t)
	checkMessage(t, refused(0, remove())(t, fault.InUse), "3 budget line", "2 actual")
	for _, l := range posted {
		must(s.DeleteLine(t.Context(), l.ID))(t)
	}
	must(s.DeleteActual(t.Context(), feed[0].ID))(t)
	checkMessage(t, refused(0, remove())(t, fault.InUse), "1 actual")
	must(s.DeleteActual(t.Context(), feed[1].ID))(t)
	if err := remove(); err != nil {
		t.Errorf("without lines and actuals: got error %v, want none", err)
	}
}

// checkMessage fails the test unless each part is in the message of the error or in one of its details.
func checkMessage(t *testing.T, e *fault.Error, parts ...string) {
	t.Helper()
	sentences := []string{e.Message}
	for _, d := range e.Details {
		sentences = append(sentences, d.Message)
	}
	said := strings.Join(sentences, "; ")
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("got message %q, want %q in it", said, part)
		}
	}
}

func department(t *testing.T, s Store, code text.Code) budget.Department {
	t.Helper()
	return must(s.CreateDepartment(t.Context(), budget.Department{Code: code, Name: text.Name(code), Active: true}))(t)
}
