package tables

import (
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
	"sync"
)

// Sheet is a sheet of a workbook.
type Sheet struct {
	Name   string
	Hidden bool

	part string
}

// workbook is an XLSX file.
type workbook struct {
	archive         *archive
	sheets          []Sheet
	since1904       bool
	formats         []format // of the cell styles
	styles, strings string   // the parts, or ""
	dir             string

	once      sync.Once
	shared    *textTable
	sharedErr error
}

// relation is what a relationships part says about another part.
type relation struct {
	kind, target string
}

func openWorkbook(source io.ReaderAt, size int64, l Limits, dir string) (*workbook, error) {
	a, err := openArchive(source, size, l)
	if err != nil {
		return nil, err
	}
	if err := a.refuseOthers(); err != nil {
		return nil, err
	}
	b := &workbook{archive: a, dir: dir}
	main := "xl/workbook.xml"
	top, err := b.relations("")
	if err != nil {
		return nil, err
	}
	for _, r := range top {
		if r.kind == "officeDocument" {
			main = r.target
		}
	}
	parts, err := b.relations(main)
	if err != nil {
		return nil, err
	}
	for _, r := range parts {
		switch r.kind {
		case "styles":
			b.styles = r.target
		case "sharedStrings":
			b.strings = r.target
		}
	}
	if err := b.readBook(main, parts); err != nil {
		return nil, err
	}
	if b.styles != "" {
		b.formats, err = readStyles(a, b.styles)
	}
	return b, err
}

// refuseOthers refuses zip files that are no workbook of Excel 2007 or later.
func (a *archive) refuseOthers() error {
	switch {
	case a.parts["xl/workbook.bin"] != nil:
		return refuse(NotATable, "The file is a binary workbook (.xlsb). Open it and save it as .xlsx.")
	case a.parts["content.xml"] != nil && a.parts["mimetype"] != nil:
		return refuse(NotATable, "The file is an OpenDocument file (.ods). Open it and save it as .xlsx.")
	case a.parts["index/document.iwa"] != nil || a.parts["index.zip"] != nil:
		return refuse(NotATable, "The file is a Numbers file. Open it and export it as Excel (.xlsx) or CSV.")
	case a.parts["[content_types].xml"] == nil:
		return refuse(NotATable, "The file is a zip archive and no workbook. Unpack it first.")
	case a.parts["word/document.xml"] != nil || a.parts["ppt/presentation.xml"] != nil:
		return refuse(NotATable, "The file is a document and no workbook. Copy the table into a spreadsheet and save it as .xlsx.")
	}
	return nil
}

// relations reads what a part, or the workbook as a whole, refers to, by the id of the relation.
func (b *workbook) relations(of string) (map[string]relation, error) {
	folder, base := path.Split(of)
	name := folder + "_rels/" + base + ".rels"
	found := map[string]relation{}
	if b.archive.parts[partName(name)] == nil {
		return found, nil
	}
	err := b.archive.each(name, func(t xml.StartElement, _ *markup) error {
		if t.Name.Local != "Relationship" || attribute(t, "TargetMode") == "External" || len(found) == maxSheets {
			return nil
		}
		target := attribute(t, "Target")
		if !strings.HasPrefix(target, "/") {
			target = folder + target
		}
		found[attribute(t, "Id")] = relation{kind: path.Base(attribute(t, "Type")), target: partName(target)}
		return nil
	})
	return found, err
}

// maxSheets bounds the sheets, and the other parts that a part refers to.
const maxSheets = 10_000

// readBook reads the sheets, in their order, and how dates count.
func (b *workbook) readBook(name string, parts map[string]relation) error {
	report := false
	err := b.archive.each(name, func(t xml.StartElement, _ *markup) error {
		switch t.Name.Local {
		case "workbookPr":
			b.since1904 = isTrue(attribute(t, "date1904"))
		case "definedName":
			report = report || attribute(t, "name") == reportMark
		case "sheet":
			r := parts[relationOf(t)]
			if r.kind != "worksheet" || len(b.sheets) == maxSheets {
				return nil
			}
			state := attribute(t, "state")
			b.sheets = append(b.sheets, Sheet{Name: attribute(t, "name"), Hidden: state == "hidden" || state == "veryHidden", part: r.target})
		}
		return nil
	})
	if err == nil && report && len(b.sheets) == 1 {
		return refuse(NotATable, "The workbook is a variance report, which is no import format; import a list, such as an export of budgets or actuals.")
	}
	if err == nil && len(b.sheets) == 0 {
		return refuse(Malformed, "The workbook has no sheet with cells. Choose another file.")
	}
	return err
}

// relationOf returns the attribute r:id of a sheet.
func relationOf(t xml.StartElement) string {
	for _, a := range t.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

func isTrue(s string) bool { return s == "1" || s == "true" }

// each calls f with each start tag of a part that is read whole. f may read on to the end of the
// element.
func (a *archive) each(name string, f func(xml.StartElement, *markup) error) error {
	p, err := a.open(name)
	if err != nil {
		return err
	}
	m := newMarkup(p)
	for root, last := "", ""; ; {
		token, err := m.next()
		switch {
		case errors.Is(err, io.EOF) && (root == "" || last != root):
			return m.broken()
		case errors.Is(err, io.EOF):
			a.spent += p.read
			return nil
		case err != nil:
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if root == "" {
				root = t.Name.Local
			}
			if err := f(t, m); err != nil {
				return err
			}
		case xml.EndElement:
			last = t.Name.Local
		}
	}
}

// sheet returns the sheet of a name, or the first that is not hidden.
func (b *workbook) sheet(name string) (Sheet, error) {
	for _, s := range b.sheets {
		if name == "" && !s.Hidden || name != "" && s.Name == name {
			return s, nil
		}
	}
	if name == "" {
		return b.sheets[0], nil
	}
	return Sheet{}, refuse(Malformed, "The workbook has no sheet %q. Choose one that it has.", name)
}

// open returns a reader of a sheet.
func (b *workbook) open(s Sheet) (*sheetReader, error) {
	b.once.Do(func() {
		if b.strings != "" {
			b.shared, b.sharedErr = readTexts(b.archive, b.strings, b.dir)
		}
	})
	if b.sharedErr != nil {
		return nil, b.sharedErr
	}
	p, err := b.archive.open(s.part)
	if err != nil {
		return nil, err
	}
	return &sheetReader{book: b, markup: newMarkup(p), limits: b.archive.limits, sheet: s.Name}, nil
}

func (b *workbook) close() error {
	b.once.Do(func() { b.sharedErr = errors.New("the file is closed") })
	if b.shared == nil {
		return nil
	}
	return b.shared.close()
}
