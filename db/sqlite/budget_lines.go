package sqlite

import (
	"context"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/listing"
)

// CreateLines implements budget.Store.
func (s *Store) CreateLines(ctx context.Context, lines []budget.Line) ([]budget.Line, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (_ []budget.Line, err error) {
		stored := make([]budget.Line, len(lines))
		for i, line := range lines {
			if stored[i], err = createLine(ctx, q, line); err != nil {
				return stored, err
			}
		}
		return stored, nil
	})
}

func createLine(ctx context.Context, q *tx, line budget.Line) (budget.Line, error) {
	id, err := q.numbers.budgetLines.next(ctx, q.Queries, rows.BudgetLineIDs)
	if err != nil {
		return line, err
	}
	line.ID = budget.LineID(id)
	if err := insertLine(ctx, q, line); err != nil {
		return line, err
	}
	return line, q.tell(ctx, journal.BudgetLines, id, nil, records.Line(line))
}

// insertLine stores a line under its id.
func insertLine(ctx context.Context, q *tx, line budget.Line) error {
	if err := checkCurrency(ctx, q.Queries, "currency", line.Currency); err != nil {
		return err
	}
	err := q.InsertLine(ctx, gen.InsertLineParams{
		ID:           int64(line.ID),
		DepartmentID: int64(line.DepartmentID),
		GlAccountID:  int64(line.AccountID),
		FiscalYear:   int64(line.Year),
		FiscalPeriod: int64(line.Period),
		Version:      string(line.Version),
		Amount:       int64(line.Amount),
		Currency:     string(line.Currency),
		Notes:        string(line.Notes),
	})
	switch {
	case sqlerr.IsForeignKey(err):
		return unknownParents(ctx, q.Queries, line.Key)
	case sqlerr.IsDuplicate(err):
		taken, err := lineByKey(ctx, q.Queries, line.LineKey)
		if err != nil {
			return err
		}
		return fault.Exists(int64(taken.ID),
			"a budget line for this department, account, year, period and version exists already: %d", taken.ID)
	}
	return err
}

// unknownParents names every parent of a posting that does not exist.
func unknownParents(ctx context.Context, q *gen.Queries, key budget.Key) error {
	var fields fault.Fields
	if _, err := q.GetDepartment(ctx, int64(key.DepartmentID)); sqlerr.IsNoRow(err) {
		fields.Add("department_id", "names no department: %d", key.DepartmentID)
	} else if err != nil {
		return err
	}
	if _, err := q.GetAccount(ctx, int64(key.AccountID)); sqlerr.IsNoRow(err) {
		fields.Add("gl_account_id", "names no GL account: %d", key.AccountID)
	} else if err != nil {
		return err
	}
	return fields.As(fault.UnknownReference)
}

// UpdateLine implements budget.Store.
func (s *Store) UpdateLine(ctx context.Context, ref budget.LineRef, change budget.LineChange) (budget.Line, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (line budget.Line, err error) {
		if line, err = findLine(ctx, q.Queries, ref); err != nil {
			return line, err
		}
		before := records.Line(line)
		if line, err = change.Apply(line); err != nil {
			return line, q.since(ctx, err, journal.BudgetLines, int64(line.ID))
		}
		if err := q.UpdateLine(ctx, int64(line.Amount), string(line.Notes), int64(line.ID)); err != nil {
			return line, err
		}
		return line, q.tell(ctx, journal.BudgetLines, int64(line.ID), before, records.Line(line))
	})
}

// replaceLine sets the other fields of the line that has the id and the key.
func replaceLine(ctx context.Context, q *tx, line budget.Line) error {
	if err := checkCurrency(ctx, q.Queries, "currency", line.Currency); err != nil {
		return err
	}
	return q.ReplaceLine(ctx, gen.ReplaceLineParams{
		Amount: int64(line.Amount), Currency: string(line.Currency), Notes: string(line.Notes), ID: int64(line.ID),
	})
}

func removeLine(ctx context.Context, q *tx, line budget.Line) error {
	_, err := q.DeleteLine(ctx, int64(line.ID))
	return err
}

func findLine(ctx context.Context, q *gen.Queries, ref budget.LineRef) (budget.Line, error) {
	if ref.ID == 0 {
		key, err := ref.NaturalKey()
		if err != nil {
			return budget.Line{}, err
		}
		line, err := lineByKey(ctx, q, key)
		return line, sqlerr.Missing(err, "there is no budget line for this department, account, year, period and version")
	}
	row, err := q.GetLine(ctx, int64(ref.ID))
	if err != nil {
		return budget.Line{}, sqlerr.Missing(err, noLine, ref.ID)
	}
	line := rows.Line(row)
	return line, ref.Agrees(line)
}

func lineByKey(ctx context.Context, q *gen.Queries, key budget.LineKey) (budget.Line, error) {
	row, err := q.GetLineByKey(ctx, gen.GetLineByKeyParams{
		FiscalYear:   int64(key.Year),
		FiscalPeriod: int64(key.Period),
		Version:      string(key.Version),
		DepartmentID: int64(key.DepartmentID),
		GlAccountID:  int64(key.AccountID),
	})
	return rows.Line(row), err
}

// DeleteLine implements budget.Store.
func (s *Store) DeleteLine(ctx context.Context, id budget.LineID) (budget.Line, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (line budget.Line, err error) {
		row, err := q.DeleteLine(ctx, int64(id))
		if err != nil {
			return line, sqlerr.Missing(err, noLine, id)
		}
		line = rows.Line(row)
		return line, q.tell(ctx, journal.BudgetLines, int64(id), records.Line(line), nil)
	})
}

const noLine = "there is no budget line %d"

// LinePage implements budget.Store.
func (s *Store) LinePage(ctx context.Context, f budget.LineFilter) (listing.Page[budget.Line], error) {
	return readPage(ctx, s, linePage(f), rows.Line)
}

// lineList is the table of budget lines, read in pages.
var lineList = list{
	table:     "budget_lines",
	columns:   []string{"id", "department_id", "gl_account_id", "fiscal_year", "fiscal_period", "version", "amount", "currency", "notes"},
	notByID:   []string{"currency"},
	key:       "sqlite_autoindex_budget_lines_1",
	clustered: []string{"fiscal_year", "fiscal_period", "version", "department_id", "gl_account_id"},
	indexed:   []string{"department_id", "gl_account_id"},
}

func linePage(f budget.LineFilter) page {
	p := postingPage(&lineList, f.KeyFilter, f.Sort)
	p.where = narrow(p.where, "version", "= ?", f.Version)
	p.where = narrow(p.where, "currency", "= ?", f.Currency)
	p.down, p.after, p.limit = f.Down, f.After, f.Limit
	return p
}
