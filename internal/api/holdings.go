package api

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// holdingBody is a position under /api/v1, with its profit and loss.
type holdingBody struct {
	Symbol        trading.Symbol     `json:"symbol"`
	CurrencyCode  money.Currency     `json:"currency_code"`
	Product       trading.Product    `json:"product"`
	Side          string             `json:"side"`
	Shares        int64              `json:"shares"`
	AveragePrice  money.Price        `json:"average_price"`
	Mark          money.Price        `json:"mark"`
	MarkSource    trading.MarkSource `json:"mark_source"`
	MarkedAt      *time.Time         `json:"marked_at"`
	Value         money.Exact        `json:"value"`
	Unrealised    money.Exact        `json:"unrealised"`
	Realised      money.Exact        `json:"realised"`
	WeightPct     money.Percent      `json:"weight_pct"`
	Trades        int64              `json:"trades"`
	FirstTradedAt time.Time          `json:"first_traded_at"`
	LastTradedAt  time.Time          `json:"last_traded_at"`
}

func holdingOf(h trading.Holding) holdingBody {
	return holdingBody{
		Symbol: h.Symbol, CurrencyCode: h.Currency, Product: h.Product,
		Side: sideHeld(h.Position), Shares: h.Shares(), AveragePrice: h.Price(),
		Mark: h.Mark.Price, MarkSource: h.Mark.Source, MarkedAt: orNull(h.Mark.At),
		Value: h.Value, Unrealised: h.Unrealised, Realised: h.Realised, WeightPct: h.Weight,
		Trades: h.Trades, FirstTradedAt: h.First, LastTradedAt: h.Date,
	}
}

func sideHeld(p trading.Position) string {
	switch {
	case p.Quantity > 0:
		return "long"
	case p.Quantity < 0:
		return "short"
	}
	return "flat"
}

// portfolioBody is what is held in one currency.
type portfolioBody struct {
	Currency   money.Currency `json:"currency"`
	Value      money.Exact    `json:"value"`
	Long       money.Exact    `json:"long"`
	Short      money.Exact    `json:"short"`
	Unrealised money.Exact    `json:"unrealised"`
	Realised   money.Exact    `json:"realised"`
	Positions  int64          `json:"positions"`
	Trades     int64          `json:"trades"`
}

func portfolioOf(p trading.Portfolio) portfolioBody { return portfolioBody(p) }

// holdingFilter reads which positions are listed.
func holdingFilter(f *form) trading.HoldingFilter {
	return trading.HoldingFilter{
		Symbol:   maybe(f, "symbol", field.String(trading.ParseSymbol)),
		Currency: maybe(f, "currency", field.String(money.ParseCurrency)),
		Open:     maybe(f, "open", field.Bool),
	}
}

func (a *api) pagePositions(c *request) error {
	f := queryForm(c)
	limit := limitParameter(f)
	filter := holdingFilter(f)
	filter.After, filter.Limit = optional(f, "after", trading.Instrument{}, field.String(parsePlace)), limit+1
	if err := f.err(); err != nil {
		return err
	}
	holdings, err := a.Book.HoldingPage(c.Request.Context(), filter)
	return page(c, holdings, limit, encoded(holdingOf), func(h trading.Holding) string { return placeOf(h.Instrument) }, err)
}

func (a *api) portfolio(c *request) error {
	portfolios, total, err := a.Book.Portfolios(c.Request.Context())
	answer := struct {
		Items           []portfolioBody `json:"items"`
		CurrenciesTotal int             `json:"currencies_total"`
	}{[]portfolioBody{}, total}
	for _, p := range portfolios {
		answer.Items = append(answer.Items, portfolioOf(p))
	}
	return ok(c, answer, err)
}

// placeOf is the `next` of a page that ends with an instrument. It needs no escaping in an address.
func placeOf(i trading.Instrument) string {
	parts := []string{string(i.Symbol), string(i.Currency), strconv.Itoa(int(i.Product))}
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, "\n"))) // none of them has a line break
}

// parsePlace reads what placeOf wrote.
func parsePlace(raw string) (trading.Instrument, error) {
	letters, err := base64.RawURLEncoding.DecodeString(raw)
	parts := strings.Split(string(letters), "\n")
	if err == nil && len(parts) == 3 {
		var product int64
		if product, err = strconv.ParseInt(parts[2], 10, 8); err == nil {
			i := trading.Instrument{Symbol: trading.Symbol(parts[0]), Currency: money.Currency(parts[1]), Product: trading.Product(product)}
			if placeOf(i) == raw {
				return i, nil
			}
		}
	}
	return trading.Instrument{}, fmt.Errorf("must be the `next` of the page before, got %q", text.Shorten(raw))
}

// listPositions responds to GET and POST alike, and ignores a body. A position has the form of the one trade that
// it is equivalent to.
func (a *api) listPositions(c *request) error {
	var trade trading.Trade
	return list(c, a.Book.Positions(c.Request.Context()), func(b []byte, p *trading.Position) ([]byte, error) {
		trade = p.Trade()
		return listedTrade.Append(b, &trade)
	})
}
