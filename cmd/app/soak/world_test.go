package soak_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/db/sqlite"
	"daybook/db/sqlite/verify"
	"daybook/internal/api"
	"daybook/internal/budget"
	"daybook/internal/trading"
)

// noon is the time in the model and the server. Their clock stands still.
var noon = time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

// world is a server and the model: the rows that the server must have.
type world struct {
	db     string
	store  *sqlite.Store
	server http.Handler
	around func(http.Handler) http.Handler // nil = nothing
	steps  int64

	seq   int64 // of the last journal entry
	keyed []keyedRequest

	currencies  table[currency]
	companies   table[company]
	revenues    table[revenue]
	trades      table[trade]
	departments table[department]
	accounts    table[account]
	lines       table[line]
	actuals     table[actual]
}

// keyedRequest is a write that was done under an Idempotency-Key, and its answer.
type keyedRequest struct {
	request
	status int
	answer []byte
}

// newWorld opens an empty database. around, if not nil, wraps the server's handler.
func newWorld(t *testing.T, rt *rapid.T, around func(http.Handler) http.Handler) *world {
	t.Helper()
	w := &world{db: newFile(t), around: around}
	w.open(rt)
	return w
}

func (w *world) open(t *rapid.T) {
	store, err := sqlite.Open(t.Context(), w.db, clock)
	if err != nil {
		t.Fatal(err)
	}
	w.store = store
	w.server = api.New(api.Config{
		Book:     trading.NewBook(store),
		Ledger:   budget.NewLedger(store, clock),
		Journal:  store,
		Batches:  store,
		Maps:     store,
		Database: store,
		Log:      slog.New(slog.DiscardHandler),
	})
	if w.around != nil {
		w.server = w.around(w.server)
	}
}

// close removes the database too, because the databases of a million steps would fill a disk.
func (w *world) close() {
	_ = w.store.Close() // the test has compared everything already
	_ = os.RemoveAll(filepath.Dir(w.db))
}

// verify checks the database at the end of a walk: `app verify` finds nothing wrong, and the journal
// has as many entries as the model expects.
func (w *world) verify(t *rapid.T) {
	v, err := verify.Database(t.Context(), w.db, nil)
	if err != nil || len(v.Findings) > 0 || v.Entries != w.seq {
		t.Fatalf("Verify: got %d entries, %v, %v, want %d and nothing wrong", v.Entries, v.Findings, err, w.seq)
	}
}

// request is one request of the walk; key is its Idempotency-Key.
type request struct{ method, target, body, key string }

// outcome is what the model expects of a request: an answer, or the code of an error response, the
// fields that it names and the existing record that it conflicts with; and the new journal entry.
type outcome struct {
	status   int
	answer   any
	code     string
	fields   []string
	existing int64
	change   *change
}

// change is a journal entry. before is nil for a new record, after is nil for a removed one.
type change struct {
	entity        string
	id            int64
	before, after any
}

func created(entity string, id int64, r any) outcome {
	return outcome{status: http.StatusCreated, answer: r, change: &change{entity, id, nil, r}}
}

func changed(entity string, id int64, before, after any) outcome {
	return outcome{status: http.StatusOK, answer: after, change: &change{entity, id, before, after}}
}

func removed(entity string, id int64, r any) outcome {
	return outcome{status: http.StatusOK, answer: r, change: &change{entity, id, r, nil}}
}

func refused(status int, code string, fields ...string) outcome {
	return outcome{status: status, code: code, fields: fields}
}

func invalid(fields ...string) outcome {
	return refused(http.StatusBadRequest, "validation_failed", fields...)
}

func exists(id int64) outcome {
	return outcome{status: http.StatusConflict, code: "already_exists", existing: id}
}

var missing = refused(http.StatusNotFound, "not_found")

// write sends a request that may change something. One in three has a new Idempotency-Key.
func (w *world) write(t *rapid.T, r request, want outcome) {
	if rapid.IntRange(0, 2).Draw(t, "key") == 0 {
		r.key = fmt.Sprintf("key-%d", w.steps)
	}
	got := w.send(t, r)
	w.compare(t, r, got, want)
	if r.key != "" && want.code == "" {
		w.keyed = append(w.keyed, keyedRequest{r, got.status, got.body})
	}
	w.journalled(t, want.change)
}

