package exchange

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"daybook/internal/money"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// register finds the records of a kind that others name.
type register struct {
	exact, byCode, byName, byBare map[string][]Reference // byBare: by the code without leading zeros
	byID                          map[int64]Reference
}

func newRegister(ctx context.Context, store Store, kind string) (*register, error) {
	list, err := store.References(ctx, kind)
	if err != nil {
		return nil, err
	}
	r := &register{exact: map[string][]Reference{}, byCode: map[string][]Reference{}, byName: map[string][]Reference{}, byBare: map[string][]Reference{}, byID: map[int64]Reference{}}
	for _, reference := range list {
		code := text.Code(reference.Code).Fold()
		r.exact[reference.Code] = append(r.exact[reference.Code], reference)
		r.byCode[code] = append(r.byCode[code], reference)
		name := folded(reference.Name)
		r.byName[name] = append(r.byName[name], reference)
		bare := strings.TrimLeft(code, "0")
		r.byBare[bare] = append(r.byBare[bare], reference)
		r.byID[reference.ID] = reference
	}
	return r, nil
}

// named returns the records that a text names. A name is one in its own case, if there is one.
func (g *register) named(by, s string) []Reference {
	if by != byName {
		if found := g.exact[s]; found != nil {
			return found
		}
		return g.byCode[text.Code(strings.TrimSpace(s)).Fold()]
	}
	var exact []Reference
	for _, reference := range g.byName[folded(s)] {
		if reference.Name == strings.TrimSpace(s) {
			exact = append(exact, reference)
		}
	}
	if exact != nil {
		return exact
	}
	return g.byName[folded(s)]
}

// byName is the way of a column that names records by their names.
const byName = "name"

// ids are the fields with an id of this database in the place of a code.
var ids = map[string]string{colDepartment: fieldDepartmentID, colAccount: fieldAccountID, colCompany: fieldCompanyID, colTraded: fieldCurrencyID}

// reference reads a column that names a record of another kind, and returns its code, or its name if it has none.
func (r *reading) reference(column string) string {
	cell, position := r.cell(column)
	if r.s.reads(ids[column]) {
		if id, at := r.cell(ids[column]); strings.TrimSpace(id.Text()) != "" {
			return r.byID(column, id, at, cell)
		}
	}
	if !r.usable(column, position, cell) {
		return ""
	}
	s := cell.Text()
	if r.file.Format == tables.CSV {
		s = tables.Unguard(s)
	}
	by := r.way(column)
	found := r.registers[r.s.refs[column]].named(by, s)
	if nth, _ := r.cell(colNth); column == colCompany && strings.TrimSpace(nth.Text()) != "" {
		n, err := money.ParseInteger(nth.Text())
		if err != nil || n < 1 || n > int64(len(found)) {
			found = nil
		} else {
			found = found[n-1 : n]
		}
	}
	if len(found) == 1 {
		return r.take(column, found[0])
	}
	r.unresolved(column, position, cell, found, by, s)
	return ""
}

// way is how a column names records: by code, or by name.
func (r *reading) way(column string) string {
	if r.s.refs[column] == "companies" {
		return byName
	}
	raw, _ := r.rawCell(column)
	if word, found := r.word(column, raw); found && word != nil {
		return "" // the words of a map are codes
	}
	c, _ := r.c.at(column)
	return c.By
}

// take keeps what a row needs of the record that it names.
func (r *reading) take(column string, found Reference) string {
	if column == colAccount {
		r.accountType = found.Type
	}
	if column != colCompany {
		return found.Code
	}
	r.nth = ""
	if same := r.registers[r.s.refs[column]].named(byName, found.Name); len(same) > 1 {
		r.nth = strconv.Itoa(slices.Index(same, found) + 1)
	}
	return found.Name
}

// byID resolves an id of this database.
func (r *reading) byID(column string, id tables.Cell, position int, code tables.Cell) string {
	n, err := money.ParseInteger(id.Text())
	found, known := r.registers[r.s.refs[column]].byID[n]
	switch {
	case strings.TrimSpace(code.Text()) != "":
		r.add(wrong, codeAmbiguous, ids[column], position, id, "The row has %s and %s. Empty one of them.", column, ids[column])
	case err != nil:
		r.add(wrong, codeNotANumber, ids[column], position, id, "The field %s %v.", ids[column], err)
	case !known:
		r.add(wrong, codeUnknown, ids[column], position, id, "None of the %s has the id %d.", r.s.refs[column], n)
	default:
		return r.take(column, found)
	}
	return ""
}

// unresolved adds why a text names no record.
func (r *reading) unresolved(column string, position int, cell tables.Cell, found []Reference, by, s string) {
	kind, shown := r.s.refs[column], text.Printable(text.Shorten(s))
	switch {
	case len(found) > 1 && column == colCompany:
		r.add(wrong, codeAmbiguous, column, position, cell, "%d companies have the name %s. Say in the column %s which one is meant, from 1.", len(found), shown, colNth)
		return
	case len(found) > 1:
		r.add(wrong, codeAmbiguous, column, position, cell, "%d %s have the name %s. Use their codes.", len(found), kind, shown)
		return
	case tables.Mangled(s):
		r.add(wrong, codeMangled, column, position, cell, "A program has written the code as a number with an exponent. Write the code again, as text.")
		return
	}
	if by == "" {
		by = colCode
	}
	f := r.add(wrong, codeUnknown, column, position, cell, "None of the %s has the %s %s. Add it first%s.", kind, by, shown, r.inMap(", or say in the map what it stands for"))
	if zeros := r.registers[kind].byBare[strings.TrimLeft(text.Code(s).Fold(), "0")]; by == colCode && len(zeros) > 0 {
		f.Message += " There is " + strconv.Quote(zeros[0].Code) + ": the file may have lost the zeros."
	}
}

// rawCell is the cell of a field before the words of the map. Of several columns with the field, as type and side in
// a file of JSON, one is filled.
func (r *reading) rawCell(field string) (cell tables.Cell, position int) {
	for _, column := range r.c.list {
		if column.Field != field {
			continue
		}
		next := r.record.Cell(column.position)
		switch {
		case position == 0 || cell.Type == tables.EmptyCell:
			cell, position = next, column.position
		case next.Type != tables.EmptyCell && !r.faulty(field):
			r.add(wrong, codeTwoValues, field, column.position, next, "Two columns of the row have the field %s: %s and %s. Empty one of them.", field, r.h.label(position), r.h.label(column.position))
		}
	}
	return cell, position
}
