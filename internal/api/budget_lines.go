package api

import (
	"context"
	"fmt"
	"net/http"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// keyFilter reads the parts of a key that narrow a page.
func keyFilter(f *form) budget.KeyFilter {
	return budget.KeyFilter{
		DepartmentID: maybe(f, "department_id", field.AnyID[budget.DepartmentID]()),
		AccountID:    maybe(f, "gl_account_id", field.AnyID[budget.AccountID]()),
		Year:         maybe(f, "fiscal_year", field.Whole(fiscal.NewYear)),
		Period:       maybe(f, "fiscal_period", field.Whole(fiscal.NewPeriod)),
	}
}

// readCodes completes a filter with the ids of the department and the account that the query names by
// code, if it does. Errors of the form come first. NotFound. ConflictingIdentifiers: the filter has
// another id already.
func readCodes(ctx context.Context, f *form, filter *budget.KeyFilter, of chart) error {
	department, account := departmentCode(f), optional(f, "gl_code", "", field.String(text.ParseCode))
	if err := f.err(); err != nil {
		return err
	}
	var conflicts fault.Fields
	if department != "" {
		d, err := of.Department(ctx, budget.Identifier{By: budget.ByCode, Value: string(department)})
		if err != nil {
			return err
		}
		if filter.DepartmentID != nil && *filter.DepartmentID != d.ID {
			conflicts.Add("dept", "is the code of department %d, not %d", d.ID, *filter.DepartmentID)
		}
		filter.DepartmentID = &d.ID
	}
	if account != "" {
		found, err := of.Account(ctx, account)
		if err != nil {
			return err
		}
		if filter.AccountID != nil && *filter.AccountID != found.ID {
			conflicts.Add("gl_code", "is the code of GL account %d, not %d", found.ID, *filter.AccountID)
		}
		filter.AccountID = &found.ID
	}
	return conflicts.As(fault.ConflictingIdentifiers)
}

func (a *api) createLine(c *request) error {
	return creation(c, http.StatusCreated, budget.LineFields, a.Ledger.CreateLine)
}

// updateLine changes a line, which is named by its id in body, query or path, or by its key in the
// body.
func (a *api) updateLine(c *request) error {
	f, err := wrappable(c)
	if err != nil {
		return err
	}
	ref := budget.LineRef{LineKey: budget.LineKey{
		Key: budget.Key{
			DepartmentID: optional(f, "department_id", 0, reference[budget.DepartmentID]()),
			AccountID:    optional(f, "gl_account_id", 0, reference[budget.AccountID]()),
			Year:         optional(f, "fiscal_year", 0, field.Whole(fiscal.NewYear)),
			Period:       optional(f, "fiscal_period", 0, field.Whole(fiscal.NewPeriod)),
		},
		Version: optional(f, "version", "", field.String(budget.ParseVersion)),
	}}
	change := budget.LineChange{To: budget.ChangedLineFields.ReadPart(f, &f.wrong)}
	if ref.ID, err = identity[budget.LineID](c, f); err != nil { // with all errors of the form
		return err
	}
	line, err := a.Ledger.UpdateLine(once(c, http.StatusOK, budget.LineFields.Append), ref, change)
	return answer(c, http.StatusOK, line, budget.LineFields.Append, err)
}

// reference reads an id of 1 or more, so that it differs from an absent one.
func reference[T ~int64]() field.Reader[T] {
	return field.Whole(func(n int64) (T, error) {
		if n < 1 {
			return 0, fmt.Errorf("must be 1 or more, got %d", n)
		}
		return T(n), nil
	})
}

func (a *api) deleteLine(c *request) error {
	return deletion(c, a.Ledger.DeleteLine, budget.LineFields.Append, "budget_id")
}

// lineFilter reads which lines are listed, and whether they are by id.
func lineFilter(f *form) (filter budget.LineFilter, byID bool) {
	o := orderParameters(f, budget.Sorts())
	return budget.LineFilter{
		KeyFilter: keyFilter(f),
		Version:   maybe(f, "version", field.String(budget.ParseVersion)),
		Currency:  maybe(f, "currency", field.String(money.ParseCurrency)),
		Sort:      o.by, Down: o.down, After: o.after, Limit: o.limit,
	}, o.byID
}

func (a *api) pageLines(c *request) error {
	f := queryForm(c)
	filter, byID := lineFilter(f)
	if err := readCodes(c.Request.Context(), f, &filter.KeyFilter, a.Ledger); err != nil {
		return err
	}
	lines, err := a.Ledger.LinePage(c.Request.Context(), filter)
	return orderedPage(c, lines, byID, budget.LineFields.Append, err)
}
