//go:build !race

package api_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"testing"

	"daybook/db/sqlite/verify"
)

// TestVerifyHoldsEveryKeptAnswer: verifying compares each answer that is stored for a retry with the
// journal entry of its write. It finds nothing wrong, for every kind of write. As a control, it reports
// each answer that was edited.
func TestVerifyHoldsEveryKeptAnswer(t *testing.T) {
	kept := 0
	for _, file := range transcripts(t) {
		s := serve(t)
		for i, p := range readTranscript(t, file) {
			if p.sent == "" {
				continue
			}
			r := p.request(t)
			if r.header.Get("Idempotency-Key") == "" && r.method != http.MethodGet {
				r.header.Set("Idempotency-Key", fmt.Sprintf("of passage %d", i))
			}
			s.do(t, r)
		}
		if v, err := verify.Database(t.Context(), s.path, nil); err != nil || len(v.Findings) > 0 {
			t.Errorf("%s: got the findings %v, %v, want none", file, v.Findings, err)
		}
		edited := s.editAnswers(t)
		kept += edited
		if v, err := verify.Database(t.Context(), s.path, nil); err != nil || len(v.Findings) != min(edited, 100) {
			t.Errorf("%s: got %d findings, %v, want one for each of %d edited answers", file, len(v.Findings), err, edited)
		}
	}
	if kept < 100 {
		t.Errorf("got %d stored answers in all transcripts, want at least 100", kept)
	}
}

// editAnswers renames the field id, or the field counts, in every stored answer to a request that left one entry. It
// returns how many of them there are.
func (s *server) editAnswers(t *testing.T) int {
	t.Helper()
	db, err := sql.Open("sqlite", s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	result, err := db.ExecContext(t.Context(), `UPDATE idempotency_keys
		SET body = CAST(replace(replace(replace(CAST(body AS TEXT), '"id":', '"no":'), '"ID":', '"NO":'), '"counts":', '"number":') AS BLOB)
		WHERE seq IN (SELECT seq FROM journal WHERE first IS NULL)`)
	if err != nil {
		t.Fatal(err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}
