// Package trading holds the rules of a portfolio: currencies, companies and their revenue, trades, and
// the positions that follow from trades (interface.md, "Trades and positions").
//
// Constructors validate its values, so that nothing below checks them again. It must not know HTTP,
// SQL or JSON.
package trading

import (
	"context"

	"daybook/internal/idempotency"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Book is a store of a portfolio with the rules and reports that need no store of their own. Its errors
// are those of the store.
//
// A write in the context of idempotency.With is done once for its request.
type Book struct{ Store }

// NewBook returns a Book on a store.
func NewBook(store Store) *Book { return &Book{store} }

// AddCurrency registers a currency; without a name it is named by its code.
func (b *Book) AddCurrency(ctx context.Context, c Currency) (Currency, error) {
	if c.Name == "" {
		c.Name = text.Name(c.Code)
	}
	return b.Store.AddCurrency(ctx, c)
}

// AddTrade records a trade; one without a date is dated when it is stored, to the
// microsecond.
func (b *Book) AddTrade(ctx context.Context, t Trade) (Trade, error) {
	stored, err := b.AddTrades(idempotency.WithOne[Trade](ctx), []Trade{t})
	if err != nil {
		return Trade{}, err
	}
	return stored[0], nil
}

// HoldingPage returns a page of the positions that match, the flat ones too, valued, by
// symbol, currency, product.
func (b *Book) HoldingPage(ctx context.Context, f HoldingFilter) (page []Holding, err error) {
	err = b.Holdings(ctx, func(i Inventory) (err error) {
		page, err = f.page(i)
		return err
	})
	return page, err
}

// Portfolios returns what is held in each currency that anything was traded in, by code, and
// how many currencies these are: of more than MostPortfolios, those with the most trades.
func (b *Book) Portfolios(ctx context.Context) (found []Portfolio, total int, err error) {
	err = b.Holdings(ctx, func(i Inventory) (err error) {
		found, total, err = portfolios(i)
		return err
	})
	return found, total, err
}

// TradedCurrencies returns the currencies that anything was traded in, by code: of more than
// MostPortfolios, those with the most trades.
func (b *Book) TradedCurrencies(ctx context.Context) (found []money.Currency, err error) {
	err = b.Holdings(ctx, func(i Inventory) (err error) {
		found, err = tradedCurrencies(i)
		return err
	})
	return found, err
}
