package exchange_test

import (
	"bytes"
	ordered "cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"daybook/internal/exchange"
	"daybook/internal/tables"
	"daybook/internal/trading"
)

// failing are the files whose right reading is not reached yet, and why. A file that passes must leave the list.
var failing = map[string]string{
	"53-export-too-many-rows": "it is about an export, which the tests of exports make",
}

// known is the database of a test: departments and accounts, and what was brought in before.
type known struct {
	references map[string][]exchange.Reference
	stored     map[string]exchange.Record // by kind and key
	trades     map[string]int
	external   map[string]exchange.Known
}

func (k *known) Seq() int64 { return 7 }

func (k *known) References(_ context.Context, kind string) ([]exchange.Reference, error) {
	return k.references[kind], nil
}

func (k *known) Find(_ context.Context, kind string, record exchange.Record, n int) (int64, exchange.Record, error) {
	key := keyOf(kind, record)
	if n > 1 {
		key += fmt.Sprint(" ", n)
	}
	stored, found := k.stored[key]
	if !found {
		return 0, nil, nil
	}
	return 1, stored, nil
}

func (k *known) ByID(context.Context, string, int64) (exchange.Record, error) { return nil, nil }

func (k *known) Known(_ context.Context, source, external string, trade exchange.Record, _ int) (exchange.Known, error) {
	if known, is := k.external[external]; is && external != "" {
		return known, nil
	}
	return exchange.Known{Already: k.trades[source+strings.Join(trade, "\x00")]}, nil
}

// keyOf is the key of a record in the columns of an export.
func keyOf(kind string, record exchange.Record) string {
	n := map[string]int{"currencies": 1, "departments": 1, "accounts": 1, "budgets": 5, "actuals": 4, "companies": 1, "revenue": 3}[kind]
	return kind + "\x00" + strings.Join(record[:n], "\x00")
}

// newKnown has what SETUP.json says.
func newKnown(t *testing.T, more ...string) *known {
	t.Helper()
	var setup struct {
		Departments []string    `json:"departments"`
		Accounts    [][2]string `json:"accounts"`
	}
	readJSON(t, "testdata/imports/SETUP.json", &setup)
	k := &known{references: map[string][]exchange.Reference{}, stored: map[string]exchange.Record{}, trades: map[string]int{}}
	for i, code := range append(setup.Departments, more...) {
		k.references["departments"] = append(k.references["departments"], exchange.Reference{ID: int64(i + 1), Code: code})
	}
	for i, account := range setup.Accounts {
		k.references["accounts"] = append(k.references["accounts"], exchange.Reference{ID: int64(i + 1), Code: account[0], Type: account[1]})
	}
	return k
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		t.Fatal(name, err)
	}
}

type record = map[string]jsontext.Value

type place struct {
	Line  int    `json:"line"`
	Value string `json:"value"`
}

type found struct {
	Line    int    `json:"line"`
	Column  string `json:"column"`
	Field   string `json:"field"`
	Code    string `json:"code"`
	ReadsAs string `json:"reads_as"`
	Names   string `json:"names"`
}

type question struct {
	Code     string   `json:"code"`
	Field    string   `json:"field"`
	Proposed string   `json:"proposed"`
	Choices  []string `json:"choices"`
	Cells    []place  `json:"cells"`
}

// outcome is what a JSON says about a reading: in whole, or after an answer.
type outcome struct {
	Records  []record `json:"records"`
	Wrong    []found  `json:"wrong"`
	Doubtful []found  `json:"doubtful"`
}

type counted struct {
	Already int `json:"already"`
	New     int `json:"new"`
}

