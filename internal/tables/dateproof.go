package tables

// DateEvidence collects what the texts of a column tell about its dates.
type DateEvidence struct {
	DayFirst   Spots // dates with the day first only, as 31/1/2026
	MonthFirst Spots // dates with the month first only, as 1/31/2026
	Either     Spots // dates in both orders, as 3/4/2026
	Century    Spots // years of two digits
}

// Add adds the text of a cell.
func (e *DateEvidence) Add(line, column int, s string) {
	if _, exported := parseExport(s); exported {
		return
	}
	w, ok := readDate(s)
	if !ok {
		return
	}
	_, day := w.in(DayFirst, DateRules{})
	_, month := w.in(MonthFirst, DateRules{})
	spot := Spot{line, column, s}
	switch {
	case day == NotADate && month == NotADate:
		return
	case !w.open || w.first == w.second:
	case month == NotADate:
		e.DayFirst.Add(spot)
	case day == NotADate:
		e.MonthFirst.Add(spot)
	default:
		e.Either.Add(spot)
	}
	if w.short {
		e.Century.Add(spot)
	}
}

// Decided returns the order that the evidence proves, or OrderOpen if no date has an order. It reports
// false if somebody must be asked: some dates prove one order and some the other, or no date
// proves an order and one fits both.
func (e *DateEvidence) Decided() (Order, bool) {
	switch {
	case e.DayFirst.Count > 0 && e.MonthFirst.Count > 0:
		return OrderOpen, false
	case e.DayFirst.Count > 0:
		return DayFirst, true
	case e.MonthFirst.Count > 0:
		return MonthFirst, true
	}
	return OrderOpen, e.Either.Count == 0
}
