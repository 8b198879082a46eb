package sqlite

import (
	"context"
	"iter"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// AddCurrency implements trading.Store.
func (s *Store) AddCurrency(ctx context.Context, c trading.Currency) (trading.Currency, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (trading.Currency, error) {
		c, err := insertCurrency(ctx, q, c)
		if err != nil {
			return c, err
		}
		return c, q.tell(ctx, journal.Currencies, int64(c.ID), nil, records.Currency(c))
	})
}

// insertCurrency stores a currency under its id, or under a new one if it has none.
func insertCurrency(ctx context.Context, q *tx, c trading.Currency) (trading.Currency, error) {
	id, err := q.InsertCurrency(ctx, rows.Optional(int64(c.ID)), string(c.Code), string(c.Name))
	if sqlerr.IsDuplicate(err) {
		existing, err := q.CurrencyID(ctx, string(c.Code))
		if err != nil {
			return c, err
		}
		return c, fault.Exists(existing, "the currency %s is registered already", c.Code)
	}
	c.ID = trading.CurrencyID(id)
	return c, err
}

// replaceCurrency sets all fields of the currency that has the id.
func replaceCurrency(ctx context.Context, q *tx, c trading.Currency) error {
	return q.UpdateCurrency(ctx, string(c.Code), string(c.Name), int64(c.ID))
}

// deleteCurrency deletes a currency. InUse: a company has it, or a record has its code, which is only valid while it
// is registered.
func deleteCurrency(ctx context.Context, q *tx, c trading.Currency) error {
	used := int64(0)
	if !c.Code.Plain() {
		var err error
		if used, err = q.CurrencyInUse(ctx, string(c.Code)); err != nil {
			return err
		}
	}
	if used == 0 {
		err := q.DeleteCurrency(ctx, int64(c.ID))
		if !sqlerr.IsForeignKey(err) {
			return err
		}
	}
	return fault.New(fault.InUse, "the currency %s is used", c.Code)
}

// Currencies implements trading.Store.
func (s *Store) Currencies(ctx context.Context) iter.Seq2[trading.Currency, error] {
	return byID(ctx, s.reader.NewestCurrency, s.reader.ListCurrencies, rows.Currency,
		func(c trading.Currency) int64 { return int64(c.ID) })
}

// CurrencyPage implements trading.Store.
func (s *Store) CurrencyPage(ctx context.Context, after trading.CurrencyID, limit int) ([]trading.UsedCurrency, error) {
	var found []gen.PageCurrenciesRow
	err := s.long(ctx, func(ctx context.Context) (err error) { // it reads all positions
		found, err = s.reader.PageCurrencies(ctx, int64(after), int64(limit))
		return err
	})
	return eachOf(func(r gen.PageCurrenciesRow) trading.UsedCurrency {
		return trading.UsedCurrency{Currency: rows.Currency(r.Currency), Trades: r.Trades, Companies: r.Companies}
	}, found, err)
}

// checkCurrency returns an error for the field if a code is neither plain nor registered.
func checkCurrency(ctx context.Context, q *gen.Queries, field string, c money.Currency) error {
	if c.Plain() {
		return nil
	}
	_, err := q.CurrencyID(ctx, string(c))
	if !sqlerr.IsNoRow(err) {
		return err
	}
	var fields fault.Fields
	fields.Add(field, "must be 3 to 10 letters or digits, or a registered currency, got %q", c)
	return fields.Err()
}
