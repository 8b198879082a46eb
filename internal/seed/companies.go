package seed

import (
	"context"

	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// company is an invented listed company.
type company struct {
	name     text.Name
	ticker   string
	currency money.Currency
	shares   trading.Outstanding
	price    int64 // at the start of the market, in cents
	revenue  int64 // of the latest fiscal year, in millions
	growth   int64 // of revenue, percent a year
	segments []segment
}

// segment is a revenue category and its percentage of a company's revenue.
type segment struct {
	category text.Name
	percent  int64
}

// tick is the step of a share's price, in ten-thousandths: a cent, or a whole yen.
func (c company) tick() int64 {
	if c.currency == "JPY" {
		return perUnit
	}
	return perUnit / 100
}

var currencies = []trading.Currency{
	{Code: "USD", Name: "US dollar"},
	{Code: "EUR", Name: "Euro"},
	{Code: "GBP", Name: "Pound sterling"},
	{Code: "JPY", Name: "Japanese yen"},
	{Code: "CHF", Name: "Swiss franc"},
	{Code: "CAD", Name: "Canadian dollar"},
}

var companies = []company{
	{"Northbank Instruments Inc.", "NBKI", "USD", 84_500_000, 142_00, 3_180, 8,
		[]segment{{"Test and measurement", 46}, {"Process sensors", 31}, {"Calibration services", 23}}},
	{"Kestrel Air Systems Inc.", "KSTL", "USD", 212_000_000, 88_40, 6_940, 5,
		[]segment{{"Airframe parts", 52}, {"Avionics", 27}, {"Aftermarket and repair", 21}}},
	{"Brightwater Utilities Inc.", "BWTU", "USD", 318_000_000, 51_75, 9_260, 3,
		[]segment{{"Regulated water", 58}, {"Wastewater", 29}, {"Industrial contracts", 13}}},
	{"Sable Ridge Energy Inc.", "SBRE", "USD", 441_000_000, 37_20, 11_850, 4,
		[]segment{{"Gas gathering", 44}, {"Processing", 33}, {"Storage fees", 14}, {"Marketing", 9}}},
	{"Cornelian Software Inc.", "CRNL", "USD", 126_000_000, 264_00, 4_420, 17,
		[]segment{{"Subscriptions", 74}, {"Professional services", 15}, {"Maintenance", 11}}},
	{"Rheinwerk Antriebe SE", "RWAK", "EUR", 158_000_000, 63_80, 7_310, 4,
		[]segment{{"Electric drives", 41}, {"Gearboxes", 36}, {"Service and spares", 23}}},
	{"Maison Delorme SA", "MDLR", "EUR", 97_000_000, 178_50, 5_640, 7,
		[]segment{{"Leather goods", 49}, {"Perfume and cosmetics", 24}, {"Watches", 17}, {"Licensing", 10}}},
	{"Calder Vale Foods plc", "CVFD", "GBP", 402_000_000, 7_85, 2_760, 3,
		[]segment{{"Bakery", 43}, {"Chilled meals", 34}, {"Private label", 23}}},
	{"Pemberley Rail plc", "PMBR", "GBP", 265_000_000, 12_40, 3_390, 2,
		[]segment{{"Passenger fares", 61}, {"Freight", 22}, {"Station retail", 9}, {"Rolling stock leasing", 8}}},
	{"Hoshigawa Precision K.K.", "HSGW", "JPY", 288_000_000, 3_120_00, 612_000, 6,
		[]segment{{"Machine tools", 48}, {"Semiconductor stages", 37}, {"Service parts", 15}}},
	{"Alpenlicht Pharma AG", "ALPH", "CHF", 74_000_000, 212_00, 2_980, 9,
		[]segment{{"Ophthalmology", 55}, {"Generics", 30}, {"Royalties", 15}}},
	{"Tamarack Timber and Paper Ltd.", "TMTP", "CAD", 183_000_000, 29_60, 4_050, 2,
		[]segment{{"Lumber", 50}, {"Pulp and paper", 38}, {"Carbon credits", 5}, {"Recreation leases", 7}}},
}

// addCompanies registers the currencies and records the companies at their latest
// price, with their revenue in the fiscal years that are over.
func addCompanies(ctx context.Context, book *trading.Book, m *market, o Options, s *Summary) error {
	ids := map[money.Currency]trading.CurrencyID{}
	for _, c := range currencies {
		stored, err := book.AddCurrency(ctx, c)
		if err != nil {
			return err
		}
		ids[c.Code] = stored.ID
		s.Currencies++
	}
	for i, c := range companies {
		stored, err := book.AddCompany(ctx, trading.Company{
			Name:              c.name,
			SharesOutstanding: c.shares,
			Price:             onTick(m.stock(i, len(m.days)-1), c.tick()),
			CurrencyID:        ids[c.currency],
		})
		if err != nil {
			return err
		}
		s.Companies++
		if err := addRevenues(ctx, book, stored.ID, c, o, s); err != nil {
			return err
		}
	}
	return nil
}

func addRevenues(ctx context.Context, book *trading.Book, id trading.CompanyID, c company, o Options, s *Summary) error {
	for year := o.AsOf.Year() - o.Years; year < o.AsOf.Year(); year++ {
		total := discounted(c.revenue*1_000, c.growth, o.AsOf.Year()-1-year)
		for n, part := range c.segments {
			// Segments do not grow in step: the first gains a little on the others.
			percent := part.percent
			if n < 2 {
				percent += int64((1 - 2*n) * (year - o.AsOf.Year() + 1) / 2)
			}
			_, err := book.AddRevenue(ctx, trading.Revenue{
				CompanyID:    id,
				Category:     part.category,
				Amount:       money.Units(total * percent / 100 * 1_000),
				FiscalYear:   fiscal.Year(year),
				CurrencyCode: c.currency,
			})
			if err != nil {
				return err
			}
			s.Revenues++
		}
	}
	return nil
}

// discounted returns what a figure was some years before, when it grows by a
// percentage a year.
func discounted(figure, growth int64, years int) int64 {
	for range years {
		figure = figure * 100 / (100 + growth)
	}
	return figure
}
