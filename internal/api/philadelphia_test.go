package api_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
)

// TestPhiladelphia posts a real year of the city of Philadelphia one actual at a time, as a feed would.
// The variance report has the totals that were calculated independently.
func TestPhiladelphia(t *testing.T) {
	s := serve(t)
	departments := map[string]int64{}
	for _, r := range philadelphia(t, "departments") {
		departments[r["code"]] = s.create(t, "/api/v1/department/create", object(t, map[string]any{
			"code": r["code"], "name": r["name"], "cost_center": r["cost_center"], "active": r["active"] == "true",
		}))
	}
	accounts := map[string]int64{}
	for _, r := range philadelphia(t, "accounts") {
		accounts[r["code"]] = s.create(t, "/api/v1/gl-accounts", object(t, map[string]any{
			"code": r["code"], "description": r["description"], "type": r["type"], "favour_high": r["favour_high"] == "true",
		}))
	}
	posting := func(r map[string]string) map[string]any {
		return map[string]any{
			"department_id": departments[r["department"]], "gl_account_id": accounts[r["gl_code"]],
			"fiscal_year": r["fiscal_year"], "fiscal_period": r["fiscal_period"],
			"amount": json.Number(r["amount"]), "currency": r["currency"],
		}
	}
	for _, r := range philadelphia(t, "budget") {
		line := posting(r)
		line["version"] = r["version"]
		s.create(t, "/api/v1/budget/create", object(t, line))
	}
	ingest := func() {
		for _, r := range philadelphia(t, "actuals") {
			s.send(t, http.MethodPost, "/api/v1/actuals/ingest", object(t, posting(r)), http.StatusOK)
		}
	}
	ingest()
	agreesWithTotals(t, s)
	summary := "/api/v1/variance/summary?by=line&span=year_to_date&period=12&year=2022"
	reconciles(t, s, summary, summary)

	before := s.get(t, "/api/v1/actuals?limit=1000")
	ingest()
	if after := s.get(t, "/api/v1/actuals?limit=1000"); after != before {
		t.Errorf("the actuals a second time: got %s, want %s", after, before)
	}
	agreesWithTotals(t, s)
}

func agreesWithTotals(t *testing.T, s *server) {
	t.Helper()
	rows := philadelphia(t, "totals")
	if len(rows) < 90 {
		t.Fatalf("got %d totals, want at least 90", len(rows))
	}
	for _, r := range rows {
		target := fmt.Sprintf("/api/v1/variance?year=%s&period=%s&version=%s&dept=%s",
			r["fiscal_year"], r["fiscal_period"], r["version"], r["dept"])
		got := read[report](t, s.get(t, target))
		summed := fmt.Sprintln(got.Department, len(got.Lines), got.TotalBudget, got.TotalActual, got.TotalVariance)
		want := fmt.Sprintln(r["dept"], r["lines"], r["total_budget"], r["total_actual"], r["total_variance"])
		if summed != want {
			t.Errorf("%s: got %swant %s", target, summed, want)
		}
	}
}

// report is a variance report as a client reads it, with exact numbers.
type report struct {
	Department       string
	Currency         string
	TotalBudget      json.Number `json:"total_budget"`
	TotalActual      json.Number `json:"total_actual"`
	TotalVariance    json.Number `json:"total_variance"`
	TotalVariancePct json.Number `json:"total_variance_pct"`
	Lines            []reportLine
}

type reportLine struct {
	Department  string
	GLCode      string `json:"gl_code"`
	Budget      json.Number
	Actual      json.Number
	VarianceAbs json.Number `json:"variance_abs"`
	VariancePct json.Number `json:"variance_pct"`
	Status      string
	Currency    string
}

// philadelphia reads a file of testdata/philadelphia. Each row is a map by column.
func philadelphia(t *testing.T, name string) []map[string]string {
	t.Helper()
	file, err := os.Open("testdata/philadelphia/" + name + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]map[string]string, len(records)-1)
	for i, record := range records[1:] {
		rows[i] = map[string]string{}
		for column, value := range record {
			rows[i][records[0][column]] = value
		}
	}
	return rows
}