type expectation struct {
	outcome
	State        string         `json:"state"`
	Line         int            `json:"line"`
	Map          jsontext.Value `json:"map"`
	Precondition struct {
		Departments []string `json:"departments"`
	} `json:"precondition"`
	Questions []question                `json:"questions"`
	Answered  map[string]jsontext.Value `json:"answered"`
	Decided   struct {
		Decimal   string `json:"decimal"`
		Delimiter string `json:"delimiter"`
		Sheet     string `json:"sheet"`
		HeaderRow int    `json:"header_row"`
	} `json:"decided"`
	Columns []struct {
		Header string `json:"header"`
		Field  string `json:"field"`
	} `json:"columns"`
	Also     record   `json:"also_record"`
	Position *holding `json:"position"`
	Again    *counted `json:"again"`
	Extended *counted `json:"extended_by_one_equal_line"`
}

// TestImports: every file of somebody's trouble reads as its JSON says.
func TestImports(t *testing.T) {
	names, err := filepath.Glob("testdata/imports/[0-9]*.json")
	if err != nil || len(names) < 42 {
		t.Fatalf("got %d files, %v, want at least 42", len(names), err)
	}
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".json")
		t.Run(base, func(t *testing.T) {
			r := &runner{T: t, base: base}
			r.run(name)
			reason, listed := failing[base]
			switch {
			case listed && len(r.complaints) == 0:
				t.Errorf("got the right reading, want the file off the list of those that fail (%s)", reason)
			case !listed:
				for _, complaint := range r.complaints {
					t.Error(complaint)
				}
			}
		})
	}
}

// runner compares one file with its JSON.
type runner struct {
	*testing.T
	base       string
	kind       string
	content    []byte
	db         *known
	complaints []string
	rows       []exchange.Row // of the last check
}

func (r *runner) complain(format string, args ...any) {
	r.complaints = append(r.complaints, fmt.Sprintf(format, args...))
}

func (r *runner) run(name string) {
	var said struct {
		File   string      `json:"file"`
		Kind   string      `json:"kind"`
		Expect expectation `json:"expect"`
	}
	readJSON(r.T, name, &said)
	if said.File == "" {
		r.complain("there is no file")
		return
	}
	content, err := os.ReadFile("../tables/testdata/imports/" + said.File)
	if err != nil {
		r.Fatal(err)
	}
	r.kind, r.content, r.db = said.Kind, content, newKnown(r.T, said.Expect.Precondition.Departments...)
	var m exchange.Map
	if len(said.Expect.Map) > 0 {
		if err := json.Unmarshal(said.Expect.Map, &m); err != nil {
			r.Fatal(err)
		}
	}
	want := said.Expect
	p, err := r.check(m)
	if want.State == "refused" {
		if e, is := errors.AsType[*tables.Error](err); !is || e.Line != want.Line {
			r.complain("got %v, want a refusal that names line %d", err, want.Line)
		}
		return
	}
	if err != nil {
		r.Fatal(err)
	}
	if len(want.Columns) > 0 { // a column without a known name is a question, which the JSON has answered
		r.questions(p, []question{{Code: "column", Field: want.Columns[0].Field}})
		for _, c := range want.Columns {
			p.Map.Columns = append(p.Map.Columns, exchange.Column{Field: c.Field, Header: c.Header})
		}
		p = r.again(p.Map)
	}
	if p.State != want.State {
		r.complain("got the state %s, want %s: %+v", p.State, want.State, p.Questions)
	}
	r.decided(p, want)
	r.questions(p, want.Questions)
	r.sentBack(p)
	if want.Also != nil {
		want.Records = append(want.Records, want.Also)
	}
	if want.State == "ready" {
		r.outcome(p, want.outcome)
	}
	if want.Position != nil {
		r.position(*want.Position)
	}
	for _, answer := range slices.Sorted(maps.Keys(want.Answered)) {
		r.answered(p.Map, answer, want)
	}
	r.repeat(p, want)
}

// check reads the file under a map.
func (r *runner) check(m exchange.Map) (*exchange.Preview, error) {
	file, err := tables.Open(bytes.NewReader(r.content), int64(len(r.content)), tables.Options{Dir: r.TempDir()})
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	r.rows = nil
	return exchange.Check(r.Context(), exchange.Source{
		File: file, Kind: r.kind, Map: m, Store: r.db, Now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC),
		Each: func(row exchange.Row) error {
			r.rows = append(r.rows, row)
			return nil
		},
	})
}

