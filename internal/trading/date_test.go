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
		"2025-01-02T10:00Z":                   "2025-01-02T10:00:00Z", // to the minute
		"2025-01-02T10:00":                    "2025-01-02T10:00:00Z",
		"2025-01-02 10:00":                    "2025-01-02T10:00:00Z",
		"2025-01-02T10:00+01:00":              "2025-01-02T09:00:00Z",
		"2025-01-02T10:00:00+0000":            "2025-01-02T10:00:00Z", // an offset without its colon
		"2025-01-02T10:00:00.5+0100":          "2025-01-02T09:00:00.5Z",
		"2025-01-02T10:00-0000":               "2025-01-02T10:00:00Z",
		"2025-01-02T10:00:00,5Z":              "2025-01-02T10:00:00.5Z", // the comma of ISO 8601
		"2025-01-02T10:00:00,123456789":       "2025-01-02T10:00:00.123456789Z",
		"20250102":                            "2025-01-02T00:00:00Z", // the basic form
		"20250102T100000Z":                    "2025-01-02T10:00:00Z",
		"20250102t100000z":                    "2025-01-02T10:00:00Z",
		"20250102 100000":                     "2025-01-02T10:00:00Z",
		"20250102T1000":                       "2025-01-02T10:00:00Z",
		"20250102T1000Z":                      "2025-01-02T10:00:00Z",
		"20250102T100000+0000":                "2025-01-02T10:00:00Z",
		"20250102T100000+00:00":               "2025-01-02T10:00:00Z",
		"20250102T100000-0530":                "2025-01-02T15:30:00Z",
		"20250102T100000.123456789Z":          "2025-01-02T10:00:00.123456789Z",
		"20250102T100000,5+0100":              "2025-01-02T09:00:00.5Z",
		"19000101":                            "1900-01-01T00:00:00Z",
		"22001231T235959.999999999Z":          "2200-12-31T23:59:59.999999999Z",
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
		"", " ", "now", "0", "1735812000", "1735812000000", "2025-1-2", "2025-01", "01/02/2025", "02.01.2025", "2025/01/02",
		"2025-W01-1", "2025-002", "25-01-02", "+2025-01-02", "-2025-01-02", "02025-01-02",
		"2025-00-01", "2025-13-01", "2025-01-00", "2025-01-32", "2025-02-29", "1900-02-29", "2025-04-31",
		"2025-01-02T", "2025-01-02Z", "2025-01-02T10", "2025-01-02T10Z", "2025-01-02T10.5", "2025-01-02T10:00.5", "2025-01-02T10:00,5Z", // an hour, parts of an hour or a minute
		"20250102T", "20250102Z", "20250102T10", "20250102T10Z", "20250102T1000.5", "20250102T10000", "20250102T1000000", "2025010", "202501021", "202501", "2025002", "2025W011",
		"2025-0102", "202501-02", "2025-01-02T1000", "2025-01-02T100000Z", "20250102T10:00", "20250102T10:00:00Z", "2025-01-02T10:0000", "2025-01-02T1000:00", // a mixture of the forms
		"20251302", "20250230", "20250100", "20250102T2400", "20250102T1060", "20250102T240000Z", "20250102T235960Z",
		"02012025", "31122025", "12312025", "20102011", "18991231", "22010101", // a date that begins with the day is never read as a year
		"2025-01-02T24:00", "2025-01-02T24:00:00", "2025-01-02T23:59:60", "2025-01-02T10:00:00,", "2025-01-02T10:00:00,.5", "2025-01-02T10:00:00.5,5", "20250102T100000.1234567890Z",
		"2025-01-02T24:00:00Z", "2025-01-02T10:60:00Z", "2025-01-02T23:59:60Z", "2025-01-02T1:00:00Z", "2025-01-02T10:0:00Z",
		"2025-01-02T10:00:00.Z", "2025-01-02T10:00:00.", "2025-01-02T10:00:00,1234567890Z", "2025-01-02T1:00:00+01:00", "2025-01-02T1:00:00.5Z", "2025-01-02T10:00:00.1234567890Z", "2025-01-02T10:00:00.0000000000",
		"2025-01-02T10:00:00.1.2Z", "2025-01-02T10:00:00.-1Z", "2025-01-02T10:00:00ZZ", "2025-01-02T10:00:00 Z", "2025-01-02T10:00:00Z x",
		"2025-01-02T10:00:00+1:00", "2025-01-02T10:00:00+100", "2025-01-02T10:00:00+01", "20250102T100000+01", "2025-01-02T10:00:00+2400", "2025-01-02T10:00:00+0160", "2025-01-02T10:00:00−00:00", "2025-01-02T10:00:00+24:00", "2025-01-02T10:00:00+01:60",
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

