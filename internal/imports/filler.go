package imports

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"daybook/internal/exchange"
	"daybook/internal/tables"
)

// filler gives merged cells to all their rows, as a map says that repeats them. A file of CSV has none.
type filler []mergedColumn

// mergedColumn is a column with the merged cells that are not passed yet.
type mergedColumn struct {
	position int
	merged   []tables.Range // in the order of their rows
	value    tables.Cell    // of the first
}

// find finds the merged cells of the columns that have a field. A sheet keeps them behind its rows.
func (f *filler) find(file *tables.File, d tables.Dialect, columns []exchange.Column) error {
	rows, err := file.Records(d)
	for err == nil {
		_, err = rows.Read()
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	for _, column := range columns {
		of := mergedColumn{position: column.Position}
		for _, r := range rows.Merged() {
			if r.FirstRow < r.LastRow && r.FirstColumn <= column.Position && column.Position <= r.LastColumn {
				of.merged = append(of.merged, r)
			}
		}
		slices.SortFunc(of.merged, func(a, b tables.Range) int { return cmp.Compare(a.FirstRow, b.FirstRow) })
		*f = append(*f, of)
	}
	return nil
}

// fill fills the cells of a row below the header that are parts of merged ones.
func (f filler) fill(record *tables.Record) {
	for i := range f {
		of := &f[i]
		for len(of.merged) > 0 && of.merged[0].LastRow < record.Line {
			of.merged, of.value = of.merged[1:], tables.Cell{}
		}
		if len(of.merged) == 0 || record.Line < of.merged[0].FirstRow {
			continue
		}
		if record.Line == of.merged[0].FirstRow {
			of.value = record.Cell(of.merged[0].FirstColumn)
		}
		if missing := of.position - len(record.Cells); missing > 0 {
			record.Cells = append(record.Cells, make([]tables.Cell, missing)...)
		}
		if cell := &record.Cells[of.position-1]; cell.Type == tables.EmptyCell {
			*cell = of.value
		}
	}
}
