package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/access"
)

// importBody is what the interface says about an import, or an error.
type importBody struct {
	Code, Error, ID, State, Problem string
	Revision                        int
	Seq                             int64
	File                            struct {
		Name, SHA256 string
		Rows         int
	}
	Questions []struct{ Code string }
	Counts    map[string]int
	Findings  []struct{ Code string }
}

// rowsBody is a page of the rows of an import.
type rowsBody struct {
	Items []struct {
		Row, Line      int
		Result, Reason string
		Before, After  map[string]any
		Findings       []struct{ Code string }
	}
	Next *int
}

// upload sends a file to import.
func (s *server) upload(t *testing.T, query, file string, header http.Header) (answer, importBody) {
	t.Helper()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "text/csv")
	got := s.do(t, request{method: http.MethodPost, target: "/api/v1/imports?" + query, header: header, body: []byte(file)})
	return got, read[importBody](t, string(got.body))
}

// TestAFileIsAskedAbout: a number that can mean two things is a question; its answer is a new revision, and then each
// row has a result. Nothing is stored by all that.
func TestAFileIsAskedAbout(t *testing.T) {
	s, _ := serveBulk(t)
	before := s.newest(t)
	got, one := s.upload(t, "kind=actuals&name=..%2Fbooks%5C%E2%80%AEQ4.csv", "Dept;Account;Year;Period;Amount;Currency\nD1;6100;2027;1;1.234;EUR\nD9;6100;2027;2;1.234;EUR\n", nil)
	if got.status != http.StatusCreated || one.State != "questions" || len(one.Questions) != 1 || one.Questions[0].Code != "decimal_mark" {
		t.Fatalf("got %d %s, want the question decimal_mark", got.status, got.body)
	}
	if one.File.Name != "Q4.csv" || one.File.Rows != 3 || len(one.File.SHA256) != 64 || one.Seq != before {
		t.Errorf("got the file %+v of the state %d, want Q4.csv with 3 rows of %d", one.File, one.Seq, before)
	}
	path := "/api/v1/imports/" + one.ID
	two := read[importBody](t, s.send(t, http.MethodPut, path+"/map", `{"kind":"actuals","numbers":{"decimal":","}}`, http.StatusOK))
	if two.State != "ready" || two.Revision != 2 || two.Counts["new"] != 1 || two.Counts["wrong"] != 1 {
		t.Errorf("got %+v, want revision 2 with one new and one wrong", two)
	}
	for result, want := range map[string]string{"": "[2 new 1234 3 wrong <nil>]", "new": "[2 new 1234]", "wrong": "[3 wrong <nil>]", "doubtful": "[]"} {
		var rows []any
		for _, row := range read[rowsBody](t, s.get(t, path+"/rows?result="+result)).Items {
			rows = append(rows, row.Line, row.Result, row.After["amount"])
		}
		if fmt.Sprint(rows) != want {
			t.Errorf("rows %q: got %v, want %s", result, rows, want)
		}
	}
	first := read[rowsBody](t, s.get(t, path+"/rows?limit=1"))
	if first.Next == nil || *first.Next != 1 || len(first.Items) != 1 {
		t.Fatalf("got the page %+v, want one row, and more", first)
	}
	if second := read[rowsBody](t, s.get(t, path+"/rows?limit=1&after=1")); len(second.Items) != 1 || second.Items[0].Line != 3 || second.Next != nil {
		t.Errorf("got the page %+v, want the last row", second)
	}
	if got := read[importBody](t, s.get(t, path)); got.Revision != 2 || got.State != "ready" {
		t.Errorf("got %+v, want revision 2", got)
	}
	if refused := read[importBody](t, s.send(t, http.MethodPut, path+"/map", `{"kind":"actuals","read":{"header_row":40}}`, http.StatusBadRequest)); refused.Code != "validation_failed" {
		t.Errorf("got %+v, want validation_failed", refused)
	}
	if got := read[importBody](t, s.get(t, path)); got.Revision != 2 || got.State != "ready" {
		t.Errorf("after a map that does not fit: got %+v, want revision 2 as it was", got)
	}
	s.send(t, http.MethodDelete, path, "", http.StatusOK)
	s.send(t, http.MethodGet, path, "", http.StatusNotFound)
	if after := s.newest(t); after != before {
		t.Errorf("got the entry %d, want none after %d", after, before)
	}
}

