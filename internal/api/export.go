package api

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"daybook/internal/accept"
	"daybook/internal/api/gate"
	"daybook/internal/budget"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/spool"
	"daybook/internal/text"
)

// contentTypes are those of the files. JSON is the type of ordinary answers too, so a client asks for a file of it by
// the parameter.
var contentTypes = map[exchange.Format]string{
	exchange.CSV:    "text/csv; charset=utf-8",
	exchange.XLSX:   "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	exchange.NDJSON: "application/x-ndjson",
	exchange.JSON:   "application/json",
}

// exported is what a request wants as a file.
type exported struct {
	name  string // of the file
	write func(to io.Writer) error
	seq   *int64 // the number of the state of the file, once that is written; -1 if it is not known
}

// formatAsked returns the format that a request wants, "" if it wants an ordinary answer.
func formatAsked(c *request, f *form) exchange.Format {
	if format := optional(f, "format", "", field.String(exchange.ParseFormat)); format != "" || f.wrong != nil {
		return format
	}
	accepted := c.Request.Header["Accept"]
	if len(accepted) != 1 {
		return ""
	}
	kind, _, err := mime.ParseMediaType(accepted[0])
	for _, format := range []exchange.Format{exchange.CSV, exchange.XLSX, exchange.NDJSON} {
		if known, _, _ := strings.Cut(contentTypes[format], ";"); err == nil && kind == known {
			return format
		}
	}
	return ""
}

// formParameters reads how a file is written.
func formParameters(f *form, format exchange.Format) exchange.Form {
	return exchange.Form{
		Format: format,
		Locale: optional(f, "locale", "", field.String(exchange.ParseLocale)),
		BOM:    optional(f, "bom", false, field.Bool),
		Raw:    optional(f, "raw", false, field.Bool),
	}
}

// exportable makes a handle that answers with a file where the request wants one.
func (a *api) exportable(file func(*request, *form, exchange.Form) exported, otherwise handle) handle {
	return func(c *request) error {
		f := queryForm(c)
		format := formatAsked(c, f)
		if format == "" && f.wrong == nil {
			return otherwise(c)
		}
		for _, name := range []string{"limit", "after"} {
			if _, found := f.Get(name); found {
				f.wrong.Add(name, "must not be given beside a format: a file has all rows")
			}
		}
		e := file(c, f, formParameters(f, format))
		if err := f.err(); err != nil {
			return err
		}
		return a.download(c, format, e)
	}
}

// recordsOf makes an exportable handle of a list of a kind.
func (a *api) recordsOf(kind string, page handle) handle {
	return a.exportable(func(c *request, f *form, form exchange.Form) exported {
		e := readExport(f, kind, form)
		var seq int64
		return exported{name: kind, seq: &seq, write: func(to io.Writer) error {
			return a.Exporter.Export(c.Request.Context(), func(one exchange.Snapshot) error {
				seq = one.Seq()
				return e.write(c.Request.Context(), one, to)
			})
		}}
	}, page)
}

// kindExport is an export of a kind, whose filter may name references by code.
type kindExport struct {
	exchange.Export
	form *form
}

// readExport reads what of a kind is exported.
func readExport(f *form, kind string, form exchange.Form) kindExport {
	e := exchange.Export{Kind: kind, Form: form, IDs: optional(f, "ids", false, field.Bool)}
	e.Wide = optional(f, "form", "long", field.String(func(raw string) (string, error) { return text.OneOf(raw, "long", "wide") })) == "wide"
	if e.Wide && e.IDs {
		f.wrong.Add("ids", "must not be given beside form=wide: a row has several records")
	}
	switch kind {
	case "budgets":
		e.Lines, _ = lineFilter(f)
	case "actuals":
		e.Actuals, _ = actualFilter(f)
	case "trades":
		e.Trades, _ = tradeFilter(f)
	case "revenue":
		e.Company = revenueCompany(f)
	}
	return kindExport{e, f}
}

// write resolves the codes in the state that it writes.
func (e kindExport) write(ctx context.Context, one exchange.Snapshot, to io.Writer) error {
	var err error
	switch e.Kind {
	case "budgets":
		err = readCodes(ctx, e.form, &e.Lines.KeyFilter, chartOf{one})
	case "actuals":
		err = readCodes(ctx, e.form, &e.Actuals.KeyFilter, chartOf{one})
	}
	if err == nil {
		err = e.Write(one, to)
	}
	return tooManyRows(err)
}

// tooManyRows is the fault of a workbook that has no room for all rows.
func tooManyRows(err error) error {
	if exchange.TooManyRows(err) {
		return fault.New(fault.TooManyRows, "a sheet has room for %d rows, and these are more; use a filter, or export CSV", exchange.SheetRows)
	}
	return err
}

// chart finds departments and accounts by code.
type chart interface {
	Department(ctx context.Context, i budget.Identifier) (budget.Department, error)
	Account(ctx context.Context, code text.Code) (budget.Account, error)
}

// chartOf is the chart of one state.
type chartOf struct{ exchange.Snapshot }

func (s chartOf) Department(_ context.Context, i budget.Identifier) (budget.Department, error) {
	var found []budget.Department
	for d, err := range s.Departments() {
		if err != nil {
			return d, err
		}
		if d.Code.Fold() == text.Code(i.Value).Fold() {
			found = append(found, d)
		}
	}
	return i.Only(found)
}

