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

// mostWAL is the bound on the size of the write-ahead log.
const mostWAL = 64 << 20

// TestLogStaysSmall: some clients write while others read a long list slowly. The write-ahead log
// stays smaller than its bound.
func TestLogStaysSmall(t *testing.T) {
	during := 10 * time.Second
	if *soak {
		during = *soakTime
	}
	db := newFile(t)
	mustRunApp(t, "seed", "--db", db, "--trades", "30000") // so that the list does not fit in the buffers
	c := newCrowd(t, db, false)
	peak, lists := writeBesideSlowReaders(t, c, during)
	if peak >= mostWAL {
		t.Errorf("got a write-ahead log of %s, want less than %s", mebibytes(peak), mebibytes(mostWAL))
	}
	if lists == 0 {
		t.Error("got no list read to its end by a slow reader, want at least one")
	}
	for _, complaint := range append(c.settle(t), verified(t, c.db)...) {
		t.Error(complaint)
	}
	figure{
		"write-ahead log beside slow readers", fmt.Sprintf("under %s for %s", mebibytes(mostWAL), during),
		fmt.Sprintf("at most %s in %d writes, %d lists read slowly", mebibytes(peak), c.acknowledged(), lists),
		"a reader that keeps its transaction open: " + mebibytes(growsBesidePinned(t)),
	}.report(t)
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// writeBesideSlowReaders writes for a while, and in the short form at least until one list was read to
// its end. It returns the largest size of the write-ahead log, and how many lists were read to their
// end.
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
				if readSlowly(ctx, c.server.base+"/trade/list") == nil {
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

// readSlowly reads a list in small pieces with pauses, on a connection of its own.
func readSlowly(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	alone := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: dialSmallBuffer}}
	response, err := alone.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
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

// dialSmallBuffer opens a connection with a small receive buffer.
func dialSmallBuffer(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, addr)
	if tcp, is := conn.(*net.TCPConn); is {
		err = tcp.SetReadBuffer(16 << 10)
	}
	return conn, err
}

// logSize returns the size of a database's write-ahead log. It opens no file.
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

// growsBesidePinned is the control: another program keeps a read transaction open, so the log must
// grow beyond the bound.
func growsBesidePinned(t *testing.T) int64 {
	t.Helper()
	db := newFile(t)
	server := serve(t, db)
	defer pin(t, db)()
	size := growLog(t, server.client, db, mostWAL)
	if size <= mostWAL {
		t.Errorf("beside an open read transaction: got a write-ahead log of %s, want more than %s", mebibytes(size), mebibytes(mostWAL))
	}
	server.kill()
	return size
}

// growLog writes large records until the write-ahead log is larger than that, and returns its size.
func growLog(t *testing.T, c *client, db string, want int64) (size int64) {
	t.Helper()
	c.send(t, http.MethodPost, "/api/v1/department/create", `{"code":"LOG","name":"Log"}`, http.StatusCreated)
	note := strings.Repeat("\U0001F4C8", 4000) // the longest allowed
	var writing sync.WaitGroup
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	for w := range writers {
		writing.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				body := fmt.Sprintf(`{"code":"L%d-%d","type":"opex","description":%q}`, w, i, note)
				got, err := c.do(ctx, http.MethodPost, "/api/v1/gl-accounts", body, "")
				if err == nil && got.status != http.StatusCreated {
					t.Errorf("got %d %s, want 201", got.status, got.body)
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
