package statement

import (
	"fmt"
	"strings"

	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/tables"
)

// looks are the styles of a row.
type looks struct{ label, amount, percent, status tables.Style }

// looksOf are the styles of a row that shows so many decimals.
func looksOf(decimals int, base tables.Style) looks {
	l := looks{label: base, amount: base, percent: base, status: base}
	places := ""
	if decimals > 0 {
		places = "." + strings.Repeat("0", decimals)
	}
	l.amount.Format, l.amount.Right = fmt.Sprintf(`#,##0%[1]s_);(#,##0%[1]s);"–"_)`, places), true
	l.percent.Format, l.percent.Right = `0.00%_);(0.00%);"–"_)`, true
	l.status.Indent = 1
	return l
}

// block writes the statement of a currency.
func (b *book) block(k *block) {
	b.row(text(string(k.currency), tables.Style{Size: 13, Bold: true}))
	plain := looksOf(k.decimals, tables.Style{})
	total := looksOf(k.decimals, tables.Style{Bold: true, Top: "thin"})
	result := looksOf(k.decimals, tables.Style{Bold: true, Top: "thin", Bottom: "thin"})
	net := looksOf(k.decimals, tables.Style{Bold: true, Top: "thin", Bottom: "double"})
	var revenue, costs []int // the rows of the subtotals so far
	for i := range k.sections {
		s := &k.sections[i]
		if s.of == "" {
			first := b.sheet.Rows() + 1
			b.items(k, s, plain)
			b.figures(k, net, []string{"Net result after capex"}, k.net, subtotals(first, b.sheet.Rows()), "")
			continue
		}
		b.row(text(titles[s.of], tables.Style{Bold: true}))
		first := b.sheet.Rows() + 1
		b.items(k, s, plain)
		b.figures(k, total, []string{titles[s.of] + ", total"}, s.subtotal, subtotals(first, b.sheet.Rows()), "")
		if s.of == budget.Revenue {
			revenue = append(revenue, b.sheet.Rows())
		} else {
			costs = append(costs, b.sheet.Rows())
		}
		if name := k.resultAfter(i); name != "" {
			b.figures(k, result, []string{name}, k.through(i), difference(revenue, costs), "")
		}
	}
	if b.by != budget.PerDepartment {
		b.figures(k, net, []string{"Net result after capex"}, k.net, difference(revenue, costs), "")
	}
	b.books(k, plain)
	b.row()
}

func (b *book) items(k *block, s *section, l looks) {
	rule := "%[2]s-%[1]s" // actual less budget
	if s.of != budget.Revenue && s.of != "" {
		rule = "%[1]s-%[2]s"
	}
	for i := range s.items {
		b.figures(k, l, b.labelsOf(&s.items[i]), s.items[i].Within(), nil, rule)
	}
}

// subtotals adds up the rows of a section.
func subtotals(first, last int) func(column string) string {
	return func(column string) string {
		return fmt.Sprintf("SUBTOTAL(9,%[1]s%[2]d:%[1]s%[3]d)", column, first, last)
	}
}

// difference takes the rows of costs from those of revenue. Variances have the sign of the result already, and are added.
func difference(revenue, costs []int) func(column string) string {
	return func(column string) string {
		var f strings.Builder
		for _, row := range revenue {
			fmt.Fprintf(&f, "%s%d", column, row)
		}
		for _, row := range costs {
			fmt.Fprintf(&f, "-%s%d", column, row)
		}
		return f.String()
	}
}

