package exchange

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"daybook/internal/tables"
)

// fiscal reads the year or the period of a row: a number, a month or a date. A ledger has the day of each posting, and
// its column may be that of both.
func (r *reading) fiscal(column string) string {
	cell, position := r.cell(column)
	p, problem := monthOf(cell, r.dates)
	said, spelled := spelledYear(cell.Text())
	switch {
	case column == colYear && spelled && (p.month == 0 || r.c.yearAlone()):
		return r.ruled(column, said, position, cell)
	case problem == tables.OrderUnknown || problem == tables.CenturyUnknown:
		r.pending = true
		return ""
	case problem == tables.OrderDiffers:
		r.add(wrong, codeNotADate, column, position, cell, "The cell has its day and month in the other order than the file. Mend it.")
		return ""
	case problem == tables.NoSuchDay:
		r.add(wrong, codeNotADate, column, position, cell, "The cell has a day that does not exist. Mend it.")
		return ""
	case p.number > 0 && column == colPeriod:
		return strconv.Itoa(p.number)
	case column == colYear && p.short > 0 && p.year == 0:
		r.pending = true
		return ""
	case p.month == 0 || column == colYear && p.year == 0:
		return r.plainText(column)
	case r.m.Dates.YearStarts == 0:
		r.pending = true
		return ""
	}
	number, year := p.in(time.Month(r.m.Dates.YearStarts))
	if column == colPeriod {
		return strconv.Itoa(number)
	}
	return r.ruled(column, strconv.Itoa(year), position, cell)
}

// compareYear doubts a row whose year is not that of the date in its period. A fiscal year may also be named by the year
// of its first month.
func (r *reading) compareYear(v values) {
	starts := time.Month(r.m.Dates.YearStarts)
	if starts == 0 || !r.c.yearAlone() {
		return
	}
	cell, position := r.cell(colPeriod)
	p, _ := monthOf(cell, r.dates)
	if p.year == 0 {
		return
	}
	_, year := p.in(starts)
	if said := atoi(v.get(colYear)); said > 0 && said != year && (starts == time.January || said != year-1) {
		r.add(doubtful, codeYearDiffers, colPeriod, position, cell, "The date is in the fiscal year %d, but the row has the fiscal year %d.", year, said)
	}
}

var (
	shortYear = regexp.MustCompile(`(?i)^fy ?'?(\d{2}|\d{4})$`)
	longYear  = regexp.MustCompile(`(?i)^(?:fy ?)?(\d{4})[-/](\d{2}|\d{4})$`)
)

// spelledYear reads FY27, FY2027 and 2026/27, which is the year of its last month.
func spelledYear(s string) (year string, is bool) {
	s = oneLine(s)
	if m := shortYear.FindStringSubmatch(s); m != nil {
		return strconv.Itoa(2000 + atoi(m[1])%2000), true
	}
	m := longYear.FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	last := strconv.Itoa(atoi(m[1]) + 1)
	return last, strings.HasSuffix(last, m[2])
}

// monthOf reads the month of a cell, by the rules of the file's dates. It returns the problem of a date that they
// leave open.
func monthOf(cell tables.Cell, rules tables.DateRules) (period, tables.DateProblem) {
	if cell.Type != tables.TextCell && cell.Type != tables.DateCell {
		return period{}, ""
	}
	date, err := cell.Date(rules)
	if err == nil {
		return period{month: date.Time.Month(), year: date.Time.Year()}, ""
	}
	if e, is := errors.AsType[*tables.DateError](err); is && e.Problem != tables.NotADate {
		return period{}, e.Problem
	}
	p, is := periodOf(cell)
	if !is {
		return period{}, ""
	}
	return p.within(rules.Century), ""
}

// fiscal adds the evidence of a cell with a year or a period. A column of the year alone has years: there 2011/12 is not
// December. A column of both is added as that of the period.
func (e *evidence) fiscal(line int, of column, cell tables.Cell, yearAlone bool) {
	position := of.position
	if _, spelled := spelledYear(cell.Text()); of.Field == colYear && (spelled || !yearAlone) {
		return
	}
	if cell.Type == tables.TextCell {
		e.dates.Add(line, position, cell.Value)
	}
	if p, problem := monthOf(cell, tables.DateRules{}); p.month > 0 || problem != "" {
		spot := tables.Spot{Line: line, Column: position, Text: cell.Text()}
		e.months.Add(spot)
		if p.short > 0 && !yearAlone {
			e.dates.Century.Add(spot)
		}
	}
}

// askForStart asks for the first month of a fiscal year where cells name months.
func (e *evidence) askForStart(h headed) *Question {
	q := spotted(askYearStarts, "The file has months and not the numbers of periods. Say in which month the fiscal year begins, as a number. The fiscal year is the year of its last month.", e.months, h)
	q.Proposed = "1"
	for month := range 12 {
		q.Choices = append(q.Choices, Choice{Value: strconv.Itoa(month + 1)})
	}
	return q
}
