package seed

import (
	"fmt"

	"daybook/internal/budget"
	"daybook/internal/text"
)

// account is a ledger account and how it behaves.
type account struct {
	budget.Account
	season *[12]int64
	sway   int64       // how far a month strays from its plan, in thousandths
	feed   text.Source // where its actuals come from
	shares []share
}

// share is what a department plans for an account in the last fiscal year, in
// thousands of the department's currency.
type share struct {
	department text.Code
	thousands  int64
}

// The accounts with something particular about them.
const (
	contraRevenue = "4900" // revenue that favours a low actual
	unbudgeted    = "6490" // actuals that nobody planned
)

// The seasons: each month's part of a year, in hundredths of a month.
var (
	level      = &[12]int64{100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100}
	climbing   = &[12]int64{91, 92, 94, 96, 98, 99, 101, 102, 104, 106, 108, 109}
	quarterEnd = &[12]int64{78, 88, 132, 80, 90, 134, 76, 84, 128, 86, 96, 128}
	winter     = &[12]int64{150, 142, 122, 98, 78, 70, 74, 74, 76, 88, 108, 120}
	trips      = &[12]int64{82, 98, 116, 112, 118, 108, 72, 58, 120, 128, 118, 70}
	fairs      = &[12]int64{30, 60, 190, 140, 150, 60, 20, 30, 210, 190, 90, 30}
	auditing   = &[12]int64{180, 230, 200, 90, 60, 50, 50, 50, 60, 70, 80, 80}
	raises     = &[12]int64{97, 97, 97, 101, 101, 101, 101, 101, 101, 101, 101, 101}
	projects   = &[12]int64{50, 70, 110, 120, 130, 120, 80, 70, 120, 130, 120, 80}
)

// chart returns n accounts in the order of their codes: of fewer than the whole
// catalogue an even selection, of more the catalogue and its sub-accounts.
func chart(n int) []account {
	whole := catalogue()
	all := make([]account, n)
	for i := range all {
		switch {
		case n < len(whole):
			all[i] = whole[i*len(whole)/n]
		case i < len(whole):
			all[i] = whole[i]
		default:
			all[i] = whole[i%len(whole)].sub(i / len(whole))
		}
	}
	return all
}

// sub returns the nth sub-account.
func (a account) sub(n int) account {
	a.Code = text.Code(fmt.Sprintf("%s-%03d", a.Code, n))
	a.Description = text.Note(fmt.Sprintf("%s, sub-account %d", a.Description, n))
	return a
}

// planned is what a department plans for the account, in thousands.
func (a account) planned(code text.Code) int64 {
	for _, s := range a.shares {
		if s.department == code {
			return s.thousands
		}
	}
	return 0
}

// usual is what a department plans for the account, in thousands, where every
// department takes all accounts.
func (a account) usual() int64 {
	var sum int64
	for _, s := range a.shares {
		sum += s.thousands
	}
	return max(sum/DefaultDepartments, 1)
}

// budgeted reports whether the account is planned. Sub-accounts always are.
func (a account) budgeted() bool { return a.Code != unbudgeted }

// growth is what figures of an account type grow by, percent a year.
func growth(t budget.AccountType) int64 {
	switch t {
	case budget.Revenue:
		return 9
	case budget.COGS:
		return 8
	case budget.Headcount:
		return 7
	}
	return 4
}

// catalogue returns the accounts of the demo company.
func catalogue() []account {
	var all []account
	of := func(kind budget.AccountType) addAccount {
		return func(code text.Code, description text.Note, season *[12]int64, sway int64, feed text.Source, shares ...share) {
			all = append(all, account{
				Account: budget.Account{
					Code: code, Description: description, Type: kind,
					FavourHigh: kind.FavoursHigh() && code != contraRevenue,
				},
				season: season, sway: sway, feed: feed, shares: shares,
			})
		}
	}
	addRevenueAccounts(of(budget.Revenue))
	addCostOfSales(of(budget.COGS))
	addOperatingCosts(of(budget.Opex))
	addHeadcount(of(budget.Headcount))
	addInvestments(of(budget.Capex))
	return all
}

// addAccount adds an account of one type to the catalogue.
type addAccount func(code text.Code, description text.Note, season *[12]int64, sway int64, feed text.Source, shares ...share)

func addRevenueAccounts(add addAccount) {
	add("4000", "Subscription revenue", climbing, 20, "billing", share{sal, 33_600}, share{ldn, 4_500})
	add("4010", "Usage and overage revenue", climbing, 60, "billing", share{sal, 3_300}, share{ldn, 510})
	add("4100", "Professional services revenue", quarterEnd, 70, "billing", share{ops, 3_900}, share{ldn, 630})
	add("4200", "Training and certification revenue", trips, 90, "billing", share{ops, 570})
	add("4300", "Hardware resale", quarterEnd, 90, "billing", share{sal, 1_860})
	add(contraRevenue, "Discounts and credit notes", quarterEnd, 80, "billing", share{sal, 990}, share{ldn, 150})
}

