package budget_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/budget"
	"daybook/internal/money"
)

// TestVary: the variance, its percentage and its status for given figures, with the published examples.
func TestVary(t *testing.T) {
	const revenue, cost = true, false
	const good, bad = budget.Favourable, budget.Unfavourable
	for _, c := range []struct {
		favourHigh       bool
		budgeted, actual string
		abs, percent     string
		status           budget.Status
	}{
		{revenue, "373080", "400855", "27775", "7.44", good}, // the published examples
		{cost, "158940", "179336", "-20396", "-12.83", bad},
		{cost, "100", "90", "10", "10", good},
		{revenue, "100", "90", "-10", "-10", bad},
		{cost, "100", "100", "0", "0", good},
		{revenue, "100", "100", "0", "0", good},
		{cost, "0", "0", "0", "0", good},
		{revenue, "0", "0", "0", "0", good},
		{cost, "0", "0.0001", "-0.0001", "-100", bad}, // unbudgeted
		{revenue, "0", "5", "5", "100", good},
		{cost, "0", "-5", "5", "100", good}, // an unbudgeted reversal
		{revenue, "0", "-5", "-5", "-100", bad},
		{cost, "-100", "-90", "-10", "-10", bad}, // the magnitude of the budget
		{revenue, "-100", "-90", "10", "10", good},
		{cost, "100", "0", "100", "100", good},
		{cost, "3", "2", "1", "33.33", good},
		{cost, "3", "4", "-1", "-33.33", bad},
		{revenue, "20000", "20001", "1", "0.01", good}, // 0.005
		{cost, "20000", "20001", "-1", "-0.01", bad},
		{cost, "99999999999999.9999", "-99999999999999.9999", "199999999999999.9998", "200", good},
		{revenue, "99999999999999.9999", "-99999999999999.9999", "-199999999999999.9998", "-200", bad},
		{revenue, "0.0001", "99999999999999.9999", "99999999999999.9998", "99999999999999999800", good},
	} {
		got := budget.NewVariance(c.favourHigh, parsed(t, c.budgeted), parsed(t, c.actual))
		if got.Abs.String() != c.abs || got.Percent.String() != c.percent || got.Status != c.status {
			t.Errorf("favour high %t, %s budgeted, %s actual: got %s (%s %%, %s), want %s (%s %%, %s)",
				c.favourHigh, c.budgeted, c.actual, got.Abs, got.Percent, got.Status, c.abs, c.percent, c.status)
		}
		if got.Budget != parsed(t, c.budgeted) || got.Actual != parsed(t, c.actual) {
			t.Errorf("got %s budgeted, %s actual, want %s and %s", got.Budget, got.Actual, c.budgeted, c.actual)
		}
	}
}

func TestVaryAgreesWithExactArithmetic(t *testing.T) {
	const most = 999_999_999_999_999_999
	figures := rapid.OneOf(rapid.Int64Range(-most, most), rapid.Int64Range(-100_000, 100_000), rapid.SampledFrom([]int64{0, 1, -1, most, -most}))
	rapid.Check(t, func(t *rapid.T) {
		varyAgrees(t, rapid.Bool().Draw(t, "favour high"), figures.Draw(t, "budgeted"), figures.Draw(t, "actual"))
	})
}

func FuzzVary(f *testing.F) {
	f.Add(true, int64(3_730_800_000), int64(4_008_550_000))
	f.Add(false, int64(1_589_400_000), int64(1_793_360_000))
	f.Add(false, int64(0), int64(-1))
	f.Fuzz(func(t *testing.T, favourHigh bool, budgeted, actual int64) {
		const range18 = 1_000_000_000_000_000_000
		varyAgrees(t, favourHigh, budgeted%range18, actual%range18)
	})
}

func varyAgrees(t interface{ Fatalf(string, ...any) }, favourHigh bool, budgeted, actual int64) {
	got := budget.NewVariance(favourHigh, money.Amount(budgeted), money.Amount(actual))
	abs := new(big.Rat).SetInt64(actual - budgeted)
	if !favourHigh {
		abs.Neg(abs)
	}
	percent := new(big.Rat)
	switch {
	case budgeted != 0:
		whole := new(big.Rat).SetInt64(budgeted)
		percent.Quo(abs, whole.Abs(whole)).Mul(percent, big.NewRat(100, 1))
	case actual != 0:
		percent.SetInt64(int64(100 * abs.Sign()))
	}
	want, _ := new(big.Rat).SetString(percent.FloatString(2))
	printed, _ := new(big.Rat).SetString(got.Percent.String())
	if new(big.Rat).SetInt64(int64(got.Abs)).Cmp(abs) != 0 || printed.Cmp(want) != 0 {
		t.Fatalf("favour high %t, %d budgeted, %d actual: got %d (%s %%), want %s (%s %%)", favourHigh, budgeted, actual, got.Abs, got.Percent, abs.RatString(), want.FloatString(2))
	}
	if favourable := abs.Sign() >= 0; (got.Status == budget.Favourable) != favourable || (got.Status == budget.Unfavourable) == favourable {
		t.Fatalf("favour high %t, %d budgeted, %d actual: got %s for %s", favourHigh, budgeted, actual, got.Status, abs.RatString())
	}
	if other := budget.NewVariance(!favourHigh, money.Amount(budgeted), money.Amount(actual)); other.Abs != -got.Abs || other.Percent.Sign() != -got.Percent.Sign() {
		t.Fatalf("%d budgeted, %d actual: got %s and %s, want opposites", budgeted, actual, got.Abs, other.Abs)
	}
}

func parsed(t *testing.T, s string) money.Amount {
	t.Helper()
	a, err := money.ParseAmount(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
