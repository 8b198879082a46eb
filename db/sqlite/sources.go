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

// sources returns the sources with the most actuals, and how many sources there are. There may be as
// many sources as actuals.
func (s *snapshot) sources() ([]budget.Source, int, error) {
	sources, err := records.Cached(s.cached, "sources", journal.Actuals, s.readSources)
	if err != nil {
		return nil, 0, err
	}
	listed, total := sources.Listed(s.head)
	return listed, total, nil
}

// The columns of ListReceived.
const (
	receivedSource = iota
	receivedSeq
	receivedAt
)

var receivedColumns = []string{
	receivedSource: "source",
	receivedSeq:    "seq",
	receivedAt:     "at",
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
		sources.Received(row.Text(receivedSource), journal.Seq(row.Int(receivedSeq)), time.UnixMicro(row.Int(receivedAt)).UTC())
	}, int64(s.head)-records.MostReplayed)
	return sources, err
}

// The columns of ListSourceMonths.
const (
	sourceMonthSource = iota
	sourceMonthYear
	sourceMonthPeriod
)

var sourceMonthColumns = []string{
	sourceMonthSource: "source",
	sourceMonthYear:   "fiscal_year",
	sourceMonthPeriod: "fiscal_period",
}

// countSources counts the actuals of each source and month. It reports false if there are too many
// sources.
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
		if !counter.Add(s.text(row.Text(sourceMonthSource)), budget.Month{Year: fiscal.Year(row.Int(sourceMonthYear)), Period: fiscal.Period(row.Int(sourceMonthPeriod))}) {
			return sources, false, nil
		}
	}
}

// rankSources reads all sources with the counts of SQLite, and keeps those that are listed.
func (s *snapshot) rankSources() (records.Sources, error) {
	var ranking records.Ranking
	row := s.allSources
	err := row.Read(func() { ranking.Add(sourceOf(row)) })
	return ranking.Sources(), err
}

// The columns of ListSources.
const (
	sourceName = iota
	sourceNewest
	sourceActuals
)

var sourceColumns = []string{
	sourceName:    "source",
	sourceNewest:  "newest",
	sourceActuals: "actuals",
}

// sourceOf returns the source in a row of ListSources.
func sourceOf(row *cursor.Rows) budget.Source {
	newest := row.Int(sourceNewest) - 1
	return budget.Source{
		Name: text.Source(row.Text(sourceName)), Actuals: row.Int(sourceActuals),
		Newest: budget.Month{Year: fiscal.Year(newest / fiscal.Periods), Period: fiscal.Period(newest%fiscal.Periods + 1)},
	}
}
