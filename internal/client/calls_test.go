package client_test

import (
	"context"
	"net/http"
	"strings"
	"time"

	"daybook/internal/client"
)

// notTyped are the requests of the manual that the types of the client do not allow: an unknown path,
// and a report without its parameters.
var notTyped = []string{"GET /nowhere", "GET /api/v1/variance"}

type (
	ctx  = context.Context
	gate = *client.ClientWithResponses
)

// calls are the calls of the manual, in their order.
var calls = []call{
	func(x ctx, c gate) (any, error) { return c.GetHealthWithResponse(x) },
	func(x ctx, c gate) (any, error) { return c.GetHealthV1WithResponse(x) },
	func(x ctx, c gate) (any, error) { return c.GetReadyWithResponse(x) },
	func(x ctx, c gate) (any, error) { return c.GetMetricsWithResponse(x) },

	func(x ctx, c gate) (any, error) {
		return c.AddCurrencyWithResponse(x, nil, client.NewCurrency{Code: "SEK", Name: new("Swedish krona")})
	},
	func(x ctx, c gate) (any, error) { return c.ListCurrenciesWithResponse(x) },
	func(x ctx, c gate) (any, error) {
		return c.AddCompanyWithResponse(x, nil, client.NewCompany{
			Name: "Norrsken AB", SharesOutstanding: new(int64(1200000)), Price: new(84.5), CurrencyId: new(int64(1)),
		})
	},
	func(x ctx, c gate) (any, error) { return c.ListCompaniesWithResponse(x) },
	func(x ctx, c gate) (any, error) {
		return c.AddRevenueWithResponse(x, nil, client.NewRevenue{
			CompanyId: 1, Category: "Lamps", Amount: 125000.50, FiscalYear: new(2025), CurrencyCode: new("SEK"),
		})
	},
	func(x ctx, c gate) (any, error) {
		return c.ListRevenueCategoriesWithResponse(x, &client.ListRevenueCategoriesParams{CompanyId: 1})
	},
	func(x ctx, c gate) (any, error) {
		return c.ListRevenueWithResponse(x, &client.ListRevenueParams{CompanyId: 1})
	},
	func(x ctx, c gate) (any, error) { return c.PageCurrenciesWithResponse(x, nil) },
	func(x ctx, c gate) (any, error) { return c.PageCompaniesWithResponse(x, nil) },
	func(x ctx, c gate) (any, error) {
		return c.PageRevenuesWithResponse(x, &client.PageRevenuesParams{CompanyId: new(int64(1))})
	},

	func(x ctx, c gate) (any, error) { return c.AddTradeWithResponse(x, nil, trade(100, true, 80, 5)) },
	func(x ctx, c gate) (any, error) { return c.AddTradeWithResponse(x, nil, trade(50, true, 86, 6)) },
	func(x ctx, c gate) (any, error) { return c.AddTradeWithResponse(x, nil, trade(30, false, 90, 7)) },
	func(x ctx, c gate) (any, error) { return c.ListTradesWithResponse(x) },
	func(x ctx, c gate) (any, error) { return c.ListTradesByPostWithResponse(x) },
	func(x ctx, c gate) (any, error) { return c.ListPositionsWithResponse(x) },
	func(x ctx, c gate) (any, error) { return c.ListPositionsByPostWithResponse(x) },
	func(x ctx, c gate) (any, error) {
		return c.PagePositionsWithResponse(x, &client.PagePositionsParams{Symbol: new("NRSK"), Currency: new("SEK")})
	},
	func(x ctx, c gate) (any, error) { return c.GetPortfolioWithResponse(x, nil) },
	func(x ctx, c gate) (any, error) {
		return c.PageTradesWithResponse(x, &client.PageTradesParams{Type: new(true), Limit: new(1)})
	},
	func(x ctx, c gate) (any, error) {
		var first client.Place
		if err := first.FromPlace0(1); err != nil {
			return nil, err
		}
		return c.PageTradesWithResponse(x, &client.PageTradesParams{Type: new(true), Limit: new(1), After: &first})
	},
	func(x ctx, c gate) (any, error) { return c.VoidTradeWithResponse(x, 3, nil) },

	func(x ctx, c gate) (any, error) {
		return c.CreateDepartmentWithResponse(x, nil, client.NewDepartment{
			Code: "RD", Name: "Research", CostCenter: new("CC-700"), Active: new(true),
		})
	},
	func(x ctx, c gate) (any, error) {
		return c.CreateDepartmentWithResponse(x, nil, client.NewDepartment{Code: "TMP", Name: "Temporary"})
	},
	func(x ctx, c gate) (any, error) { return c.ListDepartmentsWithResponse(x) },
	func(x ctx, c gate) (any, error) {
		return c.GetDepartmentWithResponse(x, nil, client.DepartmentIdentifier{Code: new("RD")})
	},
	func(x ctx, c gate) (any, error) {
		return c.GetDepartmentWithResponse(x, &client.GetDepartmentParams{CostCenter: new("CC-700")}, client.DepartmentIdentifier{})
	},
	func(x ctx, c gate) (any, error) {
		return c.SetDepartmentActivityWithResponse(x, nil, client.DepartmentActivity{Code: new("TMP"), Active: false})
	},
	func(x ctx, c gate) (any, error) {
		return c.UpdateDepartmentWithResponse(x, 1, nil, client.DepartmentChange{
			Name: new("Research and design"), Was: &client.DepartmentFields{Name: new("Research")},
		})
	},
	func(x ctx, c gate) (any, error) {
		return c.UpdateDepartmentWithResponse(x, 1, nil, client.DepartmentChange{
			Name: new("Design"), Was: &client.DepartmentFields{Name: new("Research")},
		})
	},
	func(x ctx, c gate) (any, error) {
		return c.UpdateDepartmentWithResponse(x, 1, nil, client.DepartmentChange{Name: new("Research")})
	},
	func(x ctx, c gate) (any, error) {
		return c.DeleteDepartmentWithResponse(x, nil, client.DeleteRequest{Id: new(int64(2))})
	},
	func(x ctx, c gate) (any, error) { return c.DeleteDepartmentByIdWithResponse(x, 2, nil) },

	func(x ctx, c gate) (any, error) {
		return c.CreateGlAccountWithResponse(x, nil, client.NewGlAccount{
			Code: "R-100", Description: new("Licences"), Type: client.AccountTypeRevenue, FavourHigh: new(true),
		})
	},
	func(x ctx, c gate) (any, error) {
		return c.CreateGlAccountWithResponse(x, nil, client.NewGlAccount{
			Code: "C-200", Description: new("Hosting"), Type: client.AccountTypeCogs,
		})
	},
	func(x ctx, c gate) (any, error) {
		return c.CreateGlAccountWithResponse(x, nil, client.NewGlAccount{Code: "C-900", Type: client.AccountTypeOpex})
	},
	func(x ctx, c gate) (any, error) { return c.ListGlAccountsWithResponse(x) },
	func(x ctx, c gate) (any, error) {
		return c.UpdateGlAccountWithResponse(x, 3, nil, client.GlAccountChange{Description: new("Travel"), Type: new(client.AccountTypeOpex)})
	},
	func(x ctx, c gate) (any, error) {
		return c.DeleteGlAccountWithResponse(x, nil, client.DeleteRequest{Id: new(int64(3))})
	},
	func(x ctx, c gate) (any, error) { return c.DeleteGlAccountByIdWithResponse(x, 3, nil) },

	func(x ctx, c gate) (any, error) {
		line := budgetLine(1, 1, 373080)
		line.Version, line.Notes = new(client.Original), new("as signed")
		return c.CreateBudgetLineWithResponse(x, nil, line)
	},
	func(x ctx, c gate) (any, error) {
		return c.CreateBudgetLineWithResponse(x, nil, budgetLine(2, 1, 150000))
	},
	func(x ctx, c gate) (any, error) { return c.CreateBudgetLineWithResponse(x, nil, budgetLine(2, 2, 1)) },
	func(x ctx, c gate) (any, error) {
		return c.UpdateBudgetLineWithResponse(x, nil, client.BudgetLineChange{
			Id: new(int64(2)), Amount: new(158940.0), Notes: new("two more regions"),
		})
	},
	func(x ctx, c gate) (any, error) {
		return c.UpdateBudgetLineByIdWithResponse(x, 3, nil, client.BudgetLineChange{Notes: new("a mistake")})
	},
	func(x ctx, c gate) (any, error) {
		return c.DeleteBudgetLineWithResponse(x, &client.DeleteBudgetLineParams{Id: new(int64(3))}, client.DeleteRequest{})
	},
	func(x ctx, c gate) (any, error) { return c.DeleteBudgetLineByIdWithResponse(x, 3, nil) },
	func(x ctx, c gate) (any, error) {
		return c.PageBudgetLinesWithResponse(x, &client.PageBudgetLinesParams{FiscalYear: new(2030), FiscalPeriod: new(1)})
	},

	func(x ctx, c gate) (any, error) {
		return c.IngestActualWithResponse(x, nil, actual(1, 1, 400855, "billing"))
	},
	func(x ctx, c gate) (any, error) { return c.IngestActualWithResponse(x, nil, actual(2, 1, 1, "erp")) },
	func(x ctx, c gate) (any, error) {
		return c.IngestActualWithResponse(x, nil, actual(2, 1, 179336, "erp"))
	},
	func(x ctx, c gate) (any, error) {
		reversal := actual(1, 2, -12.34, "")
		reversal.Source = nil
		return c.IngestActualWithResponse(x, nil, reversal)
	},
	func(x ctx, c gate) (any, error) { return c.DeleteActualWithResponse(x, 3, nil) },
	func(x ctx, c gate) (any, error) {
		return c.PageActualsWithResponse(x, &client.PageActualsParams{DepartmentId: new(int64(1))})
	},

	func(x ctx, c gate) (any, error) {
		return c.GetVarianceWithResponse(x, &client.GetVarianceParams{Year: 2030, Period: 1, Dept: new("RD")})
	},
	func(x ctx, c gate) (any, error) {
		return c.GetVarianceWithResponse(x, &client.GetVarianceParams{Year: 2030, Period: 1, Version: new(client.Forecast1)})
	},
	func(x ctx, c gate) (any, error) {
		return c.GetVarianceAlertsWithResponse(x, &client.GetVarianceAlertsParams{Year: 2030, Period: 1, Threshold: new(10.0)})
	},
	func(x ctx, c gate) (any, error) {
		return c.GetVarianceSummaryWithResponse(x, &client.GetVarianceSummaryParams{
			Year: 2030, Period: 1, By: new(client.GetVarianceSummaryParamsByAccount),
		})
	},
	func(x ctx, c gate) (any, error) {
		return c.GetVarianceTrendWithResponse(x, &client.GetVarianceTrendParams{Year: 2030})
	},
	func(x ctx, c gate) (any, error) {
		return c.GetOverviewWithResponse(x, &client.GetOverviewParams{Year: new(2030), Period: new(1)})
	},
	func(x ctx, c gate) (any, error) { return c.GetFiltersWithResponse(x, nil) },
	func(x ctx, c gate) (any, error) { return c.PageDepartmentsWithResponse(x, nil) },
	func(x ctx, c gate) (any, error) { return c.PageAccountsWithResponse(x, nil) },
	func(x ctx, c gate) (any, error) { return c.GetQualityWithResponse(x) },

	// The answer is a file, for which there is no type.
	func(x ctx, c gate) (any, error) {
		return c.PageBudgetLines(x, &client.PageBudgetLinesParams{Format: new(client.PageBudgetLinesParamsFormatCsv), FiscalYear: new(2030)})
	},
	func(x ctx, c gate) (any, error) {
		return c.PageTrades(x, &client.PageTradesParams{Format: new(client.PageTradesParamsFormatNdjson), Sort: new(client.PageTradesParamsSortMinusDate)})
	},
	func(x ctx, c gate) (any, error) {
		return c.PageBudgetLines(x, &client.PageBudgetLinesParams{
			Format: new(client.PageBudgetLinesParamsFormatNdjson), Form: new(client.PageBudgetLinesParamsFormWide),
		})
	},
	func(x ctx, c gate) (any, error) {
		return c.PageActualsWithResponse(x, &client.PageActualsParams{Format: new(client.PageActualsParamsFormatCsv), Limit: new(10)})
	},

	func(x ctx, c gate) (any, error) {
		named := func(_ ctx, r *http.Request) error {
			r.Header.Set("X-Request-Id", "nightly-1")
			r.Header.Set("X-Reason", "Oslo%20opens")
			return nil
		}
		return c.AddCurrencyWithResponse(x, withKey(), client.NewCurrency{Code: "NOK", Name: new("Norwegian krone")}, named)
	},
	func(x ctx, c gate) (any, error) {
		return c.AddCurrencyWithResponse(x, withKey(), client.NewCurrency{Code: "NOK", Name: new("Norwegian krone")})
	},
	func(x ctx, c gate) (any, error) {
		return c.AddCurrencyWithResponse(x, withKey(), client.NewCurrency{Code: "DKK", Name: new("Danish krone")})
	},
	func(x ctx, c gate) (any, error) {
		return c.PageJournalWithResponse(x, &client.PageJournalParams{Entity: new(client.EntityCurrencies), EntityId: new(int64(2))})
	},
	func(x ctx, c gate) (any, error) {
		why := func(_ ctx, r *http.Request) error { r.Header.Set("X-Reason", "Oslo%20waits"); return nil }
		return c.UndoWithResponse(x, nil, client.RequestRange{From: 30, Through: 30}, why)
	},
	func(x ctx, c gate) (any, error) {
		return c.UndoWithResponse(x, nil, client.RequestRange{From: 30, Through: 30})
	},
	func(x ctx, c gate) (any, error) {
		return c.UndoWithResponse(x, nil, client.RequestRange{From: 31, Through: 31})
	},
	func(x ctx, c gate) (any, error) { return c.GetEvents(x, nil) },

	func(x ctx, c gate) (any, error) {
		return c.IngestActualWithBodyWithResponse(x, nil, "application/json", strings.NewReader(
			`{"department_id": 1, "fiscal_year": 2030, "fiscal_period": 13, "amount": "12.34567"}`))
	},
	func(x ctx, c gate) (any, error) { return c.DeleteDepartmentByIdWithResponse(x, 1, nil) },

	func(x ctx, c gate) (any, error) { return c.GetSessionWithResponse(x) },
	func(x ctx, c gate) (any, error) {
		return c.SignInWithResponse(x, client.SignInJSONRequestBody{Token: "daybook_guess"})
	},
	func(x ctx, c gate) (any, error) { return c.SignOutWithResponse(x) },
	func(x ctx, c gate) (any, error) { return c.TakeBackupWithResponse(x, client.Ignored{}) },
	func(x ctx, c gate) (any, error) { return c.LoadDemoWithResponse(x, client.Ignored{}) },
	func(x ctx, c gate) (any, error) { return c.GetStatusWithResponse(x) },

	func(x ctx, c gate) (any, error) {
		return c.BulkActualsWithBodyWithResponse(x, nil, "application/json", strings.NewReader(
			`[{"department": "RD", "gl_code": "R-100", "fiscal_year": 2030, "fiscal_period": 3, "amount": 400855, "currency": "USD"}, {"department": "RD", "gl_code": "C-200", "fiscal_year": 2030, "fiscal_period": 3, "amount": 179336.25, "currency": "USD", "source": "erp"}]`))
	},
	func(x ctx, c gate) (any, error) {
		return c.BulkActualsWithBodyWithResponse(x, nil, "application/json", strings.NewReader(
			`[{"department": "RD", "gl_code": "R-100", "fiscal_year": 2030, "fiscal_period": 13, "amount": 1, "currency": "USD"}]`))
	},
	func(x ctx, c gate) (any, error) {
		return c.BulkLinesWithBodyWithResponse(x, nil, "application/json", strings.NewReader(
			`[{"department": "RD", "gl_code": "R-100", "fiscal_year": 2030, "fiscal_period": 3, "amount": 380000, "currency": "USD"}]`))
	},
	func(x ctx, c gate) (any, error) {
		return c.BulkTradesWithBodyWithResponse(x, nil, "application/json", strings.NewReader(
			`[{"symbol": "AAPL", "currency_code": "USD", "shares": 10, "product": "stock", "side": "buy", "price": 200.5, "date": "2026-01-02"}]`))
	},
	func(x ctx, c gate) (any, error) {
		return c.UndoBatchWithBodyWithResponse(x, 3, nil, "application/json", strings.NewReader(`{"rows": "all"}`))
	},
	func(x ctx, c gate) (any, error) { return c.GetBatchWithResponse(x, 1) },
	func(x ctx, c gate) (any, error) {
		return c.PageBatchesWithResponse(x, &client.PageBatchesParams{Limit: new(1)})
	},
	func(x ctx, c gate) (any, error) {
		return c.PutMapWithBodyWithResponse(x, "ledger", nil, "application/json", strings.NewReader(`{"kind": "actuals", "numbers": {"decimal": ","}}`))
	},
	func(x ctx, c gate) (any, error) { return c.GetMapWithResponse(x, "ledger") },
	func(x ctx, c gate) (any, error) { return c.ListMapsWithResponse(x) },
	func(x ctx, c gate) (any, error) { return c.DeleteMapWithResponse(x, "ledger", nil) },
	func(x ctx, c gate) (any, error) {
		return c.AddImportWithBodyWithResponse(x, &client.AddImportParams{Kind: "actuals", Name: new("Q4.json")}, "application/json", strings.NewReader(
			`[{"department": "RD", "gl_code": "R-100", "fiscal_year": 2031, "fiscal_period": 3, "amount": "1.234", "currency": "USD"}]`,
		))
	},
	func(x ctx, c gate) (any, error) {
		return c.SetImportMapWithBodyWithResponse(x, imported, "application/json", strings.NewReader(`{"kind": "actuals", "numbers": {"decimal": ","}}`))
	},
	func(x ctx, c gate) (any, error) {
		return c.ListImportRowsWithResponse(x, imported, &client.ListImportRowsParams{Result: new(client.ListImportRowsParamsResult("new"))})
	},
	func(x ctx, c gate) (any, error) {
		return c.CommitImportWithResponse(x, imported, nil, client.CommitImportJSONRequestBody{Revision: 2})
	},
	func(x ctx, c gate) (any, error) { return c.GetImportWithResponse(x, imported) },
	func(x ctx, c gate) (any, error) { return c.DeleteImportWithResponse(x, imported) },

	func(x ctx, c gate) (any, error) { return c.GetOpenapiYamlWithResponse(x) },
	func(x ctx, c gate) (any, error) { return c.GetOpenapiJson(x) },
	func(x ctx, c gate) (any, error) { return c.GetPageWithResponse(x) },
}

func trade(shares int64, buy bool, price float64, day int) client.NewTrade {
	return client.NewTrade{
		Symbol: "NRSK", CurrencyCode: "SEK", Shares: shares, Product: client.StockTrade, Type: buy, Price: price,
		Date: new(time.Date(2026, 1, day, 9, 0, 0, 0, time.UTC)),
	}
}

func budgetLine(account int64, period int, amount float64) client.NewBudgetLine {
	return client.NewBudgetLine{
		DepartmentId: 1, GlAccountId: account, FiscalYear: 2030, FiscalPeriod: period, Amount: amount, Currency: "USD",
	}
}

func actual(account int64, period int, amount float64, source string) client.NewActual {
	return client.NewActual{
		DepartmentId: 1, GlAccountId: account, FiscalYear: 2030, FiscalPeriod: period, Amount: amount, Currency: "USD",
		Source: &source,
	}
}

// withKey returns the parameters with the Idempotency-Key of the manual.
func withKey() *client.AddCurrencyParams {
	return &client.AddCurrencyParams{IdempotencyKey: new(`"nok-1"`)}
}
