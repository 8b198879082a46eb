package tables

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Style is how a cell of a sheet looks.
type Style struct {
	Format string // of numbers, as spreadsheet programs write it; "" is general
	Size   int    // of the letters; 0 is 11
	Bold   bool
	Top    string // the rule above: "", "thin" or "medium"
	Bottom string // the rule below: also "double"
	Right  bool   // stands at the right
	Indent int
}

// SheetCell is a cell with a style. With a formula, without its equals sign, the value of Cell is its kept result.
type SheetCell struct {
	Cell
	Formula string
	Style   Style
}

// SheetOptions say how a sheet looks as a whole.
type SheetOptions struct {
	Name       string // at most 31 characters without any of []:*?/\
	Widths     []float64
	Head       int    // the row up to which rows stay in view; it is repeated on each page
	Good, Bad  string // conditions, as a formula, under which the cells of Toned are green or red
	Toned      string // the columns, as A:B
	ReportMark bool   // says to a reader of lists that this workbook is a report
}

// reportMark is the name by which a reader knows a report. Programs keep it when they save the workbook.
const reportMark = "_DaybookReport"

// SheetWriter writes a workbook of one sheet with styles and formulas, for a reader on paper or on the screen. It passes
// the rows on as they come, and the same rows give the same bytes.
type SheetWriter struct {
	zip    *zip.Writer
	sheet  *bufio.Writer
	o      SheetOptions
	rows   int
	line   []byte
	styles map[Style]int
	order  []Style
}

// NewSheetWriter begins a workbook. Its Close ends it.
func NewSheetWriter(to io.Writer, o SheetOptions) (*SheetWriter, error) {
	w := &SheetWriter{zip: zip.NewWriter(to), o: o, styles: map[Style]int{{}: 0}, order: []Style{{}}}
	sheet, err := beginSheet(w.zip)
	if err != nil {
		return nil, err
	}
	w.sheet = bufio.NewWriterSize(sheet, buffered)
	fmt.Fprintf(w.sheet, `%s<worksheet %s><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView showGridLines="0" tabSelected="1" workbookViewId="0">`+
		`<pane ySplit="%d" topLeftCell="A%d" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="16" customHeight="1"/><cols>`, xmlHeader, mainSpace, o.Head, o.Head+1)
	for i, width := range o.Widths {
		fmt.Fprintf(w.sheet, `<col min="%d" max="%d" width="%g" customWidth="1"/>`, i+1, i+1, width)
	}
	_, err = w.sheet.WriteString("</cols><sheetData>")
	return w, err
}

// Rows is how many rows were written.
func (w *SheetWriter) Rows() int { return w.rows }

// Row writes the next row.
func (w *SheetWriter) Row(cells ...SheetCell) error {
	if w.rows == maxRow {
		return refuse(TooManyRows, "A sheet has room for %s rows. Write fewer.", grouped(maxRow))
	}
	w.rows++
	w.line = append(w.line[:0], `<row r="`...)
	w.line = strconv.AppendInt(w.line, int64(w.rows), 10)
	if len(cells) > 0 && cells[0].Style.Size > 0 { // a larger text needs a higher row
		w.line = fmt.Appendf(w.line, `" ht="%d" customHeight="1`, 2*cells[0].Style.Size)
	}
	w.line = append(w.line, `">`...)
	for i := range cells {
		w.cell(Ref(i+1, w.rows), &cells[i])
	}
	w.line = append(w.line, `</row>`...)
	_, err := w.sheet.Write(w.line)
	return err
}

// Ref is the name of a cell, such as B12.
func Ref(column, row int) string { return columnName(column) + strconv.Itoa(row) }

// KeepsNumber reports whether a sheet keeps a decimal exactly: it has at most 15 significant digits.
func KeepsNumber(decimal string) bool { return fitsFloat(decimal) }

func (w *SheetWriter) cell(ref string, c *SheetCell) {
	if c.Type == EmptyCell && c.Style == (Style{}) {
		return
	}
	w.line = append(append(append(w.line, `<c r="`...), ref...), `" s="`...)
	w.line = append(strconv.AppendInt(w.line, int64(w.style(c.Style)), 10), '"')
	switch {
	case c.Type == EmptyCell:
		w.line = append(w.line, "/>"...)
		return
	case c.Type == BooleanCell:
		w.line = append(w.line, ` t="b">`...)
	case c.Type == NumberCell && fitsFloat(c.Value):
		w.line = append(w.line, '>')
	case c.Formula != "":
		w.line = append(w.line, ` t="str">`...)
	default:
		w.line = append(w.line, ` t="inlineStr"><is><t xml:space="preserve">`...)
		w.line = append(appendEscaped(w.line, c.Value), `</t></is></c>`...)
		return
	}
	if c.Formula != "" {
		w.line = append(append(append(w.line, "<f>"...), escaped(c.Formula)...), "</f>"...)
	}
	value := c.Value
	if c.Type == BooleanCell {
		value = map[bool]string{true: "1", false: "0"}[value == "true"]
	}
	w.line = append(w.line, "<v>"...)
	w.line = append(appendEscaped(w.line, value), "</v></c>"...)
}

