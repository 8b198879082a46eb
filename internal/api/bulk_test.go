package api_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/api"
	"daybook/internal/batch"
	"daybook/internal/bulk"
	"daybook/internal/imports"
	"daybook/internal/spool"
)

// serveBulk serves a database with two departments and two accounts, and keeps its files in a folder of their own.
func serveBulk(t *testing.T) (s *server, folder string) {
	t.Helper()
	s, folder = open(t), t.TempDir()
	config := s.config()
	config.Spool = spool.Beside(filepath.Join(folder, "app.db"))
	config.Imports = imports.New(config.Spool, s.store)
	t.Cleanup(config.Imports.Close)
	s.listen(t, api.New(config))
	for _, code := range []string{"D1", "D2"} {
		s.create(t, "/api/v1/department/create", `{"code":"`+code+`","name":"`+code+`"}`)
	}
	for _, code := range []string{"0420", "6100"} {
		s.create(t, "/api/v1/gl-accounts", `{"code":"`+code+`","type":"opex"}`)
	}
	return s, folder
}

// bulkBody is the answer to many rows, or the error.
type bulkBody struct {
	Code     string
	Error    string
	Counts   batch.Counts
	Findings []bulk.Finding
	Total    int64 `json:"findings_total"`
}

// many sends many rows.
func (s *server) many(t *testing.T, target, body string, header http.Header) (answer, bulkBody) {
	t.Helper()
	if header == nil {
		header = http.Header{"Content-Type": {"text/csv"}}
	}
	got := s.do(t, request{method: http.MethodPost, target: target, header: header, body: []byte(body)})
	return got, read[bulkBody](t, string(got.body))
}

const actualsHeader = "department,gl_code,fiscal_year,fiscal_period,amount,currency,source\n"

// TestManyRowsInEveryFormat: the same rows in each format, compressed or not, by codes or by ids, are the same records.
func TestManyRowsInEveryFormat(t *testing.T) {
	packed := &bytes.Buffer{}
	z := gzip.NewWriter(packed)
	_, _ = io.WriteString(z, actualsHeader+"D2,6100,2025,3,5,USD,\nD1,0420,2025,1,1.5,USD,erp\n")
	_ = z.Close()
	for name, c := range map[string]struct {
		body   string
		header http.Header
	}{
		"csv":                       {actualsHeader + "D2,6100,2025,3,5,USD,\nd1,0420,2025,1,1.5,USD,erp\n", http.Header{"Content-Type": {"text/csv; charset=utf-8"}}},
		"csv, gzip":                 {packed.String(), http.Header{"Content-Type": {"text/csv"}, "Content-Encoding": {"gzip"}}},
		"ndjson":                    {`{"department_id":2,"gl_account_id":2,"fiscal_year":2025,"fiscal_period":3,"amount":"5","currency":"USD"}` + "\n\n" + `{"department":"D1","gl_code":"0420","fiscal_year":2025,"fiscal_period":1,"amount":1.5,"currency":"usd","source":"erp"}`, http.Header{"Content-Type": {"application/x-ndjson"}}},
		"json":                      {`[{"id":9,"department":"D2","gl_code":"6100","fiscal_year":2025,"fiscal_period":3,"amount":5,"currency":"USD"},{"department":"D1","gl_code":"0420","fiscal_year":2025,"fiscal_period":1,"amount":1.5,"currency":"USD","source":"erp"}]`, http.Header{"Content-Type": {"application/json"}}},
		"what a label does not say": {actualsHeader + "D2,6100,2025,3,5,USD,\nD1,0420,2025,1,1.5,USD,erp\n", http.Header{"Content-Type": {"application/octet-stream"}}},
	} {
		t.Run(name, func(t *testing.T) {
			s, folder := serveBulk(t)
			got, body := s.many(t, "/api/v1/actuals/bulk", c.body, c.header)
			if got.status != http.StatusOK || body.Counts != (batch.Counts{New: 2}) {
				t.Fatalf("got %d %s, want two new", got.status, got.body)
			}
			if seq := got.header.Get("X-Journal-Seq"); seq != "5-7" {
				t.Errorf("got X-Journal-Seq %q, want 5-7", seq)
			}
			const want = `{"id":1,"department_id":1,"gl_account_id":1,"fiscal_year":2025,"fiscal_period":1,"amount":1.5,"currency":"USD","source":"erp"},` +
				`{"id":2,"department_id":2,"gl_account_id":2,"fiscal_year":2025,"fiscal_period":3,"amount":5,"currency":"USD","source":""}`
			if list := s.get(t, "/api/v1/actuals"); !strings.Contains(list, want) {
				t.Errorf("got %s, want %s", list, want)
			}
			if left, _ := os.ReadDir(folder); len(left) != 0 {
				t.Errorf("got %v left on the disk, want nothing", left)
			}
		})
	}
}

