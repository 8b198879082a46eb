package soak_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// wantHealth fails the test unless both /health and /ready answer with the status.
func wantHealth(t *testing.T, p *process, when string, want int) {
	t.Helper()
	for _, target := range []string{"/health", "/ready"} {
		got, err := p.do(t.Context(), http.MethodGet, target, "", "")
		if err != nil || got.status != want {
			t.Errorf("%s: %s: got %d %s, %v, want %d", when, target, got.status, got.body, err, want)
		}
	}
}

// TestHealthUnderReaders: while 16 clients read the largest lists and reports, /health and /ready
// answer with 200, and writes succeed.
func TestHealthUnderReaders(t *testing.T) {
	db := newFile(t)
	mustRunApp(t, "seed", "--db", db)
	p := serve(t, db)
	ctx, stop := context.WithCancel(t.Context())
	var reading sync.WaitGroup
	for i := range 16 {
		target := []string{
			"/api/v1/overview", "/api/v1/quality", "/api/v1/variance/summary?year=2025&period=12&by=line&span=year_to_date",
			"/api/v1/variance/trend?year=2025", "/api/v1/variance?year=2025&period=6", "/api/v1/positions", "/trade/list", "/api/v1/budgets?sort=-amount",
		}[i%8]
		reading.Go(func() {
			for ctx.Err() == nil {
				got, err := p.do(ctx, http.MethodGet, target, "", "")
				if err == nil && got.status != http.StatusOK {
					t.Errorf("%s: got %d %s, want 200", target, got.status, got.body)
				}
			}
		})
	}
	for i := range 50 {
		wantHealth(t, p, "beside heavy readers", http.StatusOK)
		p.send(t, http.MethodPost, "/currency/add", fmt.Sprintf(`{"code":"C%02d"}`, i), http.StatusCreated)
	}
	stop()
	reading.Wait()
}

// harm is damage that another program does to a file of a database while the server runs, and how it
// is undone.
type harm struct {
	part     string // the ending of the file's name: "", "-wal" or "-shm"
	do, undo func(path string, good []byte) error
}

// harms returns the kinds of damage that the server must notice. other is the content of another
// database.
func harms(other []byte) map[string]harm {
	moveAway := func(path string, _ []byte) error { return os.Rename(path, path+".aside") }
	moveBack := func(path string, _ []byte) error { return os.Rename(path+".aside", path) }
	replace := func(path string, good []byte) error {
		return errors.Join(moveAway(path, good), os.WriteFile(path, make([]byte, len(good)), 0o600))
	}
	return map[string]harm{
		"replaced": {"", func(path string, good []byte) error {
			return errors.Join(moveAway(path, good), os.WriteFile(path, other, 0o600))
		}, moveBack},
		"its log replaced":   {"-wal", replace, moveBack},
		"the index replaced": {"-shm", replace, moveBack},
	}
}

// TestHealthOfAFileThatIsHarmed damages a file of the database while the server runs. /health, /ready
// and writes answer with 503 until the damage is undone. After a kill and a restart, the database has
// exactly the writes that were acknowledged.
func TestHealthOfAFileThatIsHarmed(t *testing.T) {
	elsewhere := newFile(t)
	mustRunApp(t, "seed", "--db", elsewhere)
	for name, harm := range harms(content(t, elsewhere)) {
		t.Run(name, func(t *testing.T) {
			db := newFile(t)
			mustRunApp(t, "seed", "--db", db)
			p := serve(t, db)
			add := func(code string, want int) {
				t.Helper()
				p.send(t, http.MethodPost, "/currency/add", `{"code":"`+code+`"}`, want)
			}
			add("BEFORE", http.StatusCreated)
			wantHealth(t, p, "before", http.StatusOK)
			good := content(t, db+harm.part)
			if err := harm.do(db+harm.part, good); err != nil {
				t.Fatal(err)
			}
			add("BETWEEN", http.StatusServiceUnavailable)
			wantHealth(t, p, "meanwhile", http.StatusServiceUnavailable)
			if err := harm.undo(db+harm.part, good); err != nil {
				t.Fatal(err)
			}
			wantHealth(t, p, "afterwards", http.StatusOK)
			add("AFTER", http.StatusCreated)
			p.kill()
			wantAfterARestart(t, db, map[string]bool{"BEFORE": true, "BETWEEN": false, "AFTER": true})
		})
	}
}

// wantAfterARestart starts a server on a database. It fails the test unless each currency in codes is
// there (true) or missing (false), and `app verify` finds nothing wrong.
func wantAfterARestart(t *testing.T, db string, codes map[string]bool) {
	t.Helper()
	p := serve(t, db)
	wantHealth(t, p, "after a restart", http.StatusOK)
	listed := p.get(t, "/currency/list")
	for code, want := range codes {
		if got := bytes.Contains(listed, []byte(`"`+code+`"`)); got != want {
			t.Errorf("after a restart: got %s: %v, want %v", code, got, want)
		}
	}
	for _, complaint := range verified(t, db) {
		t.Error(complaint)
	}
}

// TestAnIndexThatIsCutOffLosesNothing cuts the -shm file to 0 bytes while a server answers reads and
// writes. From then on every read and write is answered with 503, and the server logs why. The server
// does not crash. After a restart every acknowledged write is there.
func TestAnIndexThatIsCutOffLosesNothing(t *testing.T) {
	for name, end := range map[string]func(*process){
		"killed":  func(p *process) { p.kill() },
		"stopped": func(p *process) { _ = p.stop(t) }, // it ends with an error about the -shm file
	} {
		t.Run(name, func(t *testing.T) {
			db := newFile(t)
			mustRunApp(t, "seed", "--db", db)
			p := serve(t, db)
			wait := addUntilRefused(t, p)
			if err := os.Truncate(db+"-shm", 0); err != nil {
				t.Fatal(err)
			}
			codes := wait()
			for range 4 {
				for _, target := range []string{"/currency/list", "/trade/list", "/api/v1/overview", "/api/v1/journal"} {
					got, err := p.do(t.Context(), http.MethodGet, target, "", "")
					if err != nil || got.status != http.StatusServiceUnavailable {
						t.Fatalf("%s: got %d, %v, want 503\n%s", target, got.status, err, p.stderr.String())
					}
				}
				wantHealth(t, p, "cut off", http.StatusServiceUnavailable)
			}
			if said := p.stderr.String(); !strings.Contains(said, "(-shm) beside the database was removed, replaced or cut off") {
				t.Errorf("got the log %q, want it to name the -shm file", said)
			}
			end(p)
			wantAfterARestart(t, db, codes)
		})
	}
}

// addUntilRefused lets four clients add currencies at once, and returns when 50 were acknowledged.
// The clients go on until each is refused. wait waits for that, and returns the acknowledged codes.
func addUntilRefused(t *testing.T, p *process) (wait func() map[string]bool) {
	t.Helper()
	const some = 50
	var mu sync.Mutex
	codes, enough := map[string]bool{}, make(chan struct{})
	var busy sync.WaitGroup
	for w := range 4 {
		busy.Go(func() {
			for i := 0; ; i++ {
				code := fmt.Sprintf("W%dN%d", w, i)
				got, err := p.do(t.Context(), http.MethodPost, "/currency/add", `{"code":"`+code+`"}`, "")
				if err != nil || got.status != http.StatusCreated {
					return
				}
				mu.Lock()
				if codes[code] = true; len(codes) == some {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(patience):
		t.Fatalf("got fewer than %d currencies acknowledged within %s\n%s", some, patience, p.stderr.String())
	}
	return func() map[string]bool { busy.Wait(); return codes }
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
