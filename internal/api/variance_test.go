package api

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"

	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/text"
)

// BenchmarkReport encodes a report over a hundred departments, forty lines each.
func BenchmarkReport(b *testing.B) {
	r := budget.Report{Department: budget.AllDepartments, Year: 2026, Period: 6, Version: budget.Original}
	for i := range 4_000 {
		r.Lines = append(r.Lines, budget.VarianceLine{
			Department: text.Code(fmt.Sprintf("D%03d", i/40)),
			Account:    budget.Account{Code: text.Code(fmt.Sprintf("4%03d", i%40)), Description: "Licences", Type: budget.Opex},
			Currency:   "EUR",
			Variance:   budget.NewVariance(false, money.Units(1_000+int64(i)), money.Amount(12_345_678+i)),
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(reportOf(r), json.Deterministic(true)); err != nil {
			b.Fatal(err)
		}
	}
}