// TestManyBudgetLinesAndTrades: lines and trades are stored as well. A trade has its side and product in words or
// as the interface has them.
func TestManyBudgetLinesAndTrades(t *testing.T) {
	s, _ := serveBulk(t)
	if got, body := s.many(t, "/api/v1/budgets/bulk", "department,gl_code,fiscal_year,fiscal_period,amount,currency,notes\nD1,6100,2025,2,7,EUR,'=1\n", nil); body.Counts.New != 1 {
		t.Errorf("lines: got %s", got.body)
	}
	if list := s.get(t, "/api/v1/budgets"); !strings.Contains(list, `"version":"original","amount":7,"currency":"EUR","notes":"=1"`) {
		t.Errorf("got %s, want the line with its default version", list)
	}
	got, body := s.many(t, "/api/v1/trades/bulk", "symbol,currency_code,shares,product,side,price,date\nB,USD,10,stock,buy,2.5,2026-01-03\nA,USD,4,bond,Sell,2,2026-01-02T10:00:00Z\nB,USD,10,0,true,2.5,2026-01-03\n", nil)
	if body.Counts.New != 3 {
		t.Fatalf("trades: got %s", got.body)
	}
	list := s.get(t, "/api/v1/trades")
	for _, want := range []string{`{"id":1,"symbol":"B"`, `{"id":2,"symbol":"A","currency_code":"USD","shares":4,"product":4,"type":false`, `{"id":3,"symbol":"B"`} {
		if !strings.Contains(list, want) {
			t.Errorf("got %s, want %s", list, want)
		}
	}
	if positions := s.get(t, "/api/v1/positions"); !strings.Contains(positions, `"shares":20`) {
		t.Errorf("got %s, want 20 shares of B", positions)
	}
	if got, body = s.many(t, "/api/v1/trades/bulk", "symbol,currency_code,shares,product,side,price\nB,USD,1.5,stock,hold,2.5\n", nil); body.Counts.Wrong != 1 || body.Total != 2 {
		t.Errorf("a wrong trade: got %s, want two findings", got.body)
	}
}

// TestWrongRowsAreAllNamed: each wrong cell is a finding with its line, and nothing is stored.
func TestWrongRowsAreAllNamed(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"values":           {actualsHeader + "D1,6100,2025,13,1e,USD,x\nD1,6100,,1,1,USD,x\n", "2 fiscal_period out_of_range, 2 amount not_a_number, 3 fiscal_year missing"},
		"references":       {actualsHeader + "D9,420,2025,1,1,USD,x\n", "2 department unknown_reference, 2 gl_code unknown_reference"},
		"a code and an id": {"department,department_id,gl_code,fiscal_year,fiscal_period,amount,currency\nD1,1,6100,2025,1,1,USD\n", "2 department_id ambiguous_reference"},
		"a column":         {"dept,gl_code\nD1,6100\n", "1 dept unknown_column"},
		"a cell too many":  {actualsHeader + "D1,6100,2025,1,1,USD,x,y\n", "2  field_count"},
		"not UTF-8":        {actualsHeader + "D1,6100,2025,1,1,USD,caf\xe9\n", "2 source bad_encoding"},
		"the same key":     {actualsHeader + "D1,6100,2025,1,1,USD,x\nD2,6100,2025,1,1,USD,x\nd1,6100,2025,1,2,USD,x\n", "2  duplicate_in_file, 4  duplicate_in_file"},
		"a name in JSON":   {`{"department":"D1","gl_code":"6100","fiscal_year":2025,"fiscal_period":1,"amount":[1],"currency":"USD","why":1}`, "1 why unknown_column, 1 amount not_a_text"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := serveBulk(t)
			got, body := s.many(t, "/api/v1/actuals/bulk", c.body, nil)
			var found []string
			for _, f := range body.Findings {
				found = append(found, fmt.Sprintf("%d %s %s", f.Line, f.Field, f.Code))
			}
			if got.status != http.StatusBadRequest || body.Code != "rows_refused" || strings.Join(found, ", ") != c.want {
				t.Errorf("got %d %s, want %s", got.status, got.body, c.want)
			}
			if head, err := s.store.JournalHead(t.Context()); err != nil || head.Seq != 4 {
				t.Errorf("got the head %v, %v, want nothing stored", head, err)
			}
		})
	}
}

