package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/internal/tables"
)

// column is a column of the file that has a field.
type column struct {
	Column
	position int
	year     int  // of a period whose header has one
	proposed int  // the year of a period whose header has two digits of it, in 1950 to 2049
	guessed  bool // the question in which month the year begins is open, so the period is a proposal
}

// columns are the columns of a file that have a field, and what is open about them.
type columns struct {
	list      []column
	wide      bool
	questions []Question
}

// assign gives the columns of a file their fields: as the map says, or by their headers where it names no column.
// A required field without a column and two columns for one field are questions. The head is the first rows.
func (s *shape) assign(m *Map, h headed, head []tables.Record) columns {
	var c columns
	if len(m.Columns) > 0 {
		c.follow(m.Columns, h)
	} else {
		c.suggest(s, m, h)
	}
	if m.Match == matchID && !c.has(fieldID) && m.Set[fieldID] == "" && !c.asked(fieldID) {
		c.findID(h)
	}
	c.wide = m.Form == "wide" || m.Form == "" && c.has(fieldPeriod)
	if c.wide {
		c.periods(m, h)
	} else if m.Set[colYear] == "" {
		c.yearOfDates(h, head)
	}
	for _, field := range s.required {
		if c.wide && (field == colAmount || field == colPeriod) || m.Set[field] != "" || c.has(field) || c.stands(field) || c.asked(field) || s.byID && c.has(fieldID) {
			continue
		}
		c.questions = append(c.questions, c.askFor(field, h))
	}
	return c
}

// follow takes the columns of a map. A header finds its column, and the position only one of several with the same
// header, or a blank one.
func (c *columns) follow(mapped []Column, h headed) {
	for _, want := range mapped {
		key, _ := normal(want.Header)
		var found []int
		for position := 1; position <= max(len(h.headers), want.Position); position++ {
			if h.at(position).key == key && (key != "" || position == want.Position) {
				found = append(found, position)
			}
		}
		switch {
		case len(found) == 1:
			c.add(want, found[0], h)
		case slices.Contains(found, want.Position):
			c.add(want, want.Position, h)
		case len(found) > 1:
			c.questions = append(c.questions, askWhich(want.Field, found, h))
		default:
			q := c.askFor(want.Field, h)
			q.Message = fmt.Sprintf("The file has no column %q, which the map has for the field %s. Say which column has it.", want.Header, want.Field)
			c.questions = append(c.questions, q)
		}
	}
}

func (c *columns) add(want Column, position int, h headed) {
	if h.at(position).key != "" {
		want.Header = h.at(position).text
	}
	want.Position = position
	if want.Field == fieldPeriod && want.Period == 0 {
		want.Period = h.at(position).period.number
	}
	c.list = append(c.list, column{Column: want, position: position})
}

// suggest takes exact names and aliases, and in the wide form the periods.
func (c *columns) suggest(s *shape, m *Map, h headed) {
	byField := map[string][]int{}
	for i, column := range h.headers {
		if column.field != "" {
			byField[column.field] = append(byField[column.field], i+1)
		}
	}
	wide := s.wide && len(byField[fieldPeriod]) > 0 && len(byField[colAmount])+len(byField[colPeriod])+len(byField[fieldDebit]) == 0
	if m.Form != "" {
		wide = s.wide && m.Form == "wide"
	}
	for i := range h.headers {
		field, position := h.headers[i].field, i+1
		if field == fieldTime && len(byField[colDate]) == 0 { // it may be that of the date
			continue
		}
		if field == "" || m.Set[field] != "" || !wide && (field == fieldPeriod || field == fieldTotal) {
			continue
		}
		switch found := byField[field]; {
		case len(found) == 1 || field == fieldPeriod || h.named:
			c.add(Column{Field: field}, position, h)
		case found[0] == position:
			c.questions = append(c.questions, askWhich(field, found, h))
		}
	}
}

