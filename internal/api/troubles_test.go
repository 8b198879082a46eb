//go:build !race

package api_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// trouble is a file of somebody's trouble, with its right reading.
type trouble struct {
	File, Kind string
	Expect     struct {
		State        string
		Line         int
		Map          json.RawMessage
		Precondition struct{ Departments []string }
		Questions    []struct{ Code string }
		Records      []map[string]any
		Wrong        []struct {
			Line int
			Code string
		}
		Columns []struct{ Header, Field string }
	}
}

// TestTroublesOverTheInterface: the interface reads each file as the JSON beside it says, and stores the file if it
// is ready.
func TestTroublesOverTheInterface(t *testing.T) {
	names, err := filepath.Glob("../exchange/testdata/imports/[0-9]*.json")
	if err != nil || len(names) < 42 {
		t.Fatalf("got %d files, %v, want at least 42", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) {
			written, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			one := read[trouble](t, string(written))
			if one.File == "" { // it is about an export
				return
			}
			file, err := os.ReadFile("../tables/testdata/imports/" + one.File)
			if err != nil {
				t.Fatal(err)
			}
			one.check(t, serveChart(t, one.Expect.Precondition.Departments), file)
		})
	}
}

// serveChart serves a database with the departments and accounts that the files name.
func serveChart(t *testing.T, more []string) *server {
	t.Helper()
	written, err := os.ReadFile("../exchange/testdata/imports/SETUP.json")
	if err != nil {
		t.Fatal(err)
	}
	setup := read[struct {
		Departments []string
		Accounts    [][2]string
	}](t, string(written))
	s := serve(t)
	for _, code := range append(setup.Departments, more...) {
		s.create(t, "/api/v1/department/create", object(t, map[string]any{"code": code, "name": code}))
	}
	for _, account := range setup.Accounts {
		s.create(t, "/api/v1/gl-accounts", object(t, map[string]any{"code": account[0], "type": account[1]}))
	}
	return s
}

// check brings a file in, under the map of its JSON where it has one.
func (want *trouble) check(t *testing.T, s *server, file []byte) {
	t.Helper()
	type previewBody struct {
		importBody
		Map    map[string]json.RawMessage
		Sample []struct {
			Result string
			After  map[string]any
		}
		Findings []struct {
			Line           int
			Code, Severity string
		}
	}
	got := s.do(t, request{method: http.MethodPost, target: "/api/v1/imports?" + url.Values{"kind": {want.Kind}, "name": {want.File}}.Encode(), header: http.Header{"Content-Type": {"application/octet-stream"}}, body: file})
	p := read[previewBody](t, string(got.body))
	if want.Expect.State == "refused" {
		if line := "line " + strconv.Itoa(want.Expect.Line); got.status != http.StatusBadRequest || p.Code != "unreadable_file" || !strings.Contains(p.Error, line) {
			t.Errorf("got %d %s, want unreadable_file at %s", got.status, got.body, line)
		}
		return
	}
	if got.status != http.StatusCreated {
		t.Fatalf("got %d %s, want a preview", got.status, got.body)
	}
	answer := map[string]json.RawMessage{}
	if len(want.Expect.Map) > 0 {
		if err := json.Unmarshal(want.Expect.Map, &answer); err != nil {
			t.Fatal(err)
		}
	}
	if len(want.Expect.Columns) > 0 {
		answer = p.Map
		columns := read[[]any](t, string(p.Map["columns"]))
		for _, c := range want.Expect.Columns {
			columns = append(columns, map[string]any{"field": c.Field, "header": c.Header})
		}
		answer["columns"] = raw(t, columns)
	}
	if len(answer) > 0 {
		answer["kind"] = raw(t, want.Kind)
		p = read[previewBody](t, s.send(t, http.MethodPut, "/api/v1/imports/"+p.ID+"/map", string(raw(t, answer)), http.StatusOK))
	}
	var questions, wantQuestions []string
	for _, q := range p.Questions {
		questions = append(questions, q.Code)
	}
	for _, q := range want.Expect.Questions {
		wantQuestions = append(wantQuestions, q.Code)
	}
	slices.Sort(questions)
	slices.Sort(wantQuestions)
	if p.State != want.Expect.State || !slices.Equal(questions, wantQuestions) {
		t.Fatalf("got %s with the questions %v, want %s with %v", p.State, questions, want.Expect.State, wantQuestions)
	}
	wrong := 0
	for _, f := range p.Findings {
		if f.Severity == "wrong" {
			wrong++
		}
	}
	if p.State == "ready" && wrong != len(want.Expect.Wrong) {
		t.Errorf("got %d wrong findings, want %d: %s", wrong, len(want.Expect.Wrong), got.body)
	}
	if p.State != "ready" || want.Expect.Records == nil {
		return
	}
	var records []map[string]string
	for _, one := range p.Sample {
		if one.Result != "wrong" {
			records = append(records, texts(one.After))
		}
	}
	var wantRecords []map[string]string
	for _, one := range want.Expect.Records {
		wantRecords = append(wantRecords, texts(one))
	}
	if want.Expect.Records != nil && len(records) >= len(wantRecords) {
		records = records[:len(wantRecords)] // a JSON may say one record more beside these
	}
	if diff := cmp.Diff(wantRecords, records); diff != "" {
		t.Errorf("records (- want, + got):\n%s", diff)
	}
	done, _ := s.commit(t, p.ID, `{"revision":`+strconv.Itoa(p.Revision)+`,"rows":"good","doubtful":"accept"}`, nil)
	if done.status != http.StatusOK {
		t.Errorf("got %d %s, want it stored", done.status, done.body)
	}
}

func raw(t *testing.T, value any) json.RawMessage {
	t.Helper()
	written, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return written
}

// texts are the values of a record as texts.
func texts(record map[string]any) map[string]string {
	all := map[string]string{}
	for name, value := range record {
		switch v := value.(type) {
		case string:
			all[name] = v
		case nil:
			all[name] = ""
		default:
			written, _ := json.Marshal(v) // it was JSON
			all[name] = string(written)
		}
	}
	return all
}
