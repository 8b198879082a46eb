package exchange

import (
	"slices"
	"strings"

	"daybook/internal/money"
	"daybook/internal/tables"
)

// preview is what was found.
func (k *check) preview() *Preview {
	p := &k.result
	if k.rounding.count > 0 && k.m.Numbers.Round == "" {
		k.questions = append(k.questions, k.ask())
	}
	if k.order.asks() && k.m.RowOrder == "" {
		k.questions = append(k.questions, k.order.ask())
	}
	if len(k.doubles.cells) > 0 {
		k.questions = append(k.questions, k.doubles.ask())
	}
	p.Kind, p.State, p.Seq = k.s.kind, "ready", k.Store.Seq()
	if len(k.questions) > 0 {
		p.State = "questions"
	}
	p.Questions = k.questions
	p.Findings, p.FindingsTotal = k.found.shown(), k.found.total
	p.File.Rows = k.survey.rows
	for _, sheet := range k.file.Sheets {
		p.File.Sheets = append(p.File.Sheets, Sheet{Name: sheet.Name, Hidden: sheet.Hidden})
	}
	p.Map = k.suggested()
	p.Columns = k.shownColumns()
	p.Sample = append(p.Sample, k.others...)
	p.Sample = p.Sample[:min(len(p.Sample), shownFindings)]
	slices.SortFunc(p.Sums, func(a, b Sum) int { return strings.Compare(a.Currency, b.Currency) })
	return p
}

// suggested is the map with what was found in the file.
func (k *check) suggested() Map {
	m := *k.m
	m.Read.Encoding = string(k.dialect.Encoding)
	if m.Read.Encoding == "" {
		m.Read.Encoding = string(k.file.Encoding)
	}
	if k.survey.broken != nil && k.m.Read.Encoding == "" && len(k.survey.broken) > 0 {
		m.Read.Encoding = ""
	}
	if delimiter := k.delimiter(); delimiter != 0 {
		m.Read.Delimiter = string(rune(delimiter))
	}
	m.Read.Sheet = k.dialect.Sheet
	if k.h.line > 0 {
		m.Read.HeaderRow = &k.h.line
	}
	m.Form = "long"
	if k.c.wide {
		m.Form = "wide"
	}
	if !k.markOpen && !k.markBare {
		m.Numbers.Decimal = string(rune(k.mark))
	}
	switch k.dates.Order {
	case tables.DayFirst:
		m.Dates.Order = "dmy"
	case tables.MonthFirst:
		m.Dates.Order = "mdy"
	}
	m.Columns = make([]Column, len(k.c.list))
	for i, column := range k.c.list {
		m.Columns[i] = column.Column
		if column.guessed { // a proposal is no answer
			m.Columns[i].Period = 0
		}
	}
	for _, q := range k.questions {
		switch q.Code {
		case askDelimiter:
			m.Read.Delimiter = ""
		case askSheet:
			m.Read.Sheet = ""
		case askHeaderRow:
			m.Read.HeaderRow = nil
			m.Columns = nil
		}
	}
	return m
}

// shownColumns are the columns of the file with their first cells.
func (k *check) shownColumns() []Shown {
	const samples = 5
	list := make([]Shown, max(len(k.h.headers), k.survey.width()))
	for i := range list {
		list[i] = Shown{Position: i + 1, Header: k.h.at(i + 1).text, Samples: []string{}}
		for _, column := range k.c.list {
			if column.position == i+1 && list[i].Field == "" { // one of dates is also that of the year
				list[i].Field, list[i].Period = column.Field, column.Period
			}
		}
		for _, record := range k.survey.head {
			if record.Line > k.h.line && len(list[i].Samples) < samples {
				list[i].Samples = append(list[i].Samples, record.Cell(i+1).Text())
			}
		}
	}
	return list
}

// sum adds the amounts of a record to the sums of its currency.
func (k *check) sum(row Row) {
	at, has := k.places[colAmount]
	record := row.After
	if record == nil {
		record = row.Before
	}
	if !has || record == nil {
		return
	}
	currency := record[k.places[k.s.currency]]
	i := slices.IndexFunc(k.result.Sums, func(s Sum) bool { return s.Currency == currency })
	if i < 0 {
		i = len(k.result.Sums)
		k.result.Sums = append(k.result.Sums, Sum{Currency: currency})
	}
	addTo(&k.result.Sums[i].Before, row.Before, at)
	addTo(&k.result.Sums[i].After, row.After, at)
}

// addTo adds the amount of a record, if there is one.
func addTo(sum *money.Sum, r Record, at int) {
	if r == nil {
		return
	}
	if amount, err := money.ParseAmount(r[at]); err == nil {
		sum.Add(amount)
	}
}
