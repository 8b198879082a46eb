// Package statement writes a variance report as a workbook that a controller sends on: a block a currency in the order
// of a profit and loss statement, whose totals are formulas that a check cell compares with the figures of the books.
//
// It must not know HTTP or SQL, nor where the report comes from.
package statement

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/tables"
)

// State is the state of the books that a report shows.
type State struct {
	Seq int64     // of the newest entry of the journal; -1 where the books changed while the report was made
	At  time.Time // of that entry
}

// Write writes the report as a workbook. Its bytes follow from the report and the state. TooManyRows of
// package exchange reports that a sheet has no room for it.
func Write(to io.Writer, s budget.Summary, state State) error {
	b := &book{by: s.By, labels: labels[s.By], blocks: blocksOf(s)}
	head := b.head(s, state)
	first := len(head) + 2 // the first row below the header
	var err error
	b.sheet, err = tables.NewSheetWriter(to, tables.SheetOptions{
		Name: "Variance", Widths: b.widths(s), Head: first - 1, ReportMark: true,
		Toned: b.column(variance) + ":" + b.column(status),
		Good:  fmt.Sprintf(`$%s%d=%q`, b.column(status), first, favourable),
		Bad:   fmt.Sprintf(`$%s%d=%q`, b.column(status), first, unfavourable),
	})
	if err != nil {
		return err
	}
	b.rows(head)
	b.header()
	for i := range b.blocks {
		b.block(&b.blocks[i])
	}
	if b.err != nil {
		return b.err
	}
	return b.sheet.Close()
}

// The columns of figures, behind the labels.
const (
	budgeted = iota
	actual
	variance
	percent
	status
	figureColumns
)

// The words of the status. The cells that have them have a colour too.
const (
	favourable   = "favourable"
	unfavourable = "unfavourable"
	onBudget     = "on budget"
)

var labels = map[budget.Grouping][]string{
	budget.PerLine:       {"Department", "Account", "Description"},
	budget.PerAccount:    {"Account", "Description"},
	budget.PerDepartment: {"Department"},
}

var titles = map[budget.AccountType]string{
	budget.Revenue:   "Revenue",
	budget.COGS:      "Cost of goods sold",
	budget.Opex:      "Operating expenses",
	budget.Headcount: "Headcount costs",
	budget.Capex:     "Capital expenditure",
}

// block is the statement of one currency.
type block struct {
	currency money.Currency
	sections []section
	lines    int
	net      budget.Figures
	decimals int  // that the cells show: those of the currency, or more where an amount has more
	kept     bool // a sheet keeps each of its amounts, so that formulas give the same
}

// section is the accounts of a type, or all departments, whose figures are net results.
type section struct {
	of       budget.AccountType // "" of departments
	items    []budget.Item
	subtotal budget.Figures
}

// blocksOf are the statements of a report, that with the most lines first. The items are in the order of a statement.
func blocksOf(s budget.Summary) []block {
	found := map[money.Currency]*block{}
	for _, net := range s.Totals {
		found[net.Currency] = &block{currency: net.Currency, net: net.Figures, decimals: net.Currency.Decimals(), kept: true}
	}
	for _, item := range s.Items {
		b := found[item.Currency]
		if n := len(b.sections); n == 0 || b.sections[n-1].of != item.Account.Type {
			b.sections = append(b.sections, section{of: item.Account.Type})
		}
		in := &b.sections[len(b.sections)-1]
		in.items, b.lines = append(in.items, item), b.lines+1
		b.see(item.Within())
	}
	for _, sub := range s.Subtotals {
		b := found[sub.Currency]
		for i := range b.sections {
			if b.sections[i].of == sub.Type {
				b.sections[i].subtotal = sub.Figures
			}
		}
		b.see(sub.Figures)
	}
	blocks := make([]block, 0, len(found))
	for _, currency := range slices.Sorted(maps.Keys(found)) {
		b := found[currency]
		b.see(b.net)
		for i := range b.sections {
			if b.resultAfter(i) != "" {
				b.see(b.through(i))
			}
		}
		blocks = append(blocks, *b)
	}
	slices.SortStableFunc(blocks, func(a, b block) int { return cmp.Compare(b.lines, a.lines) })
	return blocks
}

// see notes what figures need to be shown, and whether a sheet keeps them.
func (b *block) see(f budget.Figures) {
	for _, sum := range []money.Sum{f.Budget, f.Actual, f.Variance} {
		text := sum.String()
		b.decimals = max(b.decimals, decimalsIn(text))
		b.kept = b.kept && tables.KeepsNumber(text)
	}
}

// height is how many rows the block takes.
func (b *block) height() int {
	rows := 4 // its title, the net result, the figures of the books, and an empty row
	for i, s := range b.sections {
		rows += len(s.items)
		if s.of != "" {
			rows += 2
		}
		if b.resultAfter(i) != "" {
			rows++
		}
	}
	return rows
}

// resultAfter is the result that follows from the sections up to the i-th, if it has a name.
func (b *block) resultAfter(i int) string {
	if b.sections[0].of != budget.Revenue {
		return ""
	}
	last := len(b.sections) - 1
	switch of := b.sections[i].of; {
	case of == budget.COGS:
		return "Gross profit"
	case i == last-1 && b.sections[last].of == budget.Capex && of != budget.Revenue:
		return "Operating result"
	}
	return ""
}

// through are the figures of the result of the sections up to the i-th.
func (b *block) through(i int) (f budget.Figures) {
	for _, s := range b.sections[:i+1] {
		sub := s.subtotal
		if s.of == budget.Revenue {
			f.Budget, f.Actual = f.Budget.Plus(sub.Budget), f.Actual.Plus(sub.Actual)
		} else {
			f.Budget, f.Actual = f.Budget.Minus(sub.Budget), f.Actual.Minus(sub.Actual)
		}
		f.Variance = f.Variance.Plus(sub.Variance)
	}
	f.Budgeted, f.Posted = true, true
	return f
}
