package backup

import (
	"cmp"
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

// superseded returns those of the scheduled backups in a list that are no longer kept. Backups whose link the
// database does not have count by themselves, so that none gives way to one of the database, and go after a
// year.
func superseded(found []Manifest, lineages []Lineage, now time.Time) (old []Manifest) {
	for _, lineage := range []Lineage{Own, Stray} {
		var alike []Manifest
		for i, m := range found {
			if m.Scheduled && lineages[i] == lineage {
				alike = append(alike, m)
			}
		}
		kept := keptOf(alike, now)
		for _, m := range alike {
			if !kept[m.File] || lineage == Stray && m.TakenAt.Before(now.AddDate(-1, 0, 0)) {
				old = append(old, m)
			}
		}
	}
	return old
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
