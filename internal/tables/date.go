package tables

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"daybook/internal/text"
)

// Order says which comes first in a date such as 3/4/2026.
type Order uint8

// The orders.
const (
	OrderOpen Order = iota
	DayFirst
	MonthFirst
)

// DateRules are what a file's dates leave open, as the caller has decided it.
type DateRules struct {
	Order Order
	// Century is the first of the hundred years that a year of two digits is one of: with 1950,
	// 49 is 2049 and 50 is 1950. It is 0 while that is open.
	Century int
	// Location is that of a time without a zone; nil is UTC. A date without a time is 00:00 UTC
	// in any location, because it names a day and not an instant.
	Location *time.Location
}

// Date is the instant that a text says.
type Date struct {
	Time  time.Time // in UTC
	Clock bool      // the text has a time of day
	Twice bool      // the clock of the location showed this time twice; Time is the first
}

// DateProblem says why a text is no date under the rules.
type DateProblem string

// The problems.
const (
	NotADate       DateProblem = "not a date"
	OrderUnknown   DateProblem = "order unknown"   // a date in both orders: Reads has both, day first
	OrderDiffers   DateProblem = "order differs"   // a date in the other order only: Reads has it
	NoSuchDay      DateProblem = "no such day"     // a date that no calendar has, such as 31 April
	CenturyUnknown DateProblem = "century unknown" // a year of two digits: Reads has it in 19.. and 20..
	NoSuchTime     DateProblem = "no such time"    // the clock of the location skipped it
)

// DateError is what ParseDate returns for a text that is no date under the rules.
type DateError struct {
	Problem  DateProblem
	Text     string
	Location *time.Location // with NoSuchTime
	Reads    []Date
}

// Error continues the name of a cell: "must be a date, got abc".
func (e *DateError) Error() string {
	got := text.Printable(text.Shorten(e.Text))
	switch e.Problem {
	case OrderUnknown:
		return fmt.Sprintf("is %s or %s: say whether the day or the month comes first in %s", day(e.Reads[0]), day(e.Reads[1]), got)
	case OrderDiffers:
		return "has its day and month in the other order than the file: " + got
	case NoSuchDay:
		return "is a day that does not exist: " + got
	case CenturyUnknown:
		return "has a year of two digits: say which hundred years are meant by " + got
	case NoSuchTime:
		return fmt.Sprintf("is a time that does not exist in %s, where the clocks were put forward: %s", e.Location, got)
	}
	return "must be a date such as 2026-01-31, got " + got
}

func day(d Date) string { return d.Time.Format(time.DateOnly) }

