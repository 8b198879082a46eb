package budget

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Overview summarises a fiscal period and its year, for each currency.
type Overview struct {
	Department      string // a department's code, or AllDepartments
	Month                  // zero parts where nothing is posted
	Version         Version
	Currencies      []CurrencyOverview // by currency, at most MostCurrencies: those with the most postings in the year
	CurrenciesTotal int                // with those that are not listed
	Sources         []Source           // of its actuals, by name, at most MostSources: those with the most
	SourcesTotal    int                // with those that are not listed
}

// OverviewQuery selects an overview.
type OverviewQuery struct {
	Month      // a part of 0 = the newest, as Usage.Newest has it
	Version    Version
	Department text.Code      // "" = every department
	Currency   money.Currency // "" = every currency
	Threshold  money.Percent  // of alerts
}

// CurrencyOverview summarises a period and its year in one currency. Its figures are net
// results.
type CurrencyOverview struct {
	Currency     money.Currency
	Lines        int // of the period
	Period       Figures
	YearToDate   Figures
	Months       [fiscal.Periods]Figures // period 1 is at 0
	ToDate       [fiscal.Periods]Figures // Months added up from period 1
	Unfavourable int                     // alerts
	Favourable   int                     // alerts
	Worst        []VarianceLine          // at most Drivers, most unfavourable first
	Best         []VarianceLine          // at most Drivers, most favourable first; none of 0
}

// Drivers is the largest number of lines that an overview lists in either direction.
const Drivers = 5

// MostSources and MostCurrencies are how many sources and currencies an overview lists at most.
const (
	MostSources    = 100
	MostCurrencies = 100
)

// OverviewData is what an overview is computed from, read from one snapshot. Callers share it
// and must not change it.
type OverviewData struct {
	Usage        Usage
	Sources      []Source // of all actuals, by name, at most MostSources: those with the most
	SourcesTotal int      // with those that are not listed
	Month                 // what was asked for, as Usage.Newest completes it
	Postings     Postings
	Months       Tallies // of its year
}

// OverviewDataQuery selects the data of an overview.
type OverviewDataQuery struct {
	Month        // as Usage.Newest is asked
	Horizon      Month
	Version      Version
	DepartmentID DepartmentID // 0 = every one
}

// Overview summarises a period and its year. NotFound: the department is unknown.
func (l *Ledger) Overview(ctx context.Context, q OverviewQuery) (Overview, error) {
	department, err := l.reported(ctx, q.Department)
	if err != nil {
		return Overview{}, err
	}
	data, err := l.OverviewData(ctx, OverviewDataQuery{q.Month, l.horizon(), q.Version, department.ID})
	if err != nil {
		return Overview{}, err
	}
	o := Overview{Department: string(department.Code), Month: data.Month, Version: q.Version, Sources: data.Sources, SourcesTotal: data.SourcesTotal}
	if o.Whole() {
		report := ReportQuery{Year: o.Year, Period: o.Period, Version: q.Version, Department: q.Department, Currency: q.Currency}
		var listed []money.Currency
		listed, o.CurrenciesTotal = mostPosted(data.Months.currencies(q.Currency))
		o.Currencies = currencyOverviews(newReport(report, o.Department, data.Postings), data.Months, listed, q.Threshold)
	}
	var named []*Account
	for i := range o.Currencies {
		for _, drivers := range [][]VarianceLine{o.Currencies[i].Worst, o.Currencies[i].Best} {
			for j := range drivers {
				named = append(named, &drivers[j].Account)
			}
		}
	}
	return o, l.name(ctx, nil, named)
}

// Behind returns by how many periods a source is older than the newest listed source.
func (o Overview) Behind(s Source) int {
	newest := s.Newest
	for _, other := range o.Sources {
		if newest.Before(other.Newest) {
			newest = other.Newest
		}
	}
	return newest.number() - s.Newest.number()
}

// mostPosted lists the currencies with the most postings, by code, and counts all.
func mostPosted(postings map[money.Currency]int64) (listed []money.Currency, total int) {
	all := slices.SortedFunc(maps.Keys(postings), func(a, b money.Currency) int {
		return cmp.Or(cmp.Compare(postings[b], postings[a]), cmp.Compare(a, b))
	})
	listed = slices.Clone(all[:min(len(all), MostCurrencies)])
	slices.Sort(listed)
	return listed, len(all)
}

// currencyOverviews combines the lines of a period's report with the tallies of its year, for
// the listed currencies.
func currencyOverviews(r Report, year Tallies, listed []money.Currency, threshold money.Percent) []CurrencyOverview {
	currencyOverviews := make([]CurrencyOverview, len(listed))
	of := map[money.Currency]*CurrencyOverview{}
	for i, currency := range listed {
		currencyOverviews[i].Currency = currency
		of[currency] = &currencyOverviews[i]
	}
	year.merge(func(at *Tally, account Account, f Figures) {
		if s := of[at.Currency]; s != nil {
			month := &s.Months[at.Period-1]
			*month = month.plus(f.net(account.FavourHigh))
		}
	})
	for i := range currencyOverviews {
		currencyOverviews[i].addUp(r.Period)
	}
	for i := range r.Lines {
		if s := of[r.Lines[i].Currency]; s != nil {
			s.take(r.Lines[i], threshold)
		}
	}
	return currencyOverviews
}

// addUp adds the months up, and picks the figures of a period.
func (s *CurrencyOverview) addUp(period fiscal.Period) {
	var toDate Figures
	for i, f := range &s.Months {
		toDate = toDate.plus(f)
		s.ToDate[i] = toDate
	}
	s.Period, s.YearToDate = s.Months[period-1], s.ToDate[period-1]
}

// take counts a line, as an alert if it exceeds the threshold, and keeps it if it is a driver.
func (s *CurrencyOverview) take(line VarianceLine, threshold money.Percent) {
	s.Lines++
	if line.Percent.Exceeds(threshold) {
		if line.Status == Favourable {
			s.Favourable++
		} else {
			s.Unfavourable++
		}
	}
	switch {
	case line.Abs < 0:
		s.Worst = driver(s.Worst, line, func(a, b VarianceLine) int { return cmp.Compare(a.Abs, b.Abs) })
	case line.Abs > 0:
		s.Best = driver(s.Best, line, func(a, b VarianceLine) int { return cmp.Compare(b.Abs, a.Abs) })
	}
}

// driver inserts a line in order, behind equal ones, and keeps the first Drivers.
func driver(first []VarianceLine, line VarianceLine, order func(a, b VarianceLine) int) []VarianceLine {
	i := len(first)
	for i > 0 && order(line, first[i-1]) < 0 {
		i--
	}
	if i == Drivers {
		return first
	}
	first = slices.Insert(first, i, line)
	return first[:min(len(first), Drivers)]
}
