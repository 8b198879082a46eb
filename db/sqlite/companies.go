package sqlite

import (
	"context"
	"iter"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// AddCompany implements trading.Store.
func (s *Store) AddCompany(ctx context.Context, c trading.Company) (trading.Company, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (trading.Company, error) {
		id, err := q.InsertCompany(ctx, gen.InsertCompanyParams{
			Name:              string(c.Name),
			SharesOutstanding: int64(c.SharesOutstanding),
			Price:             int64(c.Price),
			CurrencyID:        optional(int64(c.CurrencyID)),
		})
		if isForeignKey(err) {
			var fields fault.Fields
			fields.Add("currency_id", "names no currency: %d", c.CurrencyID)
			return c, fields.As(fault.UnknownReference)
		}
		if err != nil {
			return c, err
		}
		c.ID = trading.CompanyID(id)
		return c, q.tell(ctx, journal.Companies, id, nil, companyRecord(c))
	})
}

// Companies implements trading.Store.
func (s *Store) Companies(ctx context.Context) iter.Seq2[trading.Company, error] {
	return byID(ctx, s.reader.NewestCompany, s.reader.ListCompanies, companyOf,
		func(c trading.Company) int64 { return int64(c.ID) })
}

// CompanyPage implements trading.Store.
func (s *Store) CompanyPage(ctx context.Context, after trading.CompanyID, limit int) ([]trading.UsedCompany, error) {
	var rows []gen.PageCompaniesRow
	err := s.long(ctx, func(ctx context.Context) (err error) { // it counts the revenues of each
		rows, err = s.reader.PageCompanies(ctx, int64(after), int64(limit))
		return err
	})
	return eachOf(func(r gen.PageCompaniesRow) trading.UsedCompany {
		return trading.UsedCompany{Company: companyOf(r.Company), CurrencyCode: money.Currency(orZero(r.CurrencyCode)), Revenues: r.Revenues}
	}, rows, err)
}

func companyOf(r gen.Company) trading.Company {
	return trading.Company{
		ID:                trading.CompanyID(r.ID),
		Name:              text.Name(r.Name),
		SharesOutstanding: trading.Outstanding(r.SharesOutstanding),
		Price:             money.Price(r.Price),
		CurrencyID:        trading.CurrencyID(orZero(r.CurrencyID)),
	}
}

// optional is the column of a value whose zero means that there is none.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// orZero is the value of an optional column.
func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}
