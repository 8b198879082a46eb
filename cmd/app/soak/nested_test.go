package soak_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// longestRefusal is the longest time until a body is answered, however deep it nests.
const longestRefusal = 2 * time.Second

// TestNestedBodies: a body that nests too deep is refused, and a body that is only long is accepted.
// Only the long form checks the time.
func TestNestedBodies(t *testing.T) {
	server := serve(t, newFile(t))
	var longest time.Duration
	for extra, want := range map[string]int{
		strings.Repeat("[", 500_000):                  http.StatusBadRequest,
		strings.Repeat(`{"a":`, 200_000):              http.StatusBadRequest,
		"[" + strings.Repeat("[],", 300_000) + "[]]":  http.StatusCreated,
		`"` + strings.Repeat("[{", 400_000) + `"`:     http.StatusCreated,
		`["\\",` + strings.Repeat("[", 500_000) + `]`: http.StatusBadRequest,
	} {
		began := time.Now()
		got, err := server.do(t.Context(), http.MethodPost, "/currency/add", fmt.Sprintf(`{"code":"C%d","extra":%s}`, len(extra), extra), "")
		took := time.Since(began)
		if err != nil || got.status != want {
			t.Errorf("%.20s…: got %d %.200s, %v, want %d", extra, got.status, got.body, err, want)
		}
		if *soak && took >= longestRefusal {
			t.Errorf("%.20s…: got an answer after %s, want less than %s", extra, took, longestRefusal)
		}
		longest = max(longest, took)
	}
	figure{
		"bodies of many brackets", fmt.Sprintf("each answered within %s", longestRefusal),
		fmt.Sprintf("within %s", longest.Round(time.Millisecond)), "as many brackets that do not nest: accepted",
	}.report(t)
}
