package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/internal/api"
	"daybook/internal/spool"
)

// withDemo starts a server with demo data.
func withDemo(t *testing.T) *server {
	t.Helper()
	s := serve(t)
	if got := s.do(t, request{method: http.MethodPost, target: "/api/v1/demo", body: []byte("{}")}); got.status != http.StatusCreated {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	return s
}

// TestEveryTableIsAFile: each list and report answers in each format with the headers of a file, the state that it
// has, and all rows.
func TestEveryTableIsAFile(t *testing.T) {
	s := withDemo(t)
	types := map[string]string{
		"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson", "json": "application/json",
		"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	}
	seq := strings.TrimSpace(s.get(t, "/api/v1/journal?format=csv"))
	seq, _, _ = strings.Cut(seq[strings.LastIndex(seq, "\n")+1:], ",")
	for path, want := range map[string]struct{ name, header string }{
		"/api/v1/currencies":                          {"currencies", "code,name"},
		"/api/v1/companies":                           {"companies", "name,shares_outstanding,price,currency_code"},
		"/api/v1/revenues":                            {"revenue", "company,company_nth,category,amount,fiscal_year,currency_code"},
		"/api/v1/departments":                         {"departments", "code,name,cost_center,active"},
		"/api/v1/accounts":                            {"accounts", "code,description,type,favour_high"},
		"/api/v1/budgets?sort=-amount":                {"budgets", "department,gl_code,fiscal_year,fiscal_period,version,amount,currency,notes"},
		"/api/v1/actuals?sort=account":                {"actuals", "department,gl_code,fiscal_year,fiscal_period,amount,currency,source"},
		"/api/v1/trades?sort=date":                    {"trades", "symbol,currency_code,shares,product,side,price,date"},
		"/api/v1/variance?year=2026&period=6":         {"variance", "department,gl_code,gl_description,gl_type,budget,actual,variance_abs,variance_pct,status,currency"},
		"/api/v1/variance/alerts?year=2026&period=6":  {"alerts", "department,gl_code,gl_description,gl_type,budget,actual,variance_abs,variance_pct,status,currency"},
		"/api/v1/variance/summary?year=2026&period=6": {"summary", "department,gl_code,gl_description,gl_type,currency,budget,actual,variance_abs,variance_pct,status,unbudgeted"},
		"/api/v1/positions":                           {"positions", "symbol,currency_code,product,side,shares,average_price,mark,mark_source,marked_at,value,unrealised,realised,weight_pct,trades,first_traded_at,last_traded_at"},
		"/api/v1/portfolio":                           {"portfolio", "currency,value,long,short,unrealised,realised,positions,trades"},
		"/api/v1/journal":                             {"journal", "seq,at,actor,request_id,entity,entity_id,action,before,after,reason,batch"},
		"/api/v1/batches":                             {"batches", "id,kind,via,state,file,sha256,map,source,actor,at,new,changed,unchanged,already,cleared,skipped,wrong,undoes,undone_by,first,last,doubtful"},
	} {
		join := "?"
		if strings.Contains(path, "?") {
			join = "&"
		}
		for format, kind := range types {
			target := path + join + "format=" + format
			got := s.do(t, request{method: http.MethodGet, target: target})
			disposition := `attachment; filename="daybook-` + want.name + "-" + time.Now().UTC().Format(time.DateOnly) + "." + format + `"`
			h := got.header
			if got.status != http.StatusOK || h.Get("Content-Type") != kind || h.Get("Content-Disposition") != disposition || h.Get("X-Journal-Seq") != seq {
				t.Errorf("%s: got %d %q, want 200 %s, %s, state %s", target, got.status, h, kind, disposition, seq)
			}
			if format == "csv" && !strings.HasPrefix(string(got.body), want.header+"\r\n") {
				t.Errorf("%s: got %.200s, want the header %s", target, got.body, want.header)
			}
			head := s.do(t, request{method: http.MethodHead, target: target})
			if head.status != http.StatusOK || len(head.body) > 0 || head.header.Get("Content-Length") != h.Get("Content-Length") {
				t.Errorf("HEAD %s: got %d %q, want the headers of GET", target, head.status, head.header)
			}
		}
	}
}

// TestAFileHasAllRowsThatTheFiltersGive: more than a page, in the wanted order, by codes and ids.
func TestAFileHasAllRowsThatTheFiltersGive(t *testing.T) {
	s := serve(t)
	s.record(t, 250)
	lines := func(target string) []string { return strings.Split(strings.TrimSpace(s.get(t, target)), "\r\n") }
	all := lines("/api/v1/trades?format=csv&ids=true")
	if len(all) != 251 || !strings.HasPrefix(all[1], "1,") || !strings.HasPrefix(all[250], "250,") {
		t.Errorf("got %d lines, %s … %s, want a header and all trades by id", len(all), all[1], all[len(all)-1])
	}
	down := lines("/api/v1/trades?format=csv&ids=true&sort=-id")
	if len(down) != 251 || !strings.HasPrefix(down[1], "250,") {
		t.Errorf("got %d lines, %s, want the newest first", len(down), down[1])
	}
	if none := lines("/api/v1/trades?format=csv&symbol=NONE"); len(none) != 1 {
		t.Errorf("got %q, want only the header", none)
	}
}

// TestFilesByCode: references are filtered by code, in the state that is written.
func TestFilesByCode(t *testing.T) {
	s := serve(t)
	s.create(t, "/api/v1/department/create", `{"code":"FIN","name":"Finance"}`)
	s.create(t, "/api/v1/department/create", `{"code":"OPS","name":"Operations"}`)
	s.create(t, "/api/v1/gl-accounts", `{"code":"0420","type":"opex"}`)
	for _, department := range []string{"1", "2"} {
		s.create(t, "/api/v1/budget/create", `{"department_id":`+department+`,"gl_account_id":1,"fiscal_year":2027,"fiscal_period":2,"amount":"1.5","currency":"EUR","notes":"=x"}`)
	}
	const header = "department,gl_code,fiscal_year,fiscal_period,version,amount,currency,notes\r\n"
	for target, want := range map[string]string{
		"/api/v1/budgets?format=csv&dept=ops&gl_code=0420": header + "OPS,0420,2027,2,original,1.5,EUR,'=x\r\n",
		"/api/v1/budgets?format=csv&dept=ALL&raw=true":     header + "FIN,0420,2027,2,original,1.5,EUR,=x\r\nOPS,0420,2027,2,original,1.5,EUR,=x\r\n",
		"/api/v1/budgets?format=csv&dept=FIN&form=wide&locale=de": "\uFEFFdepartment;gl_code;fiscal_year;version;currency;p01;p02;p03;p04;p05;p06;p07;p08;p09;p10;p11;p12;total\r\n" +
			"FIN;0420;2027;original;EUR;;1,5;;;;;;;;;;;1,5\r\n",
		"/api/v1/budgets?format=ndjson&department_id=1": `{"department":"FIN","gl_code":"0420","fiscal_year":2027,"fiscal_period":2,"version":"original","amount":1.5,"currency":"EUR","notes":"=x"}` + "\n",
	} {
		if got := s.get(t, target); got != want {
			t.Errorf("%s: got %q, want %q", target, got, want)
		}
	}
	for target, want := range map[string]int{
		"/api/v1/budgets?format=csv&dept=NONE":                   http.StatusNotFound,
		"/api/v1/budgets?format=csv&dept=FIN&department_id=2":    http.StatusConflict,
		"/api/v1/budgets?format=csv&limit=10":                    http.StatusBadRequest,
		"/api/v1/budgets?format=csv&after=1":                     http.StatusBadRequest,
		"/api/v1/budgets?format=pdf":                             http.StatusBadRequest,
		"/api/v1/budgets?format=csv&form=wide&ids=true":          http.StatusBadRequest,
		"/api/v1/departments?format=csv&form=wide":               http.StatusBadRequest,
		"/api/v1/budgets?format=csv&locale=nl":                   http.StatusBadRequest,
		"/api/v1/budgets?format=csv&sort=size&fiscal_period=100": http.StatusBadRequest,
	} {
		if got := s.do(t, request{method: http.MethodGet, target: target}); got.status != want || got.header.Get("Content-Disposition") != "" {
			t.Errorf("%s: got %d %s, want %d", target, got.status, got.body, want)
		}
	}
}

// TestAFileByAccept: the exact type of a file in Accept asks for it, and application/json, which clients send for
// ordinary answers, does not.
func TestAFileByAccept(t *testing.T) {
	s := serve(t)
	ordinary := s.get(t, "/api/v1/currencies")
	for accept, file := range map[string]bool{
		"text/csv": true, "application/x-ndjson": true, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": true,
		"application/json": false, "*/*": false, "text/csv, application/json": false,
	} {
		got := s.do(t, request{method: http.MethodGet, target: "/api/v1/currencies", header: http.Header{"Accept": {accept}}})
		if is := got.header.Get("Content-Disposition") != ""; got.status != http.StatusOK || is != file || !file && string(got.body) != ordinary {
			t.Errorf("Accept %s: got %d %q %s, want a file: %t", accept, got.status, got.header, got.body, file)
		}
	}
}

// TestAFileIsCompressedForWhoTakesIt: all formats but the workbook, which is compressed already.
func TestAFileIsCompressedForWhoTakesIt(t *testing.T) {
	s := serve(t)
	s.record(t, 20_000/shorterBy)
	for format, want := range map[string]string{"csv": "gzip", "xlsx": ""} {
		target := "/api/v1/trades?format=" + format
		plain := s.do(t, request{method: http.MethodGet, target: target})
		got := s.do(t, request{method: http.MethodGet, target: target, header: http.Header{"Accept-Encoding": {"gzip"}}})
		if got.header.Get("Content-Encoding") != want {
			t.Errorf("%s: got %q, want %q", format, got.header, want)
		}
		if want == "" {
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(got.body))
		if err != nil {
			t.Fatal(err)
		}
		if unpacked, err := io.ReadAll(r); err != nil || !bytes.Equal(unpacked, plain.body) || len(got.body) > len(plain.body)/2 {
			t.Errorf("got %d of %d bytes, %v, want the same file", len(got.body), len(plain.body), err)
		}
	}
}

// TestASlowClientHoldsNoRead: while a client does not take its file, writes are stored, the write-ahead log can
// restart, and nothing lies beside the database under a name. The file has the state at its beginning.
func TestASlowClientHoldsNoRead(t *testing.T) {
	const trades = 200_000 / shorterBy // more than the buffers of the sockets hold
	s := serve(t)
	s.record(t, trades)
	r := s.prepare(t, request{method: http.MethodGet, target: "/api/v1/trades?format=csv"})
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	s.create(t, "/trade/add", `{"symbol":"LATER","currency_code":"USD","shares":1,"product":0,"type":true,"price":1}`)
	if _, inUse, _ := s.store.Connections(); inUse != 0 {
		t.Errorf("got %d connections in use, want none", inUse)
	}
	if left, _ := filepath.Glob(s.path + ".spool-*"); len(left) > 0 {
		t.Errorf("got %q beside the database, want files without names", left)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || bytes.Count(body, []byte("\r\n")) != trades+1 || bytes.Contains(body, []byte("LATER")) {
		t.Errorf("got %d lines, %v, want %d of the state at the beginning", bytes.Count(body, []byte("\r\n")), err, trades+1)
	}
}

// TestAFileIsMadeInLittleMemory: the memory does not grow with the rows.
func TestAFileIsMadeInLittleMemory(t *testing.T) {
	const trades, most = 200_000 / shorterBy, 2 << 20 // the file is several times as large
	s := serve(t)
	s.record(t, trades)
	r := s.prepare(t, request{method: http.MethodGet, target: "/api/v1/trades?format=ndjson"})
	before := heap()
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if grown := heap() - before; grown > most {
		t.Errorf("got a heap that grew by %d KiB, want at most %d", grown>>10, most>>10)
	}
	if n, err := io.Copy(io.Discard, response.Body); err != nil || n < 2*most/shorterBy {
		t.Errorf("got %d bytes, %v, want more than the memory", n, err)
	}
}

// TestAFileThatCannotBeMade: without room for it the answer is an ordinary error.
func TestAFileThatCannotBeMade(t *testing.T) {
	s := open(t)
	c := s.config()
	gone := filepath.Join(t.TempDir(), "gone")
	c.Spool = spool.Beside(filepath.Join(gone, "app.db"))
	s.listen(t, api.New(c))
	s.record(t, 2_000)
	got := s.do(t, request{method: http.MethodGet, target: "/api/v1/trades?format=csv"})
	if got.status != http.StatusServiceUnavailable || got.header.Get("Content-Disposition") != "" {
		t.Errorf("got %d %q, want 503", got.status, got.header)
	}
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := s.do(t, request{method: http.MethodGet, target: "/api/v1/trades?format=csv"}); got.status != http.StatusOK {
		t.Errorf("with room again: got %d %s, want 200", got.status, got.body)
	}
}