// TestWrongRowsComeBackMended: the wrong rows are a file in the columns of the imported one, which the same map reads.
func TestWrongRowsComeBackMended(t *testing.T) {
	s, _ := serveBulk(t)
	_, one := s.upload(t, "kind=actuals", "\xEF\xBB\xBFPayroll of 2027\n\nDept;Account;Year;Period;Amount;Currency;Source\nD1;6100;2027;1;1,5;EUR;a\nD9;6100;2027;2;-2,5;EUR;=1+1\nD1;6100;2027;3;x;EUR;b c\n", nil)
	if one.State != "ready" || one.Counts["wrong"] != 2 || one.Counts["new"] != 1 {
		t.Fatalf("got %+v, want two wrong", one)
	}
	mended := s.get(t, "/api/v1/imports/"+one.ID+"/rows?result=wrong&format=csv")
	want := "\xEF\xBB\xBFPayroll of 2027\r\n\r\nDept;Account;Year;Period;Amount;Currency;Source;line;problem\r\n" +
		"D9;6100;2027;2;-2,5;EUR;'=1+1;5;Dept: None of the departments has the code D9. Add it first, or say in the map what it stands for.\r\n" +
		"D1;6100;2027;3;x;EUR;b c;6;Amount: The cell"
	if !strings.HasPrefix(mended, want) {
		t.Errorf("got\n%q\nwant\n%q", mended, want)
	}
	mended = strings.NewReplacer("D9", "D2", ";x;", ";7;").Replace(mended)
	_, again := s.upload(t, "kind=actuals", mended, nil)
	m := `{"kind":"actuals","read":{"encoding":"windows-1252","delimiter":";","header_row":3},"numbers":{"decimal":","}}`
	if under := read[importBody](t, s.send(t, http.MethodPut, "/api/v1/imports/"+again.ID+"/map", m, http.StatusOK)); under.State != "ready" || under.Counts["new"] != 2 {
		t.Errorf("under a map of another encoding: got %+v, want two new", under)
	}
	if _, again := s.upload(t, "kind=actuals", mended, nil); again.State != "ready" || again.Counts["new"] != 2 || again.Counts["wrong"] != 0 || again.Counts["doubtful"] != 0 {
		t.Errorf("got %+v, want two new", again)
	}
}

// TestImportsAreRefused: what is no table, what nobody may see, and one more than there may be.
func TestImportsAreRefused(t *testing.T) {
	g := serveGuarded(t, nil)
	for name, c := range map[string]struct {
		query, file, label string
		status             int
		code               string
	}{
		"an open quote":      {"kind=actuals", "Dept,Account\nFIN,\"6100\n", "text/csv", http.StatusBadRequest, "unreadable_file"},
		"nothing":            {"kind=actuals", "", "text/csv", http.StatusBadRequest, "unreadable_file"},
		"a picture":          {"kind=actuals", "\x89PNG\r\n\x1a\n\x00\x00", "application/octet-stream", http.StatusBadRequest, "unreadable_file"},
		"no kind":            {"", "a,b\n", "text/csv", http.StatusBadRequest, "validation_failed"},
		"an unknown kind":    {"kind=ledger", "a,b\n", "text/csv", http.StatusBadRequest, "validation_failed"},
		"a page":             {"kind=actuals", "<html>", "text/html", http.StatusUnsupportedMediaType, "unsupported_media_type"},
		"more than one kind": {"kind=actuals&kind=trades", "a,b\n", "text/csv", http.StatusBadRequest, "validation_failed"},
	} {
		header := with(g.tokens[access.Write])
		header.Set("Content-Type", c.label)
		got := g.do(t, request{method: http.MethodPost, target: "/api/v1/imports?" + c.query, header: header, body: []byte(c.file)})
		if body := read[importBody](t, string(got.body)); got.status != c.status || body.Code != c.code {
			t.Errorf("%s: got %d %s, want %d %s", name, got.status, got.body, c.status, c.code)
		}
	}
	var last importBody
	for i := range 21 {
		got, one := g.upload(t, "kind=actuals", "Dept,Account,Year,Period,Amount,Currency\nFIN,6100,2027,1,1,EUR\n", with(g.tokens[access.Write]))
		switch {
		case i < 20 && got.status != http.StatusCreated:
			t.Fatalf("file %d: got %d %s, want it taken in", i+1, got.status, got.body)
		case i == 20 && (got.status != http.StatusTooManyRequests || one.Code != "too_many_imports"):
			t.Errorf("file 21: got %d %s, want too_many_imports", got.status, got.body)
		case i < 20:
			last = one
		}
	}
	for scope, want := range map[access.Scope]int{access.Write: http.StatusOK, access.Admin: http.StatusNotFound, access.Read: http.StatusNotFound} {
		if got := g.do(t, request{method: http.MethodGet, target: "/api/v1/imports/" + last.ID, header: with(g.tokens[scope])}); got.status != want {
			t.Errorf("with another token, %s: got %d %s, want %d", scope, got.status, got.body, want)
		}
	}
}

