package exchange

import (
	"math/big"

	"daybook/internal/tables"
)

var bothMarks = [2]tables.Mark{tables.Point, tables.Comma}

// fits counts the rows with a total that have cells which can be read in two ways, and how many of them add up under
// each mark.
type fits struct {
	rows int
	sums [len(bothMarks)]int
}

// decide reports whether all these rows add up under one mark, and not under the other.
func (f *fits) decide(mark int) bool {
	return f.rows > 0 && f.sums[mark] == f.rows && f.sums[1-mark] < f.rows
}

// add adds a row.
func (f *fits) add(record tables.Record, c *columns) {
	total, has := c.at(fieldTotal)
	if !c.wide || !has || record.Cell(total.position).Type == tables.EmptyCell {
		return
	}
	f.rows++
	for i, mark := range bothMarks {
		if addsUp(record, c, mark) {
			f.sums[i]++
		}
	}
}

// addsUp reports whether the periods of a row are its total under a mark. Each of them may be rounded by half a unit.
func addsUp(record tables.Record, c *columns, mark tables.Mark) bool {
	difference, unit, cells := new(big.Rat), new(big.Rat), int64(1)
	for _, column := range c.list {
		cell := record.Cell(column.position)
		if column.Field != fieldPeriod && column.Field != fieldTotal || cell.Type == tables.EmptyCell {
			continue
		}
		under := mark
		if cell.Type == tables.NumberCell { // of a spreadsheet: it has no mark
			under = tables.Point
		}
		n, err := tables.ParseNumber(cell.Value, under)
		value, is := new(big.Rat).SetString(n.Value)
		if err != nil || !is {
			return false
		}
		if column.Field == fieldTotal {
			unit.SetString(tables.Shift("1", -n.Decimals))
			difference.Sub(difference, value)
			continue
		}
		difference.Add(difference, value)
		cells++
	}
	twice := difference.Abs(difference.Add(difference, difference))
	return twice.Cmp(unit.Mul(unit, big.NewRat(cells, 1))) <= 0
}
