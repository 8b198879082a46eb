package exchange_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestTimesInAColumnOfTheirOwn: a time of day beside a date is that of the date, in the zone of the map. A date that has
// a time needs none, and a column of times alone is asked about.
func TestTimesInAColumnOfTheirOwn(t *testing.T) {
	row := func(date, clock string) string {
		return "symbol,currency_code,shares,product,side,price,Date,Time\n" + fmt.Sprintf("X,EUR,1,stock,buy,5,%s,%s\n", date, clock)
	}
	const read = "2 new X EUR 1 stock buy 5 "
	for _, c := range []testRow{
		{"ISO", "trades", row("2026-01-31", "15:30:01"), read + "2026-01-31T15:30:01Z", ""},
		{"German", "trades", row("31.01.2026", "9:30"), read + "2026-01-31T09:30:00Z", ""},
		{"digits", "trades", row("20260131", "153001"), read + "2026-01-31T15:30:01Z", ""},
		{"hours and minutes", "trades", row("20260131", "1530"), read + "2026-01-31T15:30:00Z", ""},
		{"before noon", "trades", row("31 Jan 2026", "3:30 PM"), read + "2026-01-31T15:30:00Z", ""},
		{"of a zone", "trades", row("2026-01-31", "15:30"), read + "2026-01-31T14:30:00Z", `{"dates":{"timezone":"Europe/Berlin"}}`},
		{"none", "trades", row("2026-01-31", ""), read + "2026-01-31T00:00:00Z", ""},
		{"in both", "trades", row("2026-01-31T10:00:00Z", "15:30"), read + "2026-01-31T10:00:00Z", ""},
		{"no time", "trades", row("2026-01-31", "25:00"), "2 wrong not_a_date date", ""},
		{"no date", "trades", strings.Replace(row("", "2026-01-31T10:00:00Z"), "Date", "Note", 1), "?column date", ""},
	} {
		c.run(t, newKnown(t))
	}
}
