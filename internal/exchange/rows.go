package exchange

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/internal/tables"
	"daybook/internal/text"
)

// The results of a record.
const (
	ResultNew       = "new"
	ResultChanged   = "changed"
	ResultUnchanged = "unchanged"
	ResultAlready   = "already"
	ResultCleared   = "cleared"
	ResultSkipped   = "skipped"
	ResultWrong     = "wrong"
)

// row reads a row. It is skipped, or has records, each with a result.
func (k *check) row(record tables.Record) error {
	if k.exact {
		return k.exactRow(record)
	}
	reason := k.noRecord(record)
	k.filler.Fill(&record)
	if k.skips(record) {
		reason = byTheMap
	}
	if reason != "" {
		return k.skip(record.Line, reason)
	}
	r := &reading{check: k, record: record}
	r.width()
	if err := r.match(); err != nil {
		return err
	}
	v := r.fields()
	var amounts []value
	switch {
	case k.c.wide:
		amounts = r.periods()
	case k.s.figure == colAmount:
		v.set(colAmount, r.amount(r.accountType))
	}
	if r.corrects() || !r.isTotal(v, amounts) {
		r.missing(v)
	}
	if !k.c.wide {
		return k.finish(r, []values{v})
	}
	list := make([]values, len(amounts))
	for i, a := range amounts {
		list[i] = values{Record: slices.Clone(v.Record), at: v.at, column: a.column}
		list[i].set(colPeriod, fmt.Sprint(a.period))
		list[i].set(colAmount, a.value)
		if a.year > 0 && v.get(colYear) == "" {
			list[i].set(colYear, fmt.Sprint(a.year))
		}
	}
	return k.finish(r, list)
}

// byTheMap is the reason of a row that the map skips.
const byTheMap = "by_the_map"

// skips reports whether the map skips a row.
func (k *check) skips(record tables.Record) bool {
	r := &reading{check: k, record: record}
	return slices.ContainsFunc(k.c.list, func(column column) bool {
		word, found := r.word(column.Field, record.Cell(column.position))
		return found && word == nil
	})
}

// noRecord says why a row is no record, or "". It takes the row before merged cells are repeated: a label from above is
// no label of the row.
func (k *check) noRecord(record tables.Record) string {
	if k.repeatsHeader(record) {
		return "repeated_header"
	}
	if k.s.figure == "" {
		return ""
	}
	labels, numbers := 0, 0
	for _, column := range k.c.list {
		switch filled := strings.TrimSpace(record.Cell(column.position).Text()) != ""; {
		case !filled, column.Field == fieldLabel:
		case slices.Contains(numeric, column.Field):
			numbers++
		default:
			labels++
		}
	}
	switch {
	case numbers == 0 && labels <= 1:
		return "heading"
	case numbers == 0 && k.c.wide && k.m.Empty != "clear":
		return "no_amounts"
	}
	return ""
}

// repeatsHeader reports whether a row has the header again, in the columns with a field.
func (k *check) repeatsHeader(record tables.Record) bool {
	if len(k.c.list) == 0 || k.h.line == 0 {
		return false
	}
	for _, column := range k.c.list {
		written, header := record.Cell(column.position).Text(), k.h.at(column.position)
		if written == header.text {
			continue
		}
		if len(written) < len(header.key) || header.key == "" {
			return false
		}
		if key, _ := normal(written); key != header.key {
			return false
		}
	}
	return true
}

// width checks how many cells a row has.
func (r *reading) width() {
	if r.survey.names != nil || r.h.line == 0 {
		return
	}
	for i := len(r.h.headers); i < len(r.record.Cells); i++ {
		if cell := r.record.Cells[i]; strings.TrimSpace(cell.Text()) != "" {
			r.add(wrong, codeFieldCount, "", i+1, cell, "The row has more cells than the header. Check the quotes and the delimiter of this line.")
			return
		}
	}
	for _, column := range r.c.list {
		optional := !slices.Contains(r.s.required, column.Field) && slices.Contains(r.s.columns, column.Field)
		if optional && r.file.Format == tables.CSV && column.position > len(r.record.Cells) {
			r.add(doubtful, codeFieldCount, column.Field, column.position, tables.Cell{}, "The row ends before the column of the field %s. It reads as empty.", column.Field)
		}
	}
}

