package tables

import (
	"cmp"
	"slices"
)

// Filler gives the merged cells of a sheet to all their rows. A sheet itself has them in their first row only.
type Filler struct {
	columns []mergedColumn
}

// mergedColumn is a column with the merged cells that are not passed yet.
type mergedColumn struct {
	position int
	merged   []Range // in the order of their rows
	value    Cell    // of the first
}

// NewFiller fills the merged cells of some columns, by their positions, below the header. Ranges are those of
// Reader.Merged at the end of a sheet. The rows of one reading go through it in their order.
func NewFiller(ranges []Range, positions []int, header int) *Filler {
	f := &Filler{}
	for _, position := range positions {
		of := mergedColumn{position: position, merged: Downward(ranges, position, header)}
		if len(of.merged) > 0 {
			f.columns = append(f.columns, of)
		}
	}
	return f
}

// Downward are the merged cells below the header with several rows in a column, in the order of their rows.
func Downward(ranges []Range, position, header int) (list []Range) {
	for _, r := range ranges {
		if r.FirstRow > header && r.FirstRow < r.LastRow && r.FirstColumn <= position && position <= r.LastColumn {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b Range) int { return cmp.Compare(a.FirstRow, b.FirstRow) })
	return list
}

// Fill fills the cells of a row that are parts of merged ones.
func (f *Filler) Fill(record *Record) {
	for i := range f.columns {
		of := &f.columns[i]
		for len(of.merged) > 0 && of.merged[0].LastRow < record.Line {
			of.merged, of.value = of.merged[1:], Cell{}
		}
		if len(of.merged) == 0 || record.Line < of.merged[0].FirstRow {
			continue
		}
		if record.Line == of.merged[0].FirstRow {
			of.value = record.Cell(of.merged[0].FirstColumn)
		}
		if missing := of.position - len(record.Cells); missing > 0 {
			record.Cells = append(record.Cells, make([]Cell, missing)...)
		}
		if cell := &record.Cells[of.position-1]; cell.Type == EmptyCell {
			*cell = of.value
		}
	}
}