// TestParseEnd: a bare date at the end of a range is included with its whole day. An instant is not
// included, and may be the first one after the last allowed date.
func TestParseEnd(t *testing.T) {
	for raw, want := range map[string]string{
		"2026-01-31": "2026-02-01T00:00:00Z", " 20260131 ": "2026-02-01T00:00:00Z", "1900-01-01": "1900-01-02T00:00:00Z",
		"2200-12-31": "2201-01-01T00:00:00Z", "2201-01-01T00:00:00Z": "2201-01-01T00:00:00Z", "2200-12-31T23:30:00-00:30": "2201-01-01T00:00:00Z",
		"2026-01-31T00:00Z": "2026-01-31T00:00:00Z", "2026-01-31t15:00": "2026-01-31T15:00:00Z", "2026-01-31 15:00": "2026-01-31T15:00:00Z", "20260131T150000+0100": "2026-01-31T14:00:00Z",
	} {
		if got, err := trading.ParseEnd(raw); err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: got %s, %v, want %s", raw, got.Format(time.RFC3339Nano), err, want)
		}
	}
	for _, raw := range []string{"2201-01-01", "2201-01-01T00:00:00.000000001Z", "1899-12-31", "2026-02-30", "soon"} {
		if got, err := trading.ParseEnd(raw); err == nil {
			t.Errorf("%q: got %s, want an error", raw, got)
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
			want.Format("20060102T150405.000000000Z0700"),
			want.In(zone).Format("20060102T150405.999999999Z0700"),
			strings.ReplaceAll(want.In(zone).Format("2006-01-02T15:04:05.000000000-0700"), ".", ","),
		} {
			if got, err := trading.ParseDate(raw); err != nil || !got.Equal(want) {
				t.Fatalf("%q: got %v, %v, want %v", raw, got, err, want)
			}
		}
		minute := want.Truncate(time.Minute)
		for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04Z07:00", "20060102T1504", "20060102T1504Z0700"} {
			if got, err := trading.ParseDate(minute.Format(layout)); err != nil || !got.Equal(minute) {
				t.Fatalf("%q: got %v, %v, want %v", minute.Format(layout), got, err, minute)
			}
		}
		for _, layout := range []string{"2006-01-02", "20060102"} {
			if got, err := trading.ParseDate(want.Format(layout)); err != nil || !got.Equal(want.Truncate(24*time.Hour)) {
				t.Fatalf("%q: got %v, %v, want its midnight", want.Format(layout), got, err)
			}
		}
	})
}

// FuzzParseDate: a date that is accepted is in UTC and within the range, and parsing it again gives the
// same date.
func FuzzParseDate(f *testing.F) {
	for _, seed := range []string{
		"2025-01-02T10:00:00Z", "2025-01-02", "2025-01-02 10:00:00.5+05:30", "1900-01-01T00:30:00+01:00", "2025-02-29", "",
		"20250102", "20250102T100000Z", "20250102T1000+0000", "2025-01-02T10:00", "2025-01-02T10:00:00,5+0100", "2025-01-02T1000Z", "2025-01-02T10:00:00.", "ſſſſ-ſſ-ſſ",
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