// TestRowsWithTheSameKey: the last counts, or the amounts are added up, where that is wanted.
func TestRowsWithTheSameKey(t *testing.T) {
	const rows = actualsHeader + "D1,6100,2025,1,1.25,USD,x\nD1,6100,2025,2,1,USD,x\nD1,6100,2025,1,-0.5,USD,y\n"
	for how, want := range map[string]struct {
		counts batch.Counts
		amount string
	}{
		"last": {batch.Counts{New: 2, Skipped: 1}, `"amount":-0.5,"currency":"USD","source":"y"`},
		"sum":  {batch.Counts{New: 2, Skipped: 1}, `"amount":0.75,"currency":"USD","source":"y"`},
	} {
		s, _ := serveBulk(t)
		got, body := s.many(t, "/api/v1/actuals/bulk?duplicates="+how, rows, nil)
		if list := s.get(t, "/api/v1/actuals"); body.Counts != want.counts || !strings.Contains(list, want.amount) {
			t.Errorf("%s: got %s and %s, want %v and %s", how, got.body, list, want.counts, want.amount)
		}
		got, body = s.many(t, "/api/v1/actuals/bulk?duplicates=sum", actualsHeader+"D1,6100,2025,5,99999999999999,USD,x\nD1,6100,2025,5,99999999999999,USD,x\nD1,6100,2025,6,1,USD,x\nD1,6100,2025,6,1,EUR,x\n", nil)
		if body.Total != 3 || body.Findings[0].Code != "out_of_range" || body.Findings[1].Code != "currency_mismatch" {
			t.Errorf("sums that cannot be: got %s", got.body)
		}
	}
}

// TestStoredRecordsMeetRows: they take the values of a row, refuse it, or stay.
func TestStoredRecordsMeetRows(t *testing.T) {
	s, _ := serveBulk(t)
	const first, second = actualsHeader + "D1,6100,2025,1,1,USD,x\n", "department,gl_code,fiscal_year,fiscal_period,amount,currency\nD1,6100,2025,1,2,USD\nD1,6100,2025,2,2,USD\n"
	s.many(t, "/api/v1/actuals/bulk", first, nil)
	if got, body := s.many(t, "/api/v1/actuals/bulk", first, nil); body.Counts != (batch.Counts{Unchanged: 1}) || got.header.Get("X-Journal-Seq") != "" {
		t.Errorf("the same again: got %s", got.body)
	}
	if got, body := s.many(t, "/api/v1/actuals/bulk?existing=refuse", second, nil); body.Total != 1 || body.Findings[0].Code != bulk.ExistsAlready || body.Findings[0].Line != 2 {
		t.Errorf("refuse: got %s", got.body)
	}
	if got, body := s.many(t, "/api/v1/actuals/bulk?existing=skip", second, nil); body.Counts != (batch.Counts{New: 1, Skipped: 1}) {
		t.Errorf("skip: got %s", got.body)
	}
	if got, body := s.many(t, "/api/v1/actuals/bulk", second, nil); body.Counts != (batch.Counts{Changed: 1, Unchanged: 1}) {
		t.Errorf("replace: got %s", got.body)
	}
	if list := s.get(t, "/api/v1/actuals"); !strings.Contains(list, `"amount":2,"currency":"USD","source":"x"`) {
		t.Errorf("got %s, want the source kept, which the row does not have", list)
	}
	for _, target := range []string{"/api/v1/actuals/bulk?existing=add", "/api/v1/actuals/bulk?duplicates=first", "/api/v1/trades/bulk?existing=replace"} {
		if got, body := s.many(t, target, first, nil); got.status != http.StatusBadRequest || body.Code != "validation_failed" {
			t.Errorf("%s: got %d %s, want it refused", target, got.status, got.body)
		}
	}
}

