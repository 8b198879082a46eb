package backup

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// generation keeps the newest backup in each of the newest periods that have a backup.
type generation struct {
	most   int
	period func(time.Time) [2]int
}

// generations are the kept periods: UTC days, ISO weeks, months.
var generations = []generation{
	{7, func(t time.Time) [2]int { return [2]int{t.Year(), t.YearDay()} }},
	{4, func(t time.Time) [2]int { year, week := t.ISOWeek(); return [2]int{year, week} }},
	{12, func(t time.Time) [2]int { return [2]int{t.Year(), int(t.Month())} }},
}

// Kept says which of the backups that were taken at these times are kept: each that any generation
// keeps, and so always the newest. A backup that is once not kept is never needed later, because a
// backup that is not the newest of its period cannot become the newest again. A backup from after now,
// when a clock was wrong, is kept in addition to the others.
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

// superseded returns those of the scheduled backups in a list, the oldest first, that are no longer
// kept.
//
// It counts the backups of the database by themselves, so that none gives way to a backup of a
// branch that was given up. A backup of such a branch is removed if it is kept neither among all
// of them nor as the end of its branch, which means that another kept backup continues it. holds reports
// whether the chain of a backup has the newest link of another. The error names the
// backups that could not be compared; these are kept.
func superseded(found []Manifest, lineages []Lineage, now time.Time, holds func(later, earlier Manifest) (bool, error)) (old []Manifest, err error) {
	var own, givenUp, stay []Manifest
	for i, m := range found {
		switch {
		case !m.Scheduled:
		case lineages[i] == Own:
			own = append(own, m)
		case lineages[i] == Abandoned:
			givenUp = append(givenUp, m)
		}
	}
	kept := keptOf(own, now)
	for _, m := range own {
		if !kept[m.File] {
			old = append(old, m)
		}
	}
	kept = keptOf(slices.Concat(own, givenUp), now)
	slices.SortStableFunc(givenUp, func(a, b Manifest) int {
		return cmp.Or(cmp.Compare(b.Entries, a.Entries), b.TakenAt.Compare(a.TakenAt))
	})
	for _, m := range givenUp { // the furthest first
		continued := false
		for i := 0; i < len(stay) && !kept[m.File] && !continued; i++ {
			if stay[i].Damage != "" && m.Damage == "" {
				continue // it could not be restored in place of the other
			}
			is, failed := holds(stay[i], m)
			continued, err = is && failed == nil, errors.Join(err, failed)
		}
		if continued {
			old = append(old, m)
		} else {
			stay = append(stay, m)
		}
	}
	return old, err
}

// successors returns the indexes of the backups of the database that replace others: for each removed
// backup, the next later one that is kept and can be restored.
func successors(found []Manifest, lineages []Lineage, now time.Time, old []Manifest) (places []int) {
	goes := map[string]bool{}
	for _, m := range old {
		goes[m.File] = true
	}
	next := -1
	for i, m := range slices.Backward(found) {
		switch {
		case !m.Scheduled || lineages[i] != Own || m.Damage != "" || m.TakenAt.After(now):
		case !goes[m.File]:
			next = i
		case next >= 0:
			places = append(places, next)
		}
	}
	return places
}

// keptOf returns the files of the backups that a generation keeps. It counts damaged backups by
// themselves, so that none takes the place of one that can be restored.
func keptOf(backups []Manifest, now time.Time) map[string]bool {
	files := map[string]bool{}
	for _, damaged := range []bool{false, true} {
		var names []string
		var taken []time.Time
		for _, m := range backups {
			if (m.Damage != "") == damaged {
				names, taken = append(names, m.File), append(taken, m.TakenAt)
			}
		}
		for i, kept := range Kept(taken, now) {
			files[names[i]] = kept
		}
	}
	return files
}