func (s chartOf) Account(_ context.Context, code text.Code) (budget.Account, error) {
	for account, err := range s.Accounts() {
		if err != nil || account.Code.Fold() == code.Fold() {
			return account, err
		}
	}
	return budget.Account{}, fault.New(fault.NotFound, "no GL account has the code %q", code)
}

// Export writes the records of a kind from one state. The query has the parameters of its list in the interface, and
// those of an export. Invalid: also an unknown parameter. Errors as exchange.Export.Write.
func Export(ctx context.Context, one exchange.Snapshot, kind string, query url.Values, to io.Writer) error {
	f := valuesForm(query)
	f.read = map[string]bool{}
	e := readExport(f, kind, formParameters(f, optional(f, "format", exchange.CSV, field.String(exchange.ParseFormat))))
	for _, name := range []string{"dept", "gl_code"} {
		f.read[name] = f.read["department_id"] // readCodes reads them
	}
	delete(f.read, "limit")
	delete(f.read, "after")
	for name := range query {
		if !f.read[name] {
			f.wrong.Add(name, "is no filter of %s", kind)
		}
	}
	if err := f.err(); err != nil {
		return err
	}
	return e.write(ctx, one, to)
}

// ofOneState makes a report and sets the number of its state, or -1 where an entry of the journal came while it was
// made.
func ofOneState[T any](a *api, c *request, seq *int64, report func() ([]T, error)) ([]T, error) {
	before, err := a.Journal.JournalHead(c.Request.Context())
	if err != nil {
		return nil, err
	}
	rows, err := report()
	if err != nil {
		return nil, err
	}
	after, err := a.Journal.JournalHead(c.Request.Context())
	if *seq = int64(after.Seq); after.Seq != before.Seq {
		*seq = -1
	}
	return rows, err
}

// mostExported is how many bytes the files of one client may have on the disk while they are made and sent.
const mostExported = 4 << 30

// download makes a file and sends it. The file is whole before its first byte is sent, so that a slow client holds
// no read of the database, and a failure is an ordinary error. Unavailable: the disk has no room.
func (a *api) download(c *request, format exchange.Format, e exported) error {
	d := &download{folder: a.Spool, held: a.files.Reserve(c.client())}
	defer d.close()
	if err := e.write(d); err != nil {
		return err
	}
	c.release()
	h := c.Writer.Header()
	h.Set("Content-Type", contentTypes[format])
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="daybook-%s-%s.%s"`, e.name, time.Now().UTC().Format(time.DateOnly), format))
	if *e.seq >= 0 {
		h.Set(writtenHeader, strconv.FormatInt(*e.seq, 10))
	}
	zipped := format != exchange.XLSX && accept.Gzip(c.Request.Header["Accept-Encoding"])
	h.Add("Vary", "Accept, Accept-Encoding")
	if zipped {
		h.Set("Content-Encoding", "gzip")
	} else {
		h.Set("Content-Length", strconv.FormatInt(d.size, 10))
	}
	c.Status(http.StatusOK)
	if c.Request.Method == http.MethodHead {
		return nil
	}
	return d.send(c.Writer, zipped)
}

// download is a file that is made and then sent. A small one stays in memory.
type download struct {
	folder spool.Folder
	held   *gate.Reservation
	size   int64
	small  []byte
	large  *spool.File // nil while the file is small
}

// Write adds to the file. Unavailable: the disk has no room, or no bytes are left for the file.
func (d *download) Write(p []byte) (n int, err error) {
	d.size += int64(len(p))
	if d.large == nil && d.size <= freeResponse {
		d.small = append(d.small, p...)
		return len(p), nil
	}
	const step = 1 << 20
	for d.held.Held() < d.size {
		if err := d.held.Grow(step); err != nil {
			return 0, err
		}
	}
	if d.large == nil {
		if d.large, err = d.folder.New(); err == nil {
			_, err = d.large.Write(d.small)
		}
	}
	if err == nil {
		n, err = d.large.Write(p)
	}
	if err != nil {
		return n, fault.Wrap(fault.Unavailable, err, "the disk has no room for the file; make room, or ask for less by a filter")
	}
	return n, nil
}

// send sends the file. A client that has gone is not an error.
func (d *download) send(to io.Writer, zipped bool) (err error) {
	sent := &sending{to: to}
	out := io.WriteCloser(sent)
	if zipped {
		out, _ = gzip.NewWriterLevel(sent, gzip.BestSpeed) // the level is valid
	}
	if d.large == nil {
		_, err = out.Write(d.small)
	} else {
		_, err = io.Copy(out, io.NewSectionReader(d.large, 0, d.size))
	}
	if err == nil {
		err = out.Close()
	}
	if sent.gone {
		return nil
	}
	return err
}

// close removes the file.
func (d *download) close() {
	if d.large != nil {
		_ = d.large.Close() // nothing of it is needed
	}
	d.held.Release()
}

// sending notes that the client has gone.
type sending struct {
	to   io.Writer
	gone bool
}

func (s *sending) Write(p []byte) (n int, err error) {
	n, err = s.to.Write(p)
	s.gone = s.gone || err != nil
	return n, err
}

func (s *sending) Close() error { return nil }
