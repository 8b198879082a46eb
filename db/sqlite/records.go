package sqlite

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

func (r record) integer(name string, v int64) record {
	return strconv.AppendInt(r.name(name), v, 10)
}

func (r record) text(name, v string) record {
	quoted, _ := jsontext.AppendQuote(r.name(name), v) // a damaged text is quoted as far as it is one
	return quoted
}

func (r record) flag(name string, v bool) record {
	return strconv.AppendBool(r.name(name), v)
}

func (r record) amount(name string, v money.Amount) record { return v.AppendTo(r.name(name)) }

func (r record) price(name string, v money.Price) record { return v.AppendTo(r.name(name)) }

func (r record) date(name string, v time.Time) record {
	r = append(r.name(name), '"')
	return append(v.AppendFormat(r, time.RFC3339Nano), '"')
}

// dateOrNull is null for the zero time, which stands for never.
func (r record) dateOrNull(name string, v time.Time) record {
	if v.IsZero() {
		return append(r.name(name), "null"...)
	}
	return r.date(name, v)
}

// integerOrNull is null for 0, which stands for a number that was not said.
func (r record) integerOrNull(name string, v int64) record {
	if v == 0 {
		return append(r.name(name), "null"...)
	}
	return r.integer(name, v)
}

// textOrNull is null for "", which stands for a text that was not said.
func (r record) textOrNull(name, v string) record {
	if v == "" {
		return append(r.name(name), "null"...)
	}
	return r.text(name, v)
}

func (r record) end() []byte { return append(r, '}') }

// newRecord begins a record with room for a usual one.
func newRecord() record { return make(record, 0, 256) }

func currencyRecord(c trading.Currency) []byte {
	return newRecord().integer("id", int64(c.ID)).text("code", string(c.Code)).text("name", string(c.Name)).end()
}

func companyRecord(c trading.Company) []byte {
	return newRecord().integer("id", int64(c.ID)).text("name", string(c.Name)).
		integer("shares_outstanding", int64(c.SharesOutstanding)).price("price", c.Price).
		integerOrNull("currency_id", int64(c.CurrencyID)).end()
}

func revenueRecord(v trading.Revenue) []byte {
	return newRecord().integer("id", int64(v.ID)).integer("company_id", int64(v.CompanyID)).
		text("category", string(v.Category)).amount("amount", v.Amount).
		integerOrNull("fiscal_year", int64(v.FiscalYear)).textOrNull("currency_code", string(v.CurrencyCode)).end()
}

func tradeRecord(t trading.Trade) []byte {
	return newRecord().integer("id", int64(t.ID)).text("symbol", string(t.Symbol)).
		text("currency_code", string(t.Currency)).integer("shares", int64(t.Shares)).
		integer("product", int64(t.Product)).integer("side", int64(t.Side)).
		price("price", t.Price).date("traded_at", t.Date).end()
}

func departmentRecord(d budget.Department) []byte {
	return newRecord().integer("id", int64(d.ID)).text("code", string(d.Code)).text("name", string(d.Name)).
		text("cost_center", string(d.CostCenter)).flag("active", d.Active).end()
}

func accountRecord(a budget.Account) []byte {
	return newRecord().integer("id", int64(a.ID)).text("code", string(a.Code)).
		text("description", string(a.Description)).text("type", string(a.Type)).flag("favour_high", a.FavourHigh).end()
}

func lineRecord(l budget.Line) []byte {
	return newRecord().integer("id", int64(l.ID)).key(l.Key).text("version", string(l.Version)).
		amount("amount", l.Amount).text("currency", string(l.Currency)).text("notes", string(l.Notes)).end()
}

func actualRecord(a budget.Actual) []byte {
	return newRecord().integer("id", int64(a.ID)).key(a.Key).
		amount("amount", a.Amount).text("currency", string(a.Currency)).text("source", string(a.Source)).end()
}

// tokenRecord leaves out the last use, which is no change of the token.
func tokenRecord(t access.Token) []byte {
	return newRecord().integer("id", int64(t.ID)).text("name", string(t.Name)).text("scope", string(t.Scope)).
		text("sha256", hex.EncodeToString(t.Digest[:])).date("created_at", t.Created).
		dateOrNull("expires_at", t.Expires).dateOrNull("revoked_at", t.Revoked).end()
}

func branchRecord(b backup.Branch) []byte {
	return newRecord().integer("id", b.ID).integer("seq", int64(b.Head.Seq)).text("hash", b.Head.Hash.String()).
		integer("fork", int64(b.Fork)).date("until", b.Until).text("source", b.Source).end()
}

func (r record) key(k budget.Key) record {
	return r.integer("department_id", int64(k.DepartmentID)).integer("gl_account_id", int64(k.AccountID)).
		integer("fiscal_year", int64(k.Year)).integer("fiscal_period", int64(k.Period))
}
