package imports_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/imports"
	"daybook/internal/spool"
)

// open returns a service on a new database, and the folder of its files.
func open(t *testing.T) (*imports.Service, spool.Folder, string) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder := spool.Beside(filepath.Join(dir, "app.db"))
	service := imports.New(folder, store)
	t.Cleanup(func() {
		service.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return service, folder, dir
}

// upload is a file as it was sent.
func upload(t *testing.T, folder spool.Folder, kind, content string) imports.Upload {
	t.Helper()
	kept, err := folder.New()
	if err == nil {
		_, err = kept.WriteString(content)
	}
	if err != nil {
		t.Fatal(err)
	}
	return imports.Upload{Owner: "me", Kind: kind, Name: "a.csv", Content: kept, Size: int64(len(content))}
}

// TestAnImportEndsAnHourAfterItsLastUse: each use counts, and then its files are gone.
func TestAnImportEndsAnHourAfterItsLastUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, folder, dir := open(t)
		one, err := s.Add(t.Context(), upload(t, folder, "departments", "code,name\nFIN,Finance\n"))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			time.Sleep(imports.Lifetime - time.Second)
			if _, err := s.Get(t.Context(), "me", one.ID); err != nil {
				t.Fatalf("within the hour: got %v, want it", err)
			}
		}
		time.Sleep(imports.Lifetime + time.Second)
		synctest.Wait()
		if _, err := s.Get(t.Context(), "me", one.ID); fault.KindOf(err) != fault.NotFound {
			t.Errorf("after the hour: got %v, want none", err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("got the files %v, %v, want none", left, err)
		}
	})
}

// TestRowsAreKeptAsTheyAre: what is read back of the rows is what the check gave, whatever their texts are.
func TestRowsAreKeptAsTheyAre(t *testing.T) {
	s, folder, _ := open(t)
	var file strings.Builder
	file.WriteString("Costs\ncode,name,cost_center\n")
	for i := range 2500 {
		file.WriteString("D" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + time.Duration(i).String() + ",\"a \"\"name\"\", ünï\",=1+1\n")
	}
	file.WriteString("Total,,\nD-wrong,,\n")
	one, err := s.Add(t.Context(), upload(t, folder, "departments", file.String()))
	for err == nil && one.State == "reading" {
		one, err = s.Get(t.Context(), "me", one.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := one.Counts; got.New != 2500 || got.Wrong != 2 || got.Skipped != 1 {
		t.Fatalf("got %+v (%+v), want 2500 new, 2 wrong and 1 skipped", got, one.Findings)
	}
	seen, after := 0, 0
	for {
		rows, err := s.Rows(t.Context(), "me", one.ID, "", after, 700)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			seen++
			after = row.N
			if row.N != seen {
				t.Fatalf("got the row %d, want %d", row.N, seen)
			}
			if row.Result == "new" && (row.After[1] != `a "name", ünï` || row.After[2] != "=1+1" || row.Line != row.N+1) {
				t.Fatalf("got %+v, want the texts of the file", row)
			}
		}
		if len(rows) < 700 {
			break
		}
	}
	if seen != 2503 {
		t.Errorf("got %d rows, want 2503", seen)
	}
	wrong, err := s.Rows(t.Context(), "me", one.ID, "wrong", 0, 10)
	if err != nil || len(wrong) != 2 || wrong[1].Line != 2504 || len(wrong[1].Findings) != 1 || wrong[1].Findings[0].Code != "missing" {
		t.Errorf("got %+v, %v, want the two wrong rows with their reasons", wrong, err)
	}
	if err == nil && len(wrong) == 2 && !slices.Equal(wrong[1].Cells, []string{"D-wrong", "", ""}) {
		t.Errorf("got the cells %q, want those of the file", wrong[1].Cells)
	}
	if skipped, err := s.Rows(t.Context(), "me", one.ID, "skipped", 0, 10); err != nil || len(skipped) != 1 || skipped[0].Reason != "above_header" || skipped[0].Line != 1 {
		t.Errorf("got %+v, %v, want the row above the header", skipped, err)
	}
}

// TestAMapWhileAFileIsRead: a new map ends the reading under the one before, and only the newest counts.
func TestAMapWhileAFileIsRead(t *testing.T) {
	s, folder, dir := open(t)
	one, err := s.Add(t.Context(), upload(t, folder, "departments", "code,name\n"+strings.Repeat("FIN,Finance\n", 200_000)))
	for i := 0; err == nil && i < 5; i++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, err = s.SetMap(ctx, "me", one.ID, exchange.Map{Kind: "departments", Duplicates: "last"})
		cancel()
		if ctx.Err() != nil {
			err = nil
		}
	}
	if err == nil { // a map whose request is given up may be given up with it, so the last one waits
		one, err = s.SetMap(t.Context(), "me", one.ID, exchange.Map{Kind: "departments", Duplicates: "last"})
	}
	for err == nil && one.State == "reading" {
		one, err = s.Get(t.Context(), "me", one.ID)
	}
	if err != nil || one.Revision == 1 || one.Counts.New != 1 {
		t.Fatalf("got %+v, %v, want one department", one, err)
	}
	if err := s.Delete("me", one.ID); err != nil {
		t.Error(err)
	}
	s.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got the files %v, %v, want none", left, err)
	}
}

// TestNameOf: a name has no folders, and nothing that hides what it is.
func TestNameOf(t *testing.T) {
	for raw, want := range map[string]string{
		"Q4.csv": "Q4.csv", "../../etc/passwd": "passwd", `C:\books\Q4.csv`: "Q4.csv", "a\u202Evsc.exe": "avsc.exe", "a\x00b\n": "ab", "": "", "x/": "",
	} {
		if got := imports.NameOf(raw); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	}
}
