package seed

import (
	"fmt"

	"daybook/internal/fiscal"
	"daybook/internal/text"
)

// accountYear is the year of one account in one department, in cents.
type accountYear struct {
	plan   [fiscal.Periods]int64 // as the year was planned, before figures were rounded
	actual [fiscal.Periods]int64
	booked int   // how many periods have actuals
	drift  int64 // how far the whole year strays from its plan, in thousandths
	remark text.Note
}

// surprises are what the last year did to its plan, in thousandths: real overspends,
// a shortfall of revenue and a hiring freeze.
var surprises = []struct {
	department, account text.Code
	drift               int64
}{
	{eng, "6100", 240},
	{mkt, "6210", 310},
	{sal, "6300", 190},
	{ops, "5400", 260},
	{ldn, "6410", 170},
	{sal, "4300", -160},
	{hrd, "6430", -220},
}

// remarks are what budget owners wrote beside the January of their plans.
var remarks = map[text.Code]text.Note{
	"4000": "Assumes net revenue retention of 108 %",
	"4300": "Two framework contracts up for renewal in Q3",
	"5000": "Committed-use discount included",
	"6000": "Lease runs to 2031; indexation from January",
	"6210": "Spring and autumn fairs, one stand each",
	"6410": "Year-end audit fee as per engagement letter",
	"6500": "Pay review takes effect in April",
	"7000": "Laptops replaced every four years",
}

// accountYear draws a year from its annual plan. It takes the same random numbers
// whatever the month of the data, so that a month's figures do not depend on it.
func (b *books) accountYear(d *department, a *account, year int, annual int64) accountYear {
	c := accountYear{
		booked: fiscal.Periods,
		drift:  b.within(a.sway / 2),
		remark: remarks[a.Code],
	}
	if year == b.asOf.Year() {
		c.booked = int(b.asOf.Month())
		for _, s := range surprises {
			if s.department == d.Code && s.account == a.Code {
				c.drift = s.drift
			}
		}
	}
	for month := range c.plan {
		c.plan[month] = annual * a.season[month] / (100 * fiscal.Periods)
		stray := c.drift + (b.within(a.sway)+b.within(a.sway))/2
		c.actual[month] = c.plan[month] * (1_000 + stray) / 1_000
		if a.sway > 0 {
			c.actual[month] += b.random.Int64N(100)
		}
	}
	return c
}

// within returns a number from -most to most.
func (b *books) within(most int64) int64 { return b.random.Int64N(2*most+1) - most }

// planned is the budget of a period: the plan at first; the nth forecast, made after
// n quarters, has the actuals of these and follows the year's drift after them.
func (c *accountYear) planned(revision, period int) int64 {
	if period <= min(3*revision, c.booked) {
		return rounded(c.actual[period-1])
	}
	return rounded(c.plan[period-1] * (1_000 + c.drift*int64(revision)/4) / 1_000)
}

// note is what stands beside a budgeted figure.
func (c *accountYear) note(revision, period int) text.Note {
	switch {
	case revision == 0 && period == 1:
		return c.remark
	case revision == 0 || period != 3*revision+1 || max(c.drift, -c.drift) < 100:
		return ""
	case c.drift < 0:
		return text.Note(fmt.Sprintf("Running some %d %% below plan; outlook lowered", -c.drift/10))
	}
	return text.Note(fmt.Sprintf("Running some %d %% above plan; outlook raised", c.drift/10))
}

// rounded returns cents rounded to a figure that a person would budget.
func rounded(cents int64) int64 {
	step := int64(10_00)
	switch {
	case cents >= 100_000_00:
		step = 1_000_00
	case cents >= 10_000_00:
		step = 500_00
	case cents >= 1_000_00:
		step = 100_00
	}
	return max((cents+step/2)/step, 1) * step
}
