package soak_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"

	"pgregory.net/rapid"
)

// actions are the steps of a walk. rapid draws those with the first names more often, and some
// actions are in the map more than once.
func (w *world) actions() map[string]func(*rapid.T) {
	often := []func(*rapid.T){w.ingest, w.updateLine, w.createLine, w.variance, w.addTrade, w.listPositions}
	once := []func(*rapid.T){
		w.createDepartment, w.createAccount, w.lookUp, w.setActivity, w.pageLedger, w.listLedger,
		w.deleteLine, w.deleteActual, w.deleteDepartment, w.deleteAccount, w.repeat, w.reuseKey,
		w.addCurrency, w.addCompany, w.addRevenue, w.voidTrade, w.listPortfolio, w.pageTrades, w.nonsense, w.reopen,
	}
	actions := map[string]func(*rapid.T){}
	for i, action := range slices.Concat(once[:2], often, often, once, often, often) {
		actions[fmt.Sprintf("%02d", i)] = action
	}
	return actions
}

func (w *world) listPositions(t *rapid.T) {
	w.read(t, request{method: http.MethodGet, target: "/positions/list"}, outcome{status: http.StatusOK, answer: w.positions()})
}

// repeat sends a write again with its Idempotency-Key. The server gives the first answer again, and
// stores nothing.
func (w *world) repeat(t *rapid.T) {
	if len(w.keyed) == 0 {
		t.Skip("no write had a key")
	}
	k := w.keyed[rapid.IntRange(0, len(w.keyed)-1).Draw(t, "repeated")]
	got := w.send(t, k.request)
	if got.status != k.status || !bytes.Equal(got.body, k.answer) || got.header.Get("Idempotency-Replayed") != "true" {
		t.Fatalf("%s %s %s again with the key %s: got %d %s %v, want %d %s and Idempotency-Replayed: true", k.method, k.target, k.body, k.key,
			got.status, got.body, got.header, k.status, k.answer)
	}
	w.journalled(t, nil)
}

// reuseKey sends another body with a key that was used already. The server refuses it.
func (w *world) reuseKey(t *rapid.T) {
	if len(w.keyed) == 0 {
		t.Skip("no write had a key")
	}
	r := w.keyed[rapid.IntRange(0, len(w.keyed)-1).Draw(t, "reused")].request
	r.body += " "
	w.compare(t, r, w.send(t, r), refused(http.StatusUnprocessableEntity, "idempotency_key_reused"))
	w.journalled(t, nil)
}

// reopen closes the database and opens it again.
func (w *world) reopen(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "really") > 0 {
		t.Skip("it takes long")
	}
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	w.open(t)
	w.steps++
}

// nonsense sends a body that is not valid. The server refuses it and changes nothing.
func (w *world) nonsense(t *rapid.T) {
	target := rapid.SampledFrom([]string{"/currency/add", "/trade/add", "/api/v1/actuals/ingest", "/api/v1/budget/create"}).Draw(t, "target")
	body := rapid.SampledFrom([]string{"", "{", "[]", "null", `{"currency":"A","code":"A","symbol":"A","department_id":1,"currency":"B","code":"B","symbol":"B","department_id":2}`, "{}{}", "\"\xff\""}).Draw(t, "body")
	w.write(t, request{method: http.MethodPost, target: target, body: body}, refused(http.StatusBadRequest, "invalid_json"))
}
