package trading

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/text"
)

// TradeID identifies a trade.
type TradeID int64

// Trade is one purchase or sale (interface.md, "Trades and positions").
type Trade struct {
	ID TradeID
	Instrument
	Shares Shares
	Side   Side
	Price  money.Price // not negative
	Date   time.Time   // UTC, 1900 to 2200, to the nanosecond
}

// Instrument is what is traded; a position is held in one instrument.
type Instrument struct {
	Symbol   Symbol
	Currency money.Currency
	Product  Product
}

// TradeFields are the fields of a trade. A trade without a date is Dated when it is stored.
var TradeFields = field.List[Trade]{
	field.ID("id", func(t *Trade) *TradeID { return &t.ID }).Assigned(),
	field.Text("symbol", ParseSymbol, func(t *Trade) *Symbol { return &t.Symbol }),
	field.Text("currency_code", money.ParseCurrency, func(t *Trade) *money.Currency { return &t.Currency }),
	field.Integer("shares", NewShares, func(t *Trade) *Shares { return &t.Shares }),
	field.Integer("product", NewProduct, func(t *Trade) *Product { return &t.Product }),
	field.Side("type", func(t *Trade) *Side { return &t.Side }),
	field.Price("price", ParsePrice, ParseComputedPrice, func(t *Trade) *money.Price { return &t.Price }),
	field.Date("date", ParseDate, func(t *Trade) *time.Time { return &t.Date }).Optional(),
}

// Compare orders instruments by symbol, currency and product.
func (i Instrument) Compare(o Instrument) int {
	return cmp.Or(cmp.Compare(i.Symbol, o.Symbol), cmp.Compare(i.Currency, o.Currency), cmp.Compare(i.Product, o.Product))
}

// Symbol is an instrument's symbol, 1 to 64 characters, compared exactly as stored.
type Symbol string

// ParseSymbol reads a symbol. The error continues the field's name.
func ParseSymbol(raw string) (Symbol, error) {
	code, err := text.ParseCode(raw)
	return Symbol(code), err
}

// Shares is a number of shares or units, 1 or more.
type Shares int64

// NewShares returns n as a number of shares. The error continues the field's name.
func NewShares(n int64) (Shares, error) {
	if n < 1 {
		return 0, fmt.Errorf("must be 1 or more, got %d", n)
	}
	return Shares(n), nil
}

// Product is the kind of instrument (interface.md, "Trades and positions").
type Product int64

// The products.
const (
	StockTrade Product = iota
	OptionCallTrade
	OptionPutTrade
	CurrencyTrade
	BondTrade
)

// NewProduct returns n as a product. The error continues the field's name.
func NewProduct(n int64) (Product, error) {
	if n < int64(StockTrade) || n > int64(BondTrade) {
		return 0, fmt.Errorf("must be %d to %d, got %d", StockTrade, BondTrade, n)
	}
	return Product(n), nil
}

// Side is the direction of a trade or position. As a number it is the sign of its shares.
type Side int64

// The sides. In the interface, `type` is true for Buy.
const (
	Sell Side = -1
	Buy  Side = 1
)

// SideOf returns the side of a `type` flag of the interface.
func SideOf(flag bool) Side {
	if flag {
		return Buy
	}
	return Sell
}

// Flag returns the `type` of the interface: true for Buy, and for a long position.
func (s Side) Flag() bool { return s == Buy }

// Dated returns the trade with a date: its own, or if it has none the given one, to the microsecond.
func (t Trade) Dated(at time.Time) Trade {
	if t.Date.IsZero() {
		t.Date = at.UTC().Truncate(time.Microsecond)
	}
	return t
}

// quantity is the trade's shares, negative for a sale.
func (t Trade) quantity() int64 { return int64(t.Shares) * int64(t.Side) }

var errDate = errors.New("must be a date like 2025-01-02 or a time like 2025-01-02T10:00:00Z (ISO 8601, to the minute or finer, with at most 9 fraction digits)")

// dateForm is the extended form of ISO 8601, or its basic form, but not a mixture of
// both. The offset may have its colon or not. RFC 3339, section 5.6, allows the space and
// the small letters; ISO 8601 allows the comma.
var dateForm = regexp.MustCompile(`^(?:` +
	`(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(` + offsetForm + `)?)?|` +
	`(\d{8})(?:[Tt ](\d{4}(?:\d\d(?:[.,]\d{1,9})?)?)(` + offsetForm + `)?)?)$`)

const offsetForm = `[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d`

// ParseDate reads a timestamp of ISO 8601 to the minute or finer, with any offset or
// without one (= UTC), or a bare date (= 00:00 UTC), and returns it in UTC. It refuses
// 24:00 and a leap second, which have no instant of their own, and week and ordinal
// dates. The error continues the field's name.
func ParseDate(raw string) (time.Time, error) {
	t, err := parseInstant(raw)
	if err == nil && (t.Year() < 1900 || t.Year() > 2200) {
		return time.Time{}, fmt.Errorf("must be in the years 1900 to 2200, got %d", t.Year())
	}
	return t, err
}

// pastDates is the first instant after every date.
var pastDates = time.Date(2201, 1, 1, 0, 0, 0, 0, time.UTC)

// ParseEnd reads an upper bound of dates, and returns the first instant after them. An instant is not
// included; a bare date is, until the end of its day in UTC. It reads what ParseDate reads, and the first
// instant of 2201. The error continues the field's name.
func ParseEnd(raw string) (time.Time, error) {
	if t, err := parseInstant(raw); err == nil && t.Equal(pastDates) && !isBare(raw) {
		return t, nil
	}
	t, err := ParseDate(raw)
	if err == nil && isBare(raw) {
		t = t.AddDate(0, 0, 1)
	}
	return t, err
}

// isBare reports whether a date has no time of day.
func isBare(raw string) bool { return !strings.ContainsAny(strings.TrimSpace(raw), "Tt ") }

func parseInstant(raw string) (time.Time, error) {
	parts := dateForm.FindStringSubmatch(strings.TrimSpace(raw))
	if parts == nil {
		return time.Time{}, errDate
	}
	day := strings.ReplaceAll(parts[1]+parts[4], "-", "")
	clock := strings.ReplaceAll(parts[2]+parts[5], ":", "")
	zone := strings.ReplaceAll(cmp.Or(parts[3]+parts[6], "Z"), ":", "")
	const midnight = "000000"
	clock += midnight[min(len(clock), len(midnight)):]
	t, err := time.Parse("20060102T150405Z0700", day+"T"+clock+strings.ToUpper(zone)) // and any fraction
	if err != nil {                                                                   // no such day or hour
		return time.Time{}, errDate
	}
	return t.UTC(), nil
}