// periods gives the columns of months their periods.
func (c *columns) periods(m *Map, h headed) {
	starts, first := time.Month(m.Dates.YearStarts), time.Month(0)
	var proposed []Choice
	seen := map[string]bool{}
	for i := range c.list {
		column := &c.list[i]
		p := h.at(column.position).period.within(m.Dates.Century)
		if column.Field != fieldPeriod || p.month == 0 {
			continue
		}
		if column.Period != 0 {
			// The map says the period. The year is the header's, where the header has this period too.
			begins := cmp.Or(starts, time.January)
			if number, year := p.in(begins); number == column.Period {
				column.year = year
				_, column.proposed = p.within(1950).in(begins)
			}
			continue
		}
		if first == 0 {
			first = p.month
		}
		if starts == 0 {
			starts = first
			if first != time.January {
				proposed = propose([]string{"1"}, strconv.Itoa(int(first)))
			}
		}
		column.Period, column.year = p.in(starts)
		_, column.proposed = p.within(1950).in(starts)
		column.guessed = proposed != nil
	}
	if proposed != nil {
		c.questions = append(c.questions, Question{
			Code: askYearStarts, Message: "The months do not begin with January. Say in which month the fiscal year begins, as a number. The fiscal year is the year of its last month.",
			Proposed: proposed[0].Value, Choices: proposed,
		})
	}
	for _, column := range c.list {
		if column.Field != fieldPeriod {
			continue
		}
		id := fmt.Sprint(column.Period)
		if seen[id] {
			c.questions = append(c.questions, Question{Code: askColumn, Field: fieldPeriod, Message: fmt.Sprintf("Two columns have the period %d. Say which columns are meant.", column.Period)})
			return
		}
		seen[id] = true
	}
}

// yearOfDates takes the year from the column of the period, where that has days or months with a year and no column is
// that of the year.
func (c *columns) yearOfDates(h headed, head []tables.Record) {
	of, has := c.at(colPeriod)
	if !has || c.has(colYear) || c.asked(colYear) {
		return
	}
	for _, record := range head {
		if record.Line <= h.line {
			continue
		}
		if p, problem := monthOf(record.Cell(of.position), tables.DateRules{}); p.year > 0 || p.short > 0 || problem != "" {
			c.add(Column{Field: colYear, Position: of.Position}, of.position, h)
			return
		}
	}
}

// at is the column of a field.
func (c *columns) at(field string) (column, bool) {
	i := slices.IndexFunc(c.list, func(column column) bool { return column.Field == field })
	if i < 0 {
		return column{}, false
	}
	return c.list[i], true
}

func (c *columns) has(field string) bool {
	_, found := c.at(field)
	return found
}

// yearAlone reports whether the column of the year is not that of the period too.
func (c *columns) yearAlone() bool {
	year, _ := c.at(colYear)
	period, has := c.at(colPeriod)
	return !has || year.position != period.position
}

// stands reports whether other columns stand for a field: debit and credit for an amount, gross for a price, and
// months with a year for the year.
func (c *columns) stands(field string) bool {
	switch field {
	case colAmount:
		return c.has(fieldDebit) && c.has(fieldCredit)
	case colPrice:
		return c.has(fieldGross)
	case colDepartment, colAccount, colCompany:
		return c.has(ids[field])
	case colYear:
		return c.wide && !slices.ContainsFunc(c.list, func(column column) bool { return column.Field == fieldPeriod && column.year == 0 })
	}
	return false
}

// asked reports whether a question is about the field.
func (c *columns) asked(field string) bool {
	return slices.ContainsFunc(c.questions, func(q Question) bool { return q.Code == askColumn && q.Field == field })
}

// askFor asks for the column of a field, or a value for all rows. The unit of another header proposes the
// currency, and the years of the periods propose the year.
func (c *columns) askFor(field string, h headed) Question {
	q := Question{Code: askColumn, Field: field, Message: fmt.Sprintf("No column is known to have the field %s. Say which column has it, or give one value for all rows.", field)}
	taken := map[int]bool{}
	units, years := map[string]bool{}, map[int]bool{}
	for _, column := range c.list {
		taken[column.position] = true
		if column.Field == fieldPeriod {
			years[column.proposed] = true
		}
	}
	for i, header := range h.headers {
		if unit := header.currency(); unit != "" {
			units[unit] = true
		}
		if !taken[i+1] {
			q.Choices = append(q.Choices, Choice{Value: h.label(i + 1)})
		}
	}
	switch {
	case (field == colCurrency || field == colTraded) && len(units) == 1:
		for unit := range units {
			q.Proposed = unit
		}
	case field == colSide:
		q.Message += " The value sign takes a negative number of shares for a sale."
		q.Proposed = "sign"
	case field == colYear && len(years) == 1 && !years[0]:
		for year := range years {
			q.Proposed = strconv.Itoa(year)
		}
	}
	return q
}

// askWhich asks which of several columns has a field.
func askWhich(field string, found []int, h headed) Question {
	labels := make([]string, len(found))
	q := Question{Code: askColumn, Field: field}
	for i, position := range found {
		labels[i] = fmt.Sprintf("%s (column %d)", h.label(position), position)
		q.Choices = append(q.Choices, Choice{Value: strconv.Itoa(position)})
	}
	q.Message = fmt.Sprintf("Several columns can have the field %s: %s. Say which one has it.", field, strings.Join(labels, ", "))
	return q
}
