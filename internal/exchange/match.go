package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"daybook/internal/money"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// matchID is the match of a map under which a row with an id corrects the stored record that has the id.
const matchID = "id"

// fieldID is the field of that id. Under no other match a file has it.
const fieldID = "id"

// namedID is an id that a row names.
type namedID struct {
	id   int64
	line int
}

// matched is the shape of files under a map: with a field for ids, if records are matched by them. A line and an actual
// have a key that never changes, so they are found by it, and the id must agree.
func (s *shape) matched(m *Map) *shape {
	if m.Match != matchID {
		return s
	}
	with := *s
	with.extra = append(slices.Clone(s.extra), fieldID)
	with.byID = !s.wide
	return &with
}

func (k *check) matches() bool { return k.m.Match == matchID }

// findID takes the column whose header is id, if a map names none.
func (c *columns) findID(h headed) {
	for i, column := range h.headers {
		if column.key == fieldID {
			c.add(Column{Field: fieldID}, i+1, h)
			return
		}
	}
	c.questions = append(c.questions, c.askFor(fieldID, h))
}

// match reads the id of a row, and the record that has it.
func (r *reading) match() (err error) {
	if !r.matches() {
		return nil
	}
	cell, position := r.cell(fieldID)
	if !r.usable(fieldID, position, cell) {
		return nil
	}
	id, err := money.ParseInteger(strings.TrimSpace(cell.Text()))
	if err == nil && id < 1 {
		err = fmt.Errorf("must be 1 or more, got %d", id)
	}
	if err != nil {
		r.add(wrong, codeNotANumber, fieldID, position, cell, "The field %s %v.", fieldID, err)
		return nil
	}
	r.id = id
	if r.stage == hashing {
		r.ids = append(r.ids, namedID{id, r.record.Line})
		return nil
	}
	if lines := r.linesOf(id); len(lines) > 1 {
		r.add(wrong, codeDuplicate, fieldID, position, cell, "The id %d comes %d times in the file, first on line %d and last on line %d. Keep one of them.", id, len(lines), lines[0].line, lines[len(lines)-1].line)
	}
	if r.stage != giving || !r.s.byID {
		return nil
	}
	r.stored, err = r.Store.ByID(r.ctx, r.s.kind, id)
	switch {
	case err != nil:
		return err
	case r.stored == nil:
		r.add(wrong, codeUnknown, fieldID, position, cell, "None of the %s has the id %d. Empty the cell to add a new record, or take the line out.", r.s.kind, id)
	case r.s.currency != "":
		r.currency = r.was(r.s.currency)
	}
	return nil
}

// linesOf are the rows that name an id.
func (k *check) linesOf(id int64) []namedID {
	first, named := slices.BinarySearchFunc(k.ids, id, func(n namedID, id int64) int { return cmp.Compare(n.id, id) })
	last := first
	for named && last < len(k.ids) && k.ids[last].id == id {
		last++
	}
	return k.ids[first:last]
}

// corrects reports whether a row names the record that it corrects, so that it needs no more than what changes.
func (r *reading) corrects() bool { return r.id != 0 && r.s.byID }

// was is what a column of the record has that a row corrects.
func (r *reading) was(column string) string {
	if r.stored == nil {
		return ""
	}
	return r.stored[r.places[column]]
}

// grossAlone refuses a gross without shares: no price follows from it.
func (r *reading) grossAlone() {
	cell, position := r.cell(fieldGross)
	if r.corrects() && r.usable(fieldGross, position, cell) {
		r.add(wrong, codeMissing, colShares, 0, tables.Cell{}, "The row has a gross but no shares, so no price follows. Give the shares too.")
	}
}

// hasKey reports whether a record counts among those with its key. One with an id may have none.
func (k *check) hasKey(v values) bool {
	return v.id == 0 || !k.s.byID || len(k.s.key) > 0 && v.get(k.s.key[0]) != ""
}

// agree adds what is wrong about the id of a row whose record was found by its key, and about a row without an id whose
// record another row names.
func (r *reading) agree(found int64) {
	if !r.matches() {
		return
	}
	cell, position := r.cell(fieldID)
	switch lines := r.linesOf(found); {
	case r.id == 0 && found != 0 && len(lines) > 0:
		r.add(wrong, codeDuplicate, fieldID, position, cell, "Line %d names the same record by its id, %d. Keep one of them.", lines[0].line, found)
	case r.id == 0 || r.id == found:
	case found == 0:
		r.add(wrong, codeUnknown, fieldID, position, cell, "No stored record with this key has the id %d. Empty the cell to add the record, or correct the key.", r.id)
	default:
		r.add(wrong, codeUnknown, fieldID, position, cell, "The stored record with this key has the id %d, not %d. A key cannot be changed: correct the key or the id.", found, r.id)
	}
}

// corrected gives a record that a row names by its id its result. What the row does not give stays as it is.
func (k *check) corrected(r *reading, v values) (row Row, err error) {
	row = Row{Line: r.record.Line, Result: ResultChanged, ID: r.id, Before: r.stored, After: k.merge(r.stored, v.Record), ByID: true}
	for i, column := range k.s.columns {
		given := v.Record[i]
		switch {
		case column == colNth && v.get(colCompany) != "":
			row.After[i] = given
		case !slices.Contains(k.s.key, column) || given == "" || text.Code(given).Fold() == text.Code(r.stored[i]).Fold():
		case k.s.kind == "currencies":
			r.add(wrong, codeKeyChanged, column, 0, tables.Cell{}, "The currency %d has the code %s, and a code of a currency stays. Correct the code or the id.", r.id, r.stored[i])
		default:
			row.After[i] = given
			other, _, err := k.Store.Find(k.ctx, k.s.kind, v.Record, 1)
			if err != nil {
				return row, err
			}
			if other != 0 && other != r.id {
				r.add(wrong, codeKeyChanged, column, 0, tables.Cell{}, "The record %d has the %s %s already. Correct the %s or the id.", other, column, given, column)
			}
		}
	}
	switch {
	case slices.Equal(row.Before, row.After):
		row.Result = ResultUnchanged
	case k.m.Existing == "refuse":
		r.add(wrong, codeExists, "", 0, tables.Cell{}, "The record is stored already, and the map refuses that.")
	case k.m.Existing == "skip":
		row.Result = ResultSkipped
	}
	return row, nil
}
