package imports_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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

// TestASmallFileDoesNotWait: a small file is read while a large one has the turn, and another large one waits.
func TestASmallFileDoesNotWait(t *testing.T) {
	s, folder, _ := open(t)
	release := s.Hold()
	large, err := s.Add(t.Context(), upload(t, folder, "departments", "code,name\nFIN,"+strings.Repeat("x", 40)+strings.Repeat("\n", 1<<20)))
	if err != nil || large.State != "reading" {
		t.Errorf("a large file: got %+v, %v, want it to wait", large, err)
	}
	small, err := s.Add(t.Context(), upload(t, folder, "departments", "code,name\nFIN,Finance\n"))
	for err == nil && small.State == "reading" {
		small, err = s.Get(t.Context(), "me", small.ID)
	}
	if err != nil || small.State != "ready" {
		t.Errorf("a small file: got %+v, %v, want it read", small, err)
	}
	release()
	for err == nil && large.State == "reading" {
		large, err = s.Get(t.Context(), "me", large.ID)
	}
	if err != nil || large.State != "ready" {
		t.Errorf("a large file after that: got %+v, %v, want it read", large, err)
	}
}

// TestHowMuchIsDone: the reading of a file and the storing of its records tell how much of each is done, which never falls,
// and end with all.
func TestHowMuchIsDone(t *testing.T) {
	s, folder, _ := open(t)
	var file strings.Builder
	file.WriteString("code,name\n")
	for i := range 5000 {
		file.WriteString("D" + strconv.Itoa(i) + ",Department\n")
	}
	u := upload(t, folder, "departments", file.String())
	var told []float64
	u.Told = func(done, all int64) { told = append(told, float64(done)/float64(all)) }
	one, err := s.Add(t.Context(), u)
	for err == nil && one.State == "reading" {
		one, err = s.Get(t.Context(), "me", one.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	wantRising(t, "reading", told)
	told = nil
	if _, err := s.Commit(t.Context(), "me", one.ID, imports.Order{Revision: one.Revision}, nil); err != nil {
		t.Fatal(err)
	}
	wantRising(t, "storing", told)
}

func wantRising(t *testing.T, name string, told []float64) {
	t.Helper()
	if len(told) < 4 || !slices.IsSorted(told) || told[len(told)-1] != 1 || told[len(told)-2] >= 1 {
		t.Errorf("%s: got %v, want more and more, and all at the end", name, told)
	}
}

// TestUnreadTextsInRowsToMend: the texts of columns without a field have their umlauts in the rows to mend, whatever
// the encoding of the file, and a formula among them is made harmless.
func TestUnreadTextsInRowsToMend(t *testing.T) {
	s, folder, _ := open(t)
	u := upload(t, folder, "departments", "code,name,Leiter,Büro\n,Finance,J\xfcrgen,Süd\n,Sales,=1+\xfc,\n")
	one, err := s.Add(t.Context(), u)
	for err == nil && one.State == "reading" {
		one, err = s.Get(t.Context(), "me", one.ID)
	}
	if err != nil || one.State != "ready" || one.Counts.Wrong != 2 {
		t.Fatalf("got %+v, %v, want two wrong rows and no question", one, err)
	}
	var mended strings.Builder
	if err := s.WriteRows(t.Context(), "me", one.ID, "wrong", &mended); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"code,name,Leiter,Büro,line,", "\n,Finance,Jürgen,Süd,2,", "\n,Sales,'=1+ü,,3,"} {
		if !strings.Contains(mended.String(), want) {
			t.Errorf("got\n%s\nwant %q in it", mended.String(), want)
		}
	}
}

// TestMergedCellsInRowsToMend: where a map repeats merged cells, the rows to mend have them too, since CSV has none.
func TestMergedCellsInRowsToMend(t *testing.T) {
	s, folder, _ := open(t)
	content, err := os.ReadFile("../tables/testdata/imports/48-xlsx-merged-department.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	u := upload(t, folder, "actuals", string(content))
	u.Map = exchange.Map{FillDown: "repeat"}
	one, err := s.Add(t.Context(), u)
	for err == nil && one.State == "reading" {
		one, err = s.Get(t.Context(), "me", one.ID)
	}
	if err != nil || one.Counts.Wrong != 4 {
		t.Fatalf("got %+v, %v, want four wrong rows, as no department is there", one, err)
	}
	var mended strings.Builder
	if err := s.WriteRows(t.Context(), "me", one.ID, "wrong", &mended); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(mended.String(), "\r\n")
	for i, want := range []string{"FIN,6100,", "FIN,6200,", "FIN,5000,", "OPS,6100,"} {
		if len(lines) < 5 || !strings.HasPrefix(lines[i+1], want) {
			t.Errorf("got\n%s\nwant the row %d to begin with %s", mended.String(), i+1, want)
		}
	}
}
