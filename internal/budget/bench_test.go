package budget

import (
	"fmt"
	"testing"

	"daybook/internal/money"
	"daybook/internal/text"
)

// BenchmarkReport merges and compares the budget and the actuals of a hundred departments, with forty
// lines each.
func BenchmarkReport(b *testing.B) {
	p := Postings{Departments: map[DepartmentID]text.Code{}, Accounts: map[AccountID]Account{}}
	for d := DepartmentID(1); d <= 100; d++ {
		p.Departments[d] = text.Code(fmt.Sprintf("D%03d", d))
		for a := AccountID(1); a <= 40; a++ {
			p.Accounts[a] = Account{ID: a, Code: text.Code(fmt.Sprintf("4%03d", a)), Type: Opex}
			posting := Posting{DepartmentID: d, AccountID: a, Amount: money.Units(int64(d) * int64(a)), Currency: "EUR"}
			p.Budgeted = append(p.Budgeted, posting)
			posting.Amount += money.Units(3)
			p.Actual = append(p.Actual, posting)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if r := newReport(ReportQuery{}, AllDepartments, p); len(r.Lines) != 4_000 {
			b.Fatalf("got %d lines, want 4,000", len(r.Lines))
		}
	}
}
