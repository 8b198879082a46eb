package sqlite

import (
	"cmp"
	"context"
	"iter"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/listing"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// AddRevenue implements trading.Store.
func (s *Store) AddRevenue(ctx context.Context, r trading.Revenue) (trading.Revenue, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (trading.Revenue, error) {
		r, err := insertRevenue(ctx, q, r)
		if err != nil {
			return r, err
		}
		return r, q.tell(ctx, journal.Revenues, int64(r.ID), nil, records.Revenue(r))
	})
}

// insertRevenue stores a revenue under its id, or under a new one if it has none.
func insertRevenue(ctx context.Context, q *tx, r trading.Revenue) (trading.Revenue, error) {
	if err := checkRevenue(ctx, q, r); err != nil {
		return r, err
	}
	id, err := q.InsertRevenue(ctx, gen.InsertRevenueParams{
		ID:           rows.Optional(int64(r.ID)),
		CompanyID:    int64(r.CompanyID),
		Category:     string(r.Category),
		Amount:       int64(r.Amount),
		FiscalYear:   rows.Optional(int64(r.FiscalYear)),
		CurrencyCode: rows.Optional(string(r.CurrencyCode)),
	})
	r.ID = trading.RevenueID(id)
	return r, withoutCompany(r, err)
}

// checkRevenue returns an error if the currency of a revenue is neither plain nor registered.
func checkRevenue(ctx context.Context, q *tx, r trading.Revenue) error {
	if r.CurrencyCode == "" {
		return nil
	}
	return checkCurrency(ctx, q.Queries, "currency_code", r.CurrencyCode)
}

// replaceRevenue sets all fields of the revenue that has the id.
func replaceRevenue(ctx context.Context, q *tx, r trading.Revenue) error {
	if err := checkRevenue(ctx, q, r); err != nil {
		return err
	}
	err := q.UpdateRevenue(ctx, gen.UpdateRevenueParams{
		ID: int64(r.ID), CompanyID: int64(r.CompanyID), Category: string(r.Category), Amount: int64(r.Amount),
		FiscalYear: rows.Optional(int64(r.FiscalYear)), CurrencyCode: rows.Optional(string(r.CurrencyCode)),
	})
	return withoutCompany(r, err)
}

// withoutCompany is UnknownReference if a revenue could not be stored because there is no such company.
func withoutCompany(r trading.Revenue, err error) error {
	if sqlerr.IsForeignKey(err) {
		var fields fault.Fields
		fields.Add("company_id", "names no company: %d", r.CompanyID)
		return fields.As(fault.UnknownReference)
	}
	return err
}

func deleteRevenue(ctx context.Context, q *tx, r trading.Revenue) error {
	return q.DeleteRevenue(ctx, int64(r.ID))
}

// Revenues implements trading.Store.
func (s *Store) Revenues(ctx context.Context, company trading.CompanyID) iter.Seq2[trading.Revenue, error] {
	list := func(ctx context.Context, after, through, most int64) ([]gen.Revenue, error) {
		return s.reader.ListRevenues(ctx, gen.ListRevenuesParams{
			CompanyID: int64(company), After: after, Through: through, Most: most,
		})
	}
	return byID(ctx, s.reader.NewestRevenue, list, rows.Revenue,
		func(r trading.Revenue) int64 { return int64(r.ID) })
}

// RevenuePage implements trading.Store.
func (s *Store) RevenuePage(ctx context.Context, f trading.RevenueFilter) ([]trading.NamedRevenue, error) {
	if f.CompanyID != nil {
		list, err := s.reader.PageCompanyRevenues(ctx, int64(*f.CompanyID), int64(f.After), int64(f.Limit))
		return eachOf(func(r gen.PageCompanyRevenuesRow) trading.NamedRevenue { return namedOf(gen.PageRevenuesRow(r)) }, list, err)
	}
	list, err := s.reader.PageRevenues(ctx, int64(f.After), int64(f.Limit))
	return eachOf(namedOf, list, err)
}

func namedOf(r gen.PageRevenuesRow) trading.NamedRevenue {
	return trading.NamedRevenue{Revenue: rows.Revenue(r.Revenue), Company: text.Name(r.Company)}
}

// categoriesAtOnce is how many categories one short read takes. Each has at most 1,020 bytes.
const categoriesAtOnce = 250

// RevenueCategories implements trading.Store.
func (s *Store) RevenueCategories(ctx context.Context, company trading.CompanyID) iter.Seq2[text.Name, error] {
	rising := func(a, b *text.Name) int { return cmp.Compare(*a, *b) }
	return rows.Pages(categoriesAtOnce, rising, func(last *text.Name, most int64) ([]text.Name, error) {
		var found []string
		err := listing.InTurn(ctx, func() (err error) {
			found, err = s.reader.ListRevenueCategories(ctx, most, string(rows.OrZero(last)), int64(company))
			return err
		})
		return rows.Map(found, func(category string) text.Name { return text.Name(category) }), err
	})
}
