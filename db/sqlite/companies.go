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
		id, err := q.InsertCompany(ctx, gen.InsertCompanyParams{
			Name:              string(c.Name),
			SharesOutstanding: int64(c.SharesOutstanding),
			Price:             int64(c.Price),
			CurrencyID:        rows.Optional(int64(c.CurrencyID)),
		})
		if sqlerr.IsForeignKey(err) {
			var fields fault.Fields
			fields.Add("currency_id", "names no currency: %d", c.CurrencyID)
			return c, fields.As(fault.UnknownReference)
		}
		if err != nil {
			return c, err
		}
		c.ID = trading.CompanyID(id)
		return c, q.tell(ctx, journal.Companies, id, nil, records.Company(c))
	})
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
