package sqlite

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/journal"
)

// TestActorsTakeTurns: requests of an actor are taken in their order, and between two of them at most one of
// each other actor.
func TestActorsTakeTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := newRequestQueue()
		names, sent, taken := map[*request]string{}, map[string]int{}, map[string]int{}
		others := map[string]map[string]int{} // taken since the last of an actor that waits
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "add") {
				actor := rapid.SampledFrom([]string{"", "feed", "page"}).Draw(t, "actor")
				r := &request{ctx: journal.With(t.Context(), journal.Origin{Actor: actor})}
				if err := q.add(r); err != nil {
					t.Fatal(err)
				}
				names[r] = fmt.Sprint(actor, sent[actor])
				sent[actor]++
				if others[actor] == nil {
					others[actor] = map[string]int{}
				}
				continue
			}
			waiting := q.len()
			r := q.take()
			if (r == nil) != (waiting == 0) {
				t.Fatalf("got %v of %d, want a request if one waits", r, waiting)
			}
			if r == nil {
				continue
			}
			actor := r.actor()
			if want := fmt.Sprint(actor, taken[actor]); names[r] != want {
				t.Fatalf("got %s, want %s", names[r], want)
			}
			taken[actor]++
			delete(others, actor)
			for waits, of := range others {
				of[actor]++
				if of[actor] > 1 {
					t.Fatalf("got two of %q taken while %q waits, want one", actor, waits)
				}
			}
			if sent[actor] > taken[actor] {
				others[actor] = map[string]int{}
			}
		}
		select {
		case <-q.arrived:
		default:
			if q.len() > 0 {
				t.Fatal("got no sign that requests wait")
			}
		}
	})
}
