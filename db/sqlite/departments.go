package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// CreateDepartment implements budget.Store.
func (s *Store) CreateDepartment(ctx context.Context, d budget.Department) (budget.Department, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (budget.Department, error) {
		d, err := insertDepartment(ctx, q, d)
		if err != nil {
			return d, err
		}
		return d, q.tell(ctx, journal.Departments, int64(d.ID), nil, records.Department(d))
	})
}

// insertDepartment stores a department under its id, or under a new one if it has none.
func insertDepartment(ctx context.Context, q *tx, d budget.Department) (budget.Department, error) {
	id, err := q.InsertDepartment(ctx, gen.InsertDepartmentParams{
		ID: rows.Optional(int64(d.ID)), Code: string(d.Code), CodeKey: d.Code.Fold(), Name: string(d.Name),
		CostCenter: string(d.CostCenter), Active: d.Active,
	})
	if sqlerr.IsDuplicate(err) {
		return d, departmentExists(ctx, q, d.Code)
	}
	d.ID = budget.DepartmentID(id)
	return d, err
}

// Departments implements budget.Store.
func (s *Store) Departments(ctx context.Context) iter.Seq2[budget.Department, error] {
	return byID(ctx, s.reader.NewestDepartment, s.reader.ListDepartments, rows.Department,
		func(d budget.Department) int64 { return int64(d.ID) })
}

// Department implements budget.Store.
func (s *Store) Department(ctx context.Context, i budget.Identifier) (budget.Department, error) {
	d, err := findDepartment(ctx, s.reader, i)
	return d, sqlerr.Classify(err)
}

func findDepartment(ctx context.Context, q *gen.Queries, i budget.Identifier) (budget.Department, error) {
	const most = budget.MostNamed + 1 // one more tells that there are too many
	var found []gen.Department
	var err error
	switch i.By {
	case budget.ByName:
		found, err = q.FindDepartmentsByName(ctx, i.Value, most)
	case budget.ByCostCenter:
		found, err = q.FindDepartmentsByCostCenter(ctx, i.Value, most)
	default:
		found, err = q.FindDepartmentsByCode(ctx, text.Code(i.Value).Fold(), schema.OwnKey(i.Value))
	}
	if err != nil {
		return budget.Department{}, err
	}
	return i.Only(rows.Map(found, rows.Department))
}

// SetActive implements budget.Store.
func (s *Store) SetActive(ctx context.Context, i budget.Identifier, active bool) (budget.Department, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (d budget.Department, err error) {
		if d, err = findDepartment(ctx, q.Queries, i); err != nil {
			return d, err
		}
		return updateDepartment(ctx, q, d, budget.DepartmentChange{To: budget.DepartmentFields.Part(budget.Department{Active: active}, "active")})
	})
}

// UpdateDepartment implements budget.Store.
func (s *Store) UpdateDepartment(ctx context.Context, id budget.DepartmentID, change budget.DepartmentChange) (budget.Department, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (budget.Department, error) {
		row, err := q.GetDepartment(ctx, int64(id))
		if err != nil {
			return budget.Department{}, sqlerr.Missing(err, noDepartment, id)
		}
		return updateDepartment(ctx, q, rows.Department(row), change)
	})
}

func updateDepartment(ctx context.Context, q *tx, old budget.Department, change budget.DepartmentChange) (budget.Department, error) {
	d, err := change.Apply(old)
	if err != nil {
		return d, q.since(ctx, err, journal.Departments, int64(d.ID))
	}
	if err := replaceDepartment(ctx, q, d); err != nil {
		return d, err
	}
	return d, q.tell(ctx, journal.Departments, int64(d.ID), records.Department(old), records.Department(d))
}

// replaceDepartment sets all fields of the department that has the id.
func replaceDepartment(ctx context.Context, q *tx, d budget.Department) error {
	err := q.UpdateDepartment(ctx, gen.UpdateDepartmentParams{
		ID: int64(d.ID), Code: string(d.Code), CodeKey: d.Code.Fold(), Name: string(d.Name),
		CostCenter: string(d.CostCenter), Active: d.Active,
	})
	if sqlerr.IsDuplicate(err) {
		return departmentExists(ctx, q, d.Code)
	}
	return err
}

// departmentExists is the error of a code that a department has already.
func departmentExists(ctx context.Context, q *tx, code text.Code) error {
	taken, err := findDepartment(ctx, q.Queries, budget.Identifier{By: budget.ByCode, Value: string(code)})
	if err != nil {
		return err
	}
	return fault.Exists(int64(taken.ID), "a department has the code %s already: %s", taken.Code, taken.Name)
}

const noDepartment = "there is no department %d"

// DeleteDepartment implements budget.Store.
func (s *Store) DeleteDepartment(ctx context.Context, id budget.DepartmentID) (d budget.Department, err error) {
	end, err := s.beginDeletion(ctx, func(of budget.Use) int64 { return of.Departments[id] }, func(lines, actuals int64) error {
		row, err := s.reader.GetDepartment(ctx, int64(id))
		return cmp.Or(err, inUse("department", text.Code(row.Code), lines, actuals))
	})
	if err != nil {
		return d, err
	}
	defer end()
	return write(ctx, s, func(ctx context.Context, q *tx) (d budget.Department, err error) {
		row, err := q.GetDepartment(ctx, int64(id))
		if err != nil {
			return d, sqlerr.Missing(err, noDepartment, id)
		}
		d = rows.Department(row)
		if err := deleteDepartment(ctx, q, d); err != nil {
			return d, err
		}
		return d, q.tell(ctx, journal.Departments, int64(id), records.Department(d), nil)
	})
}

// deleteDepartment deletes a department. InUse: it has postings.
func deleteDepartment(ctx context.Context, q *tx, d budget.Department) error {
	err := q.DeleteDepartment(ctx, int64(d.ID))
	if sqlerr.IsForeignKey(err) {
		n, err := q.CountDepartmentPostings(ctx, int64(d.ID))
		if err != nil {
			return err
		}
		return inUse("department", d.Code, n.BudgetLines, n.Actuals)
	}
	return err
}

// A deletion of a department or account calls beginDeletion first, and end after it. SQLite then
// searches all postings while other writes wait. So only one deletion runs at a time, and a deletion of
// something that is known to be in use does not reach the writer.
func (s *Store) beginDeletion(ctx context.Context, postings func(budget.Use) int64, refuse func(lines, actuals int64) error) (end func(), err error) {
	select {
	case s.deleting <- struct{}{}:
	case <-ctx.Done():
		return nil, sqlerr.Classify(ctx.Err())
	}
	end = func() { <-s.deleting }
	usage, err := s.Usage(ctx)
	if lines, actuals := postings(usage.Lines), postings(usage.Actuals); err == nil && lines+actuals > 0 {
		err = sqlerr.Classify(refuse(lines, actuals))
	}
	if err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// inUse is the error of a department or account that still has postings.
func inUse(what string, code text.Code, lines, actuals int64) error {
	return fault.New(fault.InUse, "the %s %s still has %s and %s; delete those first",
		what, code, count(lines, "budget line"), count(actuals, "actual"))
}

func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
