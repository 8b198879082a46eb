package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// The lists of trades and of positions are older than /api/v1, and their fields have other names. The answer to a
// new trade ends with its id. The errors of a new trade name the product before the shares.
var (
	listedTrade = trading.TradeFields[1:].Named(listedName)
	addedTrade  = append(slices.Clone(listedTrade), trading.TradeFields[0].As("ID"))
	newTrade    = trading.TradeFields.Select("symbol", "currency_code", "product", "shares", "type", "price", "date")
	newListed   = newTrade.Named(listedName)
)

// listedName is the name of a field in these lists: CurrencyCode for currency_code.
func listedName(name string) string {
	var listed strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		listed.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return listed.String()
}

func (a *api) addTrade(c *request) error {
	return creationAs(c, http.StatusCreated, readTrade, a.Book.AddTrade, addedTrade.Append)
}

// readTrade also takes the names of the list, so that a listed trade can be posted.
func readTrade(f *form) trading.Trade {
	for i, one := range newTrade {
		f.alias(one.Name, newListed[i].Name)
	}
	return newTrade.Read(f, &f.wrong)
}

// listTrades responds to GET and POST alike, and ignores a body.
func (a *api) listTrades(c *request) error {
	return list(c, a.Book.Trades(c.Request.Context()), appendListed)
}

// appendListed appends what listedTrade.Append appends. It is written by hand because the list may have a million
// trades: row list-1m of `make bench`. The fields take a fifth more processor time.
func appendListed(b []byte, t *trading.Trade) ([]byte, error) {
	b, err := jsontext.AppendQuote(append(b, `{"Symbol":`...), t.Symbol)
	if err != nil {
		return b, err
	}
	if b, err = jsontext.AppendQuote(append(b, `,"CurrencyCode":`...), t.Currency); err != nil {
		return b, err
	}
	b = strconv.AppendInt(append(b, `,"Shares":`...), int64(t.Shares), 10)
	b = strconv.AppendInt(append(b, `,"Product":`...), int64(t.Product), 10)
	b = strconv.AppendBool(append(b, `,"Type":`...), t.Side.Flag())
	b = t.Price.AppendTo(append(b, `,"Price":`...))
	b = t.Date.AppendFormat(append(b, `,"Date":"`...), time.RFC3339Nano)
	return append(b, `"}`...), nil
}

// tradeFilter reads which trades are listed, and whether they are by id.
func tradeFilter(f *form) (filter trading.TradeFilter, byID bool) {
	o := orderParameters(f, trading.Sorts())
	return trading.TradeFilter{
		Symbol:   maybe(f, "symbol", field.String(trading.ParseSymbol)),
		Currency: maybe(f, "currency_code", field.String(money.ParseCurrency)),
		Product:  maybe(f, "product", field.Whole(trading.NewProduct)),
		Side:     maybe(f, "type", sideParameter),
		From:     maybe(f, "from", field.String(trading.ParseDate)),
		To:       maybe(f, "to", field.String(trading.ParseEnd)),
		Sort:     o.by, Down: o.down, After: o.after, Limit: o.limit,
	}, o.byID
}

func (a *api) pageTrades(c *request) error {
	f := queryForm(c)
	filter, byID := tradeFilter(f)
	if err := f.err(); err != nil {
		return err
	}
	trades, err := a.Book.TradePage(c.Request.Context(), filter)
	return orderedPage(c, trades, byID, trading.TradeFields.Append, err)
}

func sideParameter(v field.Value) (trading.Side, error) {
	flag, err := field.Bool(v)
	return trading.SideOf(flag), err
}

func (a *api) voidTrade(c *request) error {
	return deletion(c, a.Book.VoidTrade, trading.TradeFields.Append)
}
