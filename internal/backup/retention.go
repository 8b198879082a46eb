package backup

import (
	"cmp"
	"slices"
	"time"
)

// generation keeps the newest backup of each of the newest periods that have one.
type generation struct {
	most   int
	period func(time.Time) [2]int
}

// generations are the grandfathers, fathers and sons: UTC days, ISO weeks, months.
var generations = []generation{
	{7, func(t time.Time) [2]int { return [2]int{t.Year(), t.YearDay()} }},
	{4, func(t time.Time) [2]int { year, week := t.ISOWeek(); return [2]int{year, week} }},
	{12, func(t time.Time) [2]int { return [2]int{t.Year(), int(t.Month())} }},
}

// Kept says which of the backups that were taken at these times are kept: one that any
// generation keeps, and so always the newest. What is not kept once is not missed
// later: a backup that is not the newest of its period never becomes that again. One
// that is later than now, since a clock was wrong, is kept, and stands in for no other.
func Kept(taken []time.Time, now time.Time) []bool {
	var newestFirst []int
	kept := make([]bool, len(taken))
	for i, at := range taken {
		if kept[i] = at.After(now); !kept[i] {
			newestFirst = append(newestFirst, i)
		}
	}
	slices.SortStableFunc(newestFirst, func(a, b int) int { return cmp.Compare(taken[b].UnixNano(), taken[a].UnixNano()) })
	for _, g := range generations {
		seen := map[[2]int]bool{}
		for _, i := range newestFirst {
			period := g.period(taken[i].UTC())
			if seen[period] {
				continue
			}
			if len(seen) == g.most {
				break
			}
			seen[period], kept[i] = true, true
		}
	}
	return kept
}

// superseded returns the backups that are no longer kept, of some that are listed with the
// oldest first. They were taken by the clock, of the database or of a branch that it gave
// up. The backup that is furthest along such a branch is always kept: it may be all that
// is left of what a mistaken restore gave up.
func superseded(found []Manifest, standings []Standing, now time.Time) (old []Manifest) {
	var counted []int // in found
	var taken []time.Time
	furthest := map[int64]int{} // in found, by branch
	for i, m := range found {
		relation, branch := standings[i].Relation, standings[i].Branch
		if !m.Scheduled || relation != Own && relation != Abandoned {
			continue
		}
		counted, taken = append(counted, i), append(taken, m.TakenAt)
		if last, is := furthest[branch]; relation == Abandoned && (!is || found[last].Entries <= m.Entries) {
			furthest[branch] = i
		}
	}
	for n, kept := range Kept(taken, now) {
		i := counted[n]
		last, is := furthest[standings[i].Branch]
		if !kept && (!is || last != i) {
			old = append(old, found[i])
		}
	}
	return old
}
