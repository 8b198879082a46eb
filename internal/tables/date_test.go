package tables_test

import (
	"errors"
	"testing"
	"time"
	_ "time/tzdata" // the zones, on a machine that has none

	"daybook/internal/tables"
)

func TestDates(t *testing.T) {
	zone := func(name string) *time.Location {
		l, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	madrid, auckland, chatham := zone("Europe/Madrid"), zone("Pacific/Auckland"), zone("Pacific/Chatham")
	dmy, mdy := tables.DateRules{Order: tables.DayFirst}, tables.DateRules{Order: tables.MonthFirst}
	for _, c := range []struct {
		text  string
		rules tables.DateRules
		want  string // the instant, or the problem
	}{
		{"2026-01-31", tables.DateRules{}, "2026-01-31T00:00:00Z"},
		{"2026-01-31", tables.DateRules{Location: auckland}, "2026-01-31T00:00:00Z"},
		{"2026-01-31T15:30", tables.DateRules{Location: auckland}, "2026-01-31T02:30:00Z clock"},
		{"2026-01-31T15:30:00Z", tables.DateRules{Location: auckland}, "2026-01-31T15:30:00Z clock"},
		{"2026-01-31t15:30:00.123456789+02:00", tables.DateRules{}, "2026-01-31T13:30:00.123456789Z clock"},
		{"2026-01-31 15:30:00 -0530", tables.DateRules{}, "2026-01-31T21:00:00Z clock"},
		{"2026-01-31 15:30:00+02", tables.DateRules{}, "2026-01-31T13:30:00Z clock"},
		{"2026-01-31 15:30 UTC", tables.DateRules{Location: madrid}, "2026-01-31T15:30:00Z clock"},
		{"20260131", tables.DateRules{}, "2026-01-31T00:00:00Z"},
		{"20260131T153000Z", tables.DateRules{}, "not a date"},
		{"2026/01/31", tables.DateRules{}, "2026-01-31T00:00:00Z"},
		{"2026/1/3", mdy, "2026-01-03T00:00:00Z"},
		{"2026-1-3", tables.DateRules{}, "2026-01-03T00:00:00Z"},
		{"2026-01/31", tables.DateRules{}, "not a date"},
		{"3.4.2026", tables.DateRules{}, "2026-04-03T00:00:00Z"},
		{"03. 04. 2026", mdy, "2026-04-03T00:00:00Z"},
		{"13.13.2026", tables.DateRules{}, "no such day"},
		{"3/4/2026", tables.DateRules{}, "order unknown 2026-04-03 2026-03-04"},
		{"3/4/2026", dmy, "2026-04-03T00:00:00Z"},
		{"3/4/2026", mdy, "2026-03-04T00:00:00Z"},
		{"3-4-2026", mdy, "2026-03-04T00:00:00Z"},
		{"3/3/2026", tables.DateRules{}, "2026-03-03T00:00:00Z"},
		{"31/1/2026", tables.DateRules{}, "2026-01-31T00:00:00Z"},
		{"1/31/2026", tables.DateRules{}, "2026-01-31T00:00:00Z"},
		{"31/1/2026", mdy, "order differs 2026-01-31"},
		{"1/31/2026", dmy, "order differs 2026-01-31"},
		{"31/1/2026 2:05 PM", dmy, "2026-01-31T14:05:00Z clock"},
		{"31/1/2026, 12:05 am", dmy, "2026-01-31T00:05:00Z clock"},
		{"26.06.26", tables.DateRules{}, "century unknown 1926-06-26 2026-06-26"},
		{"26.06.26", tables.DateRules{Century: 1950}, "2026-06-26T00:00:00Z"},
		{"31.12.99", tables.DateRules{Century: 1950}, "1999-12-31T00:00:00Z"},
		{"31.12.49", tables.DateRules{Century: 1950}, "2049-12-31T00:00:00Z"},
		{"31.12.27", tables.DateRules{Century: 1927}, "1927-12-31T00:00:00Z"},
		{"31.12.26", tables.DateRules{Century: 1927}, "2026-12-31T00:00:00Z"},
		{"29.02.00", tables.DateRules{Century: 1950}, "2000-02-29T00:00:00Z"},
		{"29.02.01", tables.DateRules{Century: 1950}, "no such day"},
		{"3/4/26", tables.DateRules{Century: 1950, Order: tables.DayFirst}, "2026-04-03T00:00:00Z"},
		{"26-06-12", tables.DateRules{Century: 1950}, "not a date"},
		{"3 March 2026", tables.DateRules{}, "2026-03-03T00:00:00Z"},
		{"3. März 2026", tables.DateRules{}, "2026-03-03T00:00:00Z"},
		{"1er février 2026", tables.DateRules{}, "2026-02-01T00:00:00Z"},
		{"24 déc. 2026", tables.DateRules{}, "2026-12-24T00:00:00Z"},
		{"3 maj 2026", tables.DateRules{}, "2026-05-03T00:00:00Z"},
		{"03-Jan-2026", tables.DateRules{}, "2026-01-03T00:00:00Z"},
		{"3-Jan-26", tables.DateRules{Century: 1950}, "2026-01-03T00:00:00Z"},
		{"March 3, 2026", tables.DateRules{}, "2026-03-03T00:00:00Z"},
		{"Mar 3rd 2026", tables.DateRules{}, "2026-03-03T00:00:00Z"},
		{"3 Foo 2026", tables.DateRules{}, "not a date"},
		{"2026-02-29", tables.DateRules{}, "no such day"},
		{"2026-04-31", tables.DateRules{}, "no such day"},
		{"2026-00-10", tables.DateRules{}, "no such day"},
		{"0000-01-01", tables.DateRules{}, "no such day"},
		{"2026-01-31T24:00", tables.DateRules{}, "not a date"},
		{"2026-01-31T15:30:60Z", tables.DateRules{}, "not a date"},
		{"2026-01-31 13:00 PM", tables.DateRules{}, "not a date"},
		{"46054", tables.DateRules{}, "not a date"},
		{"", tables.DateRules{}, "not a date"},
		{"2026-03-29 02:30:00", tables.DateRules{Location: madrid}, "no such time"},
		{"2026-10-25 02:30:00", tables.DateRules{Location: madrid}, "2026-10-25T00:30:00Z clock twice"},
		{"2026-07-01 12:00:00", tables.DateRules{Location: madrid}, "2026-07-01T10:00:00Z clock"},
		{"2026-04-05 03:00:00", tables.DateRules{Location: chatham}, "2026-04-04T13:15:00Z clock twice"},
	} {
		got := dateTold(c.text, c.rules)
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func dateTold(text string, rules tables.DateRules) string {
	d, err := tables.ParseDate(text, rules)
	if e, refused := errors.AsType[*tables.DateError](err); refused {
		got := string(e.Problem)
		for _, d := range e.Reads {
			got += " " + d.Time.Format(time.DateOnly)
		}
		return got
	}
	got := d.Time.Format(time.RFC3339Nano)
	if d.Clock {
		got += " clock"
	}
	if d.Twice {
		got += " twice"
	}
	return got
}

// TestDateEvidence: what the texts of a column prove about the order of its dates.
func TestDateEvidence(t *testing.T) {
	for _, c := range []struct {
		texts   []string
		order   tables.Order
		decided bool
		century int
	}{
		{[]string{"3/4/2026", "5/6/2026"}, tables.OrderOpen, false, 0},
		{[]string{"3/4/2026", "13/6/2026"}, tables.DayFirst, true, 0},
		{[]string{"3/4/2026", "6/13/2026"}, tables.MonthFirst, true, 0},
		{[]string{"6/13/2026", "13/6/2026"}, tables.OrderOpen, false, 0},
		{[]string{"2026-01-02", "3.4.2026", "4/4/2026", "nothing", "30/2/2026"}, tables.OrderOpen, true, 0},
		{[]string{"26.06.26", "3/4/26", "31.02.26"}, tables.OrderOpen, false, 2},
	} {
		var e tables.DateEvidence
		for i, text := range c.texts {
			e.Add(i+1, 1, text)
		}
		order, decided := e.Decided()
		if order != c.order || decided != c.decided || e.Century.Count != c.century {
			t.Errorf("%q: got %d %t %d, want %d %t %d", c.texts, order, decided, e.Century.Count, c.order, c.decided, c.century)
		}
	}
}

// FuzzDate: a date that reads under the rules of one order reads the same when it is written
// in RFC 3339, and no text makes the reader fail.
func FuzzDate(f *testing.F) {
	for _, s := range []string{"3/4/26", "2026-01-31T15:30:00.5+02:00", "1er février 2026", "31/1/2026, 12:05 am"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var e tables.DateEvidence
		e.Add(1, 1, s)
		d, err := tables.ParseDate(s, tables.DateRules{Order: tables.DayFirst, Century: 1950})
		if err != nil {
			if _, typed := errors.AsType[*tables.DateError](err); !typed || err.Error() == "" {
				t.Fatalf("%q: got %v, want a DateError", s, err)
			}
			return
		}
		if d.Time.Year() < 1 || d.Time.Year() > 9999 {
			return // a zone moved it
		}
		again, err := tables.ParseDate(d.Time.Format(time.RFC3339Nano), tables.DateRules{})
		if err != nil || !again.Time.Equal(d.Time) {
			t.Fatalf("%q: got %v, then %v, %v", s, d.Time, again.Time, err)
		}
	})
}