// TestManyRowsAreStoredOncePerKey: a repetition gets the same answer, also when what it names is gone; other rows
// with the key are refused.
func TestManyRowsAreStoredOncePerKey(t *testing.T) {
	s, _ := serveBulk(t)
	header := http.Header{"Content-Type": {"text/csv"}, "Idempotency-Key": {"k"}}
	if got, body := s.many(t, "/api/v1/actuals/bulk", actualsHeader+"D1,6100,2025,1,1,USD,x\n", header); body.Counts.New != 1 || got.header.Get("X-Journal-Seq") == "" {
		t.Errorf("got %d %s, want one new", got.status, got.body)
	}
	s.send(t, http.MethodDelete, "/api/v1/actuals/1", "", http.StatusOK)
	s.send(t, http.MethodDelete, "/api/v1/departments/delete/1", "", http.StatusOK)
	if got, body := s.many(t, "/api/v1/actuals/bulk", actualsHeader+"D1,6100,2025,1,1,USD,x\n", header); body.Counts.New != 1 || got.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("again: got %d %s, want the same answer", got.status, got.body)
	}
	if got, _ := s.many(t, "/api/v1/actuals/bulk", actualsHeader+"D2,6100,2025,1,1,USD,x\n", header); got.status != http.StatusUnprocessableEntity {
		t.Errorf("other rows: got %d %s, want 422", got.status, got.body)
	}
}

// TestABodyOfManyRowsMustKeepUp: one that arrives byte by byte gets 408, one that breaks off is refused, and nothing is
// stored. One that keeps up may take longer than other bodies.
func TestABodyOfManyRowsMustKeepUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := serveOnWire(t)
		begin := func(size int) *line {
			l := lineOn(t, w)
			l.begin(t, "POST /api/v1/trades/bulk", fmt.Sprint("Content-Length: ", size))
			return l
		}
		slow := begin(1 << 20)
		var sending sync.WaitGroup
		sending.Go(func() { slow.sendSlowly(strings.Repeat(" ", 1<<20), time.Second) })
		if got := slow.answer(t); got.status != http.StatusRequestTimeout {
			t.Errorf("byte by byte: got %d %s, want 408", got.status, got.body)
		}
		cut := begin(1000)
		_, _ = cut.Write([]byte(`[{"symbol":"A","currency_code":"USD","shares":1,"product":0,"type":true,"price":1}]`))
		_ = cut.Close()
		const row = `[{"symbol":"B","currency_code":"USD","shares":1,"product":0,"type":true,"price":1}`
		steady := begin(40*16<<10 + len(row) + len("]"))
		_, _ = steady.Write([]byte(row))
		for range 40 {
			time.Sleep(time.Second)
			_, _ = steady.Write(bytes.Repeat([]byte(" "), 16<<10))
		}
		_, _ = steady.Write([]byte("]"))
		if got := steady.answer(t); got.status != http.StatusOK {
			t.Errorf("for 40 seconds: got %d %s, want 200", got.status, got.body)
		}
		sending.Wait()
		if head, err := s.store.JournalHead(t.Context()); err != nil || head.Seq != 2 {
			t.Errorf("got the head %v, %v, want the one trade and its batch", head, err)
		}
	})
}

// TestASourceBringsTradesOnce: the trades of a source are remembered. With existing=skip its file brings only its end;
// a trade that was voided stays so, and a known external_id with another content is wrong.
func TestASourceBringsTradesOnce(t *testing.T) {
	s, _ := serveBulk(t)
	const header, fills = "symbol,currency_code,shares,product,side,price,date,external_id\n", "B,USD,10,stock,buy,2.5,2026-01-03,x1\nB,USD,10,stock,buy,2.5,2026-01-03,\nB,USD,10,stock,buy,2.5,2026-01-03,\n"
	const target = "/api/v1/trades/bulk?source=bank&existing="
	if got, body := s.many(t, target+"skip", header+fills, nil); body.Counts != (batch.Counts{New: 3}) {
		t.Errorf("the first time: got %s", got.body)
	}
	if list := s.get(t, "/api/v1/batches/1"); !strings.Contains(list, `"via":"bulk"`) || !strings.Contains(list, `"source":"bank"`) || strings.Contains(list, `"sha256":""`) {
		t.Errorf("got %s, want the source and the hash of the body", list)
	}
	s.send(t, http.MethodDelete, "/api/v1/trades/2", "", http.StatusOK)
	if got, body := s.many(t, target+"skip", header+fills+"A,USD,1,stock,buy,2.5,2026-01-03,\n", nil); body.Counts != (batch.Counts{New: 1, Already: 3}) {
		t.Errorf("with one more: got %s", got.body)
	}
	if got, body := s.many(t, target+"refuse", header+fills, nil); body.Total != 3 || body.Findings[0].Code != bulk.ExistsAlready {
		t.Errorf("refuse: got %s", got.body)
	}
	if got, body := s.many(t, target+"skip", header+"B,USD,11,stock,buy,2.5,2026-01-03,x1\n", nil); body.Total != 1 || body.Findings[0].Code != bulk.DiffersFromKnown {
		t.Errorf("other content: got %s", got.body)
	}
	if got, body := s.many(t, strings.ReplaceAll(target, "bank", "broker")+"skip", header+fills, nil); body.Counts.New != 3 {
		t.Errorf("another source: got %s", got.body)
	}
}

