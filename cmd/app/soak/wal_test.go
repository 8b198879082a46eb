package soak_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// mostWAL is what the write-ahead log stays under.
const mostWAL = 64 << 20

// TestLogStaysSmall: clients write beside others that take a long list slowly, and the
// write-ahead log does not grow beyond its bound.
func TestLogStaysSmall(t *testing.T) {
	during := 10 * time.Second
	if *soak {
		during = *soakTime
	}
	db := newFile(t)
	mustRunApp(t, "seed", "--db", db, "--trades", "30000") // a list longer than what lies in buffers
	c := newCrowd(t, db, false)
	peak, lists := writeBesideSlowReaders(t, c, during)
	if peak >= mostWAL {
		t.Errorf("got a write-ahead log of %s, want less than %s", mebibytes(peak), mebibytes(mostWAL))
	}
	if lists == 0 {
		t.Error("no slow reader came to the end of a list")
	}
	for _, complaint := range append(c.settle(t), verified(t, c.db)...) {
		t.Error(complaint)
	}
	figure{
		"write-ahead log beside slow readers", fmt.Sprintf("under %s for %s", mebibytes(mostWAL), during),
		fmt.Sprintf("at most %s in %d writes, %d lists taken slowly", mebibytes(peak), c.acknowledged(), lists),
		"a reader that keeps its transaction open: " + mebibytes(growsBesidePinned(t)),
	}.report(t)
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// writeBesideSlowReaders writes for a while, and in the short form until a list was taken to
// its end. It returns the largest size that the write-ahead log had, and how many lists were
// taken.
func writeBesideSlowReaders(t *testing.T, c *crowd, during time.Duration) (peak int64, lists int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), during+patience)
	defer stop()
	var busy sync.WaitGroup
	for _, s := range c.clients {
		busy.Go(func() { s.writeUntilCut(ctx, c.server.client) })
	}
	const slow = 4
	var taken atomic.Int64
	for range slow {
		busy.Go(func() {
			for ctx.Err() == nil {
				if takeSlowly(ctx, c.server.base+"/trade/list") == nil {
					taken.Add(1)
				}
			}
		})
	}
	for began := time.Now(); ctx.Err() == nil && (time.Since(began) < during || !*soak && taken.Load() == 0); {
		peak = max(peak, logSize(t, c.db))
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	busy.Wait()
	return peak, int(taken.Load())
}

// takeSlowly reads a list in small pieces with pauses, on a connection of its own.
func takeSlowly(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	alone := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: dialNarrow}}
	response, err := alone.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // it was read, or given up
	piece := make([]byte, 16<<10)
	for {
		if _, err := io.ReadFull(response.Body, piece); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return ctx.Err()
			}
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// dialNarrow opens a connection on which little lies waiting.
func dialNarrow(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, addr)
	if tcp, is := conn.(*net.TCPConn); is {
		err = tcp.SetReadBuffer(16 << 10)
	}
	return conn, err
}

// logSize is the size of a database's write-ahead log. Asking for it opens nothing.
func logSize(t *testing.T, db string) int64 {
	t.Helper()
	info, err := os.Stat(db + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// growsBesidePinned is the control: beside a reader of another program that keeps its
// transaction open, the log cannot but grow beyond the bound.
func growsBesidePinned(t *testing.T) int64 {
	t.Helper()
	db := newFile(t)
	server := serve(t, db)
	defer pin(t, db)()
	size := growLog(t, server.client, db, mostWAL)
	if size <= mostWAL {
		t.Errorf("beside a pinned reader the write-ahead log has %s, want more than %s", mebibytes(size), mebibytes(mostWAL))
	}
	server.kill()
	return size
}

// growLog writes large records until the write-ahead log has a size, and returns what
// it has then.
func growLog(t *testing.T, c *client, db string, want int64) (size int64) {
	t.Helper()
	c.send(t, http.MethodPost, "/api/v1/department/create", `{"code":"LOG","name":"Log"}`, http.StatusCreated)
	note := strings.Repeat("\U0001F4C8", 4000) // the longest there is
	var writing sync.WaitGroup
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	for w := range writers {
		writing.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				body := fmt.Sprintf(`{"code":"L%d-%d","type":"opex","description":%q}`, w, i, note)
				got, err := c.do(ctx, http.MethodPost, "/api/v1/gl-accounts", body, "")
				if err == nil && got.status != http.StatusCreated {
					t.Errorf("got %d %s", got.status, got.body)
					return
				}
			}
		})
	}
	for size <= want && ctx.Err() == nil {
		time.Sleep(5 * time.Millisecond)
		size = logSize(t, db)
	}
	stop()
	writing.Wait()
	return size
}
