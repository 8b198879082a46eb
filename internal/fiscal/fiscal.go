// Package fiscal defines fiscal years and their periods.
//
// It must not know the calendar: each company decides in which month its fiscal year begins.
package fiscal

import "fmt"

// Year is a fiscal year, 1900 to 9999.
type Year int

// NewYear returns n as a fiscal year. The error continues the field's name.
func NewYear(n int64) (Year, error) {
	if n < 1900 || n > 9999 {
		return 0, fmt.Errorf("must be 1900 to 9999, got %d", n)
	}
	return Year(n), nil
}

// Period is a fiscal period, 1 to 12 (interface.md, "Budget lines").
type Period int

// Periods is how many periods a fiscal year has.
const Periods = 12

// NewPeriod returns n as a fiscal period. The error continues the field's name.
func NewPeriod(n int64) (Period, error) {
	if n < 1 || n > Periods {
		return 0, fmt.Errorf("must be 1 to %d, got %d", Periods, n)
	}
	return Period(n), nil
}
