package exchange

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"daybook/internal/fiscal"
	"daybook/internal/tables"
)

// period is what the header of a column in the wide form says about its period: its number, or a month.
type period struct {
	number int        // 1 to 12, or 0
	bare   bool       // the header is a number alone, as 7
	month  time.Month // where the header names a month
	year   int        // that of the month, or 0
	short  int        // the two digits of the year, as in Jan-26, or 0
}

var (
	numbered    = regexp.MustCompile(`^(p|m|period|periode|période)? ?0?(\d{1,2})$`)
	monthName   = regexp.MustCompile(`^(?:\d{1,2} |(\d{4}) )?(\pL+)(?: ?'?(\d{1,2}))?(?: (\d{4}))?$`)
	monthOfYear = regexp.MustCompile(`^(\pL+)\.? ?[-/'’](\d{2})$`)
	yearMonth   = regexp.MustCompile(`^(\d{4})[ /](\d{1,2})$`)
	monthYear   = regexp.MustCompile(`^(\d{1,2})[ /](\d{4})$`)
)

// periodOf reads the header of a column as a period: 7, P7, M07, Period 7, a month's name with a day or a year,
// or a date.
func periodOf(c tables.Cell) (period, bool) {
	if c.Type == tables.DateCell {
		return period{month: c.Time.Month(), year: c.Time.Year()}, true
	}
	switch s := c.Text(); {
	case len(s) <= 2 && digits(s): // as in most rows of a file
		n := atoi(s)
		return period{number: n, bare: true}, n >= 1 && n <= fiscal.Periods
	case len(s) == 4 && digits(s): // a year
		return period{}, false
	}
	if m := monthOfYear.FindStringSubmatch(oneLine(c.Text())); m != nil {
		month, is := tables.ParseMonth(m[1])
		return period{month: month, short: atoi(m[2])}, is
	}
	key, _ := normal(c.Text())
	if m := numbered.FindStringSubmatch(key); m != nil {
		n := atoi(m[2])
		return period{number: n, bare: m[1] == ""}, n >= 1 && n <= fiscal.Periods
	}
	if m := monthName.FindStringSubmatch(key); m != nil {
		if month, is := tables.ParseMonth(m[2]); is {
			return period{month: month, year: atoi(m[1] + m[4])}, true
		}
	}
	if m := yearMonth.FindStringSubmatch(key); m != nil {
		return ofMonth(m[2], m[1])
	}
	if m := monthYear.FindStringSubmatch(key); m != nil {
		return ofMonth(m[1], m[2])
	}
	if c.Type != tables.TextCell {
		return period{}, false
	}
	date, err := tables.ParseDate(oneLine(c.Value), tables.DateRules{})
	return period{month: date.Time.Month(), year: date.Time.Year()}, err == nil && !date.Clock
}

func ofMonth(month, year string) (period, bool) {
	n := atoi(month)
	return period{month: time.Month(n), year: atoi(year)}, n >= 1 && n <= 12
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// within is the period with its whole year, if it has two digits of it and the hundred years are known by their first.
func (p period) within(century int) period {
	if p.short > 0 && century > 0 {
		p.year = tables.FullYear(p.short, century)
	}
	return p
}

// in returns the fiscal period of a column where the fiscal year begins in a month, and the fiscal year, which
// is the year of its last month; 0 where the header has no year.
func (p period) in(starts time.Month) (number, year int) {
	if p.month == 0 {
		return p.number, p.year
	}
	number = (int(p.month)-int(starts)+12)%12 + 1
	if p.year != 0 && starts > time.January && p.month >= starts {
		return number, p.year + 1
	}
	return number, p.year
}
