package exchange

import (
	"fmt"
	"slices"
	"strconv"

	"daybook/internal/tables"
)

// headRows is how many filled rows may stand above the header and with it.
const headRows = 50

// headed is a table with its header.
type headed struct {
	line    int // of the header; 0 where the table has none
	headers []header
	named   bool // its headers are names of JSON; a record need not have all of them
}

// find finds the header of a table among its first filled rows: the row with the most known names. Bare
// numbers count only where no row has a name. Where several rows have as many, or none has any, it returns the
// question, and the first of them as a proposal.
func (n names) find(head []tables.Record) (headed, *Question) {
	bestNames, bestNumbers := 0, 0
	rows := make([]headed, len(head))
	for i, record := range head {
		rows[i] = n.header(record)
		bestNames = max(bestNames, rows[i].known(false))
		if numbers := rows[i].known(true); rows[i].ascends() {
			bestNumbers = max(bestNumbers, numbers)
		}
	}
	var best []headed
	for _, row := range rows {
		if bestNames > 0 && row.known(false) == bestNames || bestNames == 0 && bestNumbers > 0 && row.ascends() && row.known(true) == bestNumbers {
			best = append(best, row)
		}
	}
	switch {
	case len(best) == 0:
		return headed{}, askForHeader(head, nil)
	case slices.ContainsFunc(best[1:], func(row headed) bool { return !row.repeats(best[0]) }):
		return best[0], askForHeader(head, best)
	}
	return best[0], nil
}

// header reads a row as a header.
func (n names) header(record tables.Record) headed {
	h := headed{line: record.Line, headers: make([]header, len(record.Cells))}
	for i, cell := range record.Cells {
		h.headers[i] = n.read(cell)
	}
	return h
}

// known is how many fields and periods the header names, with its bare numbers or without.
func (h headed) known(bare bool) int {
	seen := map[any]bool{}
	for _, column := range h.headers {
		switch {
		case column.field == "" || column.period.bare && !bare:
		case column.field == fieldPeriod:
			seen[column.period] = true
		default:
			seen[column.field] = true
		}
	}
	return len(seen)
}

// ascends reports whether the bare numbers of a header are three or more, each one more than the number before it.
// Others are rather amounts.
func (h headed) ascends() bool {
	last, count := 0, 0
	for _, column := range h.headers {
		if !column.period.bare {
			continue
		}
		if count > 0 && column.period.number != last+1 {
			return false
		}
		last, count = column.period.number, count+1
	}
	return count >= 3
}

// repeats reports whether a header has the known names of another in the same columns.
func (h headed) repeats(other headed) bool {
	for i := range max(len(h.headers), len(other.headers)) {
		a, b := h.at(i+1), other.at(i+1)
		if a.field != b.field || a.period != b.period {
			return false
		}
	}
	return true
}

// at is the header of a column, from 1.
func (h headed) at(position int) header {
	if position < 1 || position > len(h.headers) {
		return header{}
	}
	return h.headers[position-1]
}

// label names a column in a sentence and in a finding.
func (h headed) label(position int) string {
	if text := h.at(position).text; text != "" {
		return text
	}
	return fmt.Sprintf("column %d", position)
}

// askForHeader asks which row is the header: one of several, or any.
func askForHeader(head []tables.Record, several []headed) *Question {
	q := &Question{Code: askHeaderRow, Message: "No row of the file has names that are known. Say which line is the header. Answer 0 if there is none."}
	const shown = 10
	if len(several) > 0 {
		q.Message = "Several rows of the file can be the header. Say which line is the header. Answer 0 if there is none."
		q.Proposed = strconv.Itoa(several[0].line)
	}
	for _, record := range head {
		if len(several) > 0 && !slices.ContainsFunc(several, func(row headed) bool { return row.line == record.Line }) {
			continue
		}
		if len(q.Choices) < shown {
			q.Choices = append(q.Choices, Choice{Value: strconv.Itoa(record.Line), Cells: shownCells(record)})
		}
	}
	q.Choices = append(q.Choices, Choice{Value: "0"})
	return q
}

// shownCells are the first filled cells of a row.
func shownCells(record tables.Record) (cells []Place) {
	const shown = 6
	for i, cell := range record.Cells {
		if cell.Type != tables.EmptyCell && len(cells) < shown {
			cells = append(cells, Place{Line: record.Line, Column: fmt.Sprintf("column %d", i+1), Value: cell.Text()})
		}
	}
	return cells
}
