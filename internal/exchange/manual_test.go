package exchange_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"daybook/internal/exchange"
)

// TestManual: the reader reads each example of the manual's page about files as the page says: the tables of numbers
// and dates, the files with what they are read as, and the map.
func TestManual(t *testing.T) {
	written, err := os.ReadFile("../../web/manual/files.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(written)
	testManualCells(t, page, "Cells of the file", "actuals", func(i int, cell string) string {
		return fmt.Sprint("FIN,6100,2027,", i+1, `,"`, cell, "\",EUR\n")
	})
	testManualCells(t, page, "Dates of the file", "trades", func(_ int, cell string) string {
		return "X,EUR,1,stock,buy,5," + cell + "\n"
	})
	pairs := regexp.MustCompile("(?s)```csv\n([^`]*)```\n\nRead as:\n\n```csv\n([^`]*)```").FindAllStringSubmatch(page, -1)
	if len(pairs) < 3 {
		t.Errorf("the page has %d files with what they are read as, want at least 3", len(pairs))
	}
	for _, pair := range pairs {
		p := preview(t, pair[1], exchange.Source{Kind: "actuals", Store: newKnown(t)})
		got := "department,gl_code,fiscal_year,fiscal_period,amount,currency,source\n"
		for _, s := range p.Sample {
			if s.After != nil {
				got += strings.Join(s.After.Record, ",") + "\n"
			}
		}
		if got != pair[2] || len(p.Questions) > 0 {
			t.Errorf("%s\ngot\n%s%+v\nwant\n%s", pair[1], got, p.Questions, pair[2])
		}
	}
	for _, m := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(page, -1) {
		if _, err := exchange.ParseMap([]byte(m[1]), "actuals"); err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
	}
}

// testManualCells reads each row of a table of the page as a file of its own.
func testManualCells(t *testing.T, page, head, kind string, line func(i int, cell string) string) {
	t.Helper()
	_, table, found := strings.Cut(page, "| "+head+" | Read as |\n|---|---|\n")
	if table, _, _ = strings.Cut(table, "\n\n"); !found {
		t.Fatalf("the page has no table %s", head)
	}
	column, heads := 4, actualsHead
	if kind == "trades" {
		column, heads = 6, tradesHead
	}
	for row := range strings.SplitSeq(table, "\n") {
		file := heads
		for i, cell := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(row, -1) {
			file += line(i, cell[1])
		}
		want := strings.TrimSpace(strings.Split(row, "|")[2])
		p := preview(t, file, exchange.Source{Kind: kind, Store: newKnown(t)})
		var read []string
		for _, s := range p.Sample {
			if s.After != nil {
				read = append(read, s.After.Record[column])
			}
		}
		got := strings.Join(read, ", ")
		switch {
		case len(p.Questions) > 0:
			got = "asked"
		case p.Counts.Wrong > 0:
			got = "wrong"
		}
		if word, _, explained := strings.Cut(want, ":"); explained && (word == "asked" || word == "wrong") {
			want = word
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", row, got, want)
		}
	}
}
