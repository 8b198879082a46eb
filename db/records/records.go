// Package records has what every store needs: the form of a record in the journal, sums in memory that
// follow the journal, reads that concurrent callers share, and the comparison of the journal with the
// tables.
//
// It knows no SQL, no engine and no file. A store passes it what it has read.
package records

import (
	"daybook/internal/access"
	"daybook/internal/backup"
	"daybook/internal/budget"
	"daybook/internal/field"
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
func Currency(v trading.Currency) []byte { c := encoder(); currency(&c, &v); return c.written() }

func currency(c *codec, v *trading.Currency) {
	integer(c, "id", &v.ID)
	str(c, "code", &v.Code)
	str(c, "name", &v.Name)
}

// Company returns the record of a company.
func Company(v trading.Company) []byte { c := encoder(); company(&c, &v); return c.written() }

func company(c *codec, v *trading.Company) {
	integer(c, "id", &v.ID)
	str(c, "name", &v.Name)
	integer(c, "shares_outstanding", &v.SharesOutstanding)
	price(c, "price", &v.Price)
	integerOrNull(c, "currency_id", &v.CurrencyID)
}

// Revenue returns the record of a revenue.
func Revenue(v trading.Revenue) []byte { c := encoder(); revenue(&c, &v); return c.written() }

func revenue(c *codec, v *trading.Revenue) {
	integer(c, "id", &v.ID)
	integer(c, "company_id", &v.CompanyID)
	str(c, "category", &v.Category)
	amount(c, "amount", &v.Amount)
	integerOrNull(c, "fiscal_year", &v.FiscalYear)
	textOrNull(c, "currency_code", &v.CurrencyCode)
}

// Trade returns the record of a trade.
func Trade(v trading.Trade) []byte { return written(tradeFields, &v) }

// tradeFields have the names of the table's columns. There the side is 1 or -1.
var tradeFields = trading.TradeFields.
	Replace("type", field.ID("side", func(t *trading.Trade) *trading.Side { return &t.Side })).
	Replace("date", trading.TradeFields.Select("date")[0].As("traded_at"))

// written returns the record of a value, with room for a usual one.
func written[T any](fields field.List[T], v *T) []byte {
	return fields.AppendRecord(make([]byte, 0, 256), v)
}

// Department returns the record of a department.
func Department(v budget.Department) []byte { return written(budget.DepartmentFields, &v) }

// Account returns the record of a GL account.
func Account(v budget.Account) []byte { return written(budget.AccountFields, &v) }

// Line returns the record of a budget line.
func Line(v budget.Line) []byte { c := encoder(); line(&c, &v); return c.written() }

func line(c *codec, v *budget.Line) {
	integer(c, "id", &v.ID)
	key(c, &v.Key)
	str(c, "version", &v.Version)
	amount(c, "amount", &v.Amount)
	str(c, "currency", &v.Currency)
	str(c, "notes", &v.Notes)
}

// Actual returns the record of an actual.
func Actual(v budget.Actual) []byte { c := encoder(); actual(&c, &v); return c.written() }

func actual(c *codec, v *budget.Actual) {
	integer(c, "id", &v.ID)
	key(c, &v.Key)
	amount(c, "amount", &v.Amount)
	str(c, "currency", &v.Currency)
	str(c, "source", &v.Source)
}

func key(c *codec, v *budget.Key) {
	integer(c, "department_id", &v.DepartmentID)
	integer(c, "gl_account_id", &v.AccountID)
	integer(c, "fiscal_year", &v.Year)
	integer(c, "fiscal_period", &v.Period)
}

// Token returns the record of a token. The last use is left out: it is no change of the token.
func Token(v access.Token) []byte { c := encoder(); token(&c, &v); return c.written() }

func token(c *codec, v *access.Token) {
	integer(c, "id", &v.ID)
	str(c, "name", &v.Name)
	str(c, "scope", &v.Scope)
	bits(c, "sha256", v.Digest[:])
	date(c, "created_at", &v.Created)
	dateOrNull(c, "expires_at", &v.Expires)
	dateOrNull(c, "revoked_at", &v.Revoked)
}

// Restored returns the record of a restore.
func Restored(v backup.Restored) []byte { c := encoder(); restored(&c, &v); return c.written() }

func restored(c *codec, v *backup.Restored) {
	integer(c, "id", &v.ID)
	str(c, "file", &v.File)
	integer(c, "seq", &v.Link.Seq)
	bits(c, "hash", v.Link.Hash[:])
}
