package tables

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// XLSXRows is the most records that a sheet holds below its header.
const XLSXRows = maxRow - 1

// XLSXOptions say how a list is written as a workbook.
type XLSXOptions struct {
	Sheet  string    // the name of the sheet, at most 31 characters without any of []:*?/\
	Widths []float64 // of the columns, in characters; 14 where there is none
}

// XLSXWriter writes a list as a workbook of one sheet: a bold header that stays in view, a
// filter, and typed cells. It passes the bytes on as they come, so memory does not grow with
// the rows, and the same records give the same bytes.
//
// The package that would write it, excelize, adds 12 MB to a program of 27 MB.
type XLSXWriter struct {
	zip     *zip.Writer
	sheet   *bufio.Writer
	name    string
	rows    int
	columns int
	line    []byte
	refs    []string // of the columns
}

// The cell styles, by their place in styles.
const (
	styleHeader = 1
	styleDate   = 2
	styleTime   = 3
)

const (
	xmlHeader = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	office    = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
)

// xmlPart is a part of a workbook.
type xmlPart struct{ name, content string }

// packageParts are the parts that are the same in every workbook of one sheet.
var packageParts = []xmlPart{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`},
	{"_rels/.rels", relations + `<Relationship Id="rId1" Type="` + office + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/_rels/workbook.xml.rels", relations +
		`<Relationship Id="rId1" Type="` + office + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + office + `/styles" Target="styles.xml"/></Relationships>`},
}

// listStyles are the styles of a list.
var listStyles = xmlPart{
	"xl/styles.xml", `<styleSheet ` + mainSpace + `>` +
		`<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/></numFmts>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
}

// NewXLSXWriter begins a workbook with the header of its list. Its Close ends it.
func NewXLSXWriter(to io.Writer, header []string, o XLSXOptions) (*XLSXWriter, error) {
	if len(header) == 0 {
		return nil, errors.New("tables: a list without columns")
	}
	w := &XLSXWriter{zip: zip.NewWriter(to), name: o.Sheet, columns: len(header)}
	sheet, err := beginSheet(w.zip, listStyles)
	if err != nil {
		return nil, err
	}
	w.sheet = bufio.NewWriterSize(sheet, buffered)
	fmt.Fprintf(w.sheet, "%s<worksheet %s><sheetViews><sheetView tabSelected=\"1\" workbookViewId=\"0\">"+
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`, xmlHeader, mainSpace)
	cells := make([]Cell, len(header))
	for i, name := range header {
		width := 14.0
		if i < len(o.Widths) {
			width = o.Widths[i]
		}
		fmt.Fprintf(w.sheet, `<col min="%d" max="%d" width="%g" customWidth="1"/>`, i+1, i+1, width)
		w.refs = append(w.refs, columnName(i+1))
		cells[i] = Cell{Type: TextCell, Value: name}
	}
	fmt.Fprint(w.sheet, "</cols><sheetData>")
	err = w.row(cells, styleHeader)
	return w, err
}

// beginSheet writes the parts of every workbook and some more, and begins the part of the sheet.
func beginSheet(z *zip.Writer, parts ...xmlPart) (io.Writer, error) {
	for _, p := range slices.Concat(packageParts, parts) {
		if err := p.write(z); err != nil {
			return nil, err
		}
	}
	return z.Create("xl/worksheets/sheet1.xml")
}

func (p xmlPart) write(z *zip.Writer) error {
	to, err := z.Create(p.name)
	if err == nil {
		_, err = io.WriteString(to, xmlHeader+p.content)
	}
	return err
}

// Write writes a record. A NumberCell must be a decimal with a point; one of over 15
// significant digits is written as text, because a sheet would change it, and so is a DateCell
// with a fraction of a second or outside the years of a sheet.
func (w *XLSXWriter) Write(cells []Cell) error {
	if w.rows > XLSXRows {
		return refuse(TooManyRows, "A sheet has room for %s records. Write CSV, or fewer records.", grouped(XLSXRows))
	}
	if len(cells) > w.columns {
		return fmt.Errorf("tables: a record of %d cells in a list of %d columns", len(cells), w.columns)
	}
	return w.row(cells, 0)
}

func (w *XLSXWriter) row(cells []Cell, style int) error {
	w.rows++
	w.line = append(w.line[:0], `<row r="`...)
	w.line = strconv.AppendInt(w.line, int64(w.rows), 10)
	w.line = append(w.line, `">`...)
	for i := range cells {
		w.cell(w.refs[i], &cells[i], style)
	}
	w.line = append(w.line, `</row>`...)
	_, err := w.sheet.Write(w.line)
	return err
}