// TestATradeWithoutADate: it gets the time at which it is stored.
func TestATradeWithoutADate(t *testing.T) {
	s, _ := serveBulk(t)
	if got, body := s.many(t, "/api/v1/trades/bulk", `{"symbol":"A","currency_code":"USD","shares":1,"product":0,"type":true,"price":1}`, nil); body.Counts.New != 1 {
		t.Fatalf("got %s", got.body)
	}
	if list := s.get(t, "/api/v1/trades"); !strings.Contains(list, `"date":"`+frozen.Format(time.RFC3339)) {
		t.Errorf("got %s, want the time of the server", list)
	}
}

// TestNothingOfManyRowsMeansTwoThings: what an import asks about is wrong in many rows: other marks, other dates, groups,
// hundredths of a currency, two columns for one field, other names.
func TestNothingOfManyRowsMeansTwoThings(t *testing.T) {
	s, _ := serveBulk(t)
	const postings, trades = "/api/v1/actuals/bulk", "/api/v1/trades/bulk"
	const trade = "symbol,currency_code,shares,product,side,price,date\n"
	for name, c := range map[string]struct{ target, body, want string }{
		"a decimal comma":      {postings, actualsHeader + "D1,6100,2025,1,\"1,50\",USD,x\n", "2 amount not_a_number"},
		"a group":              {postings, actualsHeader + "D1,6100,2025,1,\"1,234\",USD,x\n", "2 amount not_a_number"},
		"a month":              {postings, actualsHeader + "D1,6100,2025,May,1,USD,x\n", "2 fiscal_period not_a_number"},
		"a dash":               {postings, actualsHeader + "D1,6100,2025,1,-,USD,x\n", "2 amount not_a_number"},
		"five decimals":        {postings, actualsHeader + "D1,6100,2025,1,1.23456,USD,x\n", "2 amount out_of_range"},
		"a total":              {postings, actualsHeader + "D1,6100,2025,1,1,USD,x\nTotal,,,,1,,\n", "3 department unknown_reference, 3 gl_code missing, 3 fiscal_year missing, 3 fiscal_period missing, 3 currency missing"},
		"no column":            {postings, "department,gl_code,fiscal_year,fiscal_period,currency\nD1,6100,2025,1,USD\n", "2 amount missing"},
		"a wide file":          {postings, "department,gl_code,fiscal_year,p01,currency\nD1,6100,2025,1,USD\n", "1 p01 unknown_column"},
		"a date with slashes":  {trades, trade + "B,USD,10,stock,buy,2.5,3/4/2026\n", "2 date not_a_date"},
		"a date too old":       {trades, trade + "B,USD,10,stock,buy,2.5,1803-04-01\n", "2 date out_of_range"},
		"pence":                {trades, trade + "B,GBp,10,stock,buy,2.5,2026-01-03\n", "2 currency_code minor_unit"},
		"a side and a type":    {trades, "symbol,currency_code,shares,product,side,type,price\nB,USD,10,stock,buy,true,2.5\n", "2 side two_values"},
		"a word for a product": {trades, trade + "B,USD,10,future,buy,2.5,2026-01-03\n", "2 product unknown_word"},
	} {
		got, body := s.many(t, c.target, c.body, nil)
		var found []string
		for _, f := range body.Findings {
			found = append(found, fmt.Sprintf("%d %s %s", f.Line, f.Field, f.Code))
		}
		if got.status != http.StatusBadRequest || strings.Join(found, ", ") != c.want || strings.Contains(string(got.body), " map") {
			t.Errorf("%s: got %d %s, want %s", name, got.status, got.body, c.want)
		}
	}
	for name, body := range map[string]string{"a name twice": "amount,Amount\n1,1\n", "a workbook": "PK\x03\x04"} {
		if got, refused := s.many(t, postings, body, nil); got.status != http.StatusBadRequest || refused.Code != "unreadable_file" {
			t.Errorf("%s: got %d %s", name, got.status, got.body)
		}
	}
}