// finish gives the records of a row their results. A row with something wrong has no good record.
func (k *check) finish(r *reading, list []values) error {
	if k.stage != giving {
		if !r.isWrong() && !r.pending {
			for _, v := range list {
				k.gather(r.record.Line, v)
				r.gatherExternal()
			}
		}
		return nil
	}
	rows, columns := make([]Row, 0, len(list)), make([]string, 0, len(list))
	for _, v := range list {
		if r.isWrong() || r.pending || !k.complete(v) {
			continue
		}
		row, is, err := k.one(r, v)
		if err != nil {
			return err
		}
		if is {
			rows = append(rows, row)
			columns = append(columns, v.column)
		}
	}
	if r.isWrong() {
		rows = slices.Repeat([]Row{{Line: r.record.Line, Result: ResultWrong, Findings: r.found}}, max(len(list), 1))
	} else {
		r.share(rows, columns)
	}
	for _, row := range rows {
		if err := k.count(row); err != nil {
			return err
		}
	}
	for _, f := range r.found {
		k.found.add(f)
	}
	k.result.Counts.Doubtful += r.doubts()
	return nil
}

// share gives each record of a row the findings about its cell. One that is about no cell is of the first that has a
// finding, or else of the first.
func (r *reading) share(rows []Row, columns []string) {
	of := -1
	for _, f := range r.found {
		if i := slices.Index(columns, f.Column); f.Field == fieldPeriod && i >= 0 {
			rows[i].Findings = append(rows[i].Findings, f)
			of = max(of, i)
		}
	}
	of = max(of, 0)
	for _, f := range r.found {
		if of < len(rows) && (f.Field != fieldPeriod || !slices.Contains(columns, f.Column)) {
			rows[of].Findings = append(rows[of].Findings, f)
		}
	}
}

// doubts is how many good records of a row are doubtful. In the wide form each cell is a record.
func (r *reading) doubts() int {
	cells := map[string]bool{}
	for _, f := range r.found {
		switch {
		case f.Severity == wrong:
			return 0
		case f.Field == fieldPeriod:
			cells[f.Column] = true
		default:
			cells[""] = true
		}
	}
	if len(cells) > 1 {
		delete(cells, "")
	}
	return len(cells)
}

// complete reports whether a record has all that it needs, so that no question is open about it.
func (k *check) complete(v values) bool {
	return v.id != 0 && k.s.byID || !slices.ContainsFunc(k.s.required, func(column string) bool {
		return v.get(column) == "" && (column != colAmount || !k.clears(v))
	})
}

// one gives a record its result. It reports false for one that is none, because another counts in its place.
func (k *check) one(r *reading, v values) (row Row, is bool, err error) {
	switch {
	case k.exact:
		return k.new(r, v)
	case k.s.kind == "trades" && !r.corrects():
		return k.trade(r, v)
	}
	if is, err := k.unique(r, v); err != nil || !is {
		return row, false, err
	}
	if r.corrects() {
		row, err = k.corrected(r, v)
		return row, true, err
	}
	nth := k.occurrence(v)
	id, stored, err := k.Store.Find(k.ctx, k.s.kind, v.Record, nth)
	if err != nil {
		return row, false, err
	}
	r.agree(id)
	row = Row{Line: r.record.Line, Result: ResultNew, ID: id, Before: stored, Nth: nth}
	switch clears := k.clears(v); {
	case clears && id == 0:
		return row, false, k.skip(row.Line, "nothing_to_clear")
	case clears:
		row.Result = ResultCleared
	case id == 0:
		row.After = k.s.complete(v)
	case k.m.Existing == "refuse":
		r.add(wrong, codeExists, "", 0, tables.Cell{}, "The record is stored already, and the map refuses that.")
	default:
		row.After, row.Result = k.merge(stored, v.Record), ResultChanged
		if slices.Equal(stored, row.After) {
			row.Result = ResultUnchanged
		} else if k.m.Existing == "skip" {
			row.Result = ResultSkipped
		}
		r.replacesSum(&row)
	}
	return row, true, nil
}

