package records

import (
	"fmt"
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
)

func periodKey(period int) budget.Key {
	return budget.Key{DepartmentID: 1, AccountID: 1, Year: 2026, Period: fiscal.Period(period)}
}

// TestImpossibleChangesAreRefused: each kind of cached sum refuses changes that do not fit it, such as
// the removal of a record that it never counted. As a control, it accepts possible changes.
func TestImpossibleChangesAreRefused(t *testing.T) {
	one := Change{Key: periodKey(1), Amount: 5, Currency: "EUR", Source: "ERP", Count: 1}
	gone, other := one, one
	gone.Count, other.Amount = -1, 6
	none := Tallies{Scope: Scope{Year: 2026, Through: fiscal.Periods}}
	for _, c := range []struct {
		name                   string
		used, covered, tallied bool
		changes                []Change
	}{
		{"a record is added", true, true, true, []Change{one}},
		{"a record is added and removed", true, true, true, []Change{one, gone}},
		{"a record is added, removed, and added with another amount", true, true, true, []Change{one, gone, other}},
		{"a record is removed before it is added", false, false, false, []Change{gone, one}},
		{"a record is added twice", true, false, true, []Change{one, one}},
		{"a record is removed with another amount", true, true, false, []Change{other, gone}},
	} {
		if _, got := NewUseCounter().Use().After(c.changes); got != c.used {
			t.Errorf("%s: use: got %t, want %t", c.name, got, c.used)
		}
		if _, got := NewSourceCounter().Sources().After(c.changes); got != c.used {
			t.Errorf("%s: sources: got %t, want %t", c.name, got, c.used)
		}
		if _, got := (Covers{Scope: Scope{Year: 2026}}).After(c.changes); got != c.covered {
			t.Errorf("%s: coverage: got %t, want %t", c.name, got, c.covered)
		}
		if _, got := none.After(c.changes); got != c.tallied {
			t.Errorf("%s: tallies: got %t, want %t", c.name, got, c.tallied)
		}
	}
}

// TestCurrenciesAreBounded: when the limit of currencies is reached, those in the list and those of ISO
// 4217 are still counted, and others are left out.
func TestCurrenciesAreBounded(t *testing.T) {
	counter := NewUseCounter()
	for i := range mostCurrencies {
		counter.Add(periodKey(1), money.Currency(fmt.Sprint(i)))
	}
	full := counter.Use()
	counter.Add(periodKey(1), "more")
	counter.Add(periodKey(1), "0")
	counter.Add(periodKey(1), "USD")
	if got := counter.Use(); full.MoreCurrencies || !got.MoreCurrencies || len(got.Currencies) != mostCurrencies+1 || got.Currencies["0"] != 2 || got.Currencies["USD"] != 1 || got.Months[budget.Month{Year: 2026, Period: 1}] != mostCurrencies+3 {
		t.Errorf("counted: got %d currencies, more %t, want %d, true", len(got.Currencies), got.MoreCurrencies, mostCurrencies+1)
	}
	change := func(currency money.Currency, n int64) Change {
		return Change{Key: periodKey(1), Currency: currency, Count: n}
	}
	got, fits := full.After([]Change{change("more", 1), change("0", 1), change("1", -1), change("later", 1), change("more", -1), change("USD", 1)})
	if _, listed := got.Currencies["1"]; !fits || !got.MoreCurrencies || listed || len(got.Currencies) != mostCurrencies || got.Currencies["0"] != 2 || got.Currencies["USD"] != 1 {
		t.Errorf("changed: got fits %t, %d currencies, more %t, want true, %d, true",
			fits, len(got.Currencies), got.MoreCurrencies, mostCurrencies)
	}
	var gone []Change
	for i := range mostCurrencies - fewCurrencies {
		gone = append(gone, change(money.Currency(fmt.Sprint(10+i)), -1))
	}
	if _, fits := got.After(gone); fits {
		t.Error("when few are left: got the others still uncounted, want all postings read again")
	}
}