// doneBody is the answer to a commit, or an error.
type doneBody struct {
	Code      string
	Count     int
	Conflicts []struct {
		Line     int
		Seen, Is map[string]any
		Seq      int64
	}
	Batch *struct {
		ID         int64
		Kind, File string
	}
	Counts map[string]int
}

func (s *server) commit(t *testing.T, id, body string, header http.Header) (answer, doneBody) {
	t.Helper()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/json")
	got := s.do(t, request{method: http.MethodPost, target: "/api/v1/imports/" + id + "/commit", header: header, body: []byte(body)})
	return got, read[doneBody](t, string(got.body))
}

const dollars = "Dept,Account,Year,Period,Amount,Currency\n"

// TestAnImportIsStoredOnce: a commit stores what the preview shows, as a batch; the same again gives the same answer, also
// by its key when the import is forgotten. An order that does not fit stores nothing.
func TestAnImportIsStoredOnce(t *testing.T) {
	s, _ := serveBulk(t)
	_, open := s.upload(t, "kind=actuals", "Dept,Account,Year,Period,Amount,Currency\nD1,6100,2027,1,\"1,234\",USD\n", nil)
	if got, done := s.commit(t, open.ID, `{"revision":1}`, nil); got.status != http.StatusConflict || done.Code != "questions_open" {
		t.Errorf("with a question: got %d %s, want questions_open", got.status, got.body)
	}
	_, wrong := s.upload(t, "kind=actuals&name=books.csv", dollars+"D1,6100,2027,1,5.5,USD\nD9,6100,2027,2,6,USD\n", nil)
	if got, done := s.commit(t, wrong.ID, `{"revision":1}`, nil); got.status != http.StatusBadRequest || done.Code != "rows_refused" {
		t.Errorf("with a wrong row: got %d %s, want rows_refused", got.status, got.body)
	}
	if got, done := s.commit(t, wrong.ID, `{"revision":2,"rows":"good"}`, nil); got.status != http.StatusConflict || done.Code != "changed_since" {
		t.Errorf("with another revision: got %d %s, want changed_since", got.status, got.body)
	}
	if got, done := s.commit(t, wrong.ID, `{"revision":"x","rows":"some","also":[true]}`, nil); got.status != http.StatusBadRequest || done.Code != "validation_failed" {
		t.Errorf("with a wrong order: got %d %s, want validation_failed", got.status, got.body)
	}
	key := http.Header{"Idempotency-Key": {"once"}}
	got, done := s.commit(t, wrong.ID, `{"revision":1,"rows":"good"}`, key.Clone())
	if got.status != http.StatusOK || done.Batch == nil || done.Batch.Kind != "actuals" || done.Batch.File != "books.csv" || done.Counts["new"] != 1 || done.Counts["wrong"] != 1 || done.Counts["skipped"] != 0 {
		t.Fatalf("got %d %s, want a batch of one new", got.status, got.body)
	}
	if listed := s.get(t, fmt.Sprint("/api/v1/batches/", done.Batch.ID)); !strings.Contains(string(got.body), strings.TrimSpace(listed)) {
		t.Errorf("got %s, want the whole batch %s", got.body, listed)
	}
	if got.header.Get("X-Journal-Seq") == "" {
		t.Errorf("got no X-Journal-Seq, want the entries of the batch")
	}
	again, _ := s.commit(t, wrong.ID, `{"revision":1,"rows":"good"}`, nil)
	if again.status != http.StatusOK || !bytes.Equal(again.body, got.body) {
		t.Errorf("again: got %d %s, want %s", again.status, again.body, got.body)
	}
	if one := read[importBody](t, s.get(t, "/api/v1/imports/"+wrong.ID)); one.State != "committed" {
		t.Errorf("got the state %s, want committed", one.State)
	}
	s.send(t, http.MethodPut, "/api/v1/imports/"+wrong.ID+"/map", `{"kind":"actuals"}`, http.StatusConflict)
	s.send(t, http.MethodDelete, "/api/v1/imports/"+wrong.ID, "", http.StatusOK)
	again, _ = s.commit(t, wrong.ID, `{"revision":1,"rows":"good"}`, key.Clone())
	if again.status != http.StatusOK || !bytes.Equal(again.body, got.body) || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("by the key: got %d %s, want %s", again.status, again.body, got.body)
	}
	if list := s.get(t, "/api/v1/actuals"); strings.Count(list, `"id"`) != 1 {
		t.Errorf("got %s, want one actual", list)
	}
}