// cell appends one cell.
func (w *XLSXWriter) cell(column string, c *Cell, style int) {
	value, kind := c.Value, "inlineStr"
	switch c.Type {
	case EmptyCell:
		return
	case NumberCell:
		if fitsFloat(value) {
			kind = "n"
		}
	case BooleanCell:
		kind, value = "b", map[bool]string{true: "1", false: "0"}[value == "true"]
	case DateCell:
		if serial, ok := timeSerial(c.Time); ok {
			kind, style = "n", styleTime
			if !strings.Contains(serial, ".") {
				style = styleDate
			}
			value = serial
		} else if value == "" {
			value = c.instant()
		}
	}
	w.line = append(w.line, `<c r="`...)
	w.line = append(w.line, column...)
	w.line = strconv.AppendInt(w.line, int64(w.rows), 10)
	if style != 0 {
		w.line = append(w.line, `" s="`...)
		w.line = strconv.AppendInt(w.line, int64(style), 10)
	}
	w.line = append(w.line, `" t="`...)
	w.line = append(w.line, kind...)
	if kind == "inlineStr" {
		w.line = append(w.line, `"><is><t xml:space="preserve">`...)
		w.line = appendEscaped(w.line, value)
		w.line = append(w.line, `</t></is></c>`...)
		return
	}
	w.line = append(w.line, `"><v>`...)
	w.line = append(w.line, value...)
	w.line = append(w.line, `</v></c>`...)
}

// appendEscaped appends a text as a sheet keeps it. Characters that XML does not have, and what
// looks like the escape of one, are escaped as _x001F_.
func appendEscaped(b []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '<' || c == '>' || c == '&' || c == '_' && strings.HasPrefix(s[i:], "_x") || c == 0xEF {
			plain = false
			break
		}
	}
	if plain {
		return append(b, s...)
	}
	var escaped strings.Builder
	for i, r := range s {
		switch {
		case r < ' ' && r != '\n' && r != '\t', r == 0xFFFE, r == 0xFFFF, r == '_' && looksEscaped(s[i:]):
			fmt.Fprintf(&escaped, "_x%04X_", r)
		default:
			escaped.WriteRune(r)
		}
	}
	var text strings.Builder
	_ = xml.EscapeText(&text, []byte(escaped.String())) // a Builder takes everything
	return append(b, text.String()...)
}

// looksEscaped reports whether a text begins with what unescape would change.
func looksEscaped(s string) bool {
	first := s[:min(7, len(s))]
	return unescape(first) != first
}

// fitsFloat reports whether a decimal has at most 15 significant digits, which a float keeps.
func fitsFloat(decimal string) bool {
	digits := strings.Trim(strings.Replace(strings.TrimPrefix(decimal, "-"), ".", "", 1), "0")
	return len(digits) <= 15 && isNumeral(decimal)
}

// columnName is the name of a column: A for 1, AA for 27.
func columnName(n int) string {
	name := ""
	for ; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// Close ends the workbook. It does not close the writer below.
func (w *XLSXWriter) Close() error {
	last := w.refs[w.columns-1]
	fmt.Fprintf(w.sheet, `</sheetData><autoFilter ref="A1:%s%d"/></worksheet>`, last, w.rows)
	if err := w.sheet.Flush(); err != nil {
		return err
	}
	names := fmt.Sprintf(`<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">%s!$A$1:$%s$%d</definedName>`, quotedSheet(w.name), last, w.rows)
	return errors.Join(bookPart(w.name, names).write(w.zip), w.zip.Close())
}

// bookPart names the one sheet of a workbook, and its ranges.
func bookPart(sheet, names string) xmlPart {
	return xmlPart{"xl/workbook.xml", fmt.Sprintf(`<workbook %s xmlns:r="%s"><bookViews><workbookView/></bookViews><sheets><sheet name="%s" sheetId="1" r:id="rId1"/></sheets>`+
		`<definedNames>%s</definedNames></workbook>`, mainSpace, office, escaped(sheet), names)}
}

// quotedSheet is the name of a sheet in a reference.
func quotedSheet(name string) string { return "'" + escaped(strings.ReplaceAll(name, "'", "''")) + "'" }

// escaped is a text in XML.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}