func addCostOfSales(add addAccount) {
	add("5000", "Production hosting", climbing, 40, "cloud-billing", share{ops, 2_640})
	add("5100", "Payment processing fees", climbing, 40, "erp-gl", share{sal, 570}, share{ldn, 96})
	add("5200", "Third-party licences resold", quarterEnd, 50, "erp-gl", share{ops, 930})
	add("5300", "Hardware cost of sales", quarterEnd, 70, "erp-gl", share{ops, 1_290})
	add("5400", "Support contractors", level, 60, "erp-gl", share{ops, 780}, share{ldn, 168})
	add("5500", "Data feeds and royalties", level, 20, "erp-gl", share{eng, 420})
}

func addOperatingCosts(add addAccount) {
	add("6000", "Office rent", level, 0, "erp-gl", share{fin, 1_020}, share{ldn, 396})
	add("6010", "Utilities", winter, 80, "erp-gl", share{fin, 132}, share{ldn, 48})
	add("6020", "Cleaning and maintenance", level, 50, "erp-gl", share{fin, 84}, share{ldn, 30})
	add("6100", "Cloud development environments", climbing, 70, "cloud-billing", share{eng, 960}, share{lab, 72})
	add("6110", "Software subscriptions", level, 30, "erp-gl", share{sal, 186}, share{eng, 372}, share{ops, 96},
		share{mkt, 150}, share{fin, 126}, share{hrd, 60}, share{ldn, 66}, share{lab, 36})
	add("6120", "Telephone and internet", level, 40, "erp-gl", share{sal, 42}, share{ops, 66}, share{fin, 48}, share{ldn, 24})
	add("6200", "Digital advertising", quarterEnd, 70, "erp-gl", share{mkt, 1_560}, share{ldn, 180})
	add("6210", "Trade fairs and events", fairs, 90, "erp-gl", share{mkt, 600}, share{ldn, 96})
	add("6220", "Agencies and content", level, 80, "erp-gl", share{mkt, 420})
	add("6300", "Travel", trips, 110, "expenses", share{sal, 432}, share{eng, 90}, share{ops, 132}, share{mkt, 72},
		share{fin, 24}, share{hrd, 30}, share{ldn, 90}, share{lab, 24})
	add("6310", "Meals and entertainment", trips, 120, "expenses", share{sal, 126}, share{mkt, 24}, share{ldn, 36})
	add("6400", "Legal fees", level, 150, "erp-gl", share{fin, 300})
	add("6410", "Audit and tax advice", auditing, 40, "erp-gl", share{fin, 252}, share{ldn, 54})
	add("6420", "Consulting", level, 120, "erp-gl", share{eng, 240}, share{fin, 180})
	add("6430", "Recruiting fees", trips, 120, "erp-gl", share{hrd, 372})
	add("6440", "Insurance", level, 5, "erp-gl", share{fin, 222})
	add("6450", "Bank charges", level, 60, "bank", share{fin, 36}, share{ldn, 9})
	add(unbudgeted, "Legal settlements", level, 0, "erp-gl", share{fin, 0})
}

func addHeadcount(add addAccount) {
	add("6500", "Salaries and wages", raises, 12, "payroll", share{sal, 3_660}, share{eng, 5_520}, share{ops, 1_860},
		share{mkt, 1_320}, share{fin, 912}, share{hrd, 612}, share{ldn, 1_380}, share{lab, 708})
	add("6510", "Sales commissions", quarterEnd, 60, "payroll", share{sal, 1_140}, share{ldn, 204})
	add("6520", "Payroll taxes", raises, 15, "payroll", share{sal, 348}, share{eng, 486}, share{ops, 168},
		share{mkt, 120}, share{fin, 84}, share{hrd, 54}, share{ldn, 186}, share{lab, 66})
	add("6530", "Health and pension benefits", level, 15, "payroll", share{sal, 402}, share{eng, 612}, share{ops, 222},
		share{mkt, 150}, share{fin, 108}, share{hrd, 72}, share{ldn, 126}, share{lab, 78})
	add("6540", "Temporary staff", quarterEnd, 130, "payroll", share{ops, 180}, share{fin, 48})
	add("6550", "Training and conferences", trips, 110, "expenses", share{eng, 108}, share{hrd, 144}, share{ldn, 24})
}

func addInvestments(add addAccount) {
	add("7000", "Computer equipment", projects, 120, "procurement", share{sal, 90}, share{eng, 360}, share{ops, 120}, share{ldn, 54})
	add("7100", "Data centre equipment", projects, 100, "procurement", share{ops, 600})
	add("7200", "Office furniture and fit-out", projects, 140, "procurement", share{fin, 120}, share{ldn, 36})
	add("8000", "Capitalised software development", level, 50, "erp-gl", share{eng, 960})
}
