package sqlite

import (
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// sources are those that actuals came from, which may be as many as there are actuals: those with
// the most actuals, and how many there are in all.
func (s *snapshot) sources() ([]budget.Source, int, error) {
	sources, err := records.Cached(s.cached, "sources", journal.Actuals, s.readSources)
	if err != nil {
		return nil, 0, err
	}
	listed, total := sources.Listed(s.head)
	return listed, total, nil
}

func (s *snapshot) readSources() (records.Sources, error) {
	sources, few, err := s.countSources()
	if err == nil && !few {
		sources, err = s.rankSources()
	}
	if err != nil {
		return sources, err
	}
	row := s.received
	err = row.Read(func() {
		sources.Received(row.Text(0), journal.Seq(row.Int(1)), time.UnixMicro(row.Int(2)).UTC())
	}, int64(s.head)-records.MostReplayed)
	return sources, err
}

// countSources counts the actuals of each source and month; false where there are too many sources.
func (s *snapshot) countSources() (sources records.Sources, few bool, err error) {
	row, counter := s.sourceMonths, records.NewSourceCounter()
	defer row.Reset()
	if err := row.Bind(); err != nil {
		return sources, false, err
	}
	for {
		more, err := row.Next()
		if err != nil {
			return sources, false, err
		}
		if !more {
			return counter.Sources(), true, nil
		}
		if !counter.Add(s.text(row.Text(0)), budget.Month{Year: fiscal.Year(row.Int(1)), Period: fiscal.Period(row.Int(2))}) {
			return sources, false, nil
		}
	}
}

// rankSources reads all sources, of which SQLite has counted the actuals, and keeps those that are
// listed.
func (s *snapshot) rankSources() (records.Sources, error) {
	var ranking records.Ranking
	row := s.allSources
	err := row.Read(func() { ranking.Add(sourceOf(row)) })
	return ranking.Sources(), err
}

// sourceOf is a row of ListSources.
func sourceOf(row *cursor.Rows) budget.Source {
	newest := row.Int(1) - 1
	return budget.Source{
		Name: text.Source(row.Text(0)), Actuals: row.Int(2),
		Newest: budget.Month{Year: fiscal.Year(newest / fiscal.Periods), Period: fiscal.Period(newest%fiscal.Periods + 1)},
	}
}
