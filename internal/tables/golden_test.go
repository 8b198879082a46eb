package tables_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/internal/tables"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestGolden: each file reads as its golden file says: format, encoding, delimiters, sheets, and
// the type, place and value of each cell.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/[ip]*/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := told(content)
			golden := filepath.Join("testdata/golden", filepath.Base(name)+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
	if len(files) < 46 {
		t.Errorf("got %d files, want at least 46", len(files))
	}
}

// told is what the package says about a file, in every dialect that the file leaves open.
func told(content []byte) string {
	var b strings.Builder
	f, err := tables.Open(bytes.NewReader(content), int64(len(content)), tables.Options{})
	if err != nil {
		return fmt.Sprintln("refused:", err)
	}
	defer func() { _ = f.Close() }()
	fmt.Fprintln(&b, "format", f.Format, f.Encoding)
	if f.Separator != 0 {
		fmt.Fprintf(&b, "sep=%c\n", f.Separator)
	}
	for _, d := range f.Delimiters {
		fmt.Fprintf(&b, "delimiter %q: %d records of %d cells\n", d.Byte, d.Records, d.Width)
	}
	for _, s := range f.Sheets {
		fmt.Fprintf(&b, "sheet %q hidden %t\n", s.Name, s.Hidden)
	}
	dialects := []tables.Dialect{{}}
	for i, d := range f.Delimiters {
		if i > 0 && d.Records == f.Delimiters[0].Records {
			dialects = append(dialects, tables.Dialect{Delimiter: d.Byte})
		}
	}
	broken := tell(&b, f, dialects[0])
	for _, d := range dialects[1:] {
		fmt.Fprintf(&b, "with %q\n", d.Delimiter)
		tell(&b, f, d)
	}
	if broken {
		fmt.Fprintln(&b, "as windows-1252")
		tell(&b, f, tables.Dialect{Encoding: tables.Windows1252})
	}
	return b.String()
}

// tell writes the records in a dialect, and the evidence of their texts. It reports broken cells.
func tell(b *strings.Builder, f *tables.File, d tables.Dialect) (broken bool) {
	r, err := f.Records(d)
	if err != nil {
		fmt.Fprintln(b, "refused:", err)
		return false
	}
	var marks tables.MarkEvidence
	var dates tables.DateEvidence
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Fprintln(b, "refused:", err)
			return broken
		}
		fmt.Fprintf(b, "%d", record.Line)
		for i, c := range record.Cells {
			fmt.Fprintf(b, " | %s", cellText(c))
			broken = broken || c.Type == tables.BrokenCell
			if c.Type == tables.TextCell {
				marks.Add(record.Line, i+1, c.Value)
				dates.Add(record.Line, i+1, c.Value)
			}
		}
		fmt.Fprintln(b)
	}
	if names := r.Names(); names != nil {
		fmt.Fprintf(b, "names %q\n", names)
	}
	for _, m := range r.Merged() {
		fmt.Fprintf(b, "merged %+v\n", m)
	}
	mark, decided := marks.Decided()
	fmt.Fprintf(b, "marks: point %d, comma %d, either %d: %s, decided %t\n", marks.Point.Count, marks.Comma.Count, marks.Either.Count, mark, decided)
	order, decided := dates.Decided()
	fmt.Fprintf(b, "dates: day first %d, month first %d, either %d, two digits %d: order %d, decided %t\n",
		dates.DayFirst.Count, dates.MonthFirst.Count, dates.Either.Count, dates.Century.Count, order, decided)
	return broken
}

var typeNames = [...]string{"empty", "text", "number", "date", "boolean", "error", "uncalculated", "broken"}

func cellText(c tables.Cell) string {
	if c.Type == tables.EmptyCell {
		return ""
	}
	s := fmt.Sprintf("%s %q", typeNames[c.Type], c.Value)
	if c.Shown != "" && c.Shown != c.Value {
		s += fmt.Sprintf(" shown %q", c.Shown)
	}
	if c.Type == tables.DateCell {
		s += " " + c.Time.Format(time.RFC3339Nano)
	}
	if c.Percent {
		s += " percent"
	}
	if c.Formula {
		s += " formula"
	}
	if c.Problem != "" {
		s += " (" + c.Problem + ")"
	}
	return s
}