func (r *runner) again(m exchange.Map) *exchange.Preview {
	p, err := r.check(m)
	if err != nil {
		r.Fatal(err)
	}
	return p
}

// sentBack: the map of a preview changes nothing when it comes back, so that an answer is the only news. A proposal
// of a question that is open does not become its answer.
func (r *runner) sentBack(p *exchange.Preview) {
	rows := r.rows
	again := r.again(p.Map)
	again.Map.Name = p.Map.Name
	if diff := cmp.Diff(p.Questions, again.Questions); diff != "" {
		r.complain("the map of the preview, sent back, changes the questions: %s", diff)
	}
	if p.Counts != again.Counts {
		r.complain("the map of the preview, sent back, gives %+v, want %+v", again.Counts, p.Counts)
	}
	r.rows = rows
}

func (r *runner) decided(p *exchange.Preview, want expectation) {
	row := 0
	if p.Map.Read.HeaderRow != nil {
		row = *p.Map.Read.HeaderRow
	}
	for _, c := range []struct{ name, got, want string }{
		{"decimal mark", p.Map.Numbers.Decimal, want.Decided.Decimal},
		{"delimiter", p.Map.Read.Delimiter, want.Decided.Delimiter},
		{"sheet", p.Map.Read.Sheet, want.Decided.Sheet},
		{"header row", fmt.Sprint(row), strings.TrimPrefix(fmt.Sprint(want.Decided.HeaderRow), "0")},
	} {
		if c.want != "" && c.got != c.want {
			r.complain("got the %s %q, want %q", c.name, c.got, c.want)
		}
	}
}

// said are the answers as the JSONs say them in words.
var said = map[string]string{
	"8 (the scale of a price)":           "8",
	"by account type":                    "by_type",
	"debit - credit":                     "debit_credit",
	"credit - debit":                     "credit_debit",
	"S and D are debit, by account type": "by_type",
	"debit positive":                     "debit_credit",
	"credit positive":                    "credit_debit",
	"GBP, price / 100":                   "divide",
	"1950..2049":                         "1950",
	"1927..2026 (no future)":             "1927",
	"leave empty":                        "empty",
}

func (r *runner) questions(p *exchange.Preview, want []question) {
	var codes, wantCodes []string
	for _, q := range p.Questions {
		codes = append(codes, q.Code+" "+q.Field)
	}
	for _, q := range want {
		i := slices.IndexFunc(p.Questions, func(got exchange.Question) bool {
			return got.Code == q.Code && (q.Field == "" || got.Field == q.Field)
		})
		if i < 0 {
			r.complain("got the questions %v, want %s %s", codes, q.Code, q.Field)
			continue
		}
		got := p.Questions[i]
		wantCodes = append(wantCodes, got.Code+" "+got.Field)
		if got.Message == "" || got.Proposed != q.Proposed && q.Proposed != "" {
			r.complain("question %s: got %+v, want the proposal %q and a message", q.Code, got, q.Proposed)
		}
		for _, choice := range q.Choices {
			if meant, is := said[choice]; is {
				choice = meant
			}
			if !slices.ContainsFunc(got.Choices, func(c exchange.Choice) bool { return c.Value == choice }) {
				r.complain("question %s: got the choices %+v, want %q", q.Code, got.Choices, choice)
			}
		}
		var cells []place
		for _, cell := range got.Cells {
			cells = append(cells, place{cell.Line, cell.Value})
		}
		for i, cell := range q.Cells {
			if i < len(cells) && cell.Value == "" {
				cells[i].Value = ""
			}
		}
		if len(q.Cells) > 0 && !slices.Equal(cells, q.Cells) {
			r.complain("question %s: got the cells %+v, want %+v", q.Code, cells, q.Cells)
		}
	}
	slices.Sort(codes)
	slices.Sort(wantCodes)
	if !slices.Equal(codes, wantCodes) {
		r.complain("got the questions %v, want %v", codes, wantCodes)
	}
}

