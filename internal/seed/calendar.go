package seed

import (
	"slices"
	"time"
)

// businessDays returns the days from <= day < to on which the markets are open:
// weekdays other than Christmas and New Year.
func businessDays(from, to time.Time) []time.Time {
	var days []time.Time
	for day := from; day.Before(to); day = day.AddDate(0, 0, 1) {
		_, month, date := day.Date()
		holiday := month == time.January && date == 1 || month == time.December && date == 25
		weekend := day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
		if !holiday && !weekend {
			days = append(days, day)
		}
	}
	return days
}

// expiries returns the quarterly option expiries, third Fridays, from the first one
// not before from to the first one not before to.
func expiries(from, to time.Time) []time.Time {
	var dates []time.Time
	for quarter := time.Date(from.Year(), time.March, 1, 0, 0, 0, 0, time.UTC); ; quarter = quarter.AddDate(0, 3, 0) {
		friday := quarter.AddDate(0, 0, (int(time.Friday-quarter.Weekday())+7)%7+14)
		if friday.Before(from) {
			continue
		}
		dates = append(dates, friday)
		if !friday.Before(to) {
			return dates
		}
	}
}

// dayAfter returns the index of the first of the days that is after a date.
func dayAfter(days []time.Time, date time.Time) int {
	i, found := slices.BinarySearchFunc(days, date, time.Time.Compare)
	if found {
		i++
	}
	return i
}

// session is when a market trades, in UTC and in summer as in winter.
type session struct{ opens, closes time.Duration }

var (
	tokyo     = session{5 * time.Minute, 150 * time.Minute}
	europe    = session{8 * time.Hour, 15*time.Hour + 25*time.Minute}
	newYork   = session{14*time.Hour + 32*time.Minute, 19*time.Hour + 58*time.Minute}
	interbank = session{7 * time.Hour, 20 * time.Hour}
)

// full is the whole of a session, in the units in which at counts.
const full = 1_000_000

// at returns the time at which a part of the day's session is over, to the second.
func (s session) at(day time.Time, part int) time.Time {
	return day.Add((s.opens + (s.closes-s.opens)/full*time.Duration(part)).Truncate(time.Second))
}
