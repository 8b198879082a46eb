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

// Overview is what is looked at first: how a period, and its year, stand.
type Overview struct {
	Department     string // a department's code, or AllDepartments
	Month                 // zero parts where nothing is posted
	Version        Version
	Standings      []Standing // by currency, at most MostCurrencies: those with the most postings in the year
	StandingsTotal int        // how many there are, with those that are not listed
	Usage          Usage      // of the whole ledger
	Sources        []Source   // of its actuals, by name, at most MostSources: those with the most
	SourcesTotal   int        // how many there are, with those that are not listed
}

// OverviewQuery says which overview is wanted.
type OverviewQuery struct {
	Month      // a part of 0 = the newest, as Usage.Newest has it
	Version    Version
	Department text.Code      // "" = every department
	Currency   money.Currency // "" = every currency
	Threshold  money.Percent  // of alerts
}

// Standing is how one currency stands. Its figures are net results.
type Standing struct {
	Currency     money.Currency
	Lines        int // of the period
	Period       Figures
	YearToDate   Figures
	Months       [fiscal.Periods]Figures // period 1 is at 0
	Unfavourable int                     // alerts
	Favourable   int                     // alerts
	Worst        []Compare               // at most Drivers, most unfavourable first
	Best         []Compare               // at most Drivers, most favourable first; none of 0
}

// Drivers is how many lines an overview names in either direction.
const Drivers = 5

// MostSources is how many sources of actuals an overview lists, and MostCurrencies how many
// currencies.
const (
	MostSources    = 100
	MostCurrencies = 100
)

// Outlook is what an overview is made of, from one snapshot. It is shared: whoever asks
// for it leaves it as it is.
type Outlook struct {
	Usage        Usage
	Sources      []Source // of all actuals, by name, at most MostSources: those with the most
	SourcesTotal int      // how many there are, with those that are not listed
	Month                 // what was asked for, as Usage.Newest completes it
	Postings     Postings
	Months       Tallies // of its year
}

// OutlookQuery says which outlook is wanted.
type OutlookQuery struct {
	Month        // as Usage.Newest is asked
	Horizon      Month
	Version      Version
	DepartmentID DepartmentID // 0 = every one
}

// Overview returns how a period and its year stand. NotFound: an unknown department.
func (l *Ledger) Overview(ctx context.Context, q OverviewQuery) (Overview, error) {
	department, err := l.reported(ctx, q.Department)
	if err != nil {
		return Overview{}, err
	}
	look, err := l.store.Outlook(ctx, OutlookQuery{q.Month, l.horizon(), q.Version, department.ID})
	if err != nil {
		return Overview{}, err
	}
	o := Overview{Department: string(department.Code), Month: look.Month, Version: q.Version, Usage: look.Usage, Sources: look.Sources, SourcesTotal: look.SourcesTotal}
	if o.Whole() {
		report := ReportQuery{Year: o.Year, Period: o.Period, Version: q.Version, Department: q.Department, Currency: q.Currency}
		var listed []money.Currency
		listed, o.StandingsTotal = mostPosted(look.Months.currencies(q.Currency))
		o.Standings = standings(newReport(report, o.Department, look.Postings), look.Months, listed, q.Threshold)
	}
	var named []*Account
	for i := range o.Standings {
		for _, drivers := range [][]Compare{o.Standings[i].Worst, o.Standings[i].Best} {
			for j := range drivers {
				named = append(named, &drivers[j].Account)
			}
		}
	}
	return o, l.name(ctx, nil, named)
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

// standings are made of the report of a period, which names lines, and the tallies of its
// year, which have the figures. They are those of the currencies that are listed.
func standings(r Report, year Tallies, listed []money.Currency, threshold money.Percent) []Standing {
	standings := make([]Standing, len(listed))
	of := map[money.Currency]*Standing{}
	for i, currency := range listed {
		standings[i].Currency = currency
		of[currency] = &standings[i]
	}
	for _, c := range year.courses(func(currency money.Currency) bool { return of[currency] != nil }) {
		s := of[c.Currency]
		for i, f := range &c.Months {
			net := f.net(c.Account.FavourHigh)
			s.Months[i] = s.Months[i].plus(net)
			if fiscal.Period(i+1) <= r.Period {
				s.YearToDate = s.YearToDate.plus(net)
			}
			if fiscal.Period(i+1) == r.Period {
				s.Period = s.Period.plus(net)
			}
		}
	}
	for i := range r.Lines {
		if s := of[r.Lines[i].Currency]; s != nil {
			s.take(r.Lines[i], threshold)
		}
	}
	return standings
}

// take counts a line, also among the alerts where it is one, and keeps it where it is a driver.
func (s *Standing) take(line Compare, threshold money.Percent) {
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
		s.Worst = driver(s.Worst, line, func(a, b Compare) int { return cmp.Compare(a.Abs, b.Abs) })
	case line.Abs > 0:
		s.Best = driver(s.Best, line, func(a, b Compare) int { return cmp.Compare(b.Abs, a.Abs) })
	}
}

// driver puts a line among the first, behind those that are as large.
func driver(first []Compare, line Compare, order func(a, b Compare) int) []Compare {
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
