package exchange

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// Exporter is a database whose records are exported.
type Exporter interface {
	// Export calls read with all records of one state. The state is held until read returns, so read must not
	// wait for a client. It returns the error of read. Unavailable.
	Export(ctx context.Context, read func(Snapshot) error) error
}

// Snapshot is all records of one state. Only one of its sequences is read at a time. The filters have no place
// and no limit. The lists without an order are by id.
type Snapshot interface {
	Lists
	Revenues() iter.Seq2[trading.Revenue, error]
	Lines(f budget.LineFilter) iter.Seq2[budget.Line, error]
	Actuals(f budget.ActualFilter) iter.Seq2[budget.Actual, error]
	Trades(f trading.TradeFilter) iter.Seq2[trading.Trade, error]
}

// Export says what is exported, and how. The filter of another kind has no effect.
type Export struct {
	Kind string
	Form
	Wide bool // a column for each period; only of a kind that is Wide
	IDs  bool // the id of each record is the first column; not in the wide form

	Lines   budget.LineFilter
	Actuals budget.ActualFilter
	Trades  trading.TradeFilter
	Company *trading.CompanyID // whose revenue; nil is all companies
}

// ParseKind reads the name of a kind. The error continues the field's name.
func ParseKind(raw string) (string, error) {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name
	}
	return text.OneOf(raw, names...)
}

// Write writes the records that match. Invalid: the kind has no wide form, or the wide form has more rows than the
// memory allows. TooManyRows reports another error.
func (e Export) Write(one Snapshot, to io.Writer) error {
	k := kindOf(e.Kind)
	if e.Wide {
		return e.writeWide(one, k, to)
	}
	codecs, err := NewCodecs(one, e.Kind)
	if err != nil {
		return err
	}
	switch e.Kind {
	case "currencies":
		return writeAll(e, codecs.Currencies(), to, one.Currencies())
	case "companies":
		return writeAll(e, codecs.Companies(), to, one.Companies())
	case "revenue":
		return writeAll(e, codecs.Revenues(), to, e.revenues(one))
	case "departments":
		return writeAll(e, codecs.Departments(), to, one.Departments())
	case "accounts":
		return writeAll(e, codecs.Accounts(), to, one.Accounts())
	case "budgets":
		return writeAll(e, codecs.Lines(), to, one.Lines(e.Lines))
	case "actuals":
		return writeAll(e, codecs.Actuals(), to, one.Actuals(e.Actuals))
	}
	return writeAll(e, codecs.Trades(), to, one.Trades(e.Trades))
}

// writeAll writes a list in the columns of its kind.
func writeAll[R any](e Export, codec Codec[R], to io.Writer, list iter.Seq2[R, error]) error {
	columns, values := codec.kind.Columns, codec.write
	if e.IDs {
		columns = append([]Field{{Name: "id", Value: Integer}}, columns...)
		values = append([]func([]byte, *R) []byte{codec.fields.Select("id")[0].AppendText}, values...)
	}
	w, err := NewWriter(to, codec.kind.Title, columns, e.Form)
	if err != nil {
		return err
	}
	var (
		record = make(Record, len(columns))
		ends   = make([]int, len(columns))
		line   []byte
		one    R // for all, because its fields take a pointer
	)
	for next, err := range list {
		if err != nil {
			return err
		}
		one, line = next, line[:0]
		for i, value := range values {
			line = value(line, &one)
			ends[i] = len(line)
		}
		if err := w.Write(cut(string(line), ends, record)); err != nil {
			return err
		}
	}
	return w.Close()
}

// revenues are the revenues of one company, or of all.
func (e Export) revenues(one Snapshot) iter.Seq2[trading.Revenue, error] {
	return func(yield func(trading.Revenue, error) bool) {
		for r, err := range one.Revenues() {
			if (err != nil || e.Company == nil || r.CompanyID == *e.Company) && !yield(r, err) {
				return
			}
		}
	}
}

// mostWide is how many rows of the wide form are held in memory: some 50 MB.
const mostWide = 200_000

// wideKey is what the periods of a row have in common.
type wideKey struct {
	department budget.DepartmentID
	account    budget.AccountID
	year       fiscal.Year
	version    budget.Version // of budgets
	currency   money.Currency
	source     text.Source // of actuals
}

// wideRow is the amounts of the periods that have one.
type wideRow struct {
	amounts [12]money.Amount
	has     [12]bool
}

// wideTable is the rows of the wide form, in the order in which their first records come.
type wideTable struct {
	order []wideKey
	rows  map[wideKey]*wideRow
}

func (t *wideTable) add(key wideKey, period fiscal.Period, amount money.Amount) error {
	row := t.rows[key]
	if row == nil {
		if len(t.order) == mostWide {
			return fault.New(fault.Invalid, "the wide form would have more than %d rows; use a filter, or export one row for each amount", mostWide)
		}
		row = &wideRow{}
		t.order, t.rows[key] = append(t.order, key), row
	}
	row.amounts[period-1], row.has[period-1] = amount, true
	return nil
}

// writeWide writes a row for each account, with a column for each period.
func (e Export) writeWide(one Snapshot, k *Kind, to io.Writer) error {
	t := wideTable{rows: map[wideKey]*wideRow{}}
	var err error
	switch k.Name {
	case "budgets":
		err = collect(one.Lines(e.Lines), func(l budget.Line) error {
			return t.add(wideKey{l.DepartmentID, l.AccountID, l.Year, l.Version, l.Currency, ""}, l.Period, l.Amount)
		})
	case "actuals":
		err = collect(one.Actuals(e.Actuals), func(a budget.Actual) error {
			return t.add(wideKey{a.DepartmentID, a.AccountID, a.Year, "", a.Currency, a.Source}, a.Period, a.Amount)
		})
	default:
		err = fault.New(fault.Invalid, "%s have no wide form; only budgets and actuals have one", k.Name)
	}
	if err != nil {
		return err
	}
	codecs, err := NewCodecs(one, k.Name)
	if err != nil {
		return err
	}
	columns := wideColumns(k)
	w, err := NewWriter(to, k.Title, columns, e.Form)
	if err != nil {
		return err
	}
	for _, key := range t.order {
		if err := w.Write(t.rows[key].record(key, codecs, k.Name == "budgets")); err != nil {
			return err
		}
	}
	return w.Close()
}

func collect[T any](list iter.Seq2[T, error], add func(T) error) error {
	for record, err := range list {
		if err == nil {
			err = add(record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wideColumns are the columns of the wide form: those that the periods have in common, the periods, and the total.
func wideColumns(k *Kind) []Field {
	columns := slices.DeleteFunc(slices.Clone(k.Columns), func(f Field) bool {
		return slices.Contains([]string{colPeriod, colAmount, "notes"}, f.Name)
	})
	for period := range 12 {
		columns = append(columns, Field{Name: fmt.Sprintf("p%02d", period+1), Value: Decimal})
	}
	return append(columns, Field{Name: fieldTotal, Value: Decimal})
}

func (r *wideRow) record(key wideKey, c *Codecs, versions bool) Record {
	record := Record{c.departments.codes[int64(key.department)], c.accounts.codes[int64(key.account)], strconv.Itoa(int(key.year))}
	if versions {
		record = append(record, string(key.version), string(key.currency))
	} else {
		record = append(record, string(key.currency), string(key.source))
	}
	var total money.Sum
	for period, amount := range r.amounts {
		if !r.has[period] {
			record = append(record, "")
			continue
		}
		total.Add(amount)
		record = append(record, amount.String())
	}
	return append(record, total.String())
}
