package seed_test

import (
	"testing"
	"time"

	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/seed"
	"daybook/internal/text"
	"daybook/internal/trading"
)

var asOf = day(2025, time.September, 17)

// demo is the data that a run of the default size stored.
type demo struct {
	database
	companies   []trading.Company
	trades      []trading.Trade
	departments []budget.Department
	accounts    []budget.Account
	lines       []budget.Line
	actuals     []budget.Actual
}

// TestDemo: demo data of the default size is plausible and passes the checks of requests.
func TestDemo(t *testing.T) {
	db := newDatabase(t)
	summary := db.seed(t, seed.Defaults(asOf))
	d := demo{
		database:    db,
		companies:   read(t, db.book.Companies(t.Context())),
		trades:      read(t, db.book.Trades(t.Context())),
		departments: read(t, db.ledger.Departments(t.Context())),
		accounts:    read(t, db.ledger.Accounts(t.Context())),
		lines:       db.lines(t),
		actuals:     db.actuals(t),
	}
	t.Run("size", func(t *testing.T) { d.testSize(t, summary) })
	t.Run("companies", d.testCompanies)
	t.Run("trades", func(t *testing.T) { testTrades(t, d.trades, asOf) })
	t.Run("text", d.testText)
	t.Run("chart", d.testChart)
	t.Run("lines", d.testLines)
	t.Run("actuals", d.testActuals)
	t.Run("unbudgeted", d.testUnbudgeted)
	t.Run("profit", d.testProfit)
	t.Run("variance", d.testVariance)
}

func (d demo) testSize(t *testing.T, got seed.Summary) {
	revenues := 0
	for _, c := range d.companies {
		revenues += len(read(t, d.book.Revenues(t.Context(), c.ID)))
	}
	stored := seed.Summary{
		Currencies: len(read(t, d.book.Currencies(t.Context()))), Companies: len(d.companies), Revenues: revenues,
		Trades: len(d.trades), Departments: len(d.departments), Accounts: len(d.accounts),
		Lines: len(d.lines), Actuals: len(d.actuals),
	}
	if got != stored {
		t.Errorf("got summary %+v, want what is stored: %+v", got, stored)
	}
	if got.Currencies != 6 || got.Companies != 12 || got.Trades != 2_000 || got.Departments != 8 || got.Accounts != 40 {
		t.Errorf("got %+v, want 6 currencies, 12 companies, 2000 trades, 8 departments, 40 accounts", got)
	}
}

func (d demo) testCompanies(t *testing.T) {
	for _, c := range d.companies {
		if c.Price <= 0 || c.SharesOutstanding <= 0 || c.CurrencyID == 0 {
			t.Errorf("got %+v, want a price, shares and a currency", c)
		}
		if categories := read(t, d.book.RevenueCategories(t.Context(), c.ID)); len(categories) < 3 {
			t.Errorf("%s: got the revenue categories %v, want at least 3", c.Name, categories)
		}
		for _, r := range read(t, d.book.Revenues(t.Context(), c.ID)) {
			if r.Amount <= 0 || r.FiscalYear < 2022 || r.FiscalYear > 2024 {
				t.Errorf("got %+v, want a positive amount in one of the three years that are over", r)
			}
		}
	}
}

// testText parses the data with the constructors that check requests.
func (d demo) testText(t *testing.T) {
	check := func(what any, err error) {
		if err != nil {
			t.Errorf("%+v: got %v, want no error", what, err)
		}
	}
	for _, trade := range d.trades {
		_, err := trading.ParseSymbol(string(trade.Symbol))
		check(trade, err)
		_, err = trading.ParsePrice(trade.Price.String())
		check(trade, err)
		_, err = trading.NewProduct(int64(trade.Product))
		check(trade, err)
	}
	for _, department := range d.departments {
		_, err := budget.ParseDepartmentCode(string(department.Code))
		check(department, err)
		_, err = text.ParseName(string(department.Name))
		check(department, err)
	}
	for _, line := range d.lines {
		_, err := text.ParseNote(string(line.Notes))
		check(line, err)
		if !line.Currency.Plain() {
			t.Errorf("got %+v, want a plain currency", line)
		}
	}
}

func (d demo) testChart(t *testing.T) {
	types := map[budget.AccountType]int{}
	contra := 0
	for _, a := range d.accounts {
		types[a.Type]++
		if a.Type == budget.Revenue && !a.FavourHigh {
			contra++
		}
		if a.Type != budget.Revenue && a.FavourHigh {
			t.Errorf("got %s, a cost that favours a high actual, want none", a.Code)
		}
	}
	for _, kind := range []budget.AccountType{budget.Revenue, budget.COGS, budget.Opex, budget.Headcount, budget.Capex} {
		if types[kind] == 0 {
			t.Errorf("got no account of the type %s, want some", kind)
		}
	}
	if contra != 1 {
		t.Errorf("got %d contra-revenue accounts, want 1", contra)
	}
	inactive := 0
	for _, department := range d.departments {
		if !department.Active {
			inactive++
		}
	}
	if inactive != 1 {
		t.Errorf("got %d inactive departments, want 1", inactive)
	}
}