// replacesSum doubts a mended posting whose key has an amount already: that may be the sum of the postings that came in
// without this one.
func (r *reading) replacesSum(row *Row) {
	sums := r.m.Duplicates == "sum" || r.m.Duplicates == "" && r.s.kind == "actuals"
	if row.Result != ResultChanged || !sums || !r.h.mends() {
		return
	}
	at := r.places[colAmount]
	if row.Before[at] == row.After[at] {
		return
	}
	f := r.add(doubtful, codeReplacesSum, colAmount, 0, tables.Cell{}, "The stored amount is %s, and this row replaces it. If that amount is the sum of several postings, mend the row in the whole file, and import that again.", row.Before[at])
	f.ReadsAs = Reads(row.After[at])
}

// clears reports whether a record without an amount removes the stored one.
func (k *check) clears(v values) bool {
	return k.m.Empty == "clear" && k.s.wide && v.get(colAmount) == ""
}

// merge is a stored record with what a row gives. Its key stays as it is, in its own case. An empty cell of a text empties it, if the map says so.
func (k *check) merge(stored, given Record) Record {
	after := slices.Clone(stored)
	for i, value := range given {
		column := k.s.columns[i]
		clears := k.m.Empty == "clear" && k.s.holds[column] == Text && k.c.has(column)
		if (value != "" || clears) && !slices.Contains(k.s.key, column) {
			after[i] = value
		}
	}
	return after
}

// count counts a result, and keeps the first records to show.
func (k *check) count(row Row) error {
	k.sum(row)
	k.given++
	row.Order = k.given
	if k.m.RowOrder == "newest_first" {
		row.Order = -k.given
	}
	*k.result.Counts.of(row.Result)++
	list := &k.others
	if row.Result == ResultWrong {
		list = &k.result.Sample
	}
	if len(*list) < shownFindings {
		*list = append(*list, Sample{Line: row.Line, Result: row.Result, Before: FieldsOf(k.s.kind, row.Before), After: FieldsOf(k.s.kind, row.After), Voided: row.Voided})
	}
	if k.Each == nil {
		return nil
	}
	return k.Each(row)
}

// of is the count of a result.
func (c *Counts) of(result string) *int {
	switch result {
	case ResultNew:
		return &c.New
	case ResultChanged:
		return &c.Changed
	case ResultUnchanged:
		return &c.Unchanged
	case ResultAlready:
		return &c.Already
	case ResultCleared:
		return &c.Cleared
	case ResultSkipped:
		return &c.Skipped
	}
	return &c.Wrong
}

// trade gives a trade its result. As many equal trades of a file are there already as the store knows.
func (k *check) trade(r *reading, v values) (row Row, is bool, err error) {
	if date, err := time.Parse(time.RFC3339Nano, v.get(colDate)); err == nil {
		k.order.add(r.record.Line, date, v.get(colDate))
	}
	external, _, _ := r.text(fieldExternal)
	known, occurrence, err := k.known(external, v)
	if err != nil {
		return row, false, err
	}
	row = Row{Line: r.record.Line, Result: ResultNew, After: v.Record, Nth: occurrence, ExternalID: external}
	other := r.otherTrade(external, v)
	switch {
	case other > 0:
		r.add(wrong, codeDiffersFromKnown, fieldExternal, 0, tables.Cell{}, "Line %d has the trade %s with other content. Give each trade an id of its own, or do not read this column if it names orders.", other, text.Printable(text.Shorten(external)))
	case known.Differs:
		r.add(wrong, codeDiffersFromKnown, fieldExternal, 0, tables.Cell{}, "The trade %s came in before with other content. Correct it where it is stored, or take the line out.", text.Printable(text.Shorten(external)))
	case occurrence <= known.Already && k.m.Existing == "refuse":
		r.add(wrong, codeExists, "", 0, tables.Cell{}, "The trade is stored already, and the map refuses that.")
	case occurrence <= known.Already && k.m.Existing != "add":
		row.Result, row.Voided = ResultAlready, known.Voided
	case known.Elsewhere:
		r.add(doubtful, codeEqualElsewhere, "", 0, tables.Cell{}, "An equal trade of another source is stored.")
	}
	return row, true, nil
}