// The forms of a date. The groups are year, month, day in any order, and what follows.
var (
	yearFirst  = regexp.MustCompile(`^(\d{4})([-/.])(\d{1,2})([-/.])(\d{1,2})(.*)$`)
	compact    = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})(T.*)?$`)
	dotted     = regexp.MustCompile(`^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})(\D.*)?$`)
	slashed    = regexp.MustCompile(`^(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})(\D.*)?$`)
	dashed     = regexp.MustCompile(`^(\d{1,2})-(\d{1,2})-(\d{4})(\D.*)?$`)
	dayName    = regexp.MustCompile(`^(\d{1,2})(?:\.|er)?[ -]*(\pL+)\.?,?[ -]*(\d{4}|\d{2})(\D.*)?$`)
	nameDay    = regexp.MustCompile(`^(\pL+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(\D.*)?$`)
	clockForms = regexp.MustCompile(`^(?:[Tt]| +|, *)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?( ?[AaPp]\.?[Mm]\.?)?(?: ?(Z|z|UTC|GMT|[-+\x{2212}]\d{2}(?::?\d{2})?))?$`)
)

// written is a date as its text says it, before the rules.
type written struct {
	first, second int // day and month where the order is open, else day and month
	year          int
	short         bool   // the year has two digits
	open          bool   // first and second may be day and month or month and day
	clock         string // what follows
}

// ParseDate reads a date or an instant: RFC 3339 and ISO 8601, YYYYMMDD, YYYY/MM/DD, D.M.YYYY,
// day month-name year in English, German, French and Swedish, and D/M/YYYY or M/D/YYYY as the
// rules say. The error is a *DateError.
func ParseDate(s string, rules DateRules) (Date, error) {
	if t, ok := parseExport(s); ok {
		return Date{Time: t, Clock: true}, nil
	}
	w, ok := readDate(s)
	if !ok {
		return Date{}, &DateError{Problem: NotADate, Text: s}
	}
	e := &DateError{Text: s}
	order := DayFirst
	if w.open {
		order = rules.Order
	}
	dates := [3]Date{}
	problems := [3]DateProblem{}
	for _, o := range []Order{DayFirst, MonthFirst} {
		dates[o], problems[o] = w.in(o, rules)
	}
	switch chosen := problems[order]; {
	case !w.open || w.first == w.second:
		order = DayFirst
		e.Problem = problems[order]
	case order == OrderOpen && problems[DayFirst] == NotADate:
		order = MonthFirst
		e.Problem = problems[order]
	case order == OrderOpen && problems[MonthFirst] == NotADate:
		order = DayFirst
		e.Problem = problems[order]
	case order == OrderOpen:
		e.Problem, e.Reads = OrderUnknown, dates[DayFirst:]
	case chosen == NotADate && problems[DayFirst+MonthFirst-order] != NotADate:
		e.Problem, e.Reads = OrderDiffers, []Date{dates[DayFirst+MonthFirst-order]}
	default:
		e.Problem = chosen
	}
	switch e.Problem {
	case "":
		return dates[order], nil
	case CenturyUnknown:
		for _, century := range []int{1900, 2000} {
			rules.Century = century
			if d, problem := w.in(order, rules); problem == "" {
				e.Reads = append(e.Reads, d)
			}
		}
	case NoSuchTime:
		e.Location = rules.Location
	case NotADate:
		if _, ok := readClock(w.clock); ok {
			e.Problem = NoSuchDay
		}
	}
	return Date{}, e
}

// parseExport reads an instant as exports write it, 2026-01-31T15:30:00Z, which leaves nothing
// open: in a twentieth of the time that the other forms take.
func parseExport(s string) (time.Time, bool) {
	if len(s) < len("2026-01-31T15:30:00Z") || s[len(s)-1] != 'Z' {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	return t, err == nil && t.Year() > 0
}

// readDate reads the form of a date.
func readDate(s string) (written, bool) {
	s = trim(s)
	if len(s) > 64 {
		return written{}, false
	}
	if m := yearFirst.FindStringSubmatch(s); len(m) > 6 && m[2] == m[4] {
		return written{first: number(m[5]), second: number(m[3]), year: number(m[1]), clock: m[6]}, true
	}
	if m := compact.FindStringSubmatch(s); m != nil {
		return written{first: number(m[3]), second: number(m[2]), year: number(m[1]), clock: m[4]}, true
	}
	for _, form := range []*regexp.Regexp{dotted, slashed, dashed} {
		if m := form.FindStringSubmatch(s); m != nil {
			return written{first: number(m[1]), second: number(m[2]), year: number(m[3]), short: len(m[3]) == 2, open: form != dotted, clock: m[4]}, true
		}
	}
	if m := dayName.FindStringSubmatch(s); m != nil {
		month, ok := ParseMonth(m[2])
		return written{first: number(m[1]), second: int(month), year: number(m[3]), short: len(m[3]) == 2, clock: m[4]}, ok
	}
	if m := nameDay.FindStringSubmatch(s); m != nil {
		month, ok := ParseMonth(m[1])
		return written{first: number(m[2]), second: int(month), year: number(m[3]), clock: m[4]}, ok
	}
	return written{}, false
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// in returns the instant of a date in an order, or why there is none.
func (w written) in(o Order, rules DateRules) (Date, DateProblem) {
	day, month := w.first, w.second
	if o == MonthFirst && w.open {
		day, month = month, day
	}
	year := w.year
	if w.short {
		year = FullYear(year, rules.Century)
	}
	leap := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if w.short && rules.Century == 0 {
		leap = time.Date(2000, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	}
	c, ok := readClock(w.clock)
	switch {
	case !ok || leap.Day() != day || leap.Month() != time.Month(month) || !w.short && year == 0:
		return Date{}, NotADate
	case w.short && rules.Century == 0:
		return Date{}, CenturyUnknown
	case w.clock == "":
		return Date{Time: leap}, ""
	}
	return c.on(leap, rules.Location)
}

// FullYear is the year that two digits mean in the hundred years from a first one.
func FullYear(digits, century int) int {
	year := century/100*100 + digits
	if year < century {
		year += 100
	}
	return year
}

// clock is a time of day.
type clock struct {
	since  time.Duration // midnight
	zoned  bool
	offset time.Duration // east of UTC
}

func readClock(s string) (clock, bool) {
	if s == "" {
		return clock{}, true
	}
	m := clockForms.FindStringSubmatch(s)
	if m == nil {
		return clock{}, false
	}
	hour, minute, second := number(m[1]), number(m[2]), number(m[3])
	if half := strings.ToLower(strings.Trim(m[5], " .")); half != "" {
		if hour < 1 || hour > 12 {
			return clock{}, false
		}
		hour %= 12
		if half[0] == 'p' {
			hour += 12
		}
	}
	if hour > 23 || minute > 59 || second > 59 {
		return clock{}, false
	}
	c := clock{since: time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second}
	c.since += time.Duration(number((m[4] + "000000000")[:9]))
	var ok bool
	c.offset, ok = readOffset(m[6])
	c.zoned = m[6] != ""
	return c, ok
}

func readOffset(s string) (time.Duration, bool) {
	if strings.Trim(s, "ZzUTCGM") == "" {
		return 0, true
	}
	digits := strings.ReplaceAll(strings.TrimLeft(s, "+-\u2212"), ":", "") + "00"
	hours, minutes := number(digits[:2]), number(digits[2:4])
	if hours > 23 || minutes > 59 {
		return 0, false
	}
	offset := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if s[0] != '+' {
		offset = -offset
	}
	return offset, true
}

// on returns the instant of a time on a day, midnight UTC. Around a change of the clocks, a
// time may not exist or occur twice.
func (c clock) on(day time.Time, location *time.Location) (Date, DateProblem) {
	wall := day.Add(c.since)
	if c.zoned || location == nil {
		return Date{Time: wall.Add(-c.offset), Clock: true}, ""
	}
	var found []time.Time
	for _, near := range []time.Duration{-36 * time.Hour, 36 * time.Hour} {
		_, offset := wall.Add(near).In(location).Zone()
		instant := wall.Add(-time.Duration(offset) * time.Second)
		if _, is := instant.In(location).Zone(); is == offset && (len(found) == 0 || !found[0].Equal(instant)) {
			found = append(found, instant)
		}
	}
	switch {
	case len(found) == 0:
		return Date{}, NoSuchTime
	case len(found) == 2 && found[1].Before(found[0]):
		found[0] = found[1]
	}
	return Date{Time: found[0].UTC(), Clock: true, Twice: len(found) == 2}, ""
}
