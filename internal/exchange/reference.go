package exchange

import (
	"context"
	"strings"

	"daybook/internal/tables"
	"daybook/internal/text"
)

// register finds the records of a kind that others name.
type register struct {
	byCode, byName, byBare map[string][]Reference // byBare: by the code without leading zeros
}

func newRegister(ctx context.Context, store Store, kind string) (*register, error) {
	list, err := store.References(ctx, kind)
	if err != nil {
		return nil, err
	}
	r := &register{byCode: map[string][]Reference{}, byName: map[string][]Reference{}, byBare: map[string][]Reference{}}
	for _, reference := range list {
		code := text.Code(reference.Code).Fold()
		r.byCode[code] = append(r.byCode[code], reference)
		r.byName[folded(reference.Name)] = append(r.byName[folded(reference.Name)], reference)
		bare := strings.TrimLeft(code, "0")
		r.byBare[bare] = append(r.byBare[bare], reference)
	}
	return r, nil
}

// resolve returns the record that a text names, or how many there are.
func (g *register) resolve(by, s string) (Reference, int) {
	found := g.byCode[text.Code(strings.TrimSpace(s)).Fold()]
	if by == "name" {
		found = g.byName[folded(s)]
	}
	if len(found) == 0 {
		return Reference{}, 0
	}
	return found[0], len(found)
}

// reference reads a column that names a record of another kind, and returns its code.
func (r *reading) reference(column string) string {
	cell, position := r.cell(column)
	if cell.Type == tables.EmptyCell && position > 0 {
		if filled, has := r.filled[column]; has {
			cell = filled
		}
	}
	if !r.usable(column, position, cell) {
		return ""
	}
	s := cell.Text()
	if r.file.Format == tables.CSV {
		s = tables.Unguard(s)
	}
	by := ""
	if c, has := r.c.at(column); has {
		by = c.By
	}
	raw, _ := r.rawCell(column)
	if word, found := r.word(column, raw); found && word != nil {
		by = "" // the words of a map are codes
	}
	kind := r.s.refs[column]
	found, n := r.registers[kind].resolve(by, s)
	shown := text.Printable(text.Shorten(s))
	switch {
	case n == 1:
		if column == colAccount {
			r.accountType = found.Type
		}
		return found.Code
	case n > 1:
		r.add(wrong, codeAmbiguous, column, position, cell, "%d %s have the name %s. Use their codes.", n, kind, shown)
	case tables.Mangled(s):
		r.add(wrong, codeMangled, column, position, cell, "A program has written the code as a number with an exponent. Write the code again, as text.")
	default:
		f := r.add(wrong, codeUnknown, column, position, cell, "None of the %s has the %s %s. Add it first, or say in the map what it stands for.", kind, named(by), shown)
		if zeros := r.registers[kind].byBare[strings.TrimLeft(text.Code(s).Fold(), "0")]; by == "" && len(zeros) > 0 {
			f.Message += " There is " + zeros[0].Code + ": the file may have lost the zeros."
		}
	}
	return ""
}

func named(by string) string {
	if by == "" {
		return "code"
	}
	return by
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
