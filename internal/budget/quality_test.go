package budget

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// covering has both sides of a coverage, in the order of the postings.
type covering struct{ budgeted, actual []Cover }

func (c *covering) take(side *[]Cover, k Key, amount money.Amount) {
	of := Cover{Year: k.Year, DepartmentID: k.DepartmentID, AccountID: k.AccountID}
	i, known := slices.BinarySearchFunc(*side, of, func(a, b Cover) int { return a.Compare(&b) })
	if !known {
		*side = slices.Insert(*side, i, of)
	}
	(*side)[i].Take(k.Period, amount)
}

// covered is a Store that has only a coverage.
type covered struct {
	Store
	covering
}

func (s *covered) Usage(context.Context) (u Usage, err error) {
	months := func(covers []Cover) map[Month]int64 {
		months := map[Month]int64{}
		for _, c := range covers {
			for p := range c.There.All() {
				months[Month{c.Year, p}]++
			}
		}
		return months
	}
	u.Lines.Months, u.Actuals.Months = months(s.budgeted), months(s.actual)
	return u, nil
}

func (s *covered) Coverage(_ context.Context, year fiscal.Year) (Coverage, error) {
	of := func(covers []Cover) []Cover {
		return slices.DeleteFunc(slices.Clone(covers), func(c Cover) bool { return c.Year != year })
	}
	return Coverage{of(s.budgeted), of(s.actual)}, nil
}

// keysOf returns the keys in gaps.
func keysOf(gaps []Gap) map[Key]bool {
	keys := map[Key]bool{}
	for _, gap := range gaps {
		for p := range gap.Periods.All() {
			keys[Key{gap.Department.ID, gap.Account.ID, gap.Year, p}] = true
		}
	}
	return keys
}

func later(a, b Month) Month {
	if a.Before(b) {
		return b
	}
	return a
}

