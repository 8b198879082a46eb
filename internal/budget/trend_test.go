package budget

import (
	"testing"

	"daybook/internal/fault"
	"daybook/internal/money"
)

// TestATrendHasSoManyRows: a trend with more rows than mostTrends is refused, so that its memory is
// bounded. As a control, one with as many is not, and neither is one of a single currency.
func TestATrendHasSoManyRows(t *testing.T) {
	rows := make([]Tally, mostTrends+1)
	for i := range rows {
		rows[i] = Tally{Period: 1, AccountID: AccountID(i/2 + 1), Currency: []money.Currency{"EUR", "USD"}[i%2], Count: 1}
	}
	all := Tallies{Actual: rows}
	if _, err := all.accountTrends(within("")); fault.KindOf(err) != fault.Invalid {
		t.Errorf("%d rows: got %v, want Invalid", len(rows), err)
	}
	for currency, of := range map[money.Currency][]Tally{"": rows[:mostTrends], "USD": rows} {
		got, err := Tallies{Actual: of}.accountTrends(within(currency))
		if want := map[money.Currency]int{"": mostTrends, "USD": mostTrends / 2}[currency]; err != nil || len(got) != want {
			t.Errorf("currency %q: got %d rows, %v, want %d", currency, len(got), err, want)
		}
	}
}
