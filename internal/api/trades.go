package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/money"
	"daybook/internal/trading"
)

// listedTrade is an element of the lists of trades and of positions, as they were published first. The
// journal has a record of its own (package records).
type listedTrade struct {
	Symbol       trading.Symbol
	CurrencyCode money.Currency
	Shares       int64
	Product      trading.Product
	Type         bool
	Price        money.Price
	Date         time.Time
}

func listedTradeOf(t trading.Trade) listedTrade {
	return listedTrade{
		Symbol: t.Symbol, CurrencyCode: t.Currency, Shares: int64(t.Shares), Product: t.Product,
		Type: t.Side.Flag(), Price: t.Price, Date: t.Date,
	}
}

// appendTo appends the record as json.Marshal would write it. The list of trades may be a million
// records long, so it avoids reflection.
func (r listedTrade) appendTo(b []byte) ([]byte, error) {
	b = append(b, `{"Symbol":`...)
	b, err := jsontext.AppendQuote(b, r.Symbol)
	if err != nil {
		return b, err
	}
	b = append(b, `,"CurrencyCode":`...)
	if b, err = jsontext.AppendQuote(b, r.CurrencyCode); err != nil {
		return b, err
	}
	b = strconv.AppendInt(append(b, `,"Shares":`...), r.Shares, 10)
	b = strconv.AppendInt(append(b, `,"Product":`...), int64(r.Product), 10)
	b = strconv.AppendBool(append(b, `,"Type":`...), r.Type)
	b = r.Price.AppendTo(append(b, `,"Price":`...))
	b = r.Date.AppendFormat(append(b, `,"Date":"`...), time.RFC3339Nano)
	return append(b, `"}`...), nil
}

// addedTrade is the response to a new trade: the record and its id.
type addedTrade struct {
	listedTrade
	ID trading.TradeID
}

func addedTradeOf(t trading.Trade) addedTrade { return addedTrade{listedTradeOf(t), t.ID} }

// tradeBody is a trade under /api/v1, with its id.
type tradeBody struct {
	ID           trading.TradeID `json:"id"`
	Symbol       trading.Symbol  `json:"symbol"`
	CurrencyCode money.Currency  `json:"currency_code"`
	Shares       trading.Shares  `json:"shares"`
	Product      trading.Product `json:"product"`
	Type         bool            `json:"type"`
	Price        money.Price     `json:"price"`
	Date         time.Time       `json:"date"`
}

func tradeOf(t trading.Trade) tradeBody {
	return tradeBody{
		ID: t.ID, Symbol: t.Symbol, CurrencyCode: t.Currency, Shares: t.Shares, Product: t.Product,
		Type: t.Side.Flag(), Price: t.Price, Date: t.Date,
	}
}

// listedNames are the names of a trade's fields in the list. A new trade may use them too, so that a
// listed record can be posted.
var listedNames = []struct{ field, listed string }{
	{"symbol", "Symbol"},
	{"currency_code", "CurrencyCode"},
	{"shares", "Shares"},
	{"product", "Product"},
	{"type", "Type"},
	{"price", "Price"},
	{"date", "Date"},
}

func (a *api) addTrade(c *request) error {
	return creation(c, http.StatusCreated, newTrade, a.Book.AddTrade, addedTradeOf)
}

func newTrade(f *form) trading.Trade {
	for _, names := range listedNames {
		f.alias(names.field, names.listed)
	}
	return trading.Trade{
		Instrument: trading.Instrument{
			Symbol:   required(f, "symbol", str(trading.ParseSymbol)),
			Currency: required(f, "currency_code", str(money.ParseCurrency)),
			Product:  required(f, "product", whole(trading.NewProduct)),
		},
		Shares: required(f, "shares", whole(trading.NewShares)),
		Side:   trading.SideOf(required(f, "type", flag)),
		Price:  required(f, "price", price()),
		Date:   optional(f, "date", time.Time{}, str(trading.ParseDate)),
	}
}

// listTrades responds to GET and POST alike, and ignores a body.
func (a *api) listTrades(c *request) error {
	return list(c, a.Book.Trades(c.Request.Context()), func(b []byte, t trading.Trade) ([]byte, error) {
		return listedTradeOf(t).appendTo(b)
	})
}

func (a *api) pageTrades(c *request) error {
	f := queryForm(c)
	o := orderParameters(f, trading.Sorts())
	filter := trading.TradeFilter{
		Symbol:   maybe(f, "symbol", str(trading.ParseSymbol)),
		Currency: maybe(f, "currency_code", str(money.ParseCurrency)),
		Product:  maybe(f, "product", whole(trading.NewProduct)),
		Side:     maybe(f, "type", func(v value) (trading.Side, error) { b, err := flag(v); return trading.SideOf(b), err }),
		From:     maybe(f, "from", str(trading.ParseDate)),
		To:       maybe(f, "to", str(trading.ParseEnd)),
		Sort:     o.by, Down: o.down, After: o.after, Limit: o.limit,
	}
	if err := f.err(); err != nil {
		return err
	}
	trades, err := a.Book.TradePage(c.Request.Context(), filter)
	return orderedPage(c, trades, o.byID, tradeOf, err)
}

func (a *api) voidTrade(c *request) error {
	return deletion(c, a.Book.VoidTrade, tradeOf)
}
