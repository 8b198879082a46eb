package soak_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// longestStart is how soon a server answers, however it ended before.
const longestStart = 2 * time.Second

// TestStart: after a kill in the midst of writing, with a write-ahead log as long as it
// gets, a large database answers, and takes a write. How soon is held to in the long form
// only: the short one runs beside other tests, which take the processor and the disk.
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
		"a process that is stopped for 2 s: " + control,
	}.report(t)
}

// crashWithLog kills a server when the write-ahead log has grown to a size, and returns
// that. A reader that keeps its transaction open makes it grow.
func crashWithLog(t *testing.T, db string, size int64) int64 {
	t.Helper()
	server := serve(t, db)
	release := pin(t, db)
	size = growLog(t, server.client, db, size)
	server.kill()
	release()
	if left := logSize(t, db); left < size {
		t.Fatalf("got a write-ahead log of %s after the kill, want the %s there were", mebibytes(left), mebibytes(size))
	}
	return size
}

// startsLate is the control: a process that is held up is measured to be late.
func startsLate(t *testing.T, db string) (took time.Duration) {
	t.Helper()
	began := time.Now()
	p, addr := launch(t, db)
	p.signal(t, syscall.SIGSTOP)
	held := time.AfterFunc(longestStart, func() { _ = p.command.Process.Signal(syscall.SIGCONT) }) // one that goes on stopped is waited for in vain
	defer held.Stop()
	p.listening(t, addr).get(t, "/health")
	if took = time.Since(began); took < longestStart {
		t.Errorf("a process that was held up for %s is measured to start in %s", longestStart, took)
	}
	return took
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
