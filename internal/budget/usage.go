package budget

import (
	"maps"
	"slices"
	"time"

	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Usage counts what is posted, and to what. Callers share it and must not change it.
type Usage struct {
	Lines   Use // of budget lines in every version
	Actuals Use
}

// Use counts the postings of one side.
type Use struct {
	Departments    map[DepartmentID]int64
	Accounts       map[AccountID]int64
	Currencies     map[money.Currency]int64
	MoreCurrencies bool // there are currencies that are not counted
	Months         map[Month]int64
}

// Month is a period of a fiscal year.
type Month struct {
	Year   fiscal.Year
	Period fiscal.Period
}

// Source is a feed that actuals come from.
type Source struct {
	Name    text.Source
	Actuals int64     // that it posted last
	Newest  Month     // of these
	Changed time.Time // when one of these was last posted; zero if that was long ago
}

// Years lists the fiscal years that have budgets or actuals.
func (u Usage) Years() []fiscal.Year {
	years := map[fiscal.Year]bool{}
	for _, use := range []Use{u.Lines, u.Actuals} {
		for month := range use.Months {
			years[month.Year] = true
		}
	}
	return slices.Sorted(maps.Keys(years))
}

// Currencies lists the MostCurrencies with the most budget lines and actuals, by code.
func (u Usage) Currencies() []money.Currency {
	postings := maps.Clone(u.Lines.Currencies)
	if postings == nil {
		postings = map[money.Currency]int64{}
	}
	for currency, n := range u.Actuals.Currencies {
		postings[currency] += n
	}
	listed, _ := mostPosted(postings)
	return listed
}

// Newest completes a month of which a part may be 0, for any: it returns the newest such month with an
// actual, else the newest with a budget. A month beyond the horizon counts only if there is no other. A
// part that cannot be found stays 0.
func (u Usage) Newest(asked, horizon Month) Month {
	if asked.Whole() {
		return asked
	}
	for _, beyond := range []bool{false, true} {
		for _, use := range []Use{u.Actuals, u.Lines} {
			var newest Month
			for m := range use.Months {
				if asked.allows(m) && horizon.Before(m) == beyond && newest.Before(m) {
					newest = m
				}
			}
			if newest != (Month{}) {
				return newest
			}
		}
	}
	return asked
}

// horizon is a year after the current month. A fiscal year may begin eleven months before the calendar
// year of its name; a later month is a typing error, or a plan.
func (l *Ledger) horizon() Month {
	now := l.now().UTC()
	return Month{fiscal.Year(now.Year() + 1), fiscal.Period(now.Month())}
}

// Whole reports a month of which neither part is 0.
func (m Month) Whole() bool { return m.Year != 0 && m.Period != 0 }

// allows reports whether another month has the parts of this one that are not 0.
func (m Month) allows(o Month) bool {
	return (m.Year == 0 || m.Year == o.Year) && (m.Period == 0 || m.Period == o.Period)
}

// number counts months, so that two months differ by the periods between them.
func (m Month) number() int { return int(m.Year)*fiscal.Periods + int(m.Period) }

// Before orders months.
func (m Month) Before(o Month) bool {
	return m.Year < o.Year || m.Year == o.Year && m.Period < o.Period
}
