package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// run runs the command line in this process.
func run(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	command := newCommand(browse)
	command.SetIn(strings.NewReader(in))
	command.SetOut(&out)
	command.SetErr(&out)
	command.SetArgs(args)
	err := command.ExecuteContext(t.Context())
	return out.String(), err
}

// mustRun is run of what has to succeed.
func mustRun(t *testing.T, in string, args ...string) string {
	t.Helper()
	out, err := run(t, in, args...)
	if err != nil {
		t.Fatalf("app %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

const (
	city     = "../../internal/api/testdata/philadelphia/"
	rawPages = "../../internal/tables/testdata/philadelphia/"
	maps     = "../../internal/exchange/testdata/philadelphia/"
)

// TestImportPhiladelphia: the five pages of the city as published, each with its map, are stored as the figures of the
// city's records.
func TestImportPhiladelphia(t *testing.T) {
	db := filepath.Join(t.TempDir(), "app.db")
	mustRun(t, "", "import", "departments", city+"departments.csv", "--db", db)
	mustRun(t, "", "import", "accounts", city+"accounts.csv", "--db", db)
	for page, kind := range map[string]string{"FY22-FY26-Adopted": "budgets", "FY22_Q1": "budgets", "FY22_Q2": "budgets", "FY22_Q3": "budgets", "FY22_Q4": "actuals"} {
		out := mustRun(t, "", "import", kind, rawPages+page+".csv", "--map", maps+page+".json", "--db", db)
		if !strings.Contains(out, kind+": 252 new, 0 changed") || !strings.Contains(out, "stored as batch") || !strings.Contains(out, "doubtful: The number has the other decimal mark") {
			t.Errorf("%s: got %s, want 252 new, stored, and the doubtful cells", page, out)
		}
	}
	for kind, file := range map[string]string{"budgets": "budget.csv", "actuals": "actuals.csv"} {
		got := figures(t, []byte(mustRun(t, "", "export", kind, "--db", db)))
		content, err := os.ReadFile(city + file)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(figures(t, content), func(row string) bool { return !strings.HasPrefix(row, "GF ") || strings.HasPrefix(row, "GF 7000 ") })
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %d figures, want %d", kind, len(got), len(want))
		}
	}
}

// figures are the keys and amounts of postings, in order.
func figures(t *testing.T, content []byte) (list []string) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	most := slices.Index(rows[0], "currency")
	for _, row := range rows[1:] {
		list = append(list, strings.Join(row[:most], " "))
	}
	slices.Sort(list)
	return list
}

// TestImportTroubles: each file of somebody's trouble is read on the command line as its JSON says, and the exit code follows.
func TestImportTroubles(t *testing.T) {
	const folder = "../../internal/exchange/testdata/imports/"
	var setup struct {
		Departments []string
		Accounts    [][2]string
	}
	readJSON(t, folder+"SETUP.json", &setup)
	names, err := filepath.Glob(folder + "[0-9]*.json")
	if err != nil || len(names) < 42 {
		t.Fatalf("got %d files, %v, want at least 42", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) {
			t.Parallel()
			var one trouble
			readJSON(t, name, &one)
			if one.File == "" || len(one.Expect.Columns) > 0 { // it is about an export, or its columns are answered by a map
				return
			}
			db := filepath.Join(t.TempDir(), "app.db")
			departments, accounts := "code,name\n", "code,type\n"
			for _, code := range append(setup.Departments, one.Expect.Precondition.Departments...) {
				departments += code + "," + code + "\n"
			}
			for _, account := range setup.Accounts {
				accounts += account[0] + "," + account[1] + "\n"
			}
			mustRun(t, departments, "import", "departments", "-", "--db", db)
			mustRun(t, accounts, "import", "accounts", "-", "--db", db)
			one.check(t, db)
		})
	}
}

// trouble is a file of somebody's trouble, with its right reading.
type trouble struct {
	File, Kind string
	Expect     struct {
		State        string
		Map          map[string]any
		Precondition struct{ Departments []string }
		Questions    []struct{ Code string }
		Wrong        []struct{ Line int }
		Columns      []struct{ Header string }
	}
}

func (want *trouble) check(t *testing.T, db string) {
	t.Helper()
	args := []string{"import", want.Kind, "../../internal/tables/testdata/imports/" + want.File, "--dry-run", "--accept-doubtful", "--json", "--db", db}
	if len(want.Expect.Map) > 0 {
		want.Expect.Map["kind"] = want.Kind
		written, err := json.Marshal(want.Expect.Map)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "map.json")
		if err := os.WriteFile(file, written, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--map", file)
	}
	out, err := run(t, "", args...)
	code := 0
	if err != nil {
		code = 1
	}
	if of, is := errors.AsType[exitError](err); is {
		code = of.code
	}
	wantCode := map[string]int{"refused": 1, "questions": 2, "ready": 0}[want.Expect.State]
	if want.Expect.State == "ready" && len(want.Expect.Wrong) > 0 {
		wantCode = 2
	}
	if code != wantCode {
		t.Fatalf("got the exit code %d (%v), want %d: %s", code, err, wantCode, out)
	}
	if wantCode == 1 {
		return
	}
	var got struct {
		State     string
		Questions []struct{ Code string }
		Findings  []struct{ Severity string }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, f := range got.Findings {
		if f.Severity == "wrong" {
			wrong++
		}
	}
	if got.State != want.Expect.State || len(got.Questions) != len(want.Expect.Questions) || got.State == "ready" && wrong != len(want.Expect.Wrong) {
		t.Errorf("got %s, %+v, %d wrong, want %s, %+v, %d", got.State, got.Questions, wrong, want.Expect.State, want.Expect.Questions, len(want.Expect.Wrong))
	}
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		t.Fatal(name, err)
	}
}

// TestImportByIDs: what app export writes with ids comes back corrected under --match id.
func TestImportByIDs(t *testing.T) {
	db := filepath.Join(t.TempDir(), "app.db")
	mustRun(t, "symbol,currency_code,shares,product,side,price,date\nACME,EUR,100,stock,buy,10,2026-01-05\nACME,EUR,100,stock,buy,10,2026-01-05\n", "import", "trades", "-", "--db", db)
	file := strings.Replace(mustRun(t, "", "export", "trades", "--ids", "--db", db), "2,ACME,EUR,100", "2,ACME,EUR,90", 1)
	if out := mustRun(t, file, "import", "trades", "-", "--match", "id", "--db", db); !strings.Contains(out, "trades: 0 new, 1 changed, 1 unchanged") {
		t.Errorf("got %s, want 1 changed", out)
	}
	if out := mustRun(t, "", "export", "trades", "--ids", "--db", db); out != file {
		t.Errorf("got\n%s\nwant\n%s", out, file)
	}
}