// outcome compares the records and the findings.
func (r *runner) outcome(p *exchange.Preview, want outcome) {
	if want.Records != nil {
		if difference := cmp.Diff(normalised(want.Records), recordsOf(r.T, p)); difference != "" {
			r.complain("records (- want, + got):\n%s", difference)
		}
	}
	r.findings(p, "wrong", want.Wrong, true)
	r.findings(p, "doubtful", want.Doubtful, want.Doubtful != nil)
}

func (r *runner) findings(p *exchange.Preview, severity string, want []found, all bool) {
	var got []exchange.Finding
	for _, f := range p.Findings {
		if f.Severity == severity {
			got = append(got, f)
		}
	}
	for _, w := range want {
		if !slices.ContainsFunc(got, func(f exchange.Finding) bool {
			return f.Line == w.Line && (w.Code == "" || f.Code == w.Code) && (w.Column == "" || f.Column == w.Column || f.Field == w.Column) &&
				(w.Field == "" || f.Field == w.Field) && (w.ReadsAs == "" || string(f.ReadsAs) == w.ReadsAs) && strings.Contains(f.Message, w.Names)
		}) {
			r.complain("got the %s findings %+v, want %+v", severity, got, w)
		}
	}
	if all && len(got) != len(want) {
		r.complain("got the %s findings %+v, want %+v", severity, got, want)
	}
}

// recordsOf are the good records of a preview.
func recordsOf(t *testing.T, p *exchange.Preview) []map[string]string {
	t.Helper()
	list := []record{}
	for _, s := range p.Sample {
		if s.Result == "wrong" {
			continue
		}
		written, err := json.Marshal(s.After)
		if err != nil {
			t.Fatal(err)
		}
		var one record
		if err := json.Unmarshal(written, &one); err != nil {
			t.Fatal(err)
		}
		list = append(list, one)
	}
	return normalised(list)
}

// normalised writes all values as texts.
func normalised(list []record) []map[string]string {
	texts := make([]map[string]string, len(list))
	for i, one := range list {
		texts[i] = map[string]string{}
		for name, v := range one {
			texts[i][name] = strings.Trim(string(v), `"`)
			if unquoted, err := jsontext.AppendUnquote(nil, v); err == nil {
				texts[i][name] = string(unquoted)
			}
		}
	}
	return texts
}

// answers are the fields of the map by which a JSON's answer is given.
var answers = map[string]func(*exchange.Map){
	"02 .": func(m *exchange.Map) { m.Numbers.Decimal = "." },
	"02 ,": func(m *exchange.Map) { m.Numbers.Decimal = "," },
	"04 8": func(m *exchange.Map) {
		m.Numbers.Round = "8"
		m.Columns = append(m.Columns, exchange.Column{Field: "product", Header: "Produkt"})
	},
	"08 .":                        func(m *exchange.Map) { m.Numbers.Decimal = "." },
	"08 . and other_mark=decimal": func(m *exchange.Map) { m.Numbers.Decimal, m.Numbers.OtherMark = ".", "decimal" },
	"12 windows-1252":             func(m *exchange.Map) { m.Read.Encoding = "windows-1252" },
	"25 sum":                      func(m *exchange.Map) { m.Duplicates = "sum" },
	"26 by type":                  func(m *exchange.Map) { m.SignRule = "by_type" },
	"27 S = +, H = -":             func(m *exchange.Map) { m.SignRule = "by_type" },
	"30 newest_first":             func(m *exchange.Map) { m.RowOrder = "newest_first" },
	"30 as_written":               func(m *exchange.Map) { m.RowOrder = "as_written" },
	"33 GBP, price / 100":         func(m *exchange.Map) { m.MinorUnit = "divide" },
	"34 dmy":                      func(m *exchange.Map) { m.Dates.Order = "dmy" },
	"34 mdy":                      func(m *exchange.Map) { m.Dates.Order = "mdy" },
	"36 1950..2049":               func(m *exchange.Map) { m.Dates.Century = 1950 },
	"40 USD":                      func(m *exchange.Map) { m.Set = map[string]exchange.Constant{"currency_code": "USD"} },
	"41 EUR":                      func(m *exchange.Map) { m.Set = map[string]exchange.Constant{"currency": "EUR"} },
	"42 2027, EUR":                func(m *exchange.Map) { m.Set = map[string]exchange.Constant{"fiscal_year": "2027", "currency": "EUR"} },
	"48 repeat":                   func(m *exchange.Map) { m.FillDown = "repeat" },
	"56 .":                        func(m *exchange.Map) { m.Numbers.Decimal = "." },
}

