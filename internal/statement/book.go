package statement

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/internal/budget"
	"daybook/internal/tables"
)

// book is a workbook that is written. The first error stands in err, and nothing is written after it.
type book struct {
	by     budget.Grouping
	labels []string
	blocks []block
	sheet  *tables.SheetWriter
	err    error
}

func (b *book) row(cells ...tables.SheetCell) {
	if b.err == nil {
		b.err = b.sheet.Row(cells...)
	}
}

func (b *book) rows(rows [][]tables.SheetCell) {
	for _, cells := range rows {
		b.row(cells...)
	}
}

// column is the letter of a column of figures.
func (b *book) column(figure int) string {
	return strings.TrimRight(tables.Ref(len(b.labels)+1+figure, 1), "1")
}

func text(s string, style tables.Style) tables.SheetCell {
	return tables.SheetCell{Cell: tables.Cell{Type: tables.TextCell, Value: s}, Style: style}
}

// head says what the report is about, and whether its totals are those of the books.
func (b *book) head(s budget.Summary, state State) (rows [][]tables.SheetCell) {
	line := func(format string, args ...any) {
		rows = append(rows, []tables.SheetCell{text(fmt.Sprintf(format, args...), tables.Style{})})
	}
	rows = append(rows, []tables.SheetCell{text("Budget against actual", tables.Style{Size: 16, Bold: true})})
	periods := fmt.Sprintf("period %d", s.Period)
	if s.Span == budget.YearToDate && s.Period > 1 {
		periods = fmt.Sprintf("periods 1 to %d (year to date)", s.Period)
	}
	line("Fiscal year %d, %s", s.Year, periods)
	line("Version: %s. Department: %s. Currency: %s.", s.Version, orAll(s.Department, s.Department != budget.AllDepartments), orAll(string(s.Currency), s.Currency != ""))
	switch {
	case state.Seq < 0:
		line("State: the books changed while this report was made.")
	case state.Seq == 0:
		line("State: the books are empty.")
	default:
		line("State: journal entry %d of %s.", state.Seq, state.At.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	for _, note := range b.notes() {
		line("%s", note)
	}
	return append(rows, b.check(len(rows)+4), nil)
}

func orAll(name string, one bool) string {
	if one {
		return name
	}
	return "all"
}

// notes explain what a reader does not expect.
func (b *book) notes() (notes []string) {
	contra := false
	for _, block := range b.blocks {
		if !block.kept {
			notes = append(notes, fmt.Sprintf("Amounts in %s have over 15 digits, which a spreadsheet would round. They are texts, and the totals beside them are figures of the books, not formulas.", block.currency))
		}
		for _, s := range block.sections {
			contra = contra || slices.ContainsFunc(s.items, func(item budget.Item) bool { return item.Account.Contra() })
		}
	}
	if contra {
		notes = append(notes, "An account that is deducted from its total has the opposite sign.")
	}
	return notes
}

// check compares all blocks with the books. Its range begins below the header.
func (b *book) check(first int) []tables.SheetCell {
	checked, rows := 0, 0
	for i := range b.blocks {
		rows += b.blocks[i].height()
		if b.blocks[i].kept {
			checked++
		}
	}
	style := tables.Style{Bold: true}
	cells := make([]tables.SheetCell, len(b.labels)+1)
	cells[0] = text("Check: totals as in the books", style)
	last := &cells[len(cells)-1]
	if checked == 0 {
		*last = text("no formulas", style)
		return cells
	}
	last.Cell, last.Style = tables.Cell{Type: tables.BooleanCell, Value: "true"}, style
	last.Formula = fmt.Sprintf("COUNTIF(%[1]s%[2]d:%[1]s%[3]d,TRUE)=%[4]d", b.column(status), first, first+rows-1, checked)
	return cells
}

func (b *book) header() {
	left := tables.Style{Bold: true, Bottom: "medium"}
	right := left
	right.Right = true
	var cells []tables.SheetCell
	for _, name := range b.labels {
		cells = append(cells, text(name, left))
	}
	for _, name := range []string{"Budget", "Actual", "Variance", "Variance %"} {
		cells = append(cells, text(name, right))
	}
	left.Indent = 1
	b.row(append(cells, text("Status", left))...)
}

// widths are the widths of the columns, those of the labels by the longest.
func (b *book) widths(s budget.Summary) []float64 {
	longest := make([]int, len(b.labels))
	for i := range s.Items {
		for j, label := range b.labelsOf(&s.Items[i]) {
			longest[j] = max(longest[j], utf8.RuneCountInString(label))
		}
	}
	widths := make([]float64, 0, len(b.labels)+figureColumns)
	for i, n := range longest {
		least := 14
		if i == len(longest)-1 {
			least = 30
		}
		widths = append(widths, float64(min(max(n+4, least), 60)))
	}
	return append(widths, 20, 20, 20, 13, 16)
}

// labelsOf are the labels of a line.
func (b *book) labelsOf(item *budget.Item) []string {
	description := string(item.Account.Description)
	if item.Account.Contra() {
		description += " (deducted)"
	}
	switch b.by {
	case budget.PerDepartment:
		return []string{string(item.Department)}
	case budget.PerAccount:
		return []string{string(item.Account.Code), description}
	}
	return []string{string(item.Department), string(item.Account.Code), description}
}