// read sends a request that changes nothing.
func (w *world) read(t *rapid.T, r request, want outcome) {
	w.compare(t, r, w.send(t, r), want)
}

// send sends a request to the server in this process.
func (w *world) send(t *rapid.T, r request) answer {
	w.steps++
	q := httptest.NewRequestWithContext(t.Context(), r.method, r.target, strings.NewReader(r.body))
	q.Host = "localhost"
	if r.body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		q.Header.Set("Idempotency-Key", r.key)
	}
	q.Header.Set("X-Request-Id", fmt.Sprintf("step-%d", w.steps))
	return handled(w.server, q)
}

func handled(h http.Handler, r *http.Request) answer {
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, r)
	return answer{recorder.Code, recorder.Header(), recorder.Body.Bytes()}
}

// compare compares an answer with what the model expects.
func (w *world) compare(t *rapid.T, r request, got answer, want outcome) {
	if got.status != want.status {
		t.Fatalf("%s %s %s: got %d %s, want %d %s %v", r.method, r.target, r.body, got.status, got.body, want.status, want.code, want.fields)
	}
	if want.code == "" {
		if body := marshalled(t, want.answer); !bytes.Equal(got.body, body) {
			t.Fatalf("%s %s %s:\n got %s\nwant %s", r.method, r.target, r.body, got.body, body)
		}
		return
	}
	var errorBody struct {
		Code       string
		ExistingID int64 `json:"existing_id"`
		Details    []struct{ Field string }
	}
	if err := json.Unmarshal(got.body, &errorBody); err != nil {
		t.Fatalf("%s %s: %v: %s", r.method, r.target, err, got.body)
	}
	var fields []string
	for _, d := range errorBody.Details {
		fields = append(fields, d.Field)
	}
	slices.Sort(fields)
	slices.Sort(want.fields)
	if errorBody.Code != want.code || errorBody.ExistingID != want.existing || !slices.Equal(fields, want.fields) {
		t.Fatalf("%s %s %s: got %s, want %s %v, existing id %d", r.method, r.target, r.body, got.body, want.code, want.fields, want.existing)
	}
}

// journalled reads the new entries of the journal. It checks that the last request added the entry
// that is wanted, or none if want is nil.
func (w *world) journalled(t *rapid.T, want *change) {
	step := w.steps
	got := w.send(t, request{method: http.MethodGet, target: fmt.Sprintf("/api/v1/journal?after=%d", w.seq)})
	w.steps-- // reading the journal is not a step of the walk
	var gained page[struct {
		Seq           int64
		Actor         string
		RequestID     string `json:"request_id"`
		Entity        string
		EntityID      int64 `json:"entity_id"`
		Before, After json.RawMessage
	}]
	if err := json.Unmarshal(got.body, &gained); err != nil || gained.Next != nil {
		t.Fatalf("the journal: %v: %s", err, got.body)
	}
	if want == nil {
		if len(gained.Items) > 0 {
			t.Fatalf("the journal: got %s, want no entry", got.body)
		}
		return
	}
	w.seq++
	if len(gained.Items) != 1 {
		t.Fatalf("the journal: got %s, want one entry about %s %d", got.body, want.entity, want.id)
	}
	e := gained.Items[0]
	if e.Seq != w.seq || e.Actor != "local" || e.RequestID != fmt.Sprintf("step-%d", step) || e.Entity != want.entity || e.EntityID != want.id ||
		!bytes.Equal(e.Before, marshalled(t, journalForm(want.before))) || !bytes.Equal(e.After, marshalled(t, journalForm(want.after))) {
		t.Fatalf("the journal: got %s, want entry %d about %s %d", got.body, w.seq, want.entity, want.id)
	}
}

// journalForm returns a record in the form in which the journal stores it.
func journalForm(record any) any {
	if added, is := record.(addedTrade); is {
		return added.trade.journalled()
	}
	if t, is := record.(trade); is {
		return t.journalled()
	}
	return record
}

// marshalled returns the JSON of a value as the interface writes it.
func marshalled(t *rapid.T, v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(out.Bytes())
}
