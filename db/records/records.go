// Package records holds what every store has in common: how a record is written in the journal.
//
// It knows no SQL, no engine and no file.
package records

import (
	"encoding/hex"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/access"
	"daybook/internal/backup"
	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// A record is a row as the journal tells it: a JSON object with the table's column
// names, in their order, decimals and dates as the interface answers them; the
// digest of a token goes by its kind. The same row always gives the same bytes, so
// that verifying compares bytes.

type record []byte

func (r record) name(name string) record {
	if len(r) == 0 {
		r = append(r, '{')
	} else {
		r = append(r, ',')
	}
	r = append(r, '"')
	r = append(r, name...)
	return append(r, '"', ':')
}

func (r record) Integer(name string, v int64) record {
	return strconv.AppendInt(r.name(name), v, 10)
}

func (r record) Text(name, v string) record {
	quoted, _ := jsontext.AppendQuote(r.name(name), v) // a damaged text is quoted as far as it is one
	return quoted
}

func (r record) Flag(name string, v bool) record {
	return strconv.AppendBool(r.name(name), v)
}

func (r record) amount(name string, v money.Amount) record { return v.AppendTo(r.name(name)) }

func (r record) Price(name string, v money.Price) record { return v.AppendTo(r.name(name)) }

func (r record) Date(name string, v time.Time) record {
	r = append(r.name(name), '"')
	return append(v.AppendFormat(r, time.RFC3339Nano), '"')
}

// dateOrNull is null for the zero time, which stands for never.
func (r record) dateOrNull(name string, v time.Time) record {
	if v.IsZero() {
		return append(r.name(name), "null"...)
	}
	return r.Date(name, v)
}

// integerOrNull is null for 0, which stands for a number that was not said.
func (r record) integerOrNull(name string, v int64) record {
	if v == 0 {
		return append(r.name(name), "null"...)
	}
	return r.Integer(name, v)
}

// textOrNull is null for "", which stands for a text that was not said.
func (r record) textOrNull(name, v string) record {
	if v == "" {
		return append(r.name(name), "null"...)
	}
	return r.Text(name, v)
}

func (r record) End() []byte { return append(r, '}') }

// NewRecord begins a record with room for a usual one.
func NewRecord() record { return make(record, 0, 256) }

func Currency(c trading.Currency) []byte {
	return NewRecord().Integer("id", int64(c.ID)).Text("code", string(c.Code)).Text("name", string(c.Name)).End()
}

func Company(c trading.Company) []byte {
	return NewRecord().Integer("id", int64(c.ID)).Text("name", string(c.Name)).
		Integer("shares_outstanding", int64(c.SharesOutstanding)).Price("price", c.Price).
		integerOrNull("currency_id", int64(c.CurrencyID)).End()
}

func Revenue(v trading.Revenue) []byte {
	return NewRecord().Integer("id", int64(v.ID)).Integer("company_id", int64(v.CompanyID)).
		Text("category", string(v.Category)).amount("amount", v.Amount).
		integerOrNull("fiscal_year", int64(v.FiscalYear)).textOrNull("currency_code", string(v.CurrencyCode)).End()
}

func Trade(t trading.Trade) []byte {
	return NewRecord().Integer("id", int64(t.ID)).Text("symbol", string(t.Symbol)).
		Text("currency_code", string(t.Currency)).Integer("shares", int64(t.Shares)).
		Integer("product", int64(t.Product)).Integer("side", int64(t.Side)).
		Price("price", t.Price).Date("traded_at", t.Date).End()
}

func Department(d budget.Department) []byte {
	return NewRecord().Integer("id", int64(d.ID)).Text("code", string(d.Code)).Text("name", string(d.Name)).
		Text("cost_center", string(d.CostCenter)).Flag("active", d.Active).End()
}

func Account(a budget.Account) []byte {
	return NewRecord().Integer("id", int64(a.ID)).Text("code", string(a.Code)).
		Text("description", string(a.Description)).Text("type", string(a.Type)).Flag("favour_high", a.FavourHigh).End()
}

func Line(l budget.Line) []byte {
	return NewRecord().Integer("id", int64(l.ID)).key(l.Key).Text("version", string(l.Version)).
		amount("amount", l.Amount).Text("currency", string(l.Currency)).Text("notes", string(l.Notes)).End()
}

func Actual(a budget.Actual) []byte {
	return NewRecord().Integer("id", int64(a.ID)).key(a.Key).
		amount("amount", a.Amount).Text("currency", string(a.Currency)).Text("source", string(a.Source)).End()
}

// Token leaves out the last use, which is no change of the token.
func Token(t access.Token) []byte {
	return NewRecord().Integer("id", int64(t.ID)).Text("name", string(t.Name)).Text("scope", string(t.Scope)).
		Text("sha256", hex.EncodeToString(t.Digest[:])).Date("created_at", t.Created).
		dateOrNull("expires_at", t.Expires).dateOrNull("revoked_at", t.Revoked).End()
}

func Branch(b backup.Branch) []byte {
	return NewRecord().Integer("id", b.ID).Integer("seq", int64(b.Head.Seq)).Text("hash", b.Head.Hash.String()).
		Integer("fork", int64(b.Fork)).Date("until", b.Until).Text("source", b.Source).End()
}

func (r record) key(k budget.Key) record {
	return r.Integer("department_id", int64(k.DepartmentID)).Integer("gl_account_id", int64(k.AccountID)).
		Integer("fiscal_year", int64(k.Year)).Integer("fiscal_period", int64(k.Period))
}