// TestGapsAreThoseOfEachKey: the gaps are those that a check of each key by itself finds.
func TestGapsAreThoseOfEachKey(t *testing.T) {
	key := rapid.Custom(func(t *rapid.T) Key {
		return Key{
			DepartmentID: DepartmentID(rapid.IntRange(1, 2).Draw(t, "department")), AccountID: AccountID(rapid.IntRange(1, 4).Draw(t, "account")),
			Year: fiscal.Year(rapid.IntRange(2024, 2026).Draw(t, "year")), Period: fiscal.Period(rapid.IntRange(1, 12).Draw(t, "period")),
		}
	})
	postings := rapid.MapOf(key, rapid.Map(rapid.IntRange(-1, 1), func(n int) money.Amount { return money.Amount(n) }))
	rapid.Check(t, func(t *rapid.T) {
		budgeted, actual := postings.Draw(t, "budgeted"), postings.Draw(t, "actual")
		c := &covered{}
		var newest Month
		horizon := Month{2025, fiscal.Period(rapid.IntRange(1, 12).Draw(t, "horizon"))}
		for k, amount := range budgeted {
			c.take(&c.budgeted, k, amount)
		}
		for k, amount := range actual {
			c.take(&c.actual, k, amount)
			if m := (Month{k.Year, k.Period}); !horizon.Before(m) {
				newest = later(newest, m)
			}
		}
		unposted, unbudgeted := map[Key]bool{}, map[Key]bool{}
		for k, amount := range budgeted {
			if _, posted := actual[k]; !posted && amount != 0 && (Month{k.Year, k.Period}).Before(newest) {
				unposted[k] = true
			}
		}
		for k := range actual {
			if _, planned := budgeted[k]; !planned {
				unbudgeted[k] = true
			}
		}
		ledger := NewLedger(c, func() time.Time {
			return time.Date(int(horizon.Year)-1, time.Month(horizon.Period), 1, 0, 0, 0, 0, time.UTC)
		})
		lacking, beyond, err := ledger.gaps(t.Context(), 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []struct {
			name string
			got  []Gap
			want map[Key]bool
		}{{"unposted", lacking, unposted}, {"unbudgeted", beyond, unbudgeted}} {
			if got := keysOf(side.got); fmt.Sprint(got) != fmt.Sprint(side.want) {
				t.Fatalf("%s: got %v, want %v", side.name, got, side.want)
			}
			for i := 1; i < len(side.got); i++ {
				if a, b := side.got[i-1], side.got[i]; a.Year < b.Year || a.Year == b.Year && a.Periods.Len() < b.Periods.Len() {
					t.Fatalf("%s: got %v before %v, want the newest year and most periods first", side.name, a, b)
				}
			}
		}
		if few, _, err := ledger.gaps(t.Context(), 2); err != nil || fmt.Sprint(few) != fmt.Sprint(upTo(2, lacking)) {
			t.Fatalf("got %v, %v, want the first two of %v", few, err, lacking)
		}
	})
}

// TestDroppedAmountsAreNot: a dropped period counts neither as there nor as an amount that is not 0.
func TestDroppedAmountsAreNot(t *testing.T) {
	var c Cover
	for p := fiscal.Period(1); p <= fiscal.Periods; p++ {
		c.Take(p, money.Amount(p%2))
	}
	c.Drop(1)
	c.Drop(2)
	if got, want := fmt.Sprintf("%b %b", c.There, c.Counting), "111111111100 10101010100"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNamesakes: departments with the same name are found, and at most ten of them are listed. A cost
// center that departments share is none.
func TestNamesakes(t *testing.T) {
	departments := []Department{
		{ID: 1, Code: "A", Name: "Sales", CostCenter: "10"},
		{ID: 2, Code: "B", Name: "sales", CostCenter: ""},
		{ID: 3, Code: "C", Name: "Service", CostCenter: "10"},
		{ID: 4, Code: "D", Name: "Sales", CostCenter: ""},
		{ID: 5, Code: "E", Name: "Service", CostCenter: "11"},
		{ID: 6, Code: "F", Name: "Sales", CostCenter: "1"},
	}
	all := chart{most: 1000}
	for _, d := range departments {
		all.department(d)
	}
	for id := DepartmentID(7); id < 20; id++ {
		all.department(Department{ID: id, Code: "G", Name: "Storage"})
	}
	var got []string
	for _, n := range all.namesakes() {
		line := fmt.Sprintf("%d:", n.Total)
		for _, d := range n.First {
			line += fmt.Sprintf(" %d", d.ID)
		}
		got = append(got, line)
	}
	want := "3: 1 4 6\n2: 3 5\n13: 7 8 9 10 11 12 13 14 15 16"
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestContrary: an account is found if its favour_high is not the usual one of its type.
func TestContrary(t *testing.T) {
	for _, kind := range AccountTypes() {
		for _, favourHigh := range []bool{false, true} {
			all := chart{most: 1}
			for range 2 {
				all.account(Account{Type: kind, FavourHigh: favourHigh})
			}
			if got, want := len(all.againstType) == 1, favourHigh != (kind == Revenue); got != want {
				t.Errorf("%s, favour_high %t: got %t, want %t", kind, favourHigh, got, want)
			}
		}
	}
}

// TestFindingsOfALedger: a gap of one period names the period. A revenue account that favours a low
// actual is less severe than a cost account that favours a high one.
func TestFindingsOfALedger(t *testing.T) {
	d, sales := Department{Code: "ENG"}, Account{Code: "4000", Description: "Sales", Type: Revenue}
	q := Quality{
		Unposted:    []Gap{{Department: d, Account: sales, Year: 2025, Periods: fiscal.Set(0).With(2)}},
		Unbudgeted:  []Gap{{Department: d, Account: sales, Year: 2025, Periods: fiscal.Before(4)}},
		Namesakes:   []Namesakes{{"Sales", []Department{d, {Code: "OPS"}}, 2}},
		AgainstType: []Account{sales, {Code: "5000", Type: COGS, FavourHigh: true}},
	}
	var got []string
	for _, f := range q.Findings() {
		got = append(got, fmt.Sprint(f.Kind, " ", f.Severity, " ", f.Count, " ", f.Subject.FiscalPeriod, ": ", f.Title, ": ", f.Detail))
	}
	want := []string{
		"budget_without_actual medium 1 2: ENG, account 4000, 2025: Sales; period 2: budgeted, with no actual",
		"unbudgeted_actual medium 3 0: ENG, account 4000, 2025: Sales; periods 1 to 3: posted, with no budget line in original",
		`ambiguous_name medium 2 0: Departments with the name "Sales": ENG, OPS; a lookup by this name is refused`,
		"favour_high_against_type low 1 0: Account 4000: Sales; of type revenue, but a low actual counts as good",
		"favour_high_against_type medium 1 0: Account 5000: of type cost of goods sold, but a high actual counts as good",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
