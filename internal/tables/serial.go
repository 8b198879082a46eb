package tables

import (
	"math"
	"strconv"
	"time"
)

// serialTime returns the instant of a sheet's serial number: days since the end of 1899, or of
// 1903, to the millisecond. It reports false for a number that is no day: a time without one,
// 29 February 1900, which never was, and what is after 9999.
func serialTime(serial string, since1904 bool) (time.Time, bool) {
	days, err := strconv.ParseFloat(serial, 64)
	if err != nil {
		return time.Time{}, false
	}
	whole := math.Floor(days)
	millis := time.Duration(math.Round((days-whole)*86_400_000)) * time.Millisecond
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case since1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
		if days < 0 || days >= 2_957_004 {
			return time.Time{}, false
		}
	case days < 1 || whole == 60 || days >= 2_958_466:
		return time.Time{}, false
	case whole < 60:
		first = first.AddDate(0, 0, 1)
	}
	return first.AddDate(0, 0, int(whole)).Add(millis), true
}

// timeSerial returns the serial number of an instant in UTC, in days since the end of 1899. It
// reports false for one that a sheet cannot show: before 1 March 1900, after 9999, or with a
// fraction of a second.
func timeSerial(t time.Time) (string, bool) {
	t = t.UTC()
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Unix()
	seconds := t.Unix() - first
	days := seconds / 86_400
	if seconds < 61*86_400 || days >= 2_958_466 || t.Nanosecond() != 0 {
		return "", false
	}
	return strconv.FormatFloat(float64(seconds)/86_400, 'f', -1, 64), true
}

// serialClock is the time of day that a part of a day stands for: 0.5 is 12:00:00.
func serialClock(serial string) (at string, is bool) {
	days, err := strconv.ParseFloat(serial, 64)
	if err != nil || days < 0 || days >= 1 {
		return "", false
	}
	millis := time.Duration(min(math.Round(days*86_400_000), 86_399_999)) * time.Millisecond
	return time.Time{}.Add(millis).Format("15:04:05.999"), true
}
