package trading_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/trading"
)

func TestParseDate(t *testing.T) {
	for raw, want := range map[string]string{
		"2025-01-02T10:00:00Z":                "2025-01-02T10:00:00Z",
		"2025-01-02t10:00:00z":                "2025-01-02T10:00:00Z",
		"2025-01-02 10:00:00Z":                "2025-01-02T10:00:00Z",
		" 2025-01-02T10:00:00Z\n":             "2025-01-02T10:00:00Z",
		"2025-01-02T10:00:00":                 "2025-01-02T10:00:00Z",
		"2025-01-02T10:00:00.5":               "2025-01-02T10:00:00.5Z",
		"2025-01-02T10:00:00.000Z":            "2025-01-02T10:00:00Z",
		"2025-01-02T10:00:00.123456789Z":      "2025-01-02T10:00:00.123456789Z",
		"2025-01-02T10:00:00.123456789+05:30": "2025-01-02T04:30:00.123456789Z",
		"2025-01-02T10:00:00+02:00":           "2025-01-02T08:00:00Z",
		"2025-01-02T10:00:00-12:00":           "2025-01-02T22:00:00Z",
		"2025-01-02T00:00:00+23:59":           "2025-01-01T00:01:00Z",
		"2025-01-02T10:00:00-00:00":           "2025-01-02T10:00:00Z",
		"2025-01-02":                          "2025-01-02T00:00:00Z",
		"2024-02-29":                          "2024-02-29T00:00:00Z",
		"2000-02-29":                          "2000-02-29T00:00:00Z",
		"1900-01-01":                          "1900-01-01T00:00:00Z",
		"1899-12-31T23:30:00-01:00":           "1900-01-01T00:30:00Z",
		"2200-12-31T23:59:59.999999999Z":      "2200-12-31T23:59:59.999999999Z",
		"2201-01-01T00:30:00+01:00":           "2200-12-31T23:30:00Z",
	} {
		got, err := trading.ParseDate(raw)
		if err != nil || got.Format(time.RFC3339Nano) != want || got.Location() != time.UTC {
			t.Errorf("%q: got %s, %v, want %s", raw, got.Format(time.RFC3339Nano), err, want)
		}
	}
}

func TestParseDateRefuses(t *testing.T) {
	for _, raw := range []string{
		"", " ", "now", "0", "1735812000", "20250102", "20250102T100000Z", "2025-1-2", "2025-01", "01/02/2025", "02.01.2025", "2025/01/02",
		"2025-W01-1", "2025-002", "25-01-02", "+2025-01-02", "-2025-01-02", "02025-01-02",
		"2025-00-01", "2025-13-01", "2025-01-00", "2025-01-32", "2025-02-29", "1900-02-29", "2025-04-31",
		"2025-01-02T", "2025-01-02Z", "2025-01-02T10", "2025-01-02T10:00", "2025-01-02T10:00Z", "2025-01-02T10:00+01:00",
		"2025-01-02T24:00:00Z", "2025-01-02T10:60:00Z", "2025-01-02T23:59:60Z", "2025-01-02T1:00:00Z", "2025-01-02T10:0:00Z",
		"2025-01-02T10:00:00.Z", "2025-01-02T10:00:00.", "2025-01-02T10:00:00,5Z", "2025-01-02T10:00:00,1234567890Z", "2025-01-02T1:00:00+01:00", "2025-01-02T1:00:00.5Z", "2025-01-02T10:00:00.1234567890Z", "2025-01-02T10:00:00.0000000000",
		"2025-01-02T10:00:00.1.2Z", "2025-01-02T10:00:00.-1Z", "2025-01-02T10:00:00ZZ", "2025-01-02T10:00:00 Z", "2025-01-02T10:00:00Z x",
		"2025-01-02T10:00:00+1:00", "2025-01-02T10:00:00+0100", "2025-01-02T10:00:00+01", "2025-01-02T10:00:00+24:00", "2025-01-02T10:00:00+01:60",
		"2025-01-02T10:00:00 +01:00", "2025-01-02T10:00:00+01:00Z", "2025-01-02T10:00:00UTC", "2025-01-02T10:00:00[UTC]", "2025-01-02  10:00:00", "2025-01-02T 10:00:00",
		"2025-01-02_10:00:00Z", "２０２５-01-02", "2025-01-02T10:00:00\x00", "\xff\xff\xff\xff-\xff\xff-\xff\xff",
		"1899-12-31", "1899-12-31T23:59:59.999999999Z", "1900-01-01T00:30:00+01:00",
		"2201-01-01", "2200-12-31T23:30:00-01:00", "0001-01-01", "0000-01-01", "9999-12-31T23:59:59-23:59",
		strings.Repeat("2025-01-02", 1000), "2025-01-02T10:00:00." + strings.Repeat("0", 1<<20),
	} {
		got, err := trading.ParseDate(raw)
		switch {
		case err == nil:
			t.Errorf("%.60q: got %s, want an error", raw, got)
		case !strings.HasPrefix(err.Error(), "must be ") || len(err.Error()) > 200:
			t.Errorf("%.60q: got error %.300q, want a sentence that continues a field's name", raw, err)
		}
	}
}

func TestParseDateRoundTrip(t *testing.T) {
	first := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	last := time.Date(2200, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(first.Unix(), last.Unix()).Draw(t, "seconds")
		want := time.Unix(seconds, rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")).UTC()
		zone := time.FixedZone("", 60*rapid.IntRange(-23*60, 23*60).Draw(t, "offset"))
		for _, raw := range []string{
			want.Format(time.RFC3339Nano),
			want.In(zone).Format(time.RFC3339Nano),
			want.Format("2006-01-02T15:04:05.999999999"),
			want.Format("2006-01-02 15:04:05.000000000"),
		} {
			if got, err := trading.ParseDate(raw); err != nil || !got.Equal(want) {
				t.Fatalf("%q: got %v, %v, want %v", raw, got, err, want)
			}
		}
	})
}

// FuzzParseDate: whatever is read is in UTC and in range, and reads as itself.
func FuzzParseDate(f *testing.F) {
	for _, seed := range []string{
		"2025-01-02T10:00:00Z", "2025-01-02", "2025-01-02 10:00:00.5+05:30", "1900-01-01T00:30:00+01:00", "2025-02-29", "", "2025-01-02T10:00:00.", "ſſſſ-ſſ-ſſ",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := trading.ParseDate(raw)
		if err != nil {
			return
		}
		if got.Location() != time.UTC || got.Year() < 1900 || got.Year() > 2200 {
			t.Fatalf("%q: got %v, want UTC in 1900 to 2200", raw, got)
		}
		again, err := trading.ParseDate(got.Format(time.RFC3339Nano))
		if err != nil || !again.Equal(got) {
			t.Fatalf("%q: got %v, %v when read again, want %v", raw, again, err, got)
		}
		if strict, err := time.Parse(time.RFC3339Nano, raw); err == nil && !strict.Equal(got) {
			t.Fatalf("%q: got %v, want %v", raw, got, strict)
		}
	})
}
