//go:build unix

package soak_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// longestStart is the longest time from the start of a server to its first answer, also after a kill.
const longestStart = 2 * time.Second

// TestStart kills a server while clients write, with a large database and a long write-ahead log. The
// next server answers, and stores a write; four files have the name of the database. Only the long form checks the time, because other tests
// use the processor and the disk while the short form runs.
func TestStart(t *testing.T) {
	size := int64(times(100<<20, 1<<30))
	db := newFile(t)
	mustRunApp(t, "seed", "--db", db, "--trades", strconv.Itoa(times(2_000, 3_000_000)))
	fill(t, db, size)
	wal := crashWithLog(t, db, mostWAL*3/4)
	began := time.Now()
	server := serve(t, db)
	server.get(t, "/health")
	ready := time.Since(began)
	server.send(t, http.MethodPost, "/currency/add", `{"code":"NEW"}`, http.StatusCreated)
	written := time.Since(began)
	if beside, err := filepath.Glob(db + "*"); err != nil || len(beside) > 4 {
		t.Errorf("after a kill and a start: got the files %v, %v, want the database, -wal, -shm and .lock", beside, err)
	}
	if *soak && ready >= longestStart {
		t.Errorf("got the first answer after %s, want it within %s", ready, longestStart)
	}
	if err := server.stop(t); err != nil {
		t.Errorf("got %v, want an exit with 0", err)
	}
	control := "not measured"
	if *soak {
		control = startsLate(t, db).Round(time.Millisecond).String()
	}
	figure{
		"first answer after kill -9", fmt.Sprintf("within %s, database of %s", longestStart, mebibytes(size)),
		fmt.Sprintf("%s, the first write %s; database of %s, write-ahead log of %s",
			ready.Round(time.Millisecond), written.Round(time.Millisecond), mebibytes(fileSize(t, db)), mebibytes(wal)),
		"a process that is paused for 2 s: " + control,
	}.report(t)
}

// crashWithLog kills a server when its write-ahead log has grown to that size, and returns the size.
// A reader keeps a transaction open, which makes the log grow.
func crashWithLog(t *testing.T, db string, size int64) int64 {
	t.Helper()
	server := serve(t, db)
	release := pin(t, db)
	size = growLog(t, server.client, db, size)
	server.kill()
	release()
	if left := logSize(t, db); left < size {
		t.Fatalf("got a write-ahead log of %s after the kill, want at least the %s from before", mebibytes(left), mebibytes(size))
	}
	return size
}

// startsLate is the control: it pauses a process during its start, and the measured time must be too
// long.
func startsLate(t *testing.T, db string) (took time.Duration) {
	t.Helper()
	began := time.Now()
	p, addr := launch(t, db)
	p.signal(t, syscall.SIGSTOP)
	held := time.AfterFunc(longestStart, func() { _ = p.command.Process.Signal(syscall.SIGCONT) })
	defer held.Stop()
	p.listening(t, addr).get(t, "/health")
	if took = time.Since(began); took < longestStart {
		t.Errorf("a process paused for %s: got a start in %s, want a longer one", longestStart, took)
	}
	return took
}
