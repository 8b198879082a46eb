package sqlite

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// mostFeeds is how much a question gathers of the sources of actuals, in tallies of 80
// bytes: some 2.6 MB. Of more, SQLite sorts them, and only those that are listed are kept.
const mostFeeds = 1 << 15

// sources are the feeds that actuals come from, which may be as many as there are actuals:
// those with the most actuals, and how many there are in all.
func (v *view) sources() ([]budget.Source, int, error) {
	f, err := recall(v, "feeds", journal.Actuals, v.readFeeds)
	if err != nil {
		return nil, 0, err
	}
	listed, total := f.sources(v.head)
	return listed, total, nil
}

func (v *view) readFeeds() (f feeds, err error) {
	if f.counts, err = v.countFeeds(); err != nil {
		return f, err
	}
	if f.counts == nil {
		err = v.scanner.sources.Read(func() { f.crowd.add(sourceOf(v.scanner.sources)) })
		f.crowd.cut()
		if err != nil {
			return f, err
		}
	}
	f.received = f.names()
	err = v.received.Read(func() {
		name := v.received.Text(0)
		if _, wanted := f.received[string(name)]; wanted {
			f.received[string(name)] = receipt{journal.Seq(v.received.Int(1)), time.UnixMicro(v.received.Int(2)).UTC()}
		}
	}, int64(v.head)-mostBetween)
	return f, err
}

// countFeeds counts the actuals of each source and month; nil where these are too many.
func (v *view) countFeeds() (map[feedMonth]int64, error) {
	row, found, size := v.feeds, counter[feedMonth]{counts: map[feedMonth]*int64{}}, 0
	defer row.Reset()
	if err := row.Bind(); err != nil {
		return nil, err
	}
	for size <= mostFeeds {
		more, err := row.Next()
		if err != nil {
			return nil, err
		}
		if !more {
			return found.result(), nil
		}
		known := len(found.counts)
		one := feedMonth{v.text(row.Text(0)), budget.Month{Year: fiscal.Year(row.Int(1)), Period: fiscal.Period(row.Int(2))}}
		found.add(one)
		if len(found.counts) > known {
			size += sized(one.source)
		}
	}
	return nil, nil
}

// sourceOf is a row of ListSources.
func sourceOf(row *cursor.Rows) budget.Source {
	newest := row.Int(1) - 1
	return budget.Source{
		Name: text.Source(row.Text(0)), Actuals: row.Int(2),
		Newest: budget.Month{Year: fiscal.Year(newest / fiscal.Periods), Period: fiscal.Period(newest%fiscal.Periods + 1)},
	}
}

// feeds is what actuals came from, and follows the journal unless the sources are a crowd.
type feeds struct {
	counts   map[feedMonth]int64 // how many actuals there are; nil of a crowd
	crowd    ranking             // instead of counts
	received map[string]receipt  // by source: the last, as far as it is near
}

type feedMonth struct {
	source string
	budget.Month
}

// receipt is when an entry tells of an actual.
type receipt struct {
	seq journal.Seq
	at  time.Time
}

// sized is what is remembered by the name of a source, in tallies of 80 bytes.
func sized(source string) int { return 1 + len(source)/80 }

func (f feeds) size() (size int) {
	for feed := range f.counts {
		size += sized(feed.source)
	}
	for _, s := range f.crowd.first {
		size += sized(string(s.Name))
	}
	for source := range f.received {
		size += sized(source)
	}
	return size
}

func (f feeds) after(changes []change) (feeds, bool) {
	if f.counts == nil {
		return f, false
	}
	f = feeds{counts: maps.Clone(f.counts), received: maps.Clone(f.received)}
	for _, c := range changes {
		if !add(f.counts, feedMonth{c.source, budget.Month{Year: c.Year, Period: c.Period}}, c.n) {
			return f, false
		}
		if c.n > 0 {
			f.received[c.source] = receipt{c.seq, c.at}
		}
	}
	return f, f.size() <= 2*mostFeeds // counts and received
}

// names has an empty receipt for each source that may be listed.
func (f feeds) names() map[string]receipt {
	names := map[string]receipt{}
	for feed := range f.counts {
		names[feed.source] = receipt{}
	}
	for _, s := range f.crowd.first {
		names[string(s.Name)] = receipt{}
	}
	return names
}

// sources lists where the most actuals came from, by name, as of a head, and counts all.
func (f feeds) sources(head journal.Seq) (listed []budget.Source, total int) {
	listed, total = slices.Clone(f.crowd.first), f.crowd.total
	if f.counts != nil {
		r := f.ranked()
		listed, total = r.first, r.total
	}
	for i, s := range listed {
		if last := f.received[string(s.Name)]; last.seq > head-mostBetween {
			listed[i].Changed = last.at
		}
	}
	slices.SortFunc(listed, func(a, b budget.Source) int { return strings.Compare(string(a.Name), string(b.Name)) })
	return listed, total
}

// ranked ranks the sources that are counted.
func (f feeds) ranked() (r ranking) {
	sources := map[string]budget.Source{}
	for feed, n := range f.counts {
		s := sources[feed.source]
		s.Name, s.Actuals = text.Source(feed.source), s.Actuals+n
		if s.Newest.Before(feed.Month) {
			s.Newest = feed.Month
		}
		sources[feed.source] = s
	}
	for _, s := range sources {
		r.add(s)
	}
	r.cut()
	return r
}

// ranking keeps the sources that have the most actuals of all that are added.
type ranking struct {
	first []budget.Source
	total int
}

func (r *ranking) add(s budget.Source) {
	r.total++
	if r.first = append(r.first, s); len(r.first) == 2*budget.MostSources {
		r.cut()
	}
}

// cut leaves the first in their order.
func (r *ranking) cut() {
	slices.SortFunc(r.first, func(a, b budget.Source) int {
		return cmp.Or(cmp.Compare(b.Actuals, a.Actuals), strings.Compare(string(a.Name), string(b.Name)))
	})
	if len(r.first) > budget.MostSources {
		r.first = slices.Delete(r.first, budget.MostSources, len(r.first))
	}
}
