package sqlite

import (
	"cmp"
	"context"
	"iter"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// AddRevenue implements trading.Store.
func (s *Store) AddRevenue(ctx context.Context, r trading.Revenue) (trading.Revenue, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (trading.Revenue, error) {
		if r.CurrencyCode != "" {
			if err := checkCurrency(ctx, q.Queries, "currency_code", r.CurrencyCode); err != nil {
				return r, err
			}
		}
		id, err := q.InsertRevenue(ctx, gen.InsertRevenueParams{
			CompanyID:    int64(r.CompanyID),
			Category:     string(r.Category),
			Amount:       int64(r.Amount),
			FiscalYear:   optional(int64(r.FiscalYear)),
			CurrencyCode: optional(string(r.CurrencyCode)),
		})
		if isForeignKey(err) {
			var fields fault.Fields
			fields.Add("company_id", "names no company: %d", r.CompanyID)
			return r, fields.As(fault.UnknownReference)
		}
		if err != nil {
			return r, err
		}
		r.ID = trading.RevenueID(id)
		return r, q.tell(ctx, journal.Revenues, id, nil, revenueRecord(r))
	})
}

// Revenues implements trading.Store.
func (s *Store) Revenues(ctx context.Context, company trading.CompanyID) iter.Seq2[trading.Revenue, error] {
	list := func(ctx context.Context, after, through, most int64) ([]gen.Revenue, error) {
		return s.reader.ListRevenues(ctx, gen.ListRevenuesParams{
			CompanyID: int64(company), After: after, Through: through, Most: most,
		})
	}
	return byID(ctx, s.reader.NewestRevenue, list, revenueOf,
		func(r trading.Revenue) int64 { return int64(r.ID) })
}

// RevenuePage implements trading.Store.
func (s *Store) RevenuePage(ctx context.Context, f trading.RevenueFilter) ([]trading.NamedRevenue, error) {
	if f.CompanyID != nil {
		rows, err := s.reader.PageCompanyRevenues(ctx, int64(*f.CompanyID), int64(f.After), int64(f.Limit))
		return eachOf(func(r gen.PageCompanyRevenuesRow) trading.NamedRevenue { return namedOf(gen.PageRevenuesRow(r)) }, rows, err)
	}
	rows, err := s.reader.PageRevenues(ctx, int64(f.After), int64(f.Limit))
	return eachOf(namedOf, rows, err)
}

func namedOf(r gen.PageRevenuesRow) trading.NamedRevenue {
	return trading.NamedRevenue{Revenue: revenueOf(r.Revenue), Company: text.Name(r.Company)}
}

func revenueOf(r gen.Revenue) trading.Revenue {
	return trading.Revenue{
		ID:           trading.RevenueID(r.ID),
		CompanyID:    trading.CompanyID(r.CompanyID),
		Category:     text.Name(r.Category),
		Amount:       money.Amount(r.Amount),
		FiscalYear:   fiscal.Year(orZero(r.FiscalYear)),
		CurrencyCode: money.Currency(orZero(r.CurrencyCode)),
	}
}

// categoriesAtOnce is how many categories one short read takes, of 1,020 bytes at most.
const categoriesAtOnce = 250

// RevenueCategories implements trading.Store.
func (s *Store) RevenueCategories(ctx context.Context, company trading.CompanyID) iter.Seq2[text.Name, error] {
	rising := func(a, b *text.Name) int { return cmp.Compare(*a, *b) }
	return pages(categoriesAtOnce, rising, func(last *text.Name, most int64) ([]text.Name, error) {
		var rows []string
		err := listing.InTurn(ctx, func() (err error) {
			rows, err = s.reader.ListRevenueCategories(ctx, most, string(orZero(last)), int64(company))
			return err
		})
		return each(rows, func(category string) text.Name { return text.Name(category) }), err
	})
}