// answered gives an answer, and compares the reading under it.
func (r *runner) answered(m exchange.Map, answer string, want expectation) {
	give, known := answers[r.base[:2]+" "+answer]
	if !known {
		r.complain("the test knows no answer %q", answer)
		return
	}
	give(&m)
	p := r.again(m)
	if p.State != "ready" {
		r.complain("after %s: got %s, want ready: %+v", answer, p.State, p.Questions)
	}
	written := want.Answered[answer]
	result := outcome{Wrong: want.Wrong, Doubtful: want.Doubtful}
	var dates []string
	var position holding
	switch {
	case json.Unmarshal(written, &result.Records) == nil:
		r.outcome(p, result)
	case json.Unmarshal(written, &dates) == nil:
		var got []string
		for _, one := range recordsOf(r.T, p) {
			got = append(got, strings.TrimSuffix(one["date"], "T00:00:00Z"))
		}
		if !slices.Equal(got, dates) {
			r.complain("after %s: got the dates %v, want %v", answer, got, dates)
		}
	case json.Unmarshal(written, &position) == nil && position.Shares != 0:
		r.position(position)
	default:
		if err := json.Unmarshal(written, &result); err != nil {
			r.Fatal(err)
		}
		r.outcome(p, result)
	}
}

// holding is the position that the trades of a file make.
type holding struct {
	Shares   int64  `json:"shares"`
	Average  string `json:"average_price"`
	Realised string `json:"realised"`
}

// position folds the trades that were read last in the order in which they get their ids.
func (r *runner) position(want holding) {
	slices.SortStableFunc(r.rows, func(a, b exchange.Row) int {
		return ordered.Or(strings.Compare(a.After[6], b.After[6]), a.Order-b.Order)
	})
	var position trading.Position
	for _, row := range r.rows {
		shares, err := strconv.ParseInt(row.After[2], 10, 64)
		price, wrongPrice := trading.ParsePrice(row.After[5])
		date, wrongDate := trading.ParseDate(row.After[6])
		if err := errors.Join(err, wrongPrice, wrongDate); err != nil {
			r.Fatal(err)
		}
		position, err = position.Take(trading.Trade{Shares: trading.Shares(shares), Side: trading.SideOf(row.After[4] == "buy"), Price: price, Date: date})
		if err != nil {
			r.Fatal(err)
		}
	}
	realised := position.Average.Times(position.Quantity, position.Trades-1).Minus(position.NetCost.Exact()).String()
	if position.Shares() != want.Shares || position.Price().String() != want.Average || want.Realised != "" && realised != want.Realised {
		r.complain("got the position %d at %s, realised %s, want %+v", position.Shares(), position.Price(), realised, want)
	}
}

// repeat brings the file in again, and once more with one more line.
func (r *runner) repeat(p *exchange.Preview, want expectation) {
	if want.Again == nil {
		return
	}
	for _, one := range p.Sample {
		r.db.trades[strings.Join(one.After.Record, "\x00")]++
	}
	if c := r.again(exchange.Map{}).Counts; c.Already != want.Again.Already || c.New != want.Again.New {
		r.complain("again: got %+v, want %+v", c, want.Again)
	}
	lines := bytes.SplitAfter(r.content, []byte("\n"))
	r.content = append(slices.Clone(r.content), lines[1]...)
	if c := r.again(exchange.Map{}).Counts; c.Already != want.Extended.Already || c.New != want.Extended.New {
		r.complain("extended: got %+v, want %+v", c, want.Extended)
	}
}