// figures writes a row. Formulas of a total come from total, by the column; a line has its amounts, and its variance is
// the rule of its type.
func (b *book) figures(k *block, l looks, names []string, f budget.Figures, total func(column string) string, rule string) {
	row := b.sheet.Rows() + 1
	cells := make([]tables.SheetCell, len(b.labels)+figureColumns)
	for i := range b.labels {
		cells[i].Style = l.label
		if i < len(names) {
			cells[i] = text(names[i], l.label)
		}
	}
	at := func(figure int) string { return fmt.Sprintf("%s%d", b.column(figure), row) }
	figure := func(figure int, value string, style tables.Style, formula string) {
		if !k.kept {
			formula = ""
		}
		cells[len(b.labels)+figure] = tables.SheetCell{Cell: tables.Cell{Type: tables.NumberCell, Value: value}, Style: style, Formula: formula}
	}
	amount := func(column int, sum money.Sum, there bool) {
		formula := ""
		if total != nil {
			formula = total(b.column(column))
		}
		figure(column, sum.String(), l.amount, formula)
		if !there {
			cells[len(b.labels)+column] = tables.SheetCell{Style: l.amount}
		}
	}
	amount(budgeted, f.Budget, f.Budgeted || total != nil)
	amount(actual, f.Actual, f.Posted || total != nil)
	figure(variance, f.Variance.String(), l.amount, b.varianceFormula(total, rule, at))
	figure(percent, fraction(f.Percent().String()), l.percent,
		fmt.Sprintf("IF(%[1]s<>0,ROUND(%[3]s/ABS(%[1]s),4),IF(%[2]s<>0,SIGN(%[3]s),0))", at(budgeted), at(actual), at(variance)))
	figure(status, word(f.Variance), l.status, fmt.Sprintf(`IF(ROUND(%[1]s,%[2]d)>0,"%[3]s",IF(ROUND(%[1]s,%[2]d)<0,"%[4]s","%[5]s"))`,
		at(variance), k.decimals, favourable, unfavourable, onBudget))
	cells[len(b.labels)+status].Type = tables.TextCell
	b.row(cells...)
}

// varianceFormula is the variance of a row. Those of results are sums of variances.
func (b *book) varianceFormula(total func(string) string, rule string, at func(int) string) string {
	if total != nil {
		return strings.ReplaceAll(total(b.column(variance)), "-", "+")
	}
	return fmt.Sprintf(rule, at(budgeted), at(actual))
}

// books writes the figures of the books below the net result, and whether the result is the same.
func (b *book) books(k *block, l looks) {
	net := b.sheet.Rows()
	row := net + 1
	cells := make([]tables.SheetCell, len(b.labels)+figureColumns)
	cells[0] = text("Net result in the books", l.label)
	var same []string
	for i, sum := range []money.Sum{k.net.Budget, k.net.Actual, k.net.Variance} {
		cells[len(b.labels)+i] = tables.SheetCell{Cell: tables.Cell{Type: tables.NumberCell, Value: sum.String()}, Style: l.amount}
		same = append(same, fmt.Sprintf("ABS(%[1]s%[2]d-%[1]s%[3]d)<0.%[4]s5", b.column(i), net, row, strings.Repeat("0", k.decimals)))
	}
	cells[len(b.labels)+percent] = text("the same:", l.percent)
	check := tables.SheetCell{Cell: tables.Cell{Type: tables.BooleanCell, Value: "true"}, Style: l.status, Formula: "AND(" + strings.Join(same, ",") + ")"}
	if !k.kept {
		check = text("not checked", l.status)
	}
	cells[len(b.labels)+status] = check
	b.row(cells...)
}

// word is the status of a variance.
func word(variance money.Sum) string {
	switch variance.Sign() {
	case 1:
		return favourable
	case -1:
		return unfavourable
	}
	return onBudget
}

// decimalsIn is how many decimals a text has.
func decimalsIn(decimal string) int {
	_, places, _ := strings.Cut(decimal, ".")
	return len(places)
}

// fraction is a hundredth of a decimal.
func fraction(decimal string) string {
	digits, negative := strings.CutPrefix(decimal, "-")
	whole, places, _ := strings.Cut(digits, ".")
	whole = strings.Repeat("0", max(0, 3-len(whole))) + whole
	cut := len(whole) - 2
	digits = whole[:cut] + "." + whole[cut:] + places
	digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	if negative {
		return "-" + digits
	}
	return digits
}
