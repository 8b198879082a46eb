package soak_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// mostForMany is how much memory a server may take that stores many rows.
const mostForMany = 256 << 20

// accountsOfMany is how many accounts the rows are for.
const accountsOfMany = 100

// TestManyRows kills a server while it stores many rows, those of a request and those of a file that was imported. After
// the next start all of them are there or none, the database is whole, and no file of the server is left. Then the rows
// are sent again: all are there, and the process took little memory.
func TestManyRows(t *testing.T) {
	rows, cycles := times(60_000, 1_000_000), times(2, 20)
	noticed := noticesSomeRows(t)
	for way, send := range map[string]sender{"a request": postRows, "an import": importRows} {
		db := newFile(t)
		server := serveMany(t, db)
		body := manyRows(0, rows)
		all, none := 0, 0
		for cycle := range cycles {
			switch got := killWhileSending(t, &server, db, int64(cycle+1)<<20, func(base string) error { return send(t.Context(), base, body) }); got {
			case 0:
				none++
			case rows:
				all++
			default:
				t.Fatalf("%s: cycle %d: got %d rows, want all or none", way, cycle, got)
			}
		}
		if err := send(t.Context(), server.base, body); err != nil || countRows(t, server) != rows {
			t.Errorf("%s: got %v and %d rows, want all rows", way, err, countRows(t, server))
		}
		memory := "not measured here"
		if runtime.GOOS == "linux" {
			peak := peakMemory(t, server)
			if memory = mebibytes(peak); peak >= mostForMany {
				t.Errorf("%s: got %s of memory, want less than %s", way, memory, mebibytes(mostForMany))
			}
		}
		if err := server.stop(t); err != nil {
			t.Errorf("%s: got %v, want an exit with 0", way, err)
		}
		for _, complaint := range verified(t, db) {
			t.Errorf("%s: %s", way, complaint)
		}
		figure{
			fmt.Sprintf("kill -9 while %d rows of %s are stored", rows, way), fmt.Sprintf("%d cycles: all rows or none", cycles),
			fmt.Sprintf("%d cycles: %d times all, %d times none; memory %s", cycles, all, none, memory),
			fmt.Sprintf("rows sent in several requests: noticed %d of them", noticed),
		}.report(t)
	}
}

// noticesSomeRows is the control: a client sends the rows in several requests, so that a kill leaves some of them. The
// count of the test must tell that.
func noticesSomeRows(t *testing.T) (stored int) {
	t.Helper()
	const parts, part = 20, 1000
	for range 20 {
		db := newFile(t)
		server := serveMany(t, db)
		stored = killWhileSending(t, &server, db, 1<<20, func(base string) error {
			for i := range parts {
				if err := postRows(t.Context(), base, manyRows(i*part, (i+1)*part)); err != nil {
					return err
				}
			}
			return nil
		})
		server.kill()
		if stored > 0 && stored < parts*part {
			return stored
		}
	}
	t.Errorf("rows that were sent in %d requests: got all or none after each kill, want a part", parts)
	return 0
}

// serveMany serves a new database with what the rows name, and an empty log.
func serveMany(t *testing.T, db string) *process {
	t.Helper()
	server := serve(t, db)
	server.send(t, http.MethodPost, "/api/v1/department/create", `{"code":"D1","name":"Department"}`, http.StatusCreated)
	for i := range accountsOfMany {
		server.send(t, http.MethodPost, "/api/v1/gl-accounts", fmt.Sprintf(`{"code":"A%d","type":"opex"}`, i), http.StatusCreated)
	}
	if err := server.stop(t); err != nil {
		t.Fatal(err)
	}
	return serve(t, db)
}

// killWhileSending kills the server when the log of its database is so large, or all is sent, and starts it again. It
// returns how many rows are stored.
func killWhileSending(t *testing.T, server **process, db string, size int64, send func(base string) error) (stored int) {
	t.Helper()
	base, sent := (*server).base, make(chan error, 1)
	go func() { sent <- send(base) }()
	waitForLog(t, db, size, sent)
	(*server).kill()
	*server = serve(t, db)
	if left, _ := filepath.Glob(db + ".spool-*"); len(left) > 0 {
		t.Errorf("got %v left, want nothing", left)
	}
	return countRows(t, *server)
}

// manyRows is a body with the actuals from a number up to another.
func manyRows(from, to int) []byte {
	b := &bytes.Buffer{}
	b.WriteString("department,gl_code,fiscal_year,fiscal_period,amount,currency\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(b, "D1,A%d,%d,%d,%d,USD\n", i%accountsOfMany, 1900+i/accountsOfMany/12, i/accountsOfMany%12+1, i)
	}
	return b.Bytes()
}

// sender sends rows to a server, and returns when they are stored.
type sender func(ctx context.Context, base string, body []byte) error

// postRows sends rows in one request.
func postRows(ctx context.Context, base string, body []byte) error {
	return post(ctx, base+"/api/v1/actuals/bulk", "text/csv", body, nil)
}

// importRows imports a file.
func importRows(ctx context.Context, base string, body []byte) error {
	var one struct {
		ID, State string
		Revision  int
	}
	if err := post(ctx, base+"/api/v1/imports?kind=actuals", "text/csv", body, &one); err != nil {
		return err
	}
	for one.State == "reading" {
		if err := answerOf(ctx, http.MethodGet, base+"/api/v1/imports/"+one.ID, "", nil, &one); err != nil {
			return err
		}
	}
	return post(ctx, base+"/api/v1/imports/"+one.ID+"/commit", "application/json", fmt.Appendf(nil, `{"revision":%d,"rows":"all"}`, one.Revision), nil)
}

func post(ctx context.Context, url, label string, body []byte, into any) error {
	return answerOf(ctx, http.MethodPost, url, label, body, into)
}

// answerOf sends a request, and reads its answer. The answer of a refusal is an error.
func answerOf(ctx context.Context, method, url, label string, body []byte, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", label)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return err
	case response.StatusCode >= http.StatusBadRequest:
		return fmt.Errorf("%s: %s", response.Status, answer)
	case into != nil:
		return json.Unmarshal(answer, into)
	}
	return nil
}

// waitForLog waits until the log of a database is so large, or the rows are stored.
func waitForLog(t *testing.T, db string, size int64, stored <-chan error) {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(time.Millisecond) {
		if info, err := os.Stat(db + "-wal"); err == nil && info.Size() > size {
			return
		}
		select {
		case err := <-stored:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
	t.Fatal("the log does not grow")
}

// countRows is how many actuals are stored.
func countRows(t *testing.T, server *process) int {
	t.Helper()
	return strings.Count(string(server.send(t, http.MethodGet, "/api/v1/actuals?format=ndjson", "", http.StatusOK)), "\n")
}
