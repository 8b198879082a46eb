package exchange_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"daybook/internal/exchange"
	"daybook/internal/tables"
)

// Headers of the tests.
const (
	actualsHead = "department,gl_code,fiscal_year,fiscal_period,amount,currency\n"
	tradesHead  = "symbol,currency_code,shares,product,side,price,date\n"
	wideHead    = "department,gl_code,fiscal_year,currency,Jan,Feb,Mar,Total\n"
)

// told is a preview in a few words: the questions, each record with its result, the findings, and the rows that
// were skipped.
func told(p *exchange.Preview) string {
	var list []string
	for _, q := range p.Questions {
		said := "?" + q.Code
		if q.Field != "" {
			said += " " + q.Field
		}
		if q.Proposed != "" {
			said += "=" + q.Proposed
		}
		for _, choice := range q.Choices {
			if choice.Fits {
				said += " fits " + choice.Value
			}
		}
		list = append(list, said)
	}
	samples := slices.Clone(p.Sample)
	slices.SortStableFunc(samples, func(a, b exchange.Sample) int { return a.Line - b.Line })
	for _, s := range samples {
		if s.Result == "cleared" {
			list = append(list, fmt.Sprintf("%d cleared", s.Line))
		}
		if s.After != nil {
			list = append(list, fmt.Sprintf("%d %s %s", s.Line, s.Result, strings.Join(s.After.Record, " ")))
		}
	}
	for _, f := range p.Findings {
		said := fmt.Sprintf("%d %s %s", f.Line, f.Severity, f.Code)
		if f.Field != "" {
			said += " " + f.Field
		}
		if f.ReadsAs != "" {
			said += "=" + string(f.ReadsAs)
		}
		list = append(list, said)
	}
	for _, reason := range slices.Sorted(func(yield func(string) bool) {
		for reason := range p.Skipped {
			if !yield(reason) {
				return
			}
		}
	}) {
		list = append(list, fmt.Sprintf("skipped %s %d", reason, p.Skipped[reason]))
	}
	return strings.Join(list, "\n")
}

// testRow is a file, its map, and what it means.
type testRow struct {
	name, kind, file, wants string
	set                     string // the map as JSON
}

func (c testRow) run(t *testing.T, db *known) {
	t.Helper()
	var m exchange.Map
	if c.set != "" {
		if err := json.Unmarshal([]byte(c.set), &m); err != nil {
			t.Fatal(c.name, err)
		}
	}
	p := preview(t, c.file, exchange.Source{Kind: c.kind, Map: m, Store: db})
	if got := told(p); got != c.wants {
		t.Errorf("%s: got\n%s\nwant\n%s\n(%+v)", c.name, got, c.wants, p.Findings)
	}
}

