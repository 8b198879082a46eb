package api

import (
	"io"

	"daybook/internal/exchange"
	"daybook/internal/field"
	"daybook/internal/imports"
	"daybook/internal/text"
)

// addImport takes a file in and reads it. Nothing is stored.
func (a *api) addImport(c *request) error {
	f := queryForm(c)
	u := imports.Upload{Owner: c.principal()}
	u.Kind = required(f, "kind", field.String(exchange.ParseKind))
	u.Name = optional(f, "name", "", field.String(func(raw string) (string, error) { return imports.NameOf(raw), nil }))
	if err := f.err(); err != nil {
		return err
	}
	sent, err := c.receive(sentFile)
	if err != nil {
		return err
	}
	sent.free() // others may arrive while this one is read
	u.Content, u.Size = sent.file, sent.size
	one, err := a.Imports.Add(c.Request.Context(), u)
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
	if c.body == nil {
		return notJSON(io.EOF)
	}
	written, err := c.body.read(c)
	if err != nil {
		return c.body.failed(c, err)
	}
	if err := checkLabels(c); err != nil {
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

// importRowBody is a row of a file that is imported.
type importRowBody struct {
	Row      int                `json:"row"`
	Line     int                `json:"line"`
	Result   string             `json:"result"`
	Reason   string             `json:"reason,omitzero"`
	Before   *exchange.Fields   `json:"before"`
	After    *exchange.Fields   `json:"after"`
	Voided   bool               `json:"voided,omitzero"`
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
			Row: r.N, Line: r.Line, Result: r.Result, Reason: r.Reason, Voided: r.Voided, Findings: r.Findings,
			Before: exchange.FieldsOf(kind, r.Before), After: exchange.FieldsOf(kind, r.After),
		}
	})
	return page(c, rows, limit, encode, func(r imports.Row) int { return r.N }, err)
}