// TestWhatChangedSinceThePreviewIsNamed: two imports of one file are one commit and one conflict, which names each record,
// and the file is compared again.
func TestWhatChangedSinceThePreviewIsNamed(t *testing.T) {
	s, _ := serveBulk(t)
	_, one := s.upload(t, "kind=actuals", dollars+"D1,6100,2027,1,5.5,USD\nD2,6100,2027,2,6,USD\n", nil)
	_, two := s.upload(t, "kind=actuals", dollars+"D1,6100,2027,1,5.5,USD\nD2,6100,2027,2,6,USD\n", nil)
	if got, _ := s.commit(t, one.ID, `{"revision":1}`, nil); got.status != http.StatusOK {
		t.Fatalf("got %d %s, want it stored", got.status, got.body)
	}
	got, done := s.commit(t, two.ID, `{"revision":1}`, nil)
	if got.status != http.StatusConflict || done.Code != "changed_since" || done.Count != 2 || len(done.Conflicts) != 2 ||
		done.Conflicts[0].Line != 2 || done.Conflicts[0].Seen != nil || done.Conflicts[0].Is["department"] != "D1" || done.Conflicts[0].Seq == 0 {
		t.Fatalf("got %d %s, want two conflicts", got.status, got.body)
	}
	if now := read[importBody](t, s.get(t, "/api/v1/imports/"+two.ID)); now.Revision != 2 || now.State != "ready" || now.Counts["unchanged"] != 2 {
		t.Errorf("got %+v, want revision 2 with both unchanged", now)
	}
	if got, done := s.commit(t, two.ID, `{"revision":2}`, nil); got.status != http.StatusOK || done.Batch != nil || done.Counts["unchanged"] != 2 {
		t.Errorf("got %d %s, want nothing to do", got.status, got.body)
	}
}

// TestAConflictOfATradeIsNamed: a trade that came in after the preview, or was taken back after it, is a conflict, with its
// newest entry and who left it.
func TestAConflictOfATradeIsNamed(t *testing.T) {
	s, _ := serveBulk(t)
	const file = "symbol,currency_code,shares,product,side,price,date\nACME,USD,1,stock,buy,5,2026-01-31\n"
	_, first := s.upload(t, "kind=trades", file, nil)
	_, second := s.upload(t, "kind=trades", file, nil)
	_, stored := s.commit(t, first.ID, `{"revision":1}`, nil)
	newest := s.newest(t) - 1 // the last entry is that of the batch
	got, done := s.commit(t, second.ID, `{"revision":1}`, nil)
	if got.status != http.StatusConflict || len(done.Conflicts) != 1 || done.Conflicts[0].Seen != nil || done.Conflicts[0].Is["symbol"] != "ACME" ||
		done.Conflicts[0].Seq != newest || !strings.Contains(string(got.body), `"at":"`) {
		t.Errorf("a trade that came in: got %d %s, want the conflict with the entry %d", got.status, got.body, newest)
	}
	_, third := s.upload(t, "kind=trades", file+"BETA,USD,1,stock,buy,5,2026-01-31\n", nil)
	s.send(t, http.MethodPost, fmt.Sprintf("/api/v1/batches/%d/undo", stored.Batch.ID), `{}`, http.StatusOK)
	got, done = s.commit(t, third.ID, `{"revision":1}`, nil)
	if got.status != http.StatusConflict || len(done.Conflicts) != 1 || done.Conflicts[0].Seen["symbol"] != "ACME" || done.Conflicts[0].Is != nil || done.Conflicts[0].Seq <= newest {
		t.Errorf("a trade that was taken back: got %d %s, want the conflict with the entry that removed it", got.status, got.body)
	}
}

