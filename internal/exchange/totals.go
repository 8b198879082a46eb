package exchange

import (
	"slices"
	"strings"

	"daybook/internal/money"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// value is the amount of one period.
type value struct {
	period, year int
	value        string
	column       string // its header
}

// periods reads the amounts of a row in the wide form.
func (r *reading) periods() (list []value) {
	sum, total, hasTotal, decimals, open := money.Sum{}, number{}, false, 0, false
	var totalAt int
	for _, column := range r.c.list {
		cell := r.record.Cell(column.position)
		switch column.Field {
		case fieldTotal:
			if r.m.Total != "ignore" {
				total, hasTotal, totalAt = r.scaledTotal(column.position, cell)
				decimals = total.decimals
			}
		case fieldPeriod:
			n := r.scaled(fieldPeriod, column.position, cell)
			open = open || !n.filled && strings.TrimSpace(cell.Text()) != ""
			if !n.filled {
				if r.m.Empty == "clear" && cell.Type == tables.EmptyCell {
					list = append(list, value{column.Period, column.year, "", r.h.label(column.position)})
				}
				continue
			}
			a := r.ruled(colAmount, n.value, column.position, cell)
			if amount, err := money.ParseAmount(a); err == nil {
				sum.Add(amount)
				list = append(list, value{column.Period, column.year, a, r.h.label(column.position)})
			}
		}
	}
	if hasTotal && !open {
		r.compareTotal(sum, total, len(list), decimals, totalAt)
	}
	return list
}

// scaledTotal reads the total of a row. One that is no number is no news about the amounts.
func (r *reading) scaledTotal(position int, cell tables.Cell) (n number, filled bool, at int) {
	before := len(r.found)
	n = r.scaled(fieldTotal, position, cell)
	if len(r.found) > before && !n.filled {
		r.found = r.found[:before]
	}
	return n, n.filled, position
}

// compareTotal says where a total is not the sum of its periods. Each of them may be rounded by half a unit.
func (r *reading) compareTotal(sum money.Sum, total number, periods, decimals, position int) {
	stated, err := money.ParseComputedAmount(total.value)
	unit, wrongUnit := money.ParseComputedAmount(tables.Shift("1", r.scale-decimals))
	if err != nil || wrongUnit != nil {
		return
	}
	difference := sum.Minus(money.SumOf(stated))
	if difference.Sign() < 0 {
		difference = money.Sum{}.Minus(difference)
	}
	allowed := money.Sum{}
	for range periods + 1 {
		allowed.Add(unit)
	}
	if allowed.Minus(difference.Plus(difference)).Sign() < 0 {
		r.add(doubtful, codeTotalDiffers, fieldTotal, position, r.record.Cell(position), "The total is %s, but the sum of the periods is %s.", total.value, sum)
	}
}

// totals are the sums of the rows above, by the position of their columns.
type totals struct {
	all, since map[int]money.Sum
	rows       [2]int
}

// isTotal reports whether a row looks like a total of the rows above it. A row is data if all that it names is known,
// whatever it is called; a trade, which names nothing, if it is complete.
func (r *reading) isTotal(v values, wide []value) bool {
	if r.s.figure == "" {
		return false
	}
	figures := map[int]money.Sum{}
	if r.c.wide {
		for _, a := range wide {
			if amount, err := money.ParseAmount(a.value); err == nil {
				figures[a.period] = money.SumOf(amount)
			}
		}
	} else if at, has := r.places[colAmount]; has {
		if amount, err := money.ParseAmount(v.Record[at]); err == nil {
			figures[0] = money.SumOf(amount)
		}
	}
	named, position, known := r.label(v)
	if known {
		r.totals.add(figures)
		return false
	}
	cell := r.record.Cell(position)
	begins := looksLikeTotal(cell.Text())
	if !begins && !r.totals.equal(figures) {
		return false
	}
	r.found = slices.DeleteFunc(r.found, func(f Finding) bool { return f.Severity == wrong || f.Code == codeTotalDiffers })
	why := "its amounts are the sums of the rows above it"
	if begins {
		why = "it begins with " + text.Printable(text.Shorten(cell.Text()))
	}
	advice := "by null for this text in values"
	if named == fieldLabel && !r.c.has(fieldLabel) {
		advice = "by the field label for this column, and null for this text in values"
	}
	r.add(wrong, codeTotal, named, position, cell, "The row looks like a total: %s. Let the map skip it, %s.", why, advice)
	r.totals.since, r.totals.rows[1] = nil, 0
	return true
}

// label is the column that may call a row a total: the first that names nothing that is known, but is filled, and else
// one without a field. It reports whether all that the row names is known.
func (r *reading) label(v values) (named string, position int, known bool) {
	known = true
	for _, column := range r.s.columns {
		reference := r.s.refs[column] != ""
		if reference && v.get(column) == "" || len(r.s.refs) == 0 && slices.Contains(r.s.required, column) && v.get(column) == "" {
			known = false
		}
		cell, at := r.rawCell(column)
		if position == 0 && strings.TrimSpace(cell.Text()) != "" && (reference && v.get(column) == "" || len(r.s.refs) == 0) {
			named, position = column, at
		}
	}
	if position == 0 {
		named, position = fieldLabel, r.unreadLabel()
	}
	return named, position, known
}

// unreadLabel is the position of the text that may call a row a total, among the columns that are not read into the
// record: the first text that looks like a total, or else the first text. It is 0 if there is none.
func (r *reading) unreadLabel() (position int) {
	for i, cell := range r.record.Cells {
		of := slices.IndexFunc(r.c.list, func(column column) bool { return column.position == i+1 })
		if cell.Type != tables.TextCell || of >= 0 && r.c.list[of].Field != fieldLabel {
			continue
		}
		if looksLikeTotal(cell.Value) {
			return i + 1
		}
		if position == 0 && strings.TrimSpace(cell.Value) != "" {
			position = i + 1
		}
	}
	return position
}

// looksLikeTotal reports whether a text begins with a word for a total.
func looksLikeTotal(s string) bool {
	key, _ := normal(s)
	first, _, _ := strings.Cut(key, " ")
	return slices.Contains([]string{"total", "totals", "subtotal", "summe", "gesamt", "somme", "summa", "zwischensumme"}, strings.Trim(first, ":")) || strings.HasPrefix(key, "sub total")
}

func (t *totals) add(figures map[int]money.Sum) {
	if t.all == nil {
		t.all = map[int]money.Sum{}
	}
	if t.since == nil {
		t.since = map[int]money.Sum{}
	}
	for at, figure := range figures {
		t.all[at] = t.all[at].Plus(figure)
		t.since[at] = t.since[at].Plus(figure)
	}
	t.rows[0]++
	t.rows[1]++
}

// equal reports whether the amounts of a row are the sums of two or more rows above it.
func (t *totals) equal(figures map[int]money.Sum) bool {
	for i, sums := range []map[int]money.Sum{t.all, t.since} {
		same, some := t.rows[i] > 1, false
		for at, sum := range sums {
			same = same && figures[at] == sum
			some = some || sum != money.Sum{}
		}
		for at := range figures {
			_, has := sums[at]
			same = same && has
		}
		if same && some {
			return true
		}
	}
	return false
}
