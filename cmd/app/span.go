package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"daybook/internal/text"
)

// span is a flag that is a time, like 24h or 7d; "" = none.
type span struct {
	least time.Duration // a shorter one is refused
	raw   string
	lasts time.Duration
}

// Set implements pflag.Value. An empty text is none; whether a flag may be empty, others check.
func (s *span) Set(raw string) error {
	var lasts time.Duration
	if raw != "" {
		var err error
		if lasts, err = parseSpan(raw); err != nil {
			return err
		}
		if lasts < s.least {
			return fmt.Errorf("must be at least %s, not %s", s.least, lasts)
		}
	}
	s.raw, s.lasts = raw, lasts
	return nil
}

// String implements pflag.Value.
func (s *span) String() string { return s.raw }

// Type implements pflag.Value.
func (s *span) Type() string { return "time" }

// parseSpan reads a positive time: a number of days, which Go's durations do not have, or a duration of
// Go. The error follows the name of the flag.
func parseSpan(raw string) (time.Duration, error) {
	const most = math.MaxInt64 / int64(24*time.Hour)
	var span time.Duration
	var err error
	if days, is := strings.CutSuffix(raw, "d"); !is {
		span, err = time.ParseDuration(raw)
	} else if n, parsing := strconv.ParseInt(days, 10, 64); parsing == nil && 0 < n && n <= most {
		span = time.Duration(n * int64(24*time.Hour))
	}
	if err != nil || span <= 0 {
		return 0, fmt.Errorf("must be a positive time like 365d, 12h or 90m, at most %dd, got %q", most, text.Shorten(raw))
	}
	return span, nil
}