// TestTradesThatAreThereAlready: a file brings its trades once, also equal ones, unless the map adds them anyway, or the
// order names their lines.
func TestTradesThatAreThereAlready(t *testing.T) {
	s, _ := serveBulk(t)
	const file = "symbol,currency_code,shares,product,side,price,date\nACME,USD,1,stock,buy,5,2026-01-31\nACME,USD,1,stock,buy,5,2026-01-31\n"
	for i, c := range []struct {
		m, order string
		trades   int
	}{
		{"", `{"revision":1}`, 2},
		{"", `{"revision":1}`, 2},
		{"", `{"revision":1,"also":[3]}`, 3},
		{`{"kind":"trades","existing":"add"}`, `{"revision":2}`, 5},
	} {
		_, one := s.upload(t, "kind=trades", file, nil)
		if c.m != "" {
			s.send(t, http.MethodPut, "/api/v1/imports/"+one.ID+"/map", c.m, http.StatusOK)
		}
		got, _ := s.commit(t, one.ID, c.order, nil)
		if stored := strings.Count(s.get(t, "/api/v1/trades"), `"id"`); got.status != http.StatusOK || stored != c.trades {
			t.Errorf("import %d: got %d %s and %d trades, want %d", i+1, got.status, got.body, stored, c.trades)
		}
	}
}

// TestDoubtfulRowsAreAskedFor: a doubtful row is stored as it reads if that is accepted, or left out.
func TestDoubtfulRowsAreAskedFor(t *testing.T) {
	for order, want := range map[string]string{
		`{"revision":1}`:                                   "400 0",
		`{"revision":1,"doubtful":"accept"}`:               "200 2",
		`{"revision":1,"rows":"good"}`:                     "200 1",
		`{"revision":1,"rows":"good","doubtful":"accept"}`: "200 2",
	} {
		s, _ := serveBulk(t)
		_, one := s.upload(t, "kind=actuals", dollars+"D1,6100,2027,1,5.5,USD\nD2,6100,2027,2,1.5E+02,USD\n", nil)
		if one.Counts["doubtful"] != 1 {
			t.Fatalf("got %+v, want one doubtful", one)
		}
		got, done := s.commit(t, one.ID, order, nil)
		if left := strings.HasPrefix(want, "200") && !strings.Contains(order, "accept"); left && (done.Counts["doubtful"] != 1 || done.Counts["skipped"] != 0) {
			t.Errorf("%s: got %s, want one doubtful left out", order, got.body)
		}
		if stored := fmt.Sprint(got.status, " ", strings.Count(s.get(t, "/api/v1/actuals"), `"id"`)); stored != want {
			t.Errorf("%s: got %s, want %s (%s)", order, stored, want, got.body)
		}
	}
}

// TestAFileMustArrive: a file that arrives byte by byte gets 408, one without an end 413, and one that breaks off is
// forgotten. Nothing is stored, and no file is left.
func TestAFileMustArrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := serveOnWire(t)
		const target = "POST /api/v1/imports?kind=actuals"
		slow := lineOn(t, w)
		slow.begin(t, target, "Content-Length: 1048576")
		var sending sync.WaitGroup
		sending.Go(func() { slow.sendSlowly(strings.Repeat(" ", 1<<20), time.Second) })
		if got := slow.answer(t); got.status != http.StatusRequestTimeout {
			t.Errorf("byte by byte: got %d %s, want 408", got.status, got.body)
		}
		cut := lineOn(t, w)
		cut.begin(t, target, "Content-Length: 1000")
		_, _ = io.WriteString(cut, dollars+"D1,6100,2027,1,5.5,USD\n")
		_ = cut.Close()
		endless := lineOn(t, w)
		endless.begin(t, target, "Transfer-Encoding: chunked")
		chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat("a,b\n", 1<<18))
		sending.Go(func() {
			for {
				if _, err := io.WriteString(endless, chunk); err != nil {
					return
				}
			}
		})
		if got := endless.answer(t); got.status != http.StatusRequestEntityTooLarge {
			t.Errorf("without an end: got %d %s, want 413", got.status, got.body)
		}
		sending.Wait()
		if head, err := s.store.JournalHead(t.Context()); err != nil || head.Seq != 0 {
			t.Errorf("got the head %v, %v, want nothing stored", head, err)
		}
	})
}
