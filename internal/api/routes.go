package api

import "net/http"

// route is one operation. HEAD is served wherever GET is, and every path with and
// without a trailing slash.
type route struct {
	method, path string
	handle       handle
}

// routes is the one table of what is served; openapi.yaml describes each row, which a
// test holds it to.
func (a *api) routes() []route {
	const get, post, put, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete
	return []route{
		{get, "/", a.home},
		{get, "/openapi.yaml", a.specYAML},
		{get, "/openapi.json", a.specJSON},

		{get, "/health", a.health},
		{get, "/api/v1/health", a.health},
		{get, "/api/v1/journal", a.pageJournal},

		{post, "/currency/add", a.addCurrency},
		{get, "/currency/list", a.listCurrencies},
		{post, "/company/add", a.addCompany},
		{get, "/company/list", a.listCompanies},
		{post, "/company/revenue/add", a.addRevenue},
		{get, "/company/revenue/list", a.listRevenues},
		{get, "/company/revenue/categories", a.listRevenueCategories},
		{post, "/trade/add", a.addTrade},
		{get, "/trade/list", a.listTrades},
		{post, "/trade/list", a.listTrades},
		{get, "/positions/list", a.listPositions},
		{post, "/positions/list", a.listPositions},
		{get, "/api/v1/trades", a.pageTrades},
		{del, "/api/v1/trades/:id", a.voidTrade},

		{post, "/api/v1/department/create", a.createDepartment},
		{get, "/api/v1/department/list", a.listDepartments},
		{get, "/api/v1/department", a.getDepartment},
		{post, "/api/v1/department/activity", a.setActivity},
		{del, "/api/v1/departments/delete", a.deleteDepartment},
		{del, "/api/v1/departments/delete/:id", a.deleteDepartment},
		{post, "/api/v1/gl-accounts", a.createAccount},
		{get, "/api/v1/gl-accounts", a.listAccounts},
		{del, "/api/v1/gl-accounts/delete", a.deleteAccount},
		{del, "/api/v1/gl-accounts/delete/:id", a.deleteAccount},
		{post, "/api/v1/budget/create", a.createLine},
		{put, "/api/v1/budgets/update", a.updateLine},
		{put, "/api/v1/budgets/update/:id", a.updateLine},
		{del, "/api/v1/budgets/delete", a.deleteLine},
		{del, "/api/v1/budgets/delete/:id", a.deleteLine},
		{get, "/api/v1/budgets", a.pageLines},
		{post, "/api/v1/actuals/ingest", a.ingestActual},
		{get, "/api/v1/actuals", a.pageActuals},
		{del, "/api/v1/actuals/:id", a.deleteActual},
		{get, "/api/v1/variance", a.variance},
		{get, "/api/v1/variance/alerts", a.alerts},
	}
}
