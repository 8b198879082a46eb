package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// figures are the figures of one round, by name.
type figures map[string]float64

func (f figures) say(name string, value float64) { f[name] = value }

// spread is the median, the minimum and the maximum of the rounds.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	return spread{Median: middle(sorted), Min: sorted[0], Max: sorted[len(sorted)-1]}
}

func (s spread) String() string {
	return fmt.Sprintf("%s (%s, %s)", figure(s.Median), figure(s.Min), figure(s.Max))
}

// middle returns the median of sorted values. There must be at least one.
func middle[T float64 | int64](sorted []T) T {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// percentile returns the value that a part of the sorted values do not exceed.
func percentile[T cmp.Ordered](sorted []T, part float64) T {
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}

// figure prints three digits, as in the table.
func figure(n float64) string {
	switch {
	case n == 0:
		return "0"
	case n < 0:
		return "-" + figure(-n)
	case n >= 100:
		return strconv.FormatFloat(n, 'f', 0, 64)
	case n >= 10:
		return strconv.FormatFloat(n, 'f', 1, 64)
	case n >= 0.01:
		return strconv.FormatFloat(n, 'f', 2, 64)
	}
	return strconv.FormatFloat(n, 'g', 2, 64)
}