func (d demo) testLines(t *testing.T) {
	versions := map[budget.Version]int{}
	currencies := map[money.Currency]map[budget.DepartmentID]bool{"USD": {}, "GBP": {}}
	original := map[budget.Key]money.Amount{}
	noted, revised := 0, 0
	for _, line := range d.lines {
		versions[line.Version]++
		currencies[line.Currency][line.DepartmentID] = true
		if line.Amount <= 0 || line.Amount%money.Units(10) != 0 {
			t.Errorf("got %+v, want a round positive figure", line)
		}
		if line.Year < 2023 || line.Year > 2025 {
			t.Errorf("got %+v, want one of three fiscal years", line)
		}
		if line.Notes != "" {
			noted++
		}
		if line.Version == budget.Original {
			original[line.Key] = line.Amount
		} else if original[line.Key] != line.Amount {
			revised++
		}
	}
	for _, v := range budget.Versions() {
		if versions[v] != len(d.lines)/4 {
			t.Errorf("got %d lines in %s, want a quarter of %d", versions[v], v, len(d.lines))
		}
	}
	if got := len(currencies["GBP"]); got != 1 {
		t.Errorf("got %d departments in GBP, want 1", got)
	}
	if got := len(currencies["USD"]); got != 7 {
		t.Errorf("got %d departments in USD, want 7", got)
	}
	if noted == 0 || noted > len(d.lines)/20 {
		t.Errorf("got %d lines with notes of %d, want some", noted, len(d.lines))
	}
	if forecasts := len(d.lines) * 3 / 4; revised < forecasts/3 {
		t.Errorf("got %d forecasts of %d that differ from the original, want many", revised, forecasts)
	}
}

func (d demo) testActuals(t *testing.T) {
	last, sources, cents := 0, map[text.Source]bool{}, 0
	for _, a := range d.actuals {
		month := int(a.Year)*12 + int(a.Period)
		last = max(last, month)
		sources[a.Source] = true
		if a.Amount%money.Units(1) != 0 {
			cents++
		}
		if a.Amount%100 != 0 {
			t.Errorf("got %+v, want an amount in whole cents", a)
		}
	}
	if want := 2025*12 + 9; last != want {
		t.Errorf("got actuals up to month %d, want %d", last, want)
	}
	if len(sources) < 4 || sources[""] {
		t.Errorf("got the sources %v, want several feeds", sources)
	}
	if cents < len(d.actuals)/2 {
		t.Errorf("got %d actuals of %d with cents, want most", cents, len(d.actuals))
	}
}

func (d demo) testUnbudgeted(t *testing.T) {
	planned, posted := map[budget.AccountID]bool{}, map[budget.AccountID]bool{}
	for _, line := range d.lines {
		planned[line.AccountID] = true
	}
	for _, a := range d.actuals {
		posted[a.AccountID] = true
	}
	unbudgeted := 0
	for _, a := range d.accounts {
		if !posted[a.ID] {
			t.Errorf("%s: got no actuals, want some", a.Code)
		}
		if !planned[a.ID] {
			unbudgeted++
		}
	}
	if unbudgeted != 1 {
		t.Errorf("got %d accounts without budget, want 1", unbudgeted)
	}
}

// testProfit checks that revenue exceeds all costs in every year and currency, in the budget and in the
// actuals.
func (d demo) testProfit(t *testing.T) {
	type column struct {
		year     int
		currency money.Currency
		actual   bool
	}
	accounts := map[budget.AccountID]budget.Account{}
	for _, a := range d.accounts {
		accounts[a.ID] = a
	}
	profits := map[column]money.Amount{}
	add := func(c column, id budget.AccountID, amount money.Amount) {
		if !accounts[id].FavourHigh {
			amount = -amount
		}
		profits[c] += amount
	}
	for _, line := range d.lines {
		if line.Version == budget.Original {
			add(column{int(line.Year), line.Currency, false}, line.AccountID, line.Amount)
		}
	}
	for _, a := range d.actuals {
		add(column{int(a.Year), a.Currency, true}, a.AccountID, a.Amount)
	}
	if len(profits) != 12 {
		t.Errorf("got %d columns, want 3 years x 2 currencies x plan and actual", len(profits))
	}
	for c, profit := range profits {
		if profit <= 0 || profit > money.Units(20_000_000) {
			t.Errorf("%+v: got a profit of %s, want more than 0 and at most 20 million, as of a mid-size company", c, profit)
		}
	}
}

func (d demo) testVariance(t *testing.T) {
	query := budget.ReportQuery{Year: 2025, Period: 9, Version: budget.Original}
	report, err := d.ledger.Variance(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	statuses := map[budget.Status]int{}
	for _, line := range report.Lines {
		statuses[line.Status]++
	}
	if statuses[budget.Favourable] < 10 || statuses[budget.Unfavourable] < 10 {
		t.Errorf("got %v, want many lines of each status", statuses)
	}
	if len(report.ByCurrency) != 2 {
		t.Errorf("got totals in %d currencies, want 2", len(report.ByCurrency))
	}
	alerts := report.Over(money.WholePercent(10)).Lines
	if len(alerts) < 3 || len(alerts) > len(report.Lines)/3 {
		t.Errorf("got %d alerts among %d lines, want a few", len(alerts), len(report.Lines))
	}
	overspends := 0
	for _, line := range alerts {
		if line.Account.Type != budget.Revenue && line.Status == budget.Unfavourable {
			overspends++
		}
	}
	if overspends < 3 {
		t.Errorf("got %d overspends, want a few", overspends)
	}
}

// TestWholeGrid: every department has a budget line for each account in each period and version, except
// for the account without a budget.
func TestWholeGrid(t *testing.T) {
	d := newDatabase(t)
	o := seed.Options{AsOf: day(2024, time.February, 29), Trades: 1, Departments: 11, Accounts: 43, Years: 1}
	summary := d.seed(t, o)
	if got, want := summary.Lines, 11*42*12*4; got != want {
		t.Errorf("got %d lines, want %d: every department and period takes all accounts but the unbudgeted one", got, want)
	}
	report, err := d.ledger.Variance(t.Context(), budget.ReportQuery{Year: 2024, Period: 2, Version: budget.Forecast3})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(report.Lines), 11*42+1; got != want {
		t.Errorf("got %d lines in the report, want %d", got, want)
	}
}
