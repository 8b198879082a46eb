package budget

import (
	"slices"

	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// LineID identifies a budget line.
type LineID int64

// Line is the amount budgeted for one key (interface.md, "Budget lines").
type Line struct {
	ID LineID
	LineKey
	Amount   money.Amount
	Currency money.Currency
	Notes    text.Note
}

// LineFields are the fields of a budget line.
var LineFields = slices.Concat(
	field.List[Line]{field.ID("id", func(l *Line) *LineID { return &l.ID }).Assigned()},
	keyFields(func(l *Line) *Key { return &l.Key }),
	field.List[Line]{
		field.Text("version", ParseVersion, func(l *Line) *Version { return &l.Version }).Default(func(l *Line) { l.Version = Original }),
		field.Amount("amount", func(l *Line) *money.Amount { return &l.Amount }),
		field.Text("currency", money.ParseCurrency, func(l *Line) *money.Currency { return &l.Currency }),
		field.Text("notes", text.ParseNote, func(l *Line) *text.Note { return &l.Notes }).Optional(),
	},
)

// Key is what an actual is unique by: one department, account and fiscal period.
type Key struct {
	DepartmentID DepartmentID
	AccountID    AccountID
	Year         fiscal.Year
	Period       fiscal.Period
}

// keyFields are the fields of the key in a record.
func keyFields[R any](at func(*R) *Key) field.List[R] {
	return field.List[R]{
		field.ID("department_id", func(r *R) *DepartmentID { return &at(r).DepartmentID }),
		field.ID("gl_account_id", func(r *R) *AccountID { return &at(r).AccountID }),
		field.Integer("fiscal_year", fiscal.NewYear, func(r *R) *fiscal.Year { return &at(r).Year }),
		field.Integer("fiscal_period", fiscal.NewPeriod, func(r *R) *fiscal.Period { return &at(r).Period }),
	}
}

// LineKey is what a budget line is unique by: a key in one budget version.
type LineKey struct {
	Key
	Version Version
}

// Order orders keys as a store keeps postings: by year, period, department and account.
func (k Key) Order() [3]int64 {
	return [3]int64{int64(k.Year)<<16 | int64(k.Period)<<8, int64(k.DepartmentID), int64(k.AccountID)}
}

// Order orders keys as a store keeps lines: by year, period, version, department and account.
func (k LineKey) Order() [3]int64 {
	order := k.Key.Order()
	for _, other := range Versions() { // by their texts
		if other < k.Version {
			order[0]++
		}
	}
	return order
}

// Version is a budget version. It is a data value: no version falls back to another.
type Version string

// The budget versions.
const (
	Original  Version = "original"
	Forecast1 Version = "forecast1"
	Forecast2 Version = "forecast2"
	Forecast3 Version = "forecast3"
)

// Versions lists the budget versions in the order they are made.
func Versions() []Version { return []Version{Original, Forecast1, Forecast2, Forecast3} }

// ParseVersion reads a budget version without regard to case. The error continues
// the field's name.
func ParseVersion(raw string) (Version, error) { return text.OneOf(raw, Versions()...) }

// LineChange is a change of a budget line.
type LineChange = field.Change[Line]

// ChangedLineFields are the fields that it may set: no part of the key, and no currency.
var ChangedLineFields = LineFields.Select("amount", "notes")

// LineRef names a budget line by its id, by its natural key, or by both. Zero
// values are not said.
type LineRef struct {
	ID LineID
	LineKey
}

// NaturalKey returns the key that names the line when no id does; the version
// defaults to original. MissingIdentifier when a part of it is not said.
func (r LineRef) NaturalKey() (LineKey, error) {
	key := r.LineKey
	var missing fault.Fields
	for _, part := range []struct {
		field string
		said  bool
	}{
		{"department_id", key.DepartmentID != 0},
		{"gl_account_id", key.AccountID != 0},
		{"fiscal_year", key.Year != 0},
		{"fiscal_period", key.Period != 0},
	} {
		if !part.said {
			missing.Add(part.field, "is needed where no id names the budget line")
		}
	}
	if key.Version == "" {
		key.Version = Original
	}
	return key, missing.As(fault.MissingIdentifier)
}

// Agrees returns ConflictingIdentifiers when the key that is said, in whole or in
// part, is not that of the line which the id names.
func (r LineRef) Agrees(line Line) error {
	said := r.LineKey
	var conflicts fault.Fields
	conflict := func(field string, differs bool, has any) {
		if differs {
			conflicts.Add(field, "contradicts the id: budget line %d has %v", line.ID, has)
		}
	}
	conflict("department_id", said.DepartmentID != 0 && said.DepartmentID != line.DepartmentID, line.DepartmentID)
	conflict("gl_account_id", said.AccountID != 0 && said.AccountID != line.AccountID, line.AccountID)
	conflict("fiscal_year", said.Year != 0 && said.Year != line.Year, line.Year)
	conflict("fiscal_period", said.Period != 0 && said.Period != line.Period, line.Period)
	conflict("version", said.Version != "" && said.Version != line.Version, line.Version)
	return conflicts.As(fault.ConflictingIdentifiers)
}
