package sqlite

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// A migration that was released is in databases somewhere, and never changes again: not
// by a space, since verifying compares a schema with the text that made it.
func TestReleasedMigrationsNeverChange(t *testing.T) {
	released := map[string]string{
		"00001_portfolio_and_budget.sql": "021b0dbfb7415a486cec11fdc523a7c29bf76caecda77162f56e259fe2a0539e",
		"00002_journal.sql":              "a10cb05032f4adb74659d2adff9e6eb41442c899e4f26722da2cd4cde6aa0641",
		"00004_idempotency.sql":          "05b2af13841bee52e088e7764d116c25c952898c13f3f78a1b5820bfa94df81a",
		"00005_access.sql":               "b1a65586778b2e60f59ab543d63ab58eaf54620407b639f4394627782c121044",
		"00006_journal_by_record.sql":    "64afc5bf813b5d284ed0fb1472f95c0f06548d462a123920c7db2e3f4db38337",
		"00007_trades_covered.sql":       "8594cf4b1285d130f92f269f5801e179bfb6325ca306f46e5a7f7ecfd3b18c9a",
		"00008_positions_result.sql":     "6f6a1b090b83864bce4711affa02b977b852878a5eff9e3d4dba2e0d58ba5d70",
		"00010_past_positions.sql":       "a9dba09825d7ae47e0748375e2d060223fa4640bca0843a192fe8f9497098d32",
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(released) {
		t.Errorf("got %d migrations, want the %d that are listed here", len(files), len(released))
	}
	for _, file := range files {
		content, err := fs.ReadFile(migrations, file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		if got, want := hex.EncodeToString(sum[:]), released[filepath.Base(file)]; got != want {
			t.Errorf("%s: got the SHA-256 %s, want %q; a change of the schema is a migration of its own", file, got, want)
		}
	}
}

// A database of the first release migrates, is whole, and goes on where it stood.
func TestADatabaseOfTheFirstReleaseMigrates(t *testing.T) {
	statements, err := os.ReadFile("testdata/version1.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "app.db")
	behindItsBack(t, path, string(statements))
	if steps, err := Migrate(t.Context(), path); err != nil || len(steps) == 0 || steps[0].Version != 2 {
		t.Fatalf("got %v, %v, want the steps from 2 on", steps, err)
	}
	v, err := Verify(t.Context(), path, nil)
	if err != nil || len(v.Findings) > 0 || v.Records != 17 || v.Entries != 17 {
		t.Fatalf("got %+v, %v, want 17 records in 17 entries and nothing found", v, err)
	}
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	held := map[money.Currency]int64{}
	for p, err := range s.Positions(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		held[p.Currency] = p.Quantity
	}
	if held["USD"] != 6 || held["EUR"] != -3 {
		t.Errorf("got the positions %v, want 6 and -3", held)
	}
	if d, err := s.Department(t.Context(), budget.Identifier{By: budget.ByCode, Value: "Ärzte"}); err != nil || d.ID != 2 {
		t.Errorf("got %+v, %v, want department 2 by its code in another case", d, err)
	}
	if c, err := s.AddCurrency(t.Context(), trading.Currency{Code: "CHF", Name: "Franc"}); err != nil || c.ID != 4 {
		t.Errorf("a new currency: got %+v, %v, want the id 4, since 3 was given before", c, err)
	}
	key := budget.LineKey{Key: budget.Key{DepartmentID: 2, AccountID: 2, Year: 2026, Period: 1}, Version: budget.Original}
	if l, err := s.CreateLines(t.Context(), []budget.Line{{LineKey: key, Amount: 1, Currency: "EUR"}}); err != nil || l[0].ID != 5 {
		t.Errorf("a new line: got %v, %v, want the id 5, since 4 was given before", l, err)
	}
	if _, err := s.VoidTrade(t.Context(), 2); err != nil {
		t.Error(err)
	}
	if got := found(t, path); len(got) > 0 {
		t.Errorf("after it was written: got %q, want nothing", got)
	}
}
