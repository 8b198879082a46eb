package backup

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// most is the largest number of backups that are kept.
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

// TestKeptOfAnything: for any backups in any order, the newest one is kept, at most 23 are kept, and a
// second run removes nothing more.
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

// TestKeptOverYears: retention day by day over years keeps the same backups as one run over all backups
// ever taken. So a removed backup is never needed later.
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
				t.Fatalf("%v: got the newest removed, want it kept", at)
			}
		}
		if want := keep(ever); !slices.Equal(left, want) {
			t.Fatalf("got %v, want %v", left, want)
		}
	})
}

// TestKeptOfADailyBackup: of one backup a day for a year and a half, those of 7 days, 4 weeks and 12
// months are kept.
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

// TestKeptInUTC: days, weeks and months are those of UTC.
func TestKeptInUTC(t *testing.T) {
	west := time.FixedZone("west", -10*3600)
	early, late := time.Date(2026, 1, 1, 13, 0, 0, 0, west), time.Date(2026, 1, 1, 15, 0, 0, 0, west) // 23:00, and 01:00 of the next day
	if got := Kept([]time.Time{early, late}, late); !got[0] || !got[1] {
		t.Errorf("got %v, want both kept, because they are of two days", got)
	}
}

// TestKeptBesideTheFuture: a backup with a time in the future does not cause another one to be removed.
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
					t.Fatalf("got %v removed at %v, want it kept", all[i], now)
				}
				continue
			}
			if got != want[0] {
				t.Fatalf("%v: got kept %t beside one of the future, want %t", all[i], got, want[0])
			}
			want = want[1:]
		}
	})
}

// removed is a list of scheduled backups. Retention removes some of them.
type removed struct {
	found    []Manifest
	lineages []Lineage
}

func (r *removed) add(name string, taken time.Time, lineage Lineage, damage string) {
	r.found = append(r.found, Manifest{File: name, TakenAt: taken, Scheduled: true, Damage: damage})
	r.lineages = append(r.lineages, lineage)
}

// names returns the removed backups, except the database's own later ones.
func (r *removed) names(now time.Time) (names []string) {
	for _, m := range superseded(r.found, r.lineages, now) {
		if m.File != "later" {
			names = append(names, m.File)
		}
	}
	return names
}

// TestAStrayTakesNoPlace: backups whose link the database does not have are counted apart, so they and the others do
// not displace each other. Such a backup is removed after a year. A backup of another database stays, and so
// does one on request.
func TestAStrayTakesNoPlace(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	january := time.Date(2026, 1, 31, 2, 0, 0, 0, time.UTC)
	var r removed
	r.add("a year old", now.AddDate(-1, 0, -1), Stray, "")
	r.add("another database's", now.AddDate(-3, 0, 0), Foreign, "")
	r.add("on request", now.AddDate(-3, 0, 0), Stray, "")
	r.found[2].Scheduled = false
	r.add("of January", january, Own, "")
	r.add("by mistake", january.Add(5*time.Hour), Stray, "")
	r.add("by mistake, further", january.Add(6*time.Hour), Stray, "")
	for day := range 80 {
		r.add("later", now.AddDate(0, 0, day-79), Own, "")
	}
	if got, want := r.names(now), []string{"a year old", "by mistake"}; !slices.Equal(got, want) {
		t.Errorf("got %q removed, want %q", got, want)
	}
}

// TestADamagedBackupTakesNoPlace: a damaged backup does not count as the one of a day, week or month. It is
// removed like others.
func TestADamagedBackupTakesNoPlace(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	january := time.Date(2026, 1, 29, 2, 0, 0, 0, time.UTC)
	var r removed
	for _, lineage := range []Lineage{Own, Stray} {
		r.add("whole", january, lineage, "")
		r.add("damaged", january.AddDate(0, 0, 1), lineage, "1 findings")
		r.add("damaged, later", january.AddDate(0, 0, 1).Add(time.Hour), lineage, "1 findings")
	}
	for day := range 80 {
		r.add("later", now.AddDate(0, 0, day-79), Own, "")
	}
	if got, want := r.names(now), []string{"damaged", "damaged"}; !slices.Equal(got, want) {
		t.Errorf("got %q removed, want %q", got, want)
	}
}
