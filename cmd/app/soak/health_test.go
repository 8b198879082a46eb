package soak_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"testing"
)

// wantHealth complains when health, or ready, does not answer with the status.
func wantHealth(t *testing.T, p *process, when string, want int) {
	t.Helper()
	for _, target := range []string{"/health", "/ready"} {
		got, err := p.do(t.Context(), http.MethodGet, target, "", "")
		if err != nil || got.status != want {
			t.Errorf("%s: %s: got %d %s, %v, want %d", when, target, got.status, got.body, err, want)
		}
	}
}

// TestHealthUnderReaders: as long as many read all that is heavy, health and ready say that
// all is well, and writes are taken.
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

// TestHealthOfAFileThatIsHarmed: what somebody does to the file under a running server turns
// health and ready to 503 and refuses writes, until it is undone. What was acknowledged is
// there after a kill, and nothing else.
func TestHealthOfAFileThatIsHarmed(t *testing.T) {
	elsewhere := newFile(t)
	mustRunApp(t, "seed", "--db", elsewhere)
	other := content(t, elsewhere)
	for name, harm := range map[string]func(db string) error{
		"8 KiB zeroed": func(db string) (err error) {
			f, err := os.OpenFile(db, os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteAt(make([]byte, 8<<10), 0)
				err = errors.Join(err, f.Close())
			}
			return err
		},
		"cut off":                       func(db string) error { return os.Truncate(db, 100_000) },
		"another database copied there": func(db string) error { return os.WriteFile(db, other, 0o600) }, // as cp does
		"replaced":                      func(db string) error { return errors.Join(os.Rename(db, db+".aside"), os.WriteFile(db, other, 0o600)) },
	} {
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
			good := content(t, db)
			if err := harm(db); err != nil {
				t.Fatal(err)
			}
			add("BETWEEN", http.StatusServiceUnavailable)
			wantHealth(t, p, "meanwhile", http.StatusServiceUnavailable)
			undo := func() error { return os.WriteFile(db, good, 0o600) }
			if name == "replaced" {
				undo = func() error { return os.Rename(db+".aside", db) }
			}
			if err := undo(); err != nil {
				t.Fatal(err)
			}
			wantHealth(t, p, "afterwards", http.StatusOK)
			add("AFTER", http.StatusCreated)
			p.kill()
			p = serve(t, db)
			listed := p.get(t, "/currency/list")
			for code, want := range map[string]bool{"BEFORE": true, "BETWEEN": false, "AFTER": true} {
				if got := bytes.Contains(listed, []byte(`"`+code+`"`)); got != want {
					t.Errorf("after a kill: got %s: %v, want %v", code, got, want)
				}
			}
			for _, complaint := range verified(t, db) {
				t.Error(complaint)
			}
		})
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
