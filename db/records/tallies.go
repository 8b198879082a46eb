package records

import (
	"slices"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// Scope says which postings of a year to add up.
type Scope struct {
	Year     fiscal.Year
	Through  fiscal.Period  // the periods from 1 through this one
	Version  budget.Version // "" of actuals
	ByPeriod bool           // one tally for each period, not one for each department
}

// Tallies is the sums of the postings of one side and all departments.
type Tallies struct {
	Scope
	Sums []budget.Tally // sorted
}

// Size implements Sums.
func (t Tallies) Size() int { return len(t.Sums) }

// After implements Sums.
func (t Tallies) After(changes []Change) (Tallies, bool) {
	sums := newOverlay(t.Sums, (*budget.Tally).Compare)
	for i := range changes {
		c := &changes[i]
		if c.Year != t.Year || c.Period > t.Through || c.Version != t.Version {
			continue
		}
		sum := sums.at(t.tallyOf(c))
		sum.Count += c.Count
		sum.Sum.Add(money.Amount(c.Count) * c.Amount)
		if sum.Count < 0 || sum.Count == 0 && sum.Sum != (money.Sum{}) {
			return t, false
		}
	}
	t.Sums = sums.merged(func(sum *budget.Tally) bool { return sum.Count == 0 })
	return t, true
}

// tallyOf returns the empty tally for a posting.
func (s Scope) tallyOf(c *Change) budget.Tally {
	tally := budget.Tally{AccountID: c.AccountID, Currency: c.Currency}
	if s.ByPeriod {
		tally.Period = c.Period
	} else {
		tally.DepartmentID = c.DepartmentID
	}
	return tally
}

// Adder adds up postings as they are read. Postings come in an order, so the tally that followed
// another before is likely to follow it again, and few need a lookup.
type Adder struct {
	tallies []budget.Tally
	follows []int // the tally that followed each one last time
	last    int
	at      map[budget.Tally]int // by the empty tally
}

// NewAdder returns an adder of no postings.
func NewAdder() *Adder { return &Adder{at: map[budget.Tally]int{}} }

// Add adds an amount to the tally that equals an empty one.
func (a *Adder) Add(to budget.Tally, amount money.Amount) {
	i := 0
	if a.last < len(a.follows) {
		i = a.follows[a.last]
	}
	if i >= len(a.tallies) || !same(&a.tallies[i], &to) {
		var known bool
		if i, known = a.at[to]; !known {
			i = len(a.tallies)
			a.at[to] = i
			a.tallies = append(a.tallies, to)
			a.follows = append(a.follows, i+1)
		}
		if a.last < len(a.follows) {
			a.follows[a.last] = i
		}
	}
	a.tallies[i].Count++
	a.tallies[i].Sum.Add(amount)
	a.last = i
}

// Len returns the number of tallies.
func (a *Adder) Len() int { return len(a.tallies) }

// Sums returns the tallies, sorted. Nothing may be added after that.
func (a *Adder) Sums() []budget.Tally {
	slices.SortFunc(a.tallies, func(a, b budget.Tally) int { return a.Compare(&b) })
	return a.tallies
}

// same reports whether two tallies have the same key, whatever their sums are.
func same(a, b *budget.Tally) bool {
	return a.AccountID == b.AccountID && a.DepartmentID == b.DepartmentID && a.Period == b.Period && a.Currency == b.Currency
}