// preview checks a file.
func preview(t *testing.T, file string, source exchange.Source) *exchange.Preview {
	t.Helper()
	f, err := tables.Open(strings.NewReader(file), int64(len(file)), tables.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	source.File, source.Now = f, time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	p, err := exchange.Check(t.Context(), source)
	if err != nil {
		t.Fatalf("%q: %v", file, err)
	}
	return p
}

// TestNumbers: how the numbers of a file are read.
func TestNumbers(t *testing.T) {
	for _, c := range []testRow{
		{"export with a comma", "actuals", "department,gl_code,fiscal_year,fiscal_period,amount,currency,source\nFIN,6100,2027,1,1.234,EUR,\n", "2 new FIN 6100 2027 1 1.234 EUR ", ""},
		{"export with a semicolon", "actuals", "department;gl_code;fiscal_year;fiscal_period;amount;currency;source\nFIN;6100;2027;1;1.234;EUR;\n", "2 new FIN 6100 2027 1 1234 EUR ", ""},
		{"nearly an export", "actuals", "department;gl_code;fiscal_year;fiscal_period;amount;currency\nFIN;6100;2027;1;1.234;EUR\n", "?decimal_mark", ""},
		{"a dash", "actuals", actualsHead + "FIN,6100,2027,1,-,EUR\nFIN,6200,2027,1,5,EUR\n", "?dash\n3 new FIN 6200 2027 1 5 EUR ", ""},
		{"a dash is zero", "actuals", actualsHead + "FIN,6100,2027,1,-,EUR\n", "2 new FIN 6100 2027 1 0 EUR ", `{"numbers":{"dash":"zero"}}`},
		{"a dash is empty", "actuals", actualsHead + "FIN,6100,2027,1,-,EUR\n", "2 wrong missing amount", `{"numbers":{"dash":"empty"}}`},
		{"m", "actuals", actualsHead + "FIN,6100,2027,1,5m,EUR\nFIN,6200,2027,1,5k,EUR\n", "?suffix_m\n3 new FIN 6200 2027 1 5000 EUR ", ""},
		{"m is a million", "actuals", actualsHead + "FIN,6100,2027,1,5m,EUR\n", "2 new FIN 6100 2027 1 5000000 EUR ", `{"numbers":{"suffix_m":"million"}}`},
		{"m is a thousand", "actuals", actualsHead + "FIN,6100,2027,1,5m,EUR\n", "2 new FIN 6100 2027 1 5000 EUR ", `{"numbers":{"suffix_m":"thousand"}}`},
		{"scale", "actuals", actualsHead + "FIN,6100,2027,1,5.5,EUR\n", "2 new FIN 6100 2027 1 5500 EUR ", `{"numbers":{"scale":1000}}`},
		{"scale above", "actuals", "All amounts in thousands,,,,,\n" + actualsHead + "FIN,6100,2027,1,5.5,EUR\n", "?scale=1000\n3 new FIN 6100 2027 1 5.5 EUR \nskipped above_header 1", ""},
		{"percent", "actuals", actualsHead + "FIN,6100,2027,1,5%,EUR\n", "2 wrong percent amount", ""},
		{"no numbers", "actuals", actualsHead + "FIN,6100,2027,1,n/a,EUR\nFIN,6100,2027,2,5 CR,EUR\nFIN,6100,2027,3,abc,EUR\n", "2 wrong not_a_number amount\n3 wrong not_a_number amount\n4 wrong not_a_number amount", ""},
		{"out of range", "actuals", actualsHead + "FIN,6100,2027,1,1000000000000000,EUR\n", "2 wrong out_of_range amount", ""},
		{"currency", "actuals", actualsHead + "FIN,6100,2027,1,$5.00,EUR\nFIN,6100,2027,2,€5.00,EUR\nFIN,6100,2027,3,5.00 EUR,EUR\nFIN,6100,2027,4,US$5.00,USD\nFIN,6100,2027,5,kr 5.00,SEK\n",
			"3 new FIN 6100 2027 2 5 EUR \n4 new FIN 6100 2027 3 5 EUR \n5 new FIN 6100 2027 4 5 USD \n6 new FIN 6100 2027 5 5 SEK \n2 wrong currency_mismatch amount", ""},
		{"round", "actuals", actualsHead + "FIN,6100,2027,1,1.23456,EUR\nFIN,6100,2027,2,1.5,EUR\n", "?round\n3 new FIN 6100 2027 2 1.5 EUR ", ""},
		{"round to 4", "actuals", actualsHead + "FIN,6100,2027,1,1.23455,EUR\nFIN,6100,2027,2,-1.23455,EUR\n", "2 new FIN 6100 2027 1 1.2346 EUR \n3 new FIN 6100 2027 2 -1.2346 EUR ", `{"numbers":{"round":4}}`},
		{"round to 2", "actuals", actualsHead + "FIN,6100,2027,1,1.23455,EUR\n", "2 new FIN 6100 2027 1 1.23 EUR ", `{"numbers":{"round":2}}`},
		{"round refused", "actuals", actualsHead + "FIN,6100,2027,1,1.23455,EUR\n", "2 wrong round amount", `{"numbers":{"round":"refuse"}}`},
		{"15 digits", "actuals", actualsHead + "FIN,6100,2027,1,0.30000000000000004,EUR\n", "2 new FIN 6100 2027 1 0.3 EUR ", ""},
		{"shares have marks too", "trades", "symbol;currency_code;shares;product;side;price;Date\nX;EUR;1.000;stock;buy;5,25;2026-01-31\n", "2 new X EUR 1000 stock buy 5.25 2026-01-31T00:00:00Z", ""},
		{"fractional shares", "trades", tradesHead + "X,EUR,1.5,stock,buy,5.25,2026-01-31\n", "2 wrong out_of_range shares", ""},
	} {
		c.run(t, newKnown(t))
	}
}

// TestRoundIsCounted: the question says by how much the sum changes.
func TestRoundIsCounted(t *testing.T) {
	p := preview(t, actualsHead+"FIN,6100,2027,1,1.23456,EUR\nFIN,6100,2027,2,1.00001,EUR\n", exchange.Source{Kind: "actuals", Store: newKnown(t)})
	const want = "2 numbers have more than 4 decimals. Say to how many decimals they are rounded, half away from zero. With 2 their sum changes by -0.00457. With 4 their sum changes by 0.00003."
	if len(p.Questions) != 1 || p.Questions[0].Message != want {
		t.Errorf("got %+v, want %q", p.Questions, want)
	}
}

// TestDates: how the dates of a file are read.
func TestDates(t *testing.T) {
	const row = "X,EUR,1,stock,buy,5,"
	trade := func(line int, date string) string { return fmt.Sprintf("%d new X EUR 1 stock buy 5 %s", line, date) }
	for _, c := range []testRow{
		{"decided by a cell", "trades", tradesHead + row + "3/4/2026\n" + row + "31/4/2026\n" + row + "30/4/2026\n", trade(2, "2026-04-03T00:00:00Z") + "\n" + trade(4, "2026-04-30T00:00:00Z") + "\n3 wrong not_a_date date", ""},
		{"both orders", "trades", tradesHead + row + "31/1/2026\n" + row + "1/31/2026\n", "?date_order\n" + trade(2, "2026-01-31T00:00:00Z") + "\n" + trade(3, "2026-01-31T00:00:00Z"), ""},
		{"against the answer", "trades", tradesHead + row + "31/1/2026\n" + row + "1/31/2026\n", trade(2, "2026-01-31T00:00:00Z") + "\n3 wrong not_a_date date", `{"dates":{"order":"dmy"}}`},
		{"names", "trades", tradesHead + row + "31 janv. 2026\n" + row + "2026-01-31T15:30:00+02:00\n" + row + "20260131\n", trade(2, "2026-01-31T00:00:00Z") + "\n" + trade(3, "2026-01-31T13:30:00Z") + "\n" + trade(4, "2026-01-31T00:00:00Z"), ""},
		{"a serial in a text", "trades", tradesHead + row + "46053\n", "2 wrong not_a_date date", ""},
		{"out of range", "trades", tradesHead + row + "1850-01-31\n", "2 wrong out_of_range date", ""},
		{"newest first", "trades", tradesHead + row + "2026-02-03\n" + row + "2026-02-03\n" + row + "2026-02-02\n", "?row_order=newest_first\n" + trade(2, "2026-02-03T00:00:00Z") + "\n" + trade(3, "2026-02-03T00:00:00Z") + "\n" + trade(4, "2026-02-02T00:00:00Z"), ""},
		{"oldest first", "trades", tradesHead + row + "2026-02-02\n" + row + "2026-02-03\n" + row + "2026-02-03\n", trade(2, "2026-02-02T00:00:00Z") + "\n" + trade(3, "2026-02-03T00:00:00Z") + "\n" + trade(4, "2026-02-03T00:00:00Z"), ""},
	} {
		c.run(t, newKnown(t))
	}
}

// TestWords: sides, products, flags and the words of a map.
func TestWords(t *testing.T) {
	for _, c := range []testRow{
		{"sides", "trades", tradesHead + "X,EUR,1,CALL,Kauf,5,2026-01-01\nX,EUR,-1,1,V,5,2026-01-02\nX,EUR,-1,call,b,5,2026-01-03\nX,EUR,1,warrant,buy,5,2026-01-04\nX,EUR,1,put,hold,5,2026-01-05\n",
			"2 new X EUR 1 call buy 5 2026-01-01T00:00:00Z\n3 new X EUR 1 call sell 5 2026-01-02T00:00:00Z\n4 wrong negative_buy shares\n5 wrong unknown_word product\n6 wrong unknown_word side", ""},
		{"side by the sign", "trades", "symbol,currency_code,shares,product,price,date\nX,EUR,-1,stock,5,2026-01-01\nX,EUR,1,stock,5,2026-01-02\n",
			"2 new X EUR 1 stock sell 5 2026-01-01T00:00:00Z\n3 new X EUR 1 stock buy 5 2026-01-02T00:00:00Z", `{"set":{"side":"sign"}}`},
		{"words of a map", "trades", tradesHead + "X,EUR,1,Aktie,buy,5,2026-01-01\nX,EUR,1,Zins,buy,5,2026-01-02\n", "2 new X EUR 1 stock buy 5 2026-01-01T00:00:00Z\nskipped by_the_map 1", `{"values":{"product":{"aktie":"stock","ZINS":null}}}`},
		{"flags", "departments", "code,name,active\nA,Ah,ja\nB,Be,Faux\nC,Ce,\nD,De,perhaps\n", "2 new A Ah  true\n3 new B Be  false\n4 new C Ce  true\n5 wrong unknown_word active", ""},
		{"type", "accounts", "Konto,Bezeichnung,Type\n7000,Sales,Revenue\n7100,Rent,opex\n7200,x,asset\n", "2 new 7000 Sales revenue true\n3 new 7100 Rent opex false\n4 wrong unknown_word type", ""},
		{"too long", "departments", "code,name\nA," + strings.Repeat("x", 300) + "\n", "2 wrong too_long name", ""},
		{"two in one field", "currencies", "code,name\nEUR,Euro\n\nEUR,Euro\n", "2 wrong duplicate_in_file\n4 wrong duplicate_in_file", ""},
	} {
		c.run(t, newKnown(t))
	}
}

// TestRows: which rows are records, and which are skipped or wrong.
func TestRows(t *testing.T) {
	for _, c := range []testRow{
		{"headings", "actuals", actualsHead + "REVENUES,,,,,\nFIN,6100,2027,1,5,EUR\n,,,,,\n" + actualsHead + "OPS,6100,2027,1,6,EUR\n", "3 new FIN 6100 2027 1 5 EUR \n6 new OPS 6100 2027 1 6 EUR \nskipped heading 1\nskipped repeated_header 1", ""},
		{"no header", "actuals", actualsHead + "FIN,6100,2027,1,5,EUR,more\n", "2 new FIN 6100 2027 1 5 EUR \nskipped by_the_map 1", `{"read":{"header_row":0},"columns":[{"field":"department","position":1},{"field":"gl_code","position":2},{"field":"fiscal_year","position":3},{"field":"fiscal_period","position":4},{"field":"amount","position":5},{"field":"currency","position":6}],"values":{"department":{"department":null}}}`},
		{"more than the header", "actuals", actualsHead + "FIN,6100,2027,1,5,EUR,more\n", "2 wrong field_count", ""},
		{"unknown", "actuals", actualsHead + "XX,6100,2027,1,5,EUR\nFIN,420,2027,1,5,EUR\nFIN,,2027,1,5,EUR\nFIN,6100,27,1,5,EUR\nFIN,6100,2027,13,5,EUR\n", "2 wrong unknown_reference department\n3 wrong unknown_reference gl_code\n4 wrong missing gl_code\n5 wrong out_of_range fiscal_year\n6 wrong out_of_range fiscal_period", ""},
		{"equal keys, equal amounts", "actuals", actualsHead + "FIN,6100,2027,1,5,EUR\nFIN,6100,2027,1,5,EUR\n", "2 wrong duplicate_in_file\n3 wrong duplicate_in_file", ""},
		{"the last counts", "actuals", actualsHead + "FIN,6100,2027,1,5,EUR\nFIN,6100,2027,1,6,EUR\n", "3 new FIN 6100 2027 1 6 EUR \nskipped same_key 1", `{"duplicates":"last"}`},
		{"refused", "actuals", actualsHead + "FIN,6100,2027,1,5,EUR\nFIN,6100,2027,1,6,EUR\nOPS,6100,2027,1,6,EUR\n", "4 new OPS 6100 2027 1 6 EUR \n2 wrong duplicate_in_file\n3 wrong duplicate_in_file", `{"duplicates":"refuse"}`},
		{"no sum in two currencies", "actuals", actualsHead + "FIN,6100,2027,1,5,EUR\nFIN,6100,2027,1,6,USD\n", "2 wrong currency_mismatch\n3 wrong currency_mismatch", `{"duplicates":"sum"}`},
		{"two columns", "actuals", "department,gl_code,Account,fiscal_year,fiscal_period,amount,currency\nFIN,6100,6100,2027,1,5,EUR\n", "?column gl_code", ""},
		{"no column", "actuals", "department,gl_code,fiscal_year,fiscal_period,Sum,currency\nFIN,6100,2027,1,5,EUR\n", "?column amount", ""},
		{"a column of the map is missing", "actuals", actualsHead + "FIN,6100,2027,1,5,EUR\n", "?column source\n2 new FIN 6100 2027 1 5 EUR ", `{"columns":[{"field":"department","header":"department"},{"field":"gl_code","header":"GL Code"},{"field":"fiscal_year","header":"fiscal_year"},{"field":"fiscal_period","header":"fiscal_period"},{"field":"amount","header":"amount"},{"field":"currency","header":"currency"},{"field":"source","header":"origin"}]}`},
	} {
		c.run(t, newKnown(t))
	}
}

// TestWide: the periods are columns.
func TestWide(t *testing.T) {
	for _, c := range []testRow{
		{"months", "actuals", wideHead + "FIN,6100,2027,EUR,1,,3,4\n", "2 new FIN 6100 2027 1 1 EUR \n2 new FIN 6100 2027 3 3 EUR ", ""},
		{"a total differs", "actuals", wideHead + "FIN,6100,2027,EUR,1,2,3,9\n", "2 new FIN 6100 2027 1 1 EUR \n2 new FIN 6100 2027 2 2 EUR \n2 new FIN 6100 2027 3 3 EUR \n2 doubtful total_differs total", ""},
		{"a total that a point fits", "actuals", wideHead + "FIN,6100,2027,EUR,1.234,5,6,12.234\n", "?decimal_mark fits .", ""},
		{"a total that a comma fits", "actuals", wideHead + "FIN,6100,2027,EUR,1.234,5,6,1245\n", "?decimal_mark fits ,\n2 doubtful total_differs total", ""},
		{"a total that both marks fit", "actuals", wideHead + "FIN,6100,2027,EUR,1.234,2.345,,3.579\n", "?decimal_mark", ""},
		{"a total is ignored", "actuals", wideHead + "FIN,6100,2027,EUR,1,2,3,9\n", "2 new FIN 6100 2027 1 1 EUR \n2 new FIN 6100 2027 2 2 EUR \n2 new FIN 6100 2027 3 3 EUR ", `{"total":"ignore"}`},
		{"a total is rounded", "actuals", wideHead + "FIN,6100,2027,EUR,1.4,2.4,3.4,9\n", "2 new FIN 6100 2027 1 1.4 EUR \n2 new FIN 6100 2027 2 2.4 EUR \n2 new FIN 6100 2027 3 3.4 EUR ", ""},
		{"one wrong cell", "actuals", wideHead + "FIN,6100,2027,EUR,1,x,3,\n", "2 wrong not_a_number period", ""},
		{"no amounts", "actuals", wideHead + "FIN,6100,2027,EUR,,,,\n", "skipped no_amounts 1", ""},
		{"periods", "budgets", "department,gl_code,fiscal_year,currency,P1,p02,Period 3\nFIN,6100,2027,EUR,1,2,3\n", "2 new FIN 6100 2027 1 original 1 EUR \n2 new FIN 6100 2027 2 original 2 EUR \n2 new FIN 6100 2027 3 original 3 EUR ", ""},
		{"from July", "actuals", "department,gl_code,fiscal_year,currency,July 31,Aug 31\nFIN,6100,2027,EUR,1,2\n", "?year_starts=7\n2 new FIN 6100 2027 1 1 EUR \n2 new FIN 6100 2027 2 2 EUR ", ""},
		{"a year from April", "actuals", "department,gl_code,fiscal_year,currency,July 31,Aug 31\nFIN,6100,2027,EUR,1,2\n", "2 new FIN 6100 2027 4 1 EUR \n2 new FIN 6100 2027 5 2 EUR ", `{"dates":{"year_starts":4}}`},
		{"years in the header", "actuals", "department,gl_code,currency,Dec 2026,Jan 2027\nFIN,6100,EUR,1,2\n", "2 new FIN 6100 2026 12 1 EUR \n2 new FIN 6100 2027 1 2 EUR ", `{"dates":{"year_starts":1}}`},
		{"twice", "actuals", "department,gl_code,fiscal_year,currency,Jan,January\nFIN,6100,2027,EUR,1,2\n", "?column period\n?duplicates amount", ""},
		{"a total of some rows", "actuals", wideHead + "FIN,6100,2027,EUR,1,2,3,\nFIN,6200,2027,EUR,1,1,1,\nall FIN,,,,2,3,4,\nOPS,6100,2027,EUR,1,2,3,\nOPS,6200,2027,EUR,1,1,1,\nall OPS,,,,2,3,4,\n",
			"2 new FIN 6100 2027 1 1 EUR \n2 new FIN 6100 2027 2 2 EUR \n2 new FIN 6100 2027 3 3 EUR \n3 new FIN 6200 2027 1 1 EUR \n3 new FIN 6200 2027 2 1 EUR \n3 new FIN 6200 2027 3 1 EUR \n5 new OPS 6100 2027 1 1 EUR \n5 new OPS 6100 2027 2 2 EUR \n5 new OPS 6100 2027 3 3 EUR \n6 new OPS 6200 2027 1 1 EUR \n6 new OPS 6200 2027 2 1 EUR \n6 new OPS 6200 2027 3 1 EUR \n4 wrong looks_like_total department\n7 wrong looks_like_total department", ""},
	} {
		c.run(t, newKnown(t))
	}
}

// TestStored: what is stored decides the result of a record.
func TestStored(t *testing.T) {
	file := "department,gl_code,fiscal_year,fiscal_period,amount,currency,source\nFIN,6100,2027,1,5.00,EUR,\nFIN,6200,2027,1,6,EUR,erp\nOPS,6100,2027,1,7,EUR,\n"
	db := newKnown(t)
	for _, r := range []exchange.Record{{"FIN", "6100", "2027", "1", "5", "EUR", "feed"}, {"FIN", "6200", "2027", "1", "5", "EUR", "feed"}} {
		db.stored[keyOf("actuals", r)] = r
	}
	for _, c := range []testRow{
		{"replace", "actuals", file, "2 unchanged FIN 6100 2027 1 5 EUR feed\n3 changed FIN 6200 2027 1 6 EUR erp\n4 new OPS 6100 2027 1 7 EUR ", ""},
		{"skip", "actuals", file, "2 unchanged FIN 6100 2027 1 5 EUR feed\n3 skipped FIN 6200 2027 1 6 EUR erp\n4 new OPS 6100 2027 1 7 EUR ", `{"existing":"skip"}`},
		{"refuse", "actuals", file, "4 new OPS 6100 2027 1 7 EUR \n2 wrong exists\n3 wrong exists", `{"existing":"refuse"}`},
	} {
		c.run(t, db)
	}
}

// TestOtherKinds: companies, revenue, and references by id, by name and by the n-th of a name.
func TestOtherKinds(t *testing.T) {
	db := newKnown(t)
	db.references["currencies"] = []exchange.Reference{{ID: 1, Code: "EUR"}}
	db.references["companies"] = []exchange.Reference{{ID: 7, Name: "Acme"}, {ID: 8, Name: "Twin"}, {ID: 9, Name: "Twin"}}
	db.references["departments"] = []exchange.Reference{{ID: 5, Code: "FIN", Name: "Finance"}, {ID: 6, Code: "A", Name: "Same"}, {ID: 7, Code: "B", Name: "Same"}}
	for _, r := range []exchange.Record{{"Acme", "1000", "5", "EUR"}} {
		db.stored[keyOf("companies", r)] = r
	}
	const idHead = "department_id,gl_account_id,fiscal_year,fiscal_period,amount,currency\n"
	for _, c := range []testRow{
		{"companies", "companies", "name,shares_outstanding,price,currency_code\nAcme,1000,6,eur\nNew,,,\nOld,1,1,XXX\nAcme,1,1,EUR\n",
			"2 changed Acme 1000 6 EUR\n3 new New 0 0 \n5 new Acme 1 1 EUR\n4 wrong unknown_reference currency_code", ""},
		{"revenue", "revenue", "company,category,amount,fiscal_year,currency_code\nAcme,Sales,5.5,2027,EUR\nTwin,Sales,1,2027,EUR\nNone,Sales,1,,\nTotal,,6.5,,\n",
			"2 new Acme  Sales 5.5 2027 EUR\n3 wrong ambiguous_reference company\n4 wrong unknown_reference company\n5 wrong looks_like_total company", ""},
		{"revenue of the second", "revenue", "company,company_nth,category,amount\nTwin,2,Sales,1\nTwin,3,Sales,1\nAcme,1,Sales,1\n",
			"2 new Twin 2 Sales 1  \n4 new Acme  Sales 1  \n3 wrong unknown_reference company", ""},
		{"revenue by id", "revenue", "company_id,category,amount\n9,Sales,1\n7,Sales,1\n1,Sales,1\n", "2 new Twin 2 Sales 1  \n3 new Acme  Sales 1  \n4 wrong unknown_reference company_id", ""},
		{"ids", "actuals", idHead + "5,1,2027,1,5,EUR\n4,1,2027,1,5,EUR\nx,1,2027,1,5,EUR\n", "2 new FIN 4000 2027 1 5 EUR \n3 wrong unknown_reference department_id\n4 wrong not_a_number department_id", ""},
		{"ids and codes", "actuals", "department,department_id,gl_code,fiscal_year,fiscal_period,amount,currency\nFIN,5,6100,2027,1,5,EUR\n,5,6100,2027,1,5,EUR\n", "3 new FIN 6100 2027 1 5 EUR \n2 wrong ambiguous_reference department_id", ""},
		{"by name", "actuals", actualsHead + "finance,6100,2027,1,5,EUR\nsame,6100,2027,1,5,EUR\nFIN,6100,2027,1,5,EUR\n", "2 new FIN 6100 2027 1 5 EUR \n3 wrong ambiguous_reference department\n4 wrong unknown_reference department",
			`{"columns":[{"field":"department","header":"department","by":"name"},{"field":"gl_code","header":"gl_code"},{"field":"fiscal_year","header":"fiscal_year"},{"field":"fiscal_period","header":"fiscal_period"},{"field":"amount","header":"amount"},{"field":"currency","header":"currency"}]}`},
	} {
		c.run(t, db)
	}
}

// TestClear: an empty cell keeps what is stored, unless the map clears it.
func TestClear(t *testing.T) {
	db := newKnown(t)
	for _, r := range []exchange.Record{{"FIN", "6100", "2027", "1", "5", "EUR", "feed"}, {"FIN", "6100", "2027", "2", "5", "EUR", "feed"}} {
		db.stored[keyOf("actuals", r)] = r
	}
	const clearing = `{"empty":"clear"}`
	long := "department,gl_code,fiscal_year,fiscal_period,amount,currency,source\nFIN,6100,2027,1,5,EUR,\nFIN,6100,2027,2,,EUR,\nFIN,6100,2027,3,,EUR,\n"
	for _, c := range []testRow{
		{"kept", "actuals", long, "2 unchanged FIN 6100 2027 1 5 EUR feed\n3 wrong missing amount\n4 wrong missing amount", ""},
		{"cleared", "actuals", long, "2 changed FIN 6100 2027 1 5 EUR \n3 cleared\nskipped nothing_to_clear 1", clearing},
		{"an empty cell of the wide form is no record", "actuals", wideHead + "FIN,6100,2027,EUR,,7,,\n", "2 changed FIN 6100 2027 2 7 EUR feed", ""},
		{"or clears", "actuals", wideHead + "FIN,6100,2027,EUR,,7,,\n", "2 cleared\n2 changed FIN 6100 2027 2 7 EUR feed\nskipped nothing_to_clear 1", clearing},
	} {
		c.run(t, db)
	}
}

// TestTrades: the gross, and what the store knows of a trade.
func TestTrades(t *testing.T) {
	db := newKnown(t)
	db.external = map[string]exchange.Known{"K-1": {Already: 1}, "K-2": {Differs: true}, "K-3": {Elsewhere: true}, "K-4": {Already: 1, Voided: true}}
	const externalHead = "external_id,symbol,currency_code,shares,product,side,price,date\n"
	const noted = "K-1,X,EUR,1,stock,buy,5,2026-01-01\nK-2,X,EUR,1,stock,buy,6,2026-01-02\nK-3,X,EUR,1,stock,buy,7,2026-01-03\nK-4,X,EUR,1,stock,buy,8,2026-01-04\n"
	const rest = "4 new X EUR 1 stock buy 7 2026-01-03T00:00:00Z\n"
	for _, c := range []testRow{
		{"known", "trades", externalHead + noted, "2 already X EUR 1 stock buy 5 2026-01-01T00:00:00Z\n" + rest + "5 already X EUR 1 stock buy 8 2026-01-04T00:00:00Z\n3 wrong differs_from_known external_id\n4 doubtful equal_elsewhere", ""},
		{"added", "trades", externalHead + noted, "2 new X EUR 1 stock buy 5 2026-01-01T00:00:00Z\n" + rest + "5 new X EUR 1 stock buy 8 2026-01-04T00:00:00Z\n3 wrong differs_from_known external_id\n4 doubtful equal_elsewhere", `{"existing":"add"}`},
		{"refused", "trades", externalHead + noted, rest + "2 wrong exists\n3 wrong differs_from_known external_id\n5 wrong exists\n4 doubtful equal_elsewhere", `{"existing":"refuse"}`},
		{"one id for two", "trades", externalHead + "O,X,EUR,1,stock,buy,5,2026-01-01\nO,X,EUR,2,stock,buy,5,2026-01-01\nO,X,EUR,1,stock,buy,5,2026-01-01\nP,X,EUR,9,stock,buy,5,2026-01-01\n,X,EUR,8,stock,buy,5,2026-01-01\n",
			"2 new X EUR 1 stock buy 5 2026-01-01T00:00:00Z\n4 new X EUR 1 stock buy 5 2026-01-01T00:00:00Z\n5 new X EUR 9 stock buy 5 2026-01-01T00:00:00Z\n6 new X EUR 8 stock buy 5 2026-01-01T00:00:00Z\n3 wrong differs_from_known external_id", ""},
		{"no price", "trades", "symbol,currency_code,shares,product,side,gross,date\nX,EUR,4,stock,buy,-10.00,2026-01-01\n", "2 new X EUR 4 stock buy 2.5 2026-01-01T00:00:00Z", ""},
		{"no exact price", "trades", "symbol,currency_code,shares,product,side,gross,date\nX,EUR,3,stock,buy,10,2026-01-01\n", "?round", ""},
		{"a rounded price", "trades", "symbol,currency_code,shares,product,side,gross,date\nX,EUR,3,stock,buy,10,2026-01-01\n", "2 new X EUR 3 stock buy 3.33333333 2026-01-01T00:00:00Z", `{"numbers":{"round":8}}`},
		{"a total", "trades", tradesHead + "X,EUR,1,stock,buy,5,2026-01-01\nTotal,,,,,5,\n", "2 new X EUR 1 stock buy 5 2026-01-01T00:00:00Z\n3 wrong looks_like_total symbol", ""},
	} {
		c.run(t, db)
	}
}

// TestSigns: debit and credit, in two columns or by a letter.
func TestSigns(t *testing.T) {
	const (
		columns = "department,gl_code,fiscal_year,fiscal_period,Soll,Haben,currency\nFIN,6100,2027,1,5,,EUR\nFIN,6100,2027,2,0,5,EUR\nFIN,4000,2027,1,,5,EUR\nFIN,4000,2027,2,,,EUR\n"
		letters = "department,gl_code,fiscal_year,fiscal_period,amount,D/C,currency\nFIN,6100,2027,1,5,Dr,EUR\nFIN,6100,2027,2,5,c,EUR\nFIN,4000,2027,1,-5,H,EUR\nFIN,4000,2027,2,5,x,EUR\n"
	)
	amounts := func(a, b, c string) string {
		return fmt.Sprintf("2 new FIN 6100 2027 1 %s EUR \n3 new FIN 6100 2027 2 %s EUR \n4 new FIN 4000 2027 1 %s EUR \n5 wrong ", a, b, c)
	}
	for _, c := range []testRow{
		{"columns by type", "actuals", columns, amounts("5", "-5", "5") + "missing amount", `{"sign_rule":"by_type"}`},
		{"columns, debit is positive", "actuals", columns, amounts("5", "-5", "-5") + "missing amount", `{"sign_rule":"debit_credit"}`},
		{"columns, credit is positive", "actuals", columns, amounts("-5", "5", "5") + "missing amount", `{"sign_rule":"credit_debit"}`},
		{"letters by type", "actuals", letters, amounts("5", "-5", "-5") + "unknown_sign sign", `{"sign_rule":"by_type"}`},
		{"letters, debit is positive", "actuals", letters, amounts("5", "-5", "5") + "unknown_sign sign", `{"sign_rule":"debit_credit"}`},
		{"letters, credit is positive", "actuals", letters, amounts("-5", "5", "-5") + "unknown_sign sign", `{"sign_rule":"credit_debit"}`},
		{"letters, open", "actuals", letters, "?sign_rule amount\n5 wrong unknown_sign sign", ""},
	} {
		c.run(t, newKnown(t))
	}
}

// TestDefaultOfAKey: a budget line without a version has the key of the original one.
func TestDefaultOfAKey(t *testing.T) {
	testRow{
		"twice", "budgets", "department,gl_code,fiscal_year,fiscal_period,version,amount,currency\nFIN,6100,2027,1,,5,EUR\nFIN,6100,2027,1,Original,5,EUR\nFIN,6100,2027,1,forecast1,5,EUR\n",
		"4 new FIN 6100 2027 1 forecast1 5 EUR \n2 wrong duplicate_in_file\n3 wrong duplicate_in_file", "",
	}.run(t, newKnown(t))
}

// TestSideOfShares: the sign of the shares is proposed as the side where no column has it, and a reader says so.
func TestSideOfShares(t *testing.T) {
	const file = "date,symbol,shares,price,currency_code,product\n2026-01-05,X,10,2.5,EUR,stock\n2026-01-06,X,-4,3,EUR,stock\n"
	for _, c := range []testRow{
		{"asked", "trades", file, "?column side=sign", ""},
		{"by the sign", "trades", file, "2 new X EUR 10 stock buy 2.5 2026-01-05T00:00:00Z\n3 new X EUR 4 stock sell 3 2026-01-06T00:00:00Z", `{"set":{"side":"sign"}}`},
	} {
		c.run(t, newKnown(t))
	}
}

// TestColumnsBeforeTheEncoding: a column that was chosen before the encoding was answered is found under it.
func TestColumnsBeforeTheEncoding(t *testing.T) {
	const file = "Konto;Erl\xe4uterung;Typ\n7000;B\xfcro;Operating expenses\n"
	m := preview(t, file, exchange.Source{Kind: "accounts", Store: newKnown(t)}).Map
	m.Columns = append(m.Columns, exchange.Column{Field: "description", Header: "Erläuterung", Position: 2}, exchange.Column{Field: "type", Header: "Typ", Position: 3})
	m.Read.Encoding = "windows-1252"
	p := preview(t, file, exchange.Source{Kind: "accounts", Map: m, Store: newKnown(t)})
	if got, want := told(p), "2 new 7000 Büro opex false"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestMinorUnits: prices in pence are divided, or refused.
func TestMinorUnits(t *testing.T) {
	file := tradesHead + "X,GBp,1,stock,buy,250,2026-01-01\nX,GBP,1,stock,buy,2.5,2026-01-02\n"
	for _, c := range []testRow{
		{"open", "trades", file, "?minor_unit currency_code\n3 new X GBP 1 stock buy 2.5 2026-01-02T00:00:00Z", ""},
		{"divided", "trades", file, "2 new X GBP 1 stock buy 2.5 2026-01-01T00:00:00Z\n3 new X GBP 1 stock buy 2.5 2026-01-02T00:00:00Z", `{"minor_unit":"divide"}`},
		{"refused", "trades", file, "3 new X GBP 1 stock buy 2.5 2026-01-02T00:00:00Z\n2 wrong minor_unit currency_code", `{"minor_unit":"refuse"}`},
	} {
		c.run(t, newKnown(t))
	}
}

// TestMonths: a column of months or of the days of postings stands for the period and the year.
func TestMonths(t *testing.T) {
	const both = `"columns":[{"field":"department","header":"department"},{"field":"gl_code","header":"gl_code"},{"field":"fiscal_year","header":"posted"},{"field":"fiscal_period","header":"posted"},{"field":"amount","header":"amount"},{"field":"currency","header":"currency"}]`
	const posted = "department,gl_code,posted,amount,currency\nFIN,6100,2027-01-31,5,EUR\nFIN,6100,31.7.2027,6,EUR\n"
	for _, c := range []testRow{
		{"names are asked", "actuals", actualsHead + "FIN,6100,2027,Jan,5,EUR\nFIN,6100,2027,P2,6,EUR\n", "?year_starts=1\n3 new FIN 6100 2027 2 6 EUR ", ""},
		{"from January", "actuals", actualsHead + "FIN,6100,2027,Januar,5,EUR\nFIN,6100,2027,févr.,6,EUR\n", "2 new FIN 6100 2027 1 5 EUR \n3 new FIN 6100 2027 2 6 EUR ", `{"dates":{"year_starts":1}}`},
		{"from July", "actuals", posted, "2 new FIN 6100 2027 7 5 EUR \n3 new FIN 6100 2028 1 6 EUR ", `{"dates":{"year_starts":7},` + both + `}`},
		{"days are asked", "actuals", posted, "?year_starts=1", `{` + both + `}`},
		{"the order of days is asked", "actuals", strings.Replace(posted, "31.7.2027", "3/4/2027", 1), "?date_order\n2 new FIN 6100 2027 1 5 EUR ", `{"dates":{"year_starts":1},` + both + `}`},
		{"months and years", "actuals", strings.Replace(posted, "2027-01-31", "01/2027", 1), "2 new FIN 6100 2027 1 5 EUR \n3 new FIN 6100 2027 7 6 EUR ", `{"dates":{"year_starts":1},` + both + `}`},
		{"the year comes with the days", "actuals", strings.Replace(posted, "posted", "Posting Date", 1), "2 new FIN 6100 2027 7 5 EUR \n3 new FIN 6100 2028 1 6 EUR ", `{"dates":{"year_starts":7}}`},
		{"the year does not come with months", "actuals", "department,gl_code,month,amount,currency\nFIN,6100,Jan,5,EUR\n", "?column fiscal_year", `{"dates":{"year_starts":1}}`},
		{"days of another year", "actuals", actualsHead + "FIN,6100,2026,2027-01-31,5,EUR\n", "2 new FIN 6100 2026 1 5 EUR \n2 doubtful year_differs fiscal_period", `{"dates":{"year_starts":1}}`},
		{"a year named by its first month", "actuals", actualsHead + "FIN,6100,2026,2027-01-31,5,EUR\n", "2 new FIN 6100 2026 7 5 EUR ", `{"dates":{"year_starts":7}}`},
		{"a currency by its sign", "actuals", actualsHead + "FIN,6100,2027,1,5,€\n", "2 wrong unknown_reference currency", ""},
	} {
		c.run(t, newKnown(t))
	}
}
