package records

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// mostSources is the size of all sources that are counted, in tallies of 80 bytes: 2.6 MB.
const mostSources = 1 << 15

// Sources is the sources of actuals. There may be as many sources as actuals. If there are too many to
// count, only the listed ones are kept, and they do not follow the journal.
type Sources struct {
	counts   map[sourceMonth]int64 // of actuals; nil if there are too many
	ranking  Ranking               // instead of counts
	received map[string]receipt    // the newest of each source near the head
}

type sourceMonth struct {
	source string
	budget.Month
}

// receipt is the entry that has an actual, and its time.
type receipt struct {
	seq journal.Seq
	at  time.Time
}

// sizeOf is the size of a name, in tallies of 80 bytes.
func sizeOf(source string) int { return 1 + len(source)/80 }

// Size implements Sums.
func (s Sources) Size() (size int) {
	for one := range s.counts {
		size += sizeOf(one.source)
	}
	for _, one := range s.ranking.first {
		size += sizeOf(string(one.Name))
	}
	for source := range s.received {
		size += sizeOf(source)
	}
	return size
}

// After implements Sums.
func (s Sources) After(changes []Change) (Sources, bool) {
	if s.counts == nil {
		return s, false
	}
	s = Sources{counts: maps.Clone(s.counts), received: maps.Clone(s.received)}
	for _, c := range changes {
		if !add(s.counts, sourceMonth{c.Source, c.month()}, c.Count) {
			return s, false
		}
		if c.Count > 0 {
			s.received[c.Source] = receipt{c.Seq, c.At}
		}
	}
	return s, s.Size() <= 2*mostSources // counts and received
}

// Received records that an entry has an actual. It does nothing for a source that is not listed.
func (s Sources) Received(source []byte, seq journal.Seq, at time.Time) {
	if _, listed := s.received[string(source)]; listed {
		s.received[string(source)] = receipt{seq, at}
	}
}

// Listed returns the sources with the most actuals, by name, and the number of all sources. A source
// with an actual in the journal near its head has the time of that.
func (s Sources) Listed(head journal.Seq) (listed []budget.Source, total int) {
	ranking := s.ranking
	if s.counts != nil {
		ranking = s.ranked()
	}
	listed = slices.Clone(ranking.first)
	for i, one := range listed {
		if last := s.received[string(one.Name)]; last.seq > head-MostReplayed {
			listed[i].Changed = last.at
		}
	}
	slices.SortFunc(listed, func(a, b budget.Source) int { return strings.Compare(string(a.Name), string(b.Name)) })
	return listed, ranking.total
}

// ranked ranks the counted sources.
func (s Sources) ranked() (r Ranking) {
	sources := map[string]budget.Source{}
	for of, n := range s.counts {
		one := sources[of.source]
		one.Name, one.Actuals = text.Source(of.source), one.Actuals+n
		if one.Newest.Before(of.Month) {
			one.Newest = of.Month
		}
		sources[of.source] = one
	}
	for _, one := range sources {
		r.Add(one)
	}
	r.cut()
	return r
}

// SourceCounter counts the actuals of each source and month as they are read.
type SourceCounter struct {
	counts counter[sourceMonth]
	size   int
}

// NewSourceCounter returns a counter of no actuals.
func NewSourceCounter() *SourceCounter {
	return &SourceCounter{counts: counter[sourceMonth]{counts: map[sourceMonth]*int64{}}}
}

// Add counts an actual. It reports false if there are too many sources to count.
func (c *SourceCounter) Add(source string, m budget.Month) bool {
	known := len(c.counts.counts)
	c.counts.add(sourceMonth{source, m})
	if len(c.counts.counts) > known {
		c.size += sizeOf(source)
	}
	return c.size <= mostSources
}

// Sources returns the counts.
func (c *SourceCounter) Sources() Sources {
	s := Sources{counts: c.counts.result(), received: map[string]receipt{}}
	for one := range s.counts {
		s.received[one.source] = receipt{}
	}
	return s
}

// Ranking keeps the sources with the most actuals of all that are added.
type Ranking struct {
	first []budget.Source
	total int
}

// Add adds a source.
func (r *Ranking) Add(s budget.Source) {
	r.total++
	if r.first = append(r.first, s); len(r.first) == 2*budget.MostSources {
		r.cut()
	}
}

// cut keeps the first sources of the order.
func (r *Ranking) cut() {
	slices.SortFunc(r.first, func(a, b budget.Source) int {
		return cmp.Or(cmp.Compare(b.Actuals, a.Actuals), strings.Compare(string(a.Name), string(b.Name)))
	})
	if len(r.first) > budget.MostSources {
		r.first = slices.Delete(r.first, budget.MostSources, len(r.first))
	}
}

// Sources returns the listed sources.
func (r *Ranking) Sources() Sources {
	r.cut()
	s := Sources{ranking: *r, received: map[string]receipt{}}
	for _, one := range r.first {
		s.received[string(one.Name)] = receipt{}
	}
	return s
}
