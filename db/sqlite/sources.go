package sqlite

import (
	"time"

	"daybook/db/records"
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

func (s *snapshot) readSources() (records.Sources, error) {
	sources, few, err := s.countSources()
	if err == nil && !few {
		sources, err = s.rankSources()
	}
	if err != nil {
		return sources, err
	}
	for row, err := range s.received.All(int64(s.head) - records.MostReplayed) {
		if err != nil {
			return sources, err
		}
		sources.Received([]byte(row.Source), journal.Seq(row.Seq), time.UnixMicro(row.At).UTC())
	}
	return sources, nil
}

// countSources counts the actuals of each source and month. It reports false if there are too many
// sources.
func (s *snapshot) countSources() (sources records.Sources, few bool, err error) {
	counter := records.NewSourceCounter()
	for row, err := range s.sourceMonths.All() {
		if err != nil {
			return sources, false, err
		}
		if !counter.Add(row.Source, budget.Month{Year: fiscal.Year(row.FiscalYear), Period: fiscal.Period(row.FiscalPeriod)}) {
			return sources, false, nil
		}
	}
	return counter.Sources(), true, nil
}

// rankSources reads all sources with the counts of SQLite, and keeps those that are listed.
func (s *snapshot) rankSources() (sources records.Sources, err error) {
	var ranking records.Ranking
	for row, err := range s.allSources.All() {
		if err != nil {
			return sources, err
		}
		newest := row.Newest - 1
		ranking.Add(budget.Source{
			Name: text.Source(row.Source), Actuals: row.Actuals,
			Newest: budget.Month{Year: fiscal.Year(newest / fiscal.Periods), Period: fiscal.Period(newest%fiscal.Periods + 1)},
		})
	}
	return ranking.Sources(), nil
}
