// Package records has what every store needs: the form of a record in the journal, sums in memory that
// follow the journal, reads that concurrent callers share, and the comparison of the journal with the
// tables.
//
// It knows no SQL, no engine and no file. A store passes it what it has read.
package records

import (
	"time"

	"daybook/internal/access"
	"daybook/internal/backup"
	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/journal"
	"daybook/internal/mapping"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// A record is a row as the journal tells it: a JSON object with the names of the table's columns,
// in their order. Decimals and dates are written as the interface answers them.
//
// The same value always gives the same bytes, in every version of the program, because the chain of
// the journal is made of them and app verify compares them. So a record never changes for values
// that could be stored before. A field that is added later comes last, and is absent while it has
// its default: field.Field.Later says how.

// Currency returns the record of a currency.
func Currency(v trading.Currency) []byte { return written(trading.CurrencyFields, &v) }

// Company returns the record of a company.
func Company(v trading.Company) []byte { return written(trading.CompanyFields, &v) }

// Revenue returns the record of a revenue.
func Revenue(v trading.Revenue) []byte { return written(trading.RevenueFields, &v) }

// Trade returns the record of a trade.
func Trade(v trading.Trade) []byte { return written(TradeFields, &v) }

// TradeFields are the fields of a trade in the journal. They have the names of the table's columns. There the side is 1 or -1.
var TradeFields = trading.TradeFields.
	Replace("type", field.ID("side", func(t *trading.Trade) *trading.Side { return &t.Side })).
	Replace("date", trading.TradeFields.Select("date")[0].As("traded_at"))

// Department returns the record of a department.
func Department(v budget.Department) []byte { return written(budget.DepartmentFields, &v) }

// Account returns the record of a GL account.
func Account(v budget.Account) []byte { return written(budget.AccountFields, &v) }

// Line returns the record of a budget line.
func Line(v budget.Line) []byte { return written(budget.LineFields, &v) }

// Actual returns the record of an actual.
func Actual(v budget.Actual) []byte { return written(budget.ActualFields, &v) }

// Token returns the record of a token.
func Token(v access.Token) []byte { return written(tokenFields, &v) }

// tokenFields are the fields of a token in the journal. The last use is left out: it is no change of the token.
var tokenFields = field.List[access.Token]{
	field.ID("id", func(t *access.Token) *access.TokenID { return &t.ID }).Assigned(),
	field.Text("name", nil, func(t *access.Token) *text.Name { return &t.Name }).Assigned(),
	field.Text("scope", nil, func(t *access.Token) *access.Scope { return &t.Scope }).Assigned(),
	field.Hash("sha256", func(t *access.Token) []byte { return t.Digest[:] }).Assigned(),
	field.Date("created_at", nil, func(t *access.Token) *time.Time { return &t.Created }).Assigned(),
	field.Date("expires_at", nil, func(t *access.Token) *time.Time { return &t.Expires }).Assigned().OrNull(),
	field.Date("revoked_at", nil, func(t *access.Token) *time.Time { return &t.Revoked }).Assigned().OrNull(),
}

// Batch returns the record of a batch.
func Batch(v batch.Batch) []byte { return written(batch.Fields, &v) }

// Map returns the record of a saved map.
func Map(v mapping.Map) []byte { return written(mapping.Fields, &v) }

// Restored returns the record of a restore.
func Restored(v backup.Restored) []byte { return written(restoredFields, &v) }

var restoredFields = field.List[backup.Restored]{
	field.ID("id", func(r *backup.Restored) *int64 { return &r.ID }).Assigned(),
	field.Text("file", nil, func(r *backup.Restored) *string { return &r.File }).Assigned(),
	field.ID("seq", func(r *backup.Restored) *journal.Seq { return &r.Link.Seq }).Assigned(),
	field.Hash("hash", func(r *backup.Restored) []byte { return r.Link.Hash[:] }).Assigned(),
}

// written returns the record of a value, with room for a usual one.
func written[T any](fields field.List[T], v *T) []byte {
	record, _ := fields.Append(make([]byte, 0, 256), v) // of a damaged text it has the valid part
	return record
}
