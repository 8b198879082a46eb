package api_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/text"
)

// TestAnOverviewOfManySources posts actuals of 10,000 sources, whose names are as long as
// may be.
func TestAnOverviewOfManySources(t *testing.T) {
	s := serve(t)
	key := budget.Key{
		DepartmentID: budget.DepartmentID(s.create(t, "/api/v1/department/create", `{"code": "OPS", "name": "Operations"}`)),
		AccountID: budget.AccountID(s.create(t, "/api/v1/gl-accounts",
			`{"code": "5000", "type": "opex"}`)),
	}
	actuals := make([]budget.Actual, 10_000)
	for i := range actuals {
		key.Year, key.Period = fiscal.Year(2000+i/fiscal.Periods), fiscal.Period(i%fiscal.Periods+1)
		name := fmt.Sprintf("%04d%s", i, strings.Repeat("\U0001F4B6", 251))
		actuals[i] = budget.Actual{Key: key, Amount: 1, Currency: "USD", Source: text.Source(name)}
	}
	if _, err := s.store.IngestActuals(t.Context(), actuals); err != nil {
		t.Fatal(err)
	}
	body := s.get(t, "/api/v1/overview")
	got := read[struct {
		Sources      []struct{ Source string }
		SourcesTotal int `json:"sources_total"`
	}](t, body)
	if len(got.Sources) != budget.MostSources || got.SourcesTotal != len(actuals) {
		t.Errorf("got %d sources of %d, want %d of %d", len(got.Sources), got.SourcesTotal, budget.MostSources, len(actuals))
	}
	if len(body) > 1<<18 {
		t.Errorf("got %d bytes, want at most %d", len(body), 1<<18)
	}
}
