package turns

import (
	"testing"

	"pgregory.net/rapid"
)

// TestClientsTakeTurns: writes of a client are taken in their order, and between two of them at most one of
// each other client.
func TestClientsTakeTurns(t *testing.T) {
	type write struct {
		client string
		number int
	}
	rapid.Check(t, func(t *rapid.T) {
		q := New[write](100, 100)
		added, taken := map[string]int{}, map[string]int{}
		others := map[string]map[string]int{} // taken since the last of a client that waits
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "add") {
				client := rapid.SampledFrom([]string{"", "feed", "page"}).Draw(t, "client")
				if err := q.Add(client, write{client, added[client]}); err != nil {
					t.Fatal(err)
				}
				added[client]++
				if others[client] == nil {
					others[client] = map[string]int{}
				}
				continue
			}
			waiting := q.Len()
			one, waits := q.Take()
			if waits != (waiting > 0) {
				t.Fatalf("got a write %t of %d, want one if one waits", waits, waiting)
			}
			if !waits {
				continue
			}
			if one.number != taken[one.client] {
				t.Fatalf("got %+v, want number %d", one, taken[one.client])
			}
			taken[one.client]++
			delete(others, one.client)
			for client, of := range others {
				of[one.client]++
				if of[one.client] > 1 {
					t.Fatalf("got two of %q taken while %q waits, want one", one.client, client)
				}
			}
			if added[one.client] > taken[one.client] {
				others[one.client] = map[string]int{}
			}
		}
		select {
		case <-q.Arrived():
		default:
			if q.Len() > 0 {
				t.Fatal("got no sign that writes wait")
			}
		}
	})
}

// TestLimits: a client may have so many writes without an answer, and so many may wait in all.
func TestLimits(t *testing.T) {
	q := New[int](3, 2)
	for i, c := range []struct {
		client  string
		refused bool
	}{{"a", false}, {"a", false}, {"a", true}, {"b", false}, {"b", true}} {
		if err := q.Add(c.client, i); (err != nil) != c.refused {
			t.Errorf("write %d: got %v, want it refused %t", i, err, c.refused)
		}
	}
	if _, waits := q.Take(); !waits || q.Add("a", 5) == nil {
		t.Error("got a third write of a client accepted while two have no answer, want it refused")
	}
	q.Answered("a")
	if err := q.Add("a", 6); err != nil {
		t.Errorf("after an answer: got %v, want no error", err)
	}
	q.Close()
	if err := q.Add("c", 7); err == nil {
		t.Error("after Close: got a write accepted, want it refused")
	}
	if _, waits := q.Take(); !waits {
		t.Error("after Close: got none that waits, want it")
	}
}
