package api

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"

	"daybook/internal/bulk"
	"daybook/internal/commit"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/imports"
	"daybook/internal/mapping"
	"daybook/internal/text"
)

// addImport takes a file in and reads it. Nothing is stored.
func (a *api) addImport(c *request) error {
	f := queryForm(c)
	u := imports.Upload{Owner: c.principal()}
	u.Kind = required(f, "kind", field.String(exchange.ParseKind))
	u.Name = optional(f, "name", "", field.String(func(raw string) (string, error) { return imports.NameOf(raw), nil }))
	saved := optional(f, "map", "", field.String(mapping.ParseName))
	if err := f.err(); err != nil {
		return err
	}
	if saved != "" {
		m, err := a.Maps.Map(c.Request.Context(), saved)
		if err == nil {
			u.Map, err = exchange.ParseMap([]byte(m.Text), u.Kind)
		}
		if err != nil {
			return err
		}
	}
	sent, err := c.receive(sentFile)
	if err != nil {
		return err
	}
	sent.free() // others may arrive while this one is read
	u.Content, u.Size = sent.file, sent.size
	one, err := a.Imports.Add(c.Request.Context(), u)
	if fault.KindOf(err) == imports.TooMany {
		c.Header("Retry-After", "60")
	}
	return created(c, one, err)
}

func (a *api) getImport(c *request) error {
	one, err := a.Imports.Get(c.Request.Context(), c.principal(), c.Param("id"))
	return ok(c, one, err)
}

// setImportMap reads the file of an import under the map in the body.
func (a *api) setImportMap(c *request) error {
	kind, err := a.Imports.KindOf(c.principal(), c.Param("id"))
	if err != nil {
		return err
	}
	written, err := c.bytes()
	if err != nil {
		return err
	}
	m, err := exchange.ParseMap(written, kind)
	if err != nil {
		return err
	}
	one, err := a.Imports.SetMap(c.Request.Context(), c.principal(), c.Param("id"), m)
	return ok(c, one, err)
}

func (a *api) deleteImport(c *request) error {
	if err := passOver(c); err != nil {
		return err
	}
	return ok(c, struct{}{}, a.Imports.Delete(c.principal(), c.Param("id")))
}

// commitImport stores what an import shows.
func (a *api) commitImport(c *request) error {
	f, err := object(c)
	if err != nil {
		return err
	}
	o := imports.Order{
		Revision: required(f, "revision", field.Whole(func(n int64) (int, error) { return int(n), nil })),
		Good:     optional(f, "rows", "all", field.String(func(raw string) (string, error) { return text.OneOf(raw, "all", "good") })) == "good",
		Accept:   optional(f, "doubtful", "refuse", field.String(func(raw string) (string, error) { return text.OneOf(raw, "refuse", "accept") })) == "accept",
		Also:     optional(f, "also", nil, lines),
	}
	if err := f.err(); err != nil {
		return err
	}
	encode := func(done func(bulk.Result) *imports.Done) encoder[bulk.Result] {
		return encoded(func(result bulk.Result) *imports.Done { return done(result) })
	}
	none := encode(func(bulk.Result) *imports.Done { return nil })
	if err := c.answered(once(c, http.StatusOK, none)); err != nil { // also when the import is forgotten
		return err
	}
	ctx := c.Request.Context()
	release, err := a.bulks.Acquire(ctx, c.client(), mostReceived)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "the request was canceled before it was done")
	}
	defer release()
	done, err := a.Imports.Commit(ctx, c.principal(), c.Param("id"), o, func(done func(bulk.Result) *imports.Done) context.Context {
		return once(c, http.StatusOK, encode(done))
	})
	return ok(c, done, err)
}

// lines reads the numbers of lines.
func lines(v field.Value) (list []int, err error) {
	if v.Kind != '[' || json.Unmarshal([]byte(v.Text), &list) != nil {
		err = errors.New("must be an array of the numbers of lines")
	}
	return list, err
}

// conflictsBody is what the body of an error says about records that have changed since a preview.
type conflictsBody struct {
	Conflicts []commit.Conflict `json:"conflicts"`
}

// conflictsOf is the body of an error about such records, nil of another error.
func conflictsOf(err error) (*conflictsBody, int) {
	found, is := errors.AsType[*commit.ConflictsError](err)
	if !is {
		return nil, 0
	}
	return &conflictsBody{found.Conflicts}, int(found.Total)
}

// importRowBody is a row of a file that is imported.
type importRowBody struct {
	Row      int                `json:"row"`
	Line     int                `json:"line"`
	Result   string             `json:"result"`
	Reason   string             `json:"reason,omitzero"`
	Before   *exchange.Fields   `json:"before"`
	After    *exchange.Fields   `json:"after"`
	Voided   bool               `json:"voided,omitzero"`
	Cells    []string           `json:"cells,omitzero"` // of a wrong row
	Findings []exchange.Finding `json:"findings"`
}

// importRows responds with the rows of an import, or with a file of them.
func (a *api) importRows(c *request) error {
	f := queryForm(c)
	result := optional(f, "result", "", field.String(func(raw string) (string, error) {
		return text.OneOf(raw, append([]string{imports.Doubtful}, imports.Results...)...)
	}))
	format := optional(f, "format", "", field.String(func(raw string) (exchange.Format, error) { return text.OneOf(raw, exchange.CSV) }))
	after, limit := pageParameters[int64](f)
	if err := f.err(); err != nil {
		return err
	}
	owner, id, ctx := c.principal(), c.Param("id"), c.Request.Context()
	if format != "" {
		unknown := int64(-1)
		return a.download(c, format, exported{name: "import-rows", seq: &unknown, write: func(to io.Writer) error {
			return a.Imports.WriteRows(ctx, owner, id, result, to)
		}})
	}
	kind, err := a.Imports.KindOf(owner, id)
	if err != nil {
		return err
	}
	rows, err := a.Imports.Rows(ctx, owner, id, result, int(after), limit+1)
	encode := encoded(func(r imports.Row) importRowBody {
		return importRowBody{
			Row: r.N, Line: r.Line, Result: r.Result, Reason: r.Reason, Voided: r.Voided, Findings: r.Findings, Cells: r.Cells,
			Before: exchange.FieldsOf(kind, r.Before), After: exchange.FieldsOf(kind, r.After),
		}
	})
	return page(c, rows, limit, encode, func(r imports.Row) int { return r.N }, err)
}
