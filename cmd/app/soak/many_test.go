package soak_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// mostForMany is how much memory a server may take that stores many rows.
const mostForMany = 256 << 20

// accountsOfMany is how many accounts the rows are for.
const accountsOfMany = 100

// TestManyRows kills a server while it stores many rows. After the next start all of them are there or none, the
// database is whole, and no file of the request is left. Then the rows are sent again: all are there, and the process
// took little memory.
func TestManyRows(t *testing.T) {
	rows, cycles := times(60_000, 1_000_000), times(2, 20)
	db := newFile(t)
	server := serve(t, db)
	server.send(t, http.MethodPost, "/api/v1/department/create", `{"code":"D1","name":"Department"}`, http.StatusCreated)
	for i := range accountsOfMany {
		server.send(t, http.MethodPost, "/api/v1/gl-accounts", fmt.Sprintf(`{"code":"A%d","type":"opex"}`, i), http.StatusCreated)
	}
	body := manyRows(rows)
	all, none := 0, 0
	for cycle := range cycles {
		sent := make(chan error, 1)
		go func() { _, err := postRows(t.Context(), server.base, body); sent <- err }()
		waitForLog(t, db, int64(cycle+1)<<20, sent)
		server.kill()
		<-server.ended
		server = serve(t, db)
		switch got := countRows(t, server); got {
		case 0:
			none++
		case rows:
			all++
		default:
			t.Fatalf("cycle %d: got %d rows, want all or none", cycle, got)
		}
		if left, _ := filepath.Glob(db + ".spool-*"); len(left) > 0 {
			t.Errorf("cycle %d: got %v left, want nothing", cycle, left)
		}
	}
	got, err := postRows(t.Context(), server.base, body)
	if err != nil || countRows(t, server) != rows {
		t.Errorf("got %s, %v, want all rows", got, err)
	}
	memory := "not measured here"
	if runtime.GOOS == "linux" {
		peak := peakMemory(t, server)
		if memory = mebibytes(peak); peak >= mostForMany {
			t.Errorf("got %s of memory, want less than %s", memory, mebibytes(mostForMany))
		}
	}
	if err := server.stop(t); err != nil {
		t.Errorf("got %v, want an exit with 0", err)
	}
	if out, err := exec.CommandContext(t.Context(), app, "verify", "--db", db).CombinedOutput(); err != nil {
		t.Errorf("app verify: %v\n%s", err, out)
	}
	figure{
		fmt.Sprintf("kill -9 while %d rows are stored", rows), fmt.Sprintf("%d cycles: all rows or none", cycles),
		fmt.Sprintf("%d cycles: %d times all, %d times none; memory %s", cycles, all, none, memory), "one row more or less is another head of the journal, and is found",
	}.report(t)
}

// manyRows is a body with so many actuals.
func manyRows(rows int) []byte {
	b := &bytes.Buffer{}
	b.WriteString("department,gl_code,fiscal_year,fiscal_period,amount,currency\n")
	for i := range rows {
		fmt.Fprintf(b, "D1,A%d,%d,%d,%d,USD\n", i%accountsOfMany, 1900+i/accountsOfMany/12, i/accountsOfMany%12+1, i)
	}
	return b.Bytes()
}

func postRows(ctx context.Context, base string, body []byte) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/api/v1/actuals/bulk", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "text/csv")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	return string(answer), err
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

// countRows is how many rows the journal has, beside the department and its accounts.
func countRows(t *testing.T, server *process) int {
	t.Helper()
	head := decoded[struct{ Seq int }](t, server.send(t, http.MethodGet, "/api/v1/session", "", http.StatusOK))
	return head.Seq - accountsOfMany - 1
}
