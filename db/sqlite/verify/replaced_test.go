package verify_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	driver "modernc.org/sqlite"

	"daybook/db/sqlite"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/trading"
)

// openings has the function that onOpening has set.
var openings struct {
	once  sync.Once
	mutex sync.Mutex
	call  func(dsn string) error
}

// onOpening makes database/sql call a function whenever it opens a file, with the URI of the file, until
// the test ends.
func onOpening(t *testing.T, call func(dsn string) error) {
	t.Helper()
	set := func(call func(string) error) {
		openings.mutex.Lock()
		defer openings.mutex.Unlock()
		openings.call = call
	}
	openings.once.Do(func() {
		driver.RegisterConnectionHook(func(_ driver.ExecQuerierContext, dsn string) error {
			openings.mutex.Lock()
			defer openings.mutex.Unlock()
			if openings.call == nil {
				return nil
			}
			return openings.call(dsn)
		})
	})
	set(call)
	t.Cleanup(func() { set(nil) })
}

// TestVerifyOfAFileThatIsReplaced: a restore replaces the file while verify reads it, at each moment
// when verify opens it. Verify says that the file changed, or finds no damage in one of the two files.
// It always ends.
func TestVerifyOfAFileThatIsReplaced(t *testing.T) {
	one, other := sqlitetest.RecordOfEach(t, sqlite.Open), sqlitetest.RecordOfEach(t, sqlite.Open)
	s, err := sqlite.Open(t.Context(), other, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.AddCurrency(t.Context(), trading.Currency{Code: "ISK", Name: "Krona"})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	one, _ = sqlitetest.BackupOf(t, one)
	other, _ = sqlitetest.BackupOf(t, other)
	refused := 0
	for nth, opened := 1, 1; opened >= nth; nth++ {
		path, next := filepath.Join(t.TempDir(), "app.db"), filepath.Join(t.TempDir(), "next.db")
		if err := errors.Join(sqlitebackup.Duplicate(one, path), sqlitebackup.Duplicate(other, next)); err != nil {
			t.Fatal(err)
		}
		opened = 0
		onOpening(t, func(dsn string) error {
			if !strings.Contains(dsn, path) {
				return nil
			}
			opened++
			if opened != nth {
				return nil
			}
			return os.Rename(next, path)
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // far more than a verification takes
		v, err := verify.Database(ctx, path, nil)
		cancel()
		switch {
		case err != nil && strings.Contains(err.Error(), "changed while it was read"):
			refused++
		case err != nil || len(v.Findings) > 0:
			t.Errorf("replaced after opening %d: got %v, %v, want no finding, or the error that it changed", nth, v.Findings, err)
		}
	}
	if refused == 0 {
		t.Error("got no verification that noticed the change, want at least one")
	}
}
