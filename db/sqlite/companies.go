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

// AddCompany implements trading.Store.
func (s *Store) AddCompany(ctx context.Context, c trading.Company) (trading.Company, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (trading.Company, error) {
		c, err := insertCompany(ctx, q, c)
		if err != nil {
			return c, err
		}
		return c, q.tell(ctx, journal.Companies, int64(c.ID), nil, records.Company(c))
	})
}

// insertCompany stores a company under its id, or under a new one if it has none.
func insertCompany(ctx context.Context, q *tx, c trading.Company) (trading.Company, error) {
	id, err := q.InsertCompany(ctx, gen.InsertCompanyParams{
		ID:                rows.Optional(int64(c.ID)),
		Name:              string(c.Name),
		SharesOutstanding: int64(c.SharesOutstanding),
		Price:             int64(c.Price),
		CurrencyID:        rows.Optional(int64(c.CurrencyID)),
	})
	c.ID = trading.CompanyID(id)
	return c, withoutCurrency(c, err)
}

// replaceCompany sets all fields of the company that has the id.
func replaceCompany(ctx context.Context, q *tx, c trading.Company) error {
	err := q.UpdateCompany(ctx, gen.UpdateCompanyParams{
		ID: int64(c.ID), Name: string(c.Name), SharesOutstanding: int64(c.SharesOutstanding), Price: int64(c.Price),
		CurrencyID: rows.Optional(int64(c.CurrencyID)),
	})
	return withoutCurrency(c, err)
}

// withoutCurrency is UnknownReference if a company could not be stored because there is no such currency.
func withoutCurrency(c trading.Company, err error) error {
	if sqlerr.IsForeignKey(err) {
		var fields fault.Fields
		fields.Add("currency_id", "names no currency: %d", c.CurrencyID)
		return fields.As(fault.UnknownReference)
	}
	return err
}

// deleteCompany deletes a company. InUse: it has revenues.
func deleteCompany(ctx context.Context, q *tx, c trading.Company) error {
	err := q.DeleteCompany(ctx, int64(c.ID))
	if sqlerr.IsForeignKey(err) {
		return fault.New(fault.InUse, "the company %s has revenues", c.Name)
	}
	return err
}

// Companies implements trading.Store.
func (s *Store) Companies(ctx context.Context) iter.Seq2[trading.Company, error] {
	return byID(ctx, s.reader.NewestCompany, s.reader.ListCompanies, rows.Company,
		func(c trading.Company) int64 { return int64(c.ID) })
}

// CompanyPage implements trading.Store.
func (s *Store) CompanyPage(ctx context.Context, after trading.CompanyID, limit int) ([]trading.UsedCompany, error) {
	var found []gen.PageCompaniesRow
	err := s.long(ctx, func(ctx context.Context) (err error) { // it counts the revenues of each company
		found, err = s.reader.PageCompanies(ctx, int64(after), int64(limit))
		return err
	})
	return eachOf(func(r gen.PageCompaniesRow) trading.UsedCompany {
		return trading.UsedCompany{Company: rows.Company(r.Company), CurrencyCode: money.Currency(rows.OrZero(r.CurrencyCode)), Revenues: r.Revenues}
	}, found, err)
}
