package api

import (
	"io"
	"iter"
	"math"
	"strconv"
	"time"

	"daybook/internal/budget"
	"daybook/internal/exchange"
	"daybook/internal/journal"
	"daybook/internal/statement"
	"daybook/internal/trading"
)

// fileColumn is a column of a report in a file.
type fileColumn[T any] struct {
	name  string
	value exchange.Value
	text  func(*T) string
}

// writeRows writes a report in its columns.
func writeRows[T any](to io.Writer, title string, form exchange.Form, columns []fileColumn[T], rows iter.Seq2[T, error]) error {
	fields := make([]exchange.Field, len(columns))
	for i, c := range columns {
		fields[i] = exchange.Field{Name: c.name, Value: c.value}
	}
	w, err := exchange.NewWriter(to, title, fields, form)
	if err != nil {
		return err
	}
	record := make(exchange.Record, len(columns))
	for row, err := range rows {
		if err != nil {
			return err
		}
		for i, c := range columns {
			record[i] = c.text(&row)
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	return w.Close()
}

// rowsOf yields records that are in memory.
func rowsOf[T any](records []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, record := range records {
			if !yield(record, nil) {
				return
			}
		}
	}
}

// reportFile is the file of a report that is made at once.
func reportFile[T any](a *api, c *request, name, title string, form exchange.Form, columns []fileColumn[T], report func() ([]T, error)) exported {
	e := exported{name: name, seq: new(int64)}
	e.write = func(to io.Writer) error {
		rows, err := ofOneState(a, c, e.seq, report)
		if err != nil {
			return err
		}
		return tooManyRows(writeRows(to, title, form, columns, rowsOf(rows)))
	}
	return e
}

var varianceColumns = []fileColumn[budget.VarianceLine]{
	{"department", exchange.Code, func(l *budget.VarianceLine) string { return string(l.Department) }},
	{"gl_code", exchange.Code, func(l *budget.VarianceLine) string { return string(l.Account.Code) }},
	{"gl_description", exchange.Text, func(l *budget.VarianceLine) string { return string(l.Account.Description) }},
	{"gl_type", exchange.Text, func(l *budget.VarianceLine) string { return string(l.Account.Type) }},
	{"budget", exchange.Decimal, func(l *budget.VarianceLine) string { return l.Budget.String() }},
	{"actual", exchange.Decimal, func(l *budget.VarianceLine) string { return l.Actual.String() }},
	{"variance_abs", exchange.Decimal, func(l *budget.VarianceLine) string { return l.Abs.String() }},
	{"variance_pct", exchange.Decimal, func(l *budget.VarianceLine) string { return l.Percent.String() }},
	{"status", exchange.Text, func(l *budget.VarianceLine) string { return string(l.Status) }},
	{"currency", exchange.Code, func(l *budget.VarianceLine) string { return string(l.Currency) }},
}

func (a *api) varianceFile(c *request, f *form, form exchange.Form) exported {
	q := reportQuery(f)
	if form.Format == exchange.XLSX {
		return a.statementFile(c, "variance", budget.SummaryQuery{ReportQuery: q, By: budget.PerLine, Span: budget.OnePeriod})
	}
	return reportFile(a, c, "variance", "Variance", form, varianceColumns, func() ([]budget.VarianceLine, error) {
		report, err := a.Ledger.Variance(c.Request.Context(), q)
		return report.Lines, err
	})
}

// statementFile is a report as a workbook with formulas.
func (a *api) statementFile(c *request, name string, q budget.SummaryQuery) exported {
	e := exported{name: name, seq: new(int64)}
	e.write = func(to io.Writer) error {
		var s budget.Summary
		_, err := ofOneState(a, c, e.seq, func() (_ []budget.Item, err error) {
			s, err = a.Ledger.Summary(c.Request.Context(), q)
			return s.Items, err
		})
		if err != nil {
			return err
		}
		state := statement.State{Seq: *e.seq}
		if state.Seq > 0 {
			page, err := a.Journal.JournalPage(c.Request.Context(), journal.Filter{After: journal.Seq(state.Seq - 1), Limit: 1})
			if err != nil {
				return err
			}
			state.At = page[0].At
		}
		return tooManyRows(statement.Write(to, s, state))
	}
	return e
}

func (a *api) alertsFile(c *request, f *form, form exchange.Form) exported {
	q, threshold := reportQuery(f), thresholdParameter(f)
	return reportFile(a, c, "alerts", "Alerts", form, varianceColumns, func() ([]budget.VarianceLine, error) {
		report, err := a.Ledger.Variance(c.Request.Context(), q)
		return report.Over(threshold).Lines, err
	})
}

var summaryColumns = []fileColumn[budget.Item]{
	{"department", exchange.Code, func(i *budget.Item) string { return string(i.Department) }},
	{"gl_code", exchange.Code, func(i *budget.Item) string { return string(i.Account.Code) }},
	{"gl_description", exchange.Text, func(i *budget.Item) string { return string(i.Account.Description) }},
	{"gl_type", exchange.Text, func(i *budget.Item) string { return string(i.Account.Type) }},
	{"currency", exchange.Code, func(i *budget.Item) string { return string(i.Currency) }},
	{"budget", exchange.Decimal, func(i *budget.Item) string { return ifAny(i.Budgeted, i.Budget.String) }},
	{"actual", exchange.Decimal, func(i *budget.Item) string { return ifAny(i.Posted, i.Actual.String) }},
	{"variance_abs", exchange.Decimal, func(i *budget.Item) string { return i.Variance.String() }},
	{"variance_pct", exchange.Decimal, func(i *budget.Item) string { return i.Percent().String() }},
	{"status", exchange.Text, func(i *budget.Item) string { return string(i.Status()) }},
	{"unbudgeted", exchange.Flag, func(i *budget.Item) string { return strconv.FormatBool(i.Unbudgeted()) }},
}

// ifAny is the text of a value that may be absent.
func ifAny(there bool, text func() string) string {
	if !there {
		return ""
	}
	return text()
}

func (a *api) summaryFile(c *request, f *form, form exchange.Form) exported {
	q := summaryQuery(f)
	if form.Format == exchange.XLSX {
		return a.statementFile(c, "summary", q)
	}
	return reportFile(a, c, "summary", "Summary", form, summaryColumns, func() ([]budget.Item, error) {
		s, err := a.Ledger.Summary(c.Request.Context(), q)
		return s.Items, err
	})
}

var positionColumns = []fileColumn[trading.Holding]{
	{"symbol", exchange.Code, func(h *trading.Holding) string { return string(h.Symbol) }},
	{"currency_code", exchange.Code, func(h *trading.Holding) string { return string(h.Currency) }},
	{"product", exchange.Product, func(h *trading.Holding) string { return exchange.ProductName(h.Product) }},
	{"side", exchange.Text, func(h *trading.Holding) string { return sideHeld(h.Position) }},
	{"shares", exchange.Integer, func(h *trading.Holding) string { return strconv.FormatInt(h.Shares(), 10) }},
	{"average_price", exchange.Decimal, func(h *trading.Holding) string { return h.Price().String() }},
	{"mark", exchange.Decimal, func(h *trading.Holding) string { return h.Mark.Price.String() }},
	{"mark_source", exchange.Text, func(h *trading.Holding) string { return string(h.Mark.Source) }},
	{"marked_at", exchange.Date, func(h *trading.Holding) string {
		return ifAny(!h.Mark.At.IsZero(), func() string { return h.Mark.At.Format(time.RFC3339Nano) })
	}},
	{"value", exchange.Decimal, func(h *trading.Holding) string { return h.Value.String() }},
	{"unrealised", exchange.Decimal, func(h *trading.Holding) string { return h.Unrealised.String() }},
	{"realised", exchange.Decimal, func(h *trading.Holding) string { return h.Realised.String() }},
	{"weight_pct", exchange.Decimal, func(h *trading.Holding) string { return h.Weight.String() }},
	{"trades", exchange.Integer, func(h *trading.Holding) string { return strconv.FormatInt(h.Trades, 10) }},
	{"first_traded_at", exchange.Date, func(h *trading.Holding) string { return h.First.Format(time.RFC3339Nano) }},
	{"last_traded_at", exchange.Date, func(h *trading.Holding) string { return h.Date.Format(time.RFC3339Nano) }},
}

func (a *api) positionsFile(c *request, f *form, form exchange.Form) exported {
	filter := holdingFilter(f)
	return reportFile(a, c, "positions", "Positions", form, positionColumns, func() ([]trading.Holding, error) {
		filter.Limit = math.MaxInt
		return a.Book.HoldingPage(c.Request.Context(), filter)
	})
}

var portfolioColumns = []fileColumn[trading.Portfolio]{
	{"currency", exchange.Code, func(p *trading.Portfolio) string { return string(p.Currency) }},
	{"value", exchange.Decimal, func(p *trading.Portfolio) string { return p.Value.String() }},
	{"long", exchange.Decimal, func(p *trading.Portfolio) string { return p.Long.String() }},
	{"short", exchange.Decimal, func(p *trading.Portfolio) string { return p.Short.String() }},
	{"unrealised", exchange.Decimal, func(p *trading.Portfolio) string { return p.Unrealised.String() }},
	{"realised", exchange.Decimal, func(p *trading.Portfolio) string { return p.Realised.String() }},
	{"positions", exchange.Integer, func(p *trading.Portfolio) string { return strconv.FormatInt(p.Positions, 10) }},
	{"trades", exchange.Integer, func(p *trading.Portfolio) string { return strconv.FormatInt(p.Trades, 10) }},
}

func (a *api) portfolioFile(c *request, _ *form, form exchange.Form) exported {
	return reportFile(a, c, "portfolio", "Portfolio", form, portfolioColumns, func() ([]trading.Portfolio, error) {
		found, _, err := a.Book.Portfolios(c.Request.Context())
		return found, err
	})
}

var journalColumns = []fileColumn[journal.Entry]{
	{"seq", exchange.Integer, func(e *journal.Entry) string { return strconv.FormatInt(int64(e.Seq), 10) }},
	{"at", exchange.Date, func(e *journal.Entry) string { return e.At.Format(time.RFC3339Nano) }},
	{"actor", exchange.Text, func(e *journal.Entry) string { return e.Actor }},
	{"request_id", exchange.Text, func(e *journal.Entry) string { return e.Request }},
	{"entity", exchange.Text, func(e *journal.Entry) string { return string(e.Entity) }},
	{"entity_id", exchange.Integer, func(e *journal.Entry) string { return strconv.FormatInt(e.EntityID, 10) }},
	{"action", exchange.Text, func(e *journal.Entry) string { return string(e.Action()) }},
	{"before", exchange.Object, func(e *journal.Entry) string { return string(unsealed(e.Entity, e.Before)) }},
	{"after", exchange.Object, func(e *journal.Entry) string { return string(unsealed(e.Entity, e.After)) }},
	{"reason", exchange.Text, func(e *journal.Entry) string { return e.Reason }},
	{"batch", exchange.Integer, func(e *journal.Entry) string {
		if e.Batch == 0 {
			return ""
		}
		return strconv.FormatInt(e.Batch, 10)
	}},
}

// journalFile has the entries up to the newest at the start, which never change. It reads them page by page.
func (a *api) journalFile(c *request, f *form, form exchange.Form) exported {
	filter, of := journalFilter(f)
	e := exported{name: "journal", seq: new(int64)}
	e.write = func(to io.Writer) error {
		head, err := a.Journal.JournalHead(c.Request.Context())
		if err == nil {
			err = a.ofBatch(c.Request.Context(), &filter, of)
		}
		if err != nil {
			return err
		}
		*e.seq = int64(head.Seq)
		return tooManyRows(writeRows(to, "Journal", form, journalColumns, a.entriesThrough(c, filter, head.Seq)))
	}
	return e
}

func (a *api) entriesThrough(c *request, filter journal.Filter, last journal.Seq) iter.Seq2[journal.Entry, error] {
	return func(yield func(journal.Entry, error) bool) {
		filter.Limit = mostLimit
		for {
			page, err := a.Journal.JournalPage(c.Request.Context(), filter)
			if err != nil {
				yield(journal.Entry{}, err)
				return
			}
			for _, entry := range page {
				if entry.Seq > last || !yield(entry, nil) {
					return
				}
			}
			if len(page) < filter.Limit {
				return
			}
			filter.After = page[len(page)-1].Seq
		}
	}
}
