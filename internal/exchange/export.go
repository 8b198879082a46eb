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
	"daybook/internal/field"
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
	Seq() int64 // of the newest entry of the journal
	Currencies() iter.Seq2[trading.Currency, error]
	Companies() iter.Seq2[trading.Company, error]
	Revenues() iter.Seq2[trading.Revenue, error]
	Departments() iter.Seq2[budget.Department, error]
	Accounts() iter.Seq2[budget.Account, error]
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
	switch e.Kind {
	case "currencies":
		return writeAll(e, k, to, one.Currencies(), trading.CurrencyFields, nil)
	case "companies":
		codes, err := namesOf(one.Currencies(), func(c trading.Currency) (trading.CurrencyID, string) { return c.ID, string(c.Code) })
		return writeAll(e, k, to, failing(err, one.Companies()), trading.CompanyFields, texts[trading.Company]{
			colTraded: func(b []byte, c *trading.Company) []byte { return append(b, codes[c.CurrencyID]...) },
		})
	case "revenue":
		return e.writeRevenue(one, k, to)
	case "departments":
		return writeAll(e, k, to, one.Departments(), budget.DepartmentFields, nil)
	case "accounts":
		return writeAll(e, k, to, one.Accounts(), budget.AccountFields, nil)
	case "budgets":
		codes, err := codesOf(one)
		return writeAll(e, k, to, failing(err, one.Lines(e.Lines)), budget.LineFields, keyTexts(codes, func(l *budget.Line) *budget.Key { return &l.Key }))
	case "actuals":
		codes, err := codesOf(one)
		return writeAll(e, k, to, failing(err, one.Actuals(e.Actuals)), budget.ActualFields, keyTexts(codes, func(a *budget.Actual) *budget.Key { return &a.Key }))
	}
	return writeAll(e, k, to, one.Trades(e.Trades), trading.TradeFields, texts[trading.Trade]{
		colSide:    func(b []byte, t *trading.Trade) []byte { return append(b, sideNames[t.Side.Flag()]...) },
		colProduct: func(b []byte, t *trading.Trade) []byte { return append(b, productNames[t.Product]...) },
	})
}

// texts append the columns that are no fields of a record.
type texts[R any] map[string]func(b []byte, record *R) []byte

// failing is a sequence that fails at once where there is an error.
func failing[T any](err error, list iter.Seq2[T, error]) iter.Seq2[T, error] {
	if err == nil {
		return list
	}
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

// namesOf returns what other records call the records of a list.
func namesOf[T any, ID comparable](list iter.Seq2[T, error], name func(T) (ID, string)) (map[ID]string, error) {
	names := map[ID]string{}
	for record, err := range list {
		if err != nil {
			return nil, err
		}
		id, called := name(record)
		names[id] = called
	}
	return names, nil
}

// codes are the codes of departments and accounts.
type codes struct {
	departments map[budget.DepartmentID]string
	accounts    map[budget.AccountID]string
}

func codesOf(one Snapshot) (c codes, err error) {
	if c.departments, err = namesOf(one.Departments(), func(d budget.Department) (budget.DepartmentID, string) { return d.ID, string(d.Code) }); err != nil {
		return c, err
	}
	c.accounts, err = namesOf(one.Accounts(), func(a budget.Account) (budget.AccountID, string) { return a.ID, string(a.Code) })
	return c, err
}

func keyTexts[R any](c codes, key func(*R) *budget.Key) texts[R] {
	return texts[R]{
		colDepartment: func(b []byte, r *R) []byte { return append(b, c.departments[key(r).DepartmentID]...) },
		colAccount:    func(b []byte, r *R) []byte { return append(b, c.accounts[key(r).AccountID]...) },
	}
}

// writeAll writes a list in the columns of its kind.
func writeAll[R any](e Export, k *Kind, to io.Writer, list iter.Seq2[R, error], fields field.List[R], own texts[R]) error {
	columns := k.Columns
	if e.IDs {
		columns = append([]Field{{Name: "id", Value: Integer}}, columns...)
	}
	values := make([]func([]byte, *R) []byte, len(columns))
	for i, c := range columns {
		if values[i] = own[c.Name]; values[i] == nil {
			values[i] = fields.Select(c.Name)[0].AppendText
		}
	}
	w, err := NewWriter(to, k.Title, columns, e.Form)
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
		row, start := string(line), 0
		for i, end := range ends {
			record[i], start = row[start:end], end
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	return w.Close()
}

// writeRevenue names the companies, and counts those with one name.
func (e Export) writeRevenue(one Snapshot, k *Kind, to io.Writer) error {
	names := map[trading.CompanyID]string{}
	nth, times := map[trading.CompanyID]int{}, map[string]int{}
	for c, err := range one.Companies() {
		if err != nil {
			return err
		}
		name := string(c.Name)
		times[name]++
		names[c.ID], nth[c.ID] = name, times[name]
	}
	list := func(yield func(trading.Revenue, error) bool) {
		for r, err := range one.Revenues() {
			if (err != nil || e.Company == nil || r.CompanyID == *e.Company) && !yield(r, err) {
				return
			}
		}
	}
	return writeAll(e, k, to, list, trading.RevenueFields, texts[trading.Revenue]{
		colCompany: func(b []byte, r *trading.Revenue) []byte { return append(b, names[r.CompanyID]...) },
		colNth: func(b []byte, r *trading.Revenue) []byte {
			if times[names[r.CompanyID]] < 2 {
				return b
			}
			return strconv.AppendInt(b, int64(nth[r.CompanyID]), 10)
		},
	})
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
	codes, err := codesOf(one)
	if err != nil {
		return err
	}
	columns := wideColumns(k)
	w, err := NewWriter(to, k.Title, columns, e.Form)
	if err != nil {
		return err
	}
	for _, key := range t.order {
		if err := w.Write(t.rows[key].record(key, codes, k.Name == "budgets")); err != nil {
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

func (r *wideRow) record(key wideKey, c codes, versions bool) Record {
	record := Record{c.departments[key.department], c.accounts[key.account], strconv.Itoa(int(key.year))}
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
