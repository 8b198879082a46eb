// Package trading holds the rules of a portfolio: currencies, companies and their revenue, trades, and
// the positions that follow from trades (interface.md, "Trades and positions").
//
// Constructors validate its values, so that nothing below checks them again. It must not know HTTP,
// SQL or JSON.
package trading

import (
	"context"
	"iter"

	"daybook/internal/idempotency"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Book records and reports a portfolio. Its errors are those of the store.
//
// A write in the context of idempotency.With is done once for its request.
type Book struct{ store Store }

// NewBook returns a Book on a store.
func NewBook(store Store) *Book { return &Book{store} }

// AddCurrency registers a currency; without a name it is named by its code.
func (b *Book) AddCurrency(ctx context.Context, c Currency) (Currency, error) {
	if c.Name == "" {
		c.Name = text.Name(c.Code)
	}
	return b.store.AddCurrency(ctx, c)
}

// Currencies yields all currencies by id.
func (b *Book) Currencies(ctx context.Context) iter.Seq2[Currency, error] {
	return b.store.Currencies(ctx)
}

// CurrencyPage returns a page of the currencies, by id, and how often each is used.
func (b *Book) CurrencyPage(ctx context.Context, after CurrencyID, limit int) ([]UsedCurrency, error) {
	return b.store.CurrencyPage(ctx, after, limit)
}

// AddCompany records a company.
func (b *Book) AddCompany(ctx context.Context, c Company) (Company, error) {
	return b.store.AddCompany(ctx, c)
}

// Companies yields all companies by id.
func (b *Book) Companies(ctx context.Context) iter.Seq2[Company, error] {
	return b.store.Companies(ctx)
}

// CompanyPage returns a page of the companies, by id, and how often each is used.
func (b *Book) CompanyPage(ctx context.Context, after CompanyID, limit int) ([]UsedCompany, error) {
	return b.store.CompanyPage(ctx, after, limit)
}

// AddRevenue records what a company earned in a category.
func (b *Book) AddRevenue(ctx context.Context, r Revenue) (Revenue, error) {
	return b.store.AddRevenue(ctx, r)
}

// Revenues yields a company's revenue rows by id.
func (b *Book) Revenues(ctx context.Context, company CompanyID) iter.Seq2[Revenue, error] {
	return b.store.Revenues(ctx, company)
}

// RevenuePage returns a page of the revenue rows that match, by id.
func (b *Book) RevenuePage(ctx context.Context, f RevenueFilter) ([]NamedRevenue, error) {
	return b.store.RevenuePage(ctx, f)
}

// RevenueCategories yields a company's distinct revenue categories, sorted.
func (b *Book) RevenueCategories(ctx context.Context, company CompanyID) iter.Seq2[text.Name, error] {
	return b.store.RevenueCategories(ctx, company)
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

// AddTrades records trades in the order given: all of them, or none.
func (b *Book) AddTrades(ctx context.Context, trades []Trade) ([]Trade, error) {
	return b.store.AddTrades(ctx, trades)
}

// Trades yields all trades by id.
func (b *Book) Trades(ctx context.Context) iter.Seq2[Trade, error] { return b.store.Trades(ctx) }

// TradePage returns a page of the trades that match.
func (b *Book) TradePage(ctx context.Context, f TradeFilter) (listing.Page[Trade], error) {
	return b.store.TradePage(ctx, f)
}

// VoidTrade removes a trade, as if it had never been recorded, and returns it.
func (b *Book) VoidTrade(ctx context.Context, id TradeID) (Trade, error) {
	return b.store.VoidTrade(ctx, id)
}

// Positions yields the positions that are not flat, by symbol, currency, product.
func (b *Book) Positions(ctx context.Context) iter.Seq2[Position, error] {
	return b.store.Positions(ctx)
}

// HoldingPage returns a page of the positions that match, the flat ones too, valued, by
// symbol, currency, product.
func (b *Book) HoldingPage(ctx context.Context, f HoldingFilter) (page []Holding, err error) {
	err = b.store.Holdings(ctx, func(i Inventory) (err error) {
		page, err = f.page(i)
		return err
	})
	return page, err
}

// Portfolios returns what is held in each currency that anything was traded in, by code, and
// how many currencies these are: of more than MostPortfolios, those with the most trades.
func (b *Book) Portfolios(ctx context.Context) (found []Portfolio, total int, err error) {
	err = b.store.Holdings(ctx, func(i Inventory) (err error) {
		found, total, err = portfolios(i)
		return err
	})
	return found, total, err
}

// TradedCurrencies returns the currencies that anything was traded in, by code: of more than
// MostPortfolios, those with the most trades.
func (b *Book) TradedCurrencies(ctx context.Context) (found []money.Currency, err error) {
	err = b.store.Holdings(ctx, func(i Inventory) (err error) {
		found, err = tradedCurrencies(i)
		return err
	})
	return found, err
}

// Empty reports whether the book holds nothing.
func (b *Book) Empty(ctx context.Context) (bool, error) { return b.store.TradingEmpty(ctx) }
