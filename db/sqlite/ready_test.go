package sqlite

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/fault"
	"daybook/internal/money"
)

// TestReady: a store is not ready in three cases: after transactions have failed for 5 s, until one
// succeeds or none fails for a minute; while the disk has no room; and if its schema is newer than the
// program. Health checks still succeed.
func TestReady(t *testing.T) {
	var clock atomic.Int64
	s := openStoreAt(t, func() time.Time { return today().Add(time.Duration(clock.Load())) })
	at := func(d time.Duration) { clock.Store(int64(d)) }
	ready := func(want bool, when string) {
		t.Helper()
		if err := s.Ready(t.Context()); (err == nil) != want || err != nil && fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%s: got %v, want ready: %v", when, err, want)
		}
		if err := s.Ping(t.Context()); err != nil {
			t.Errorf("%s: Ping: got %v, want no error", when, err)
		}
	}
	fail := func() {
		t.Helper()
		err := s.writer.write(t.Context(), func(context.Context, *tx) error { return s.writer.conn.exec("ROLLBACK") }) // so the commit fails
		if err == nil {
			t.Fatal("got no error of a transaction that was rolled back, want one")
		}
	}
	ready(true, "at first")
	fail()
	at(longestFailing - 1)
	ready(true, "before 5 s")
	at(longestFailing)
	ready(false, "after 5 s")
	at(50 * time.Second)
	fail()
	at(forgotten)
	ready(false, "when it failed again")
	at(50*time.Second + forgotten + 1)
	ready(true, "a minute after it failed last")
	fail()
	at(3 * time.Minute)
	fail()
	ready(true, "when it failed long ago and once more")
	at(3*time.Minute + longestFailing)
	ready(false, "5 s later")
	if _, err := s.VoidTrade(t.Context(), 1); fault.KindOf(err) != fault.NotFound {
		t.Fatal(err)
	}
	ready(false, "after a transaction that changed nothing")
	if err := addCode(t, s, money.Currency("AAA")); err != nil {
		t.Fatal(err)
	}
	ready(true, "after a write")

	s.room = func(string) (free, all int64, err error) { return leastRoom - 1, 1 << 40, nil }
	ready(false, "without room")
	s.room = func(string) (free, all int64, err error) { return leastRoom, 1 << 40, nil }
	ready(true, "with room")

	if err := s.writer.write(t.Context(), func(context.Context, *tx) error {
		return s.writer.conn.exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)")
	}); err != nil {
		t.Fatal(err)
	}
	ready(false, "with the schema of a newer program")
}
