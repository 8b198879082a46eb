package backup

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// most is how many backups are kept at most.
const most = 7 + 4 + 12

// keep applies the rule once.
func keep(taken []time.Time) (left []time.Time) {
	now := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, kept := range Kept(taken, now) {
		if kept {
			left = append(left, taken[i])
		}
	}
	return left
}

// Whatever is in the folder and in which order: the newest is kept, there are never too
// many, and keeping again removes nothing more.
func TestKeptOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.SliceOf(rapid.Int64Range(0, 5*366*24*3600)).Draw(t, "seconds since 2024")
		taken := make([]time.Time, len(seconds))
		for i, s := range seconds {
			taken[i] = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s) * time.Second)
		}
		left := keep(taken)
		if len(left) > most {
			t.Fatalf("got %d kept, want at most %d", len(left), most)
		}
		if len(taken) > 0 && !slices.ContainsFunc(left, slices.MaxFunc(taken, time.Time.Compare).Equal) {
			t.Fatalf("got %v, want the newest of %v among them", left, taken)
		}
		if again := keep(left); !slices.Equal(again, left) {
			t.Fatalf("got %v when kept again, want %v", again, left)
		}
	})
}

// Kept day by day over years, what is left is what the rule would have kept of all that
// was ever taken: a backup is never missed after it was removed.
func TestKeptOverYears(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.Int64Range(0, 400*24*3600).Draw(t, "start")) * time.Second)
		step := rapid.SampledFrom([]time.Duration{6 * time.Hour, 24 * time.Hour, 25 * time.Hour, 60 * time.Hour}).Draw(t, "step")
		var ever, left []time.Time
		for range 500 {
			at = at.Add(step)
			if rapid.IntRange(0, 19).Draw(t, "down") == 0 {
				at = at.Add(time.Duration(rapid.IntRange(1, 40).Draw(t, "days")) * 24 * time.Hour)
			}
			ever, left = append(ever, at), keep(append(left, at))
			if len(left) > most {
				t.Fatalf("%v: got %d kept, want at most %d", at, len(left), most)
			}
			if !left[len(left)-1].Equal(at) {
				t.Fatalf("%v: the newest is not kept", at)
			}
		}
		if want := keep(ever); !slices.Equal(left, want) {
			t.Fatalf("got %v, want %v", left, want)
		}
	})
}

// A year and a half of one backup a day, by the calendar.
func TestKeptOfADailyBackup(t *testing.T) {
	var left []time.Time
	for at := time.Date(2025, 1, 1, 3, 0, 0, 0, time.UTC); at.Before(time.Date(2026, 6, 18, 0, 0, 0, 0, time.UTC)); at = at.AddDate(0, 0, 1) {
		left = keep(append(left, at))
	}
	var got []string
	for _, at := range left {
		got = append(got, at.Format(time.DateOnly))
	}
	want := []string{
		"2025-07-31", "2025-08-31", "2025-09-30", "2025-10-31", "2025-11-30", "2025-12-31", // the newest of each month
		"2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", // Sunday 2026-05-31 is its week's too
		"2026-06-07",                                                                                     // of its week
		"2026-06-11", "2026-06-12", "2026-06-13", "2026-06-14", "2026-06-15", "2026-06-16", "2026-06-17", // of the days
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Days, weeks and months are those of UTC.
func TestKeptInUTC(t *testing.T) {
	west := time.FixedZone("west", -10*3600)
	early, late := time.Date(2026, 1, 1, 13, 0, 0, 0, west), time.Date(2026, 1, 1, 15, 0, 0, 0, west) // 23:00, and 01:00 of the next day
	if got := Kept([]time.Time{early, late}, late); !got[0] || !got[1] {
		t.Errorf("got %v, want both: they are of two days", got)
	}
}

// Whatever lies in the future takes no place from what does not.
func TestKeptBesideTheFuture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
		hours := rapid.SliceOf(rapid.IntRange(-9000, 9000)).Draw(t, "hours from now")
		var past, all []time.Time
		for _, h := range hours {
			at := now.Add(time.Duration(h) * time.Hour)
			if all = append(all, at); !at.After(now) {
				past = append(past, at)
			}
		}
		want := Kept(past, now)
		for i, got := range Kept(all, now) {
			if all[i].After(now) {
				if !got {
					t.Fatalf("%v is removed at %v", all[i], now)
				}
				continue
			}
			if got != want[0] {
				t.Fatalf("%v: got %t beside the future, want %t", all[i], got, want[0])
			}
			want = want[1:]
		}
	})
}

// The backup that is furthest along a branch that was given up stays, however old it is and
// whatever else was taken.
func TestTheLastOfABranchIsKept(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	var found []Manifest
	var standings []Standing
	add := func(name string, entries int64, standing Standing, scheduled bool) {
		taken := now.AddDate(-3, 0, len(found))
		found = append(found, Manifest{File: name, TakenAt: taken, Scheduled: scheduled, Contents: Contents{Entries: entries}})
		standings = append(standings, standing)
	}
	own := Standing{Relation: Own}
	add("own", 100, own, true)
	add("of 1", 110, Standing{Abandoned, 1}, true)
	add("of 1, the furthest", 120, Standing{Abandoned, 1}, true)
	add("of 1, by a clock that was wrong", 115, Standing{Abandoned, 1}, true)
	add("of 1, asked for", 130, Standing{Abandoned, 1}, false)
	add("of 2", 150, Standing{Abandoned, 2}, true)
	add("of 2, the same later", 150, Standing{Abandoned, 2}, true)
	add("another database's", 1, Standing{Relation: Foreign}, true)
	add("a stray", 1, Standing{Relation: Stray}, true)
	for range 1200 {
		add("later", 200, own, true)
	}
	var got []string
	for _, m := range superseded(found, standings, now.AddDate(1, 0, 0)) {
		if m.File != "later" {
			got = append(got, m.File)
		}
	}
	if want := []string{"own", "of 1", "of 1, by a clock that was wrong", "of 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q removed, want %q", got, want)
	}
}