// style is the place of a style among those of the workbook.
func (w *SheetWriter) style(s Style) int {
	at, known := w.styles[s]
	if !known {
		at = len(w.order)
		w.styles[s], w.order = at, append(w.order, s)
	}
	return at
}

// Close ends the workbook. It does not close the writer below.
func (w *SheetWriter) Close() error {
	fmt.Fprint(w.sheet, `</sheetData>`)
	if from, to, found := strings.Cut(w.o.Toned, ":"); found && w.rows > w.o.Head {
		fmt.Fprintf(w.sheet, `<conditionalFormatting sqref="%s%d:%s%d">`, from, w.o.Head+1, to, w.rows)
		for i, condition := range []string{w.o.Good, w.o.Bad} {
			fmt.Fprintf(w.sheet, `<cfRule type="expression" dxfId="%d" priority="%d"><formula>%s</formula></cfRule>`, i, i+1, escaped(condition))
		}
		fmt.Fprint(w.sheet, `</conditionalFormatting>`)
	}
	fmt.Fprint(w.sheet, `<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>`+
		`<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>`+
		`<headerFooter><oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter></worksheet>`)
	if err := w.sheet.Flush(); err != nil {
		return err
	}
	names := ""
	if w.o.ReportMark {
		names = fmt.Sprintf(`<definedName name=%q hidden="1">%s!$A$1</definedName>`, reportMark, quotedSheet(w.o.Name))
	}
	names += fmt.Sprintf(`<definedName name="_xlnm.Print_Titles" localSheetId="0">%s!$%d:$%d</definedName>`, quotedSheet(w.o.Name), w.o.Head, w.o.Head)
	err := xmlPart{"xl/styles.xml", stylesOf(w.order)}.write(w.zip)
	return errors.Join(err, bookPart(w.o.Name, names).write(w.zip), w.zip.Close())
}

// stylesOf is the part of the styles: each has a format, a font and a border of its own.
func stylesOf(styles []Style) string {
	var formats, fonts, borders, cells strings.Builder
	for i, s := range styles {
		size, bold := s.Size, ""
		if size == 0 {
			size = 11
		}
		if s.Bold {
			bold = "<b/>"
		}
		fmt.Fprintf(&fonts, `<font>%s<sz val="%d"/><name val="Calibri"/></font>`, bold, size)
		fmt.Fprintf(&borders, `<border><left/><right/>%s%s<diagonal/></border>`, side("top", s.Top), side("bottom", s.Bottom))
		format := 0
		if s.Format != "" {
			format = 164 + i
			fmt.Fprintf(&formats, `<numFmt numFmtId="%d" formatCode="%s"/>`, format, escaped(s.Format))
		}
		align := "general"
		if s.Right {
			align = "right"
		} else if s.Indent > 0 {
			align = "left"
		}
		fmt.Fprintf(&cells, `<xf numFmtId="%d" fontId="%d" fillId="0" borderId="%d" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1" applyAlignment="1">`+
			`<alignment horizontal="%s" indent="%d"/></xf>`, format, i, i, align, s.Indent)
	}
	if n := strings.Count(formats.String(), "<numFmt "); n > 0 {
		all := fmt.Sprintf(`<numFmts count="%d">%s</numFmts>`, n, formats.String())
		formats.Reset()
		formats.WriteString(all)
	}
	return fmt.Sprintf(`<styleSheet %s>%s<fonts count="%d">%s</fonts>`+
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>`+
		`<borders count="%d">%s</borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>`+
		`<cellXfs count="%d">%s</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>`+
		`<dxfs count="2"><dxf><font><color rgb="FF0B6B3A"/></font></dxf><dxf><font><color rgb="FFB3261E"/></font></dxf></dxfs></styleSheet>`, //nolint:misspell // the name in the format
		mainSpace, formats.String(), len(styles), fonts.String(), len(styles), borders.String(), len(styles), cells.String())
}

// side is one side of a border.
func side(name, rule string) string {
	if rule == "" {
		return "<" + name + "/>"
	}
	return fmt.Sprintf("<%s style=%q/>", name, rule)
}