// TestACachedSumIsNotChanged: After returns a new sum, because other readers may use the old one at the
// same time.
func TestACachedSumIsNotChanged(t *testing.T) {
	one := Change{Key: periodKey(1), Amount: 5, Currency: "EUR", Source: "ERP", Count: 1, Seq: 1}
	other := one
	other.AccountID, other.Amount = 2, 0
	gone, back := other, one
	gone.Count, gone.Seq, back.Period, back.Seq = -1, 2, 2, 3
	first, then := []Change{one, other}, []Change{gone, back}
	staysAsItWas(t, NewUseCounter().Use(), first, then)
	staysAsItWas(t, NewSourceCounter().Sources(), first, then)
	staysAsItWas(t, Covers{Scope: Scope{Year: 2026}}, first, then)
	staysAsItWas(t, Tallies{Scope: Scope{Year: 2026, Through: fiscal.Periods}}, first, then)
}

// staysAsItWas fails the test if After changes the sum that it is called on, or returns another result
// the second time.
func staysAsItWas[T Sums[T]](t *testing.T, none T, first, then []Change) {
	t.Helper()
	kept, _ := none.After(first)
	was := fmt.Sprintf("%+v", kept)
	one, fits := kept.After(then)
	again, _ := kept.After(then)
	if got := fmt.Sprintf("%+v", kept); got != was || !fits {
		t.Errorf("the old sum: got %s (fits: %t), want %s", got, fits, was)
	}
	if got, want := fmt.Sprintf("%+v", again), fmt.Sprintf("%+v", one); got != want || got == was {
		t.Errorf("the new sum, a second time: got %s, want %s", got, want)
	}
}

// TestRecordsAreReadAsTheyAreWritten: the sums read from a record of a line or an actual the values that
// were written, and refuse bytes that are not such a record.
func TestRecordsAreReadAsTheyAreWritten(t *testing.T) {
	line := budget.Line{
		ID: 9, LineKey: budget.LineKey{Key: periodKey(12), Version: budget.Forecast3},
		Amount: -999_999_999_999_999_999, Currency: "EUR", Notes: "{\"amount\":1}",
	}
	actual := budget.Actual{ID: 9, Key: periodKey(1), Amount: 12_3400, Currency: "€", Source: "a \"b\"\\ü\u2028"}
	for _, c := range []struct {
		of     journal.Entity
		record []byte
		want   Change
	}{
		{journal.BudgetLines, Line(line), Change{Key: line.Key, Version: line.Version, Amount: line.Amount, Currency: line.Currency}},
		{journal.Actuals, Actual(actual), Change{Key: actual.Key, Amount: actual.Amount, Currency: actual.Currency, Source: string(actual.Source)}},
	} {
		var got Change
		if !got.read(c.of, c.record) || got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.record, got, c.want)
		}
		for cut := range c.record {
			if got.read(c.of, c.record[:cut]) {
				t.Errorf("got %s accepted as a record, want it refused", c.record[:cut])
			}
		}
	}
	whole := string(Actual(actual))
	for _, wrong := range []string{
		`[]`, `{}`, `"`, `{"amount":1}`, "", whole + " ", "[" + whole[1:],
		strings.Replace(whole, "2026", `"x"`, 1),
		strings.Replace(whole, "2026", ``, 1),
		strings.Replace(whole, "2026", `null`, 1),
		strings.Replace(whole, "12.34", "12.345678", 1),
		strings.Replace(whole, `"€"`, "7", 1),
		strings.Replace(whole, `"€"`, `"\q"`, 1),
		strings.Replace(whole, `"amount"`, `"amounts"`, 1),
		strings.Replace(whole, `"amount":`, `"amount",`, 1),
		strings.Replace(whole, `,"source"`, `,"more":1,"source"`, 1),
		string(Line(line)),
	} {
		var got Change
		if got.read(journal.Actuals, []byte(wrong)) {
			t.Errorf("got %s accepted as a record, want it refused", wrong)
		}
	}
}

// TestSourcesAreCachedByTheirBytes: 10,000 sources with short names are cached and brought forward by
// changes. 10,000 sources with names of a kilobyte are not.
func TestSourcesAreCachedByTheirBytes(t *testing.T) {
	for _, c := range []struct {
		bytes int
		want  bool
	}{{4, true}, {1000, false}} {
		changes := make([]Change, 10_000)
		for i := range changes {
			name := fmt.Sprintf("%04d%s", i, strings.Repeat("a", c.bytes-4))
			changes[i] = Change{Key: periodKey(1), Source: name, Count: 1}
		}
		if f, got := NewSourceCounter().Sources().After(changes); got != c.want || len(f.counts) != len(changes) {
			t.Errorf("names of %d bytes: got cached %t, %d sources, want %t, %d", c.bytes, got, len(f.counts), c.want, len(changes))
		}
	}
}
