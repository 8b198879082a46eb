package trading

import (
	"context"
	"iter"
	"time"

	"daybook/internal/bulk"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Store keeps what a Book records. Each method is one unit of work: it happens whole
// or not at all, and is durable when it returns without error. Every method may
// also fail with Unavailable (nothing was stored); every one that writes, with
// OutcomeUnknown.
//
// A sequence is read in short pieces, so that a slow reader holds no snapshot open. It ends with the
// newest record at the time that it began, or with its first error.
type Store interface {
	// AddCurrency stores a currency under a new id.
	// AlreadyExists: the code is taken.
	AddCurrency(ctx context.Context, c Currency) (Currency, error)
	// Currencies yields all currencies by id.
	Currencies(ctx context.Context) iter.Seq2[Currency, error]

	// CurrencyPage returns the currencies with an id above one, by id, and how often each
	// is used.
	CurrencyPage(ctx context.Context, after CurrencyID, limit int) ([]UsedCurrency, error)

	// AddCompany stores a company under a new id.
	// UnknownReference: currency_id.
	AddCompany(ctx context.Context, c Company) (Company, error)
	// Companies yields all companies by id.
	Companies(ctx context.Context) iter.Seq2[Company, error]
	// CompanyPage returns the companies with an id above one, by id, and how often each
	// is used.
	CompanyPage(ctx context.Context, after CompanyID, limit int) ([]UsedCompany, error)

	// AddRevenue stores a revenue row under a new id.
	// UnknownReference: company_id. Invalid: a currency_code that is neither plain
	// nor registered.
	AddRevenue(ctx context.Context, r Revenue) (Revenue, error)
	// Revenues yields a company's revenue rows by id; none for an unknown company.
	Revenues(ctx context.Context, company CompanyID) iter.Seq2[Revenue, error]
	// RevenuePage returns the revenue rows that match, by id.
	RevenuePage(ctx context.Context, f RevenueFilter) ([]NamedRevenue, error)
	// RevenueCategories yields a company's distinct categories, sorted; none for an
	// unknown company.
	RevenueCategories(ctx context.Context, company CompanyID) iter.Seq2[text.Name, error]

	// AddTrades stores trades under new, rising ids and takes each into the position
	// of its instrument. One without a date is Dated at the time of its transaction, so
	// that a trade which waited is not older than one that was stored before it.
	// Invalid: a position that would leave its range; a currency_code that is
	// neither plain nor registered.
	AddTrades(ctx context.Context, trades []Trade) ([]Trade, error)
	// Trades yields all trades by id.
	Trades(ctx context.Context) iter.Seq2[Trade, error]
	// TradePage returns a page of the trades that match, in the wanted order.
	// Invalid: after, is not a place in that order.
	TradePage(ctx context.Context, f TradeFilter) (listing.Page[Trade], error)
	// StoreTrades stores many trades under new, rising ids, in one transaction of its own, under one link of the
	// journal's chain. While it works other writes wait. It reads the rows once.
	// RowsRefused: a currency is neither plain nor registered; the cause is a bulk.RefusedError. Invalid: the
	// trades of an instrument add up to more than a position can hold. ChangedSince: a trade of a file that was checked
	// came in meanwhile, or one that the check saw is gone; the cause is a bulk.ConflictsError.
	StoreTrades(ctx context.Context, trades bulk.Rows[Trade]) (bulk.Result, error)
	// StoreCurrencies stores the currencies of a file that was checked, in one transaction of its own: those that the
	// check saw take the fields of their rows, the others are new. All rows are stored, or none.
	// ChangedSince: a currency is not as the check saw it; the cause is a bulk.ConflictsError.
	StoreCurrencies(ctx context.Context, currencies bulk.Rows[Currency]) (bulk.Result, error)
	// StoreCompanies is StoreCurrencies for companies. The row of a company says which of those with its name it is.
	// UnknownReference: currency_id.
	StoreCompanies(ctx context.Context, companies bulk.Rows[Company]) (bulk.Result, error)
	// StoreRevenues is StoreCurrencies for revenues. The row of a revenue says which of those that differ at most in
	// their amounts it is.
	// UnknownReference: company_id. Invalid: a currency that is neither plain nor registered.
	StoreRevenues(ctx context.Context, revenues bulk.Rows[Revenue]) (bulk.Result, error)
	// VoidTrade removes a trade and recomputes its position.
	// NotFound. Invalid: a position that would leave its range.
	VoidTrade(ctx context.Context, id TradeID) (Trade, error)

	// Positions yields the positions that are not flat, by symbol, currency and
	// product.
	Positions(ctx context.Context) iter.Seq2[Position, error]
	// Holdings calls read with the data of holdings, and returns its error.
	Holdings(ctx context.Context, read func(Inventory) error) error

	// TradingEmpty reports whether none of the above holds a record.
	TradingEmpty(ctx context.Context) (bool, error)
}

// Inventory is the data of holdings, from one snapshot. Only one of its sequences is read at a time; it
// holds one record in memory.
type Inventory interface {
	// Quotes yields every company's price that is not 0, by the company's id.
	Quotes() iter.Seq2[Quote, error]
	// Positions yields the positions after an instrument, the flat ones too, by symbol,
	// currency and product.
	Positions(after Instrument) iter.Seq2[Position, error]
	// Traded yields the currencies that anything was traded in, by code.
	Traded() iter.Seq2[Traded, error]
}

// TradeFilter narrows a page of trades. A nil field does not narrow.
type TradeFilter struct {
	Symbol   *Symbol
	Currency *money.Currency
	Product  *Product
	Side     *Side
	From, To *time.Time // From <= date < To
	Sort     Sort       // by id by default
	Down     bool       // from the highest to the lowest
	After    listing.Place
	Limit    int
}

// RevenueFilter narrows a page of revenue rows. A nil field does not narrow.
type RevenueFilter struct {
	CompanyID *CompanyID
	After     RevenueID // only ids above it
	Limit     int
}
