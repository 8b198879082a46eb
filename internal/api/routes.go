package api

import (
	"net/http"

	"daybook/internal/access"
	"daybook/internal/api/gate"
)

// route is one operation, and the scope that a token needs for it. HEAD is served wherever GET is,
// and every path with and without a slash at its end.
type route struct {
	method, path string
	needs        access.Scope
	handle       handle
}

// reads are the operations that change nothing. Some lists are read by POST as well as by GET.
type reads map[string]bool

func readsAmong(routes []route) reads {
	r := reads{}
	for _, route := range routes {
		if route.needs == access.Read || route.needs == access.Metrics {
			r[route.method+" "+route.path] = true
		}
	}
	return r
}

// have reports whether a request only reads.
func (r reads) have(c *request) bool {
	return c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead || r[c.Request.Method+" "+c.FullPath()]
}

// ofRecords reports whether a request reads records, which needs a token.
func (r reads) ofRecords(c *request) bool {
	method := c.Request.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	return r[method+" "+c.FullPath()]
}

// routes is the one table of what is served, and of the scope it needs. Tests hold it to
// openapi.yaml.
func (a *api) routes() []route {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	const read, ingest, write, admin = access.Read, access.Ingest, access.Write, access.Admin
	return []route{
		{get, "/", gate.Anyone, a.home},
		{get, "/icon.svg", gate.Anyone, a.icon},
		{get, "/assets/:name", gate.Anyone, a.asset},
		{get, "/openapi.yaml", gate.Anyone, a.specYAML},
		{get, "/openapi.json", gate.Anyone, a.specJSON},

		{get, "/health", gate.Anyone, a.health},
		{get, "/api/v1/health", gate.Anyone, a.health},
		{get, "/ready", gate.Anyone, a.ready},
		{get, "/metrics", access.Metrics, a.scrape},
		{get, "/api/v1/status", read, a.status},
		{get, "/api/v1/journal", read, a.limited(a.pages, a.exportable(a.journalFile, a.pageJournal))},
		{post, "/api/v1/undo", ingest, a.undo},
		{get, "/api/v1/batches", read, a.limited(a.pages, a.exportable(a.batchesFile, a.pageBatches))},
		{get, "/api/v1/batches/:id", read, a.getBatch},
		{post, "/api/v1/batches/:id/undo", ingest, a.undoBatch},
		{get, "/api/v1/maps", read, a.list(a.listMaps)},
		{get, "/api/v1/maps/:name", read, a.getMap},
		{put, "/api/v1/maps/:name", write, a.putMap},
		{del, "/api/v1/maps/:name", write, a.deleteMap},
		{get, eventsPath, read, a.events},
		{post, "/api/v1/demo", write, a.loadDemo},
		{post, "/api/v1/backups", admin, a.takeBackup},
		{get, "/api/v1/session", gate.Anyone, a.getSession},
		{post, "/api/v1/session", gate.Anyone, a.signIn},
		{del, "/api/v1/session", gate.Anyone, a.signOut},

		{post, "/currency/add", write, a.addCurrency},
		{get, "/currency/list", read, a.list(a.listCurrencies)},
		{post, "/company/add", write, a.addCompany},
		{get, "/company/list", read, a.list(a.listCompanies)},
		{post, "/company/revenue/add", write, a.addRevenue},
		{get, "/company/revenue/list", read, a.list(a.listRevenues)},
		{get, "/company/revenue/categories", read, a.list(a.listRevenueCategories)},
		{post, "/trade/add", write, a.addTrade},
		{get, "/trade/list", read, a.list(a.listTrades)},
		{post, "/trade/list", read, a.list(a.listTrades)},
		{get, "/positions/list", read, a.list(a.listPositions)},
		{post, "/positions/list", read, a.list(a.listPositions)},
		{get, "/api/v1/trades", read, a.report(a.recordsOf("trades", a.pageTrades))},
		{post, "/api/v1/trades/bulk", write, a.bulkTrades},
		{del, "/api/v1/trades/:id", write, a.voidTrade},
		{get, "/api/v1/positions", read, a.report(a.exportable(a.positionsFile, a.pagePositions))},
		{get, "/api/v1/portfolio", read, a.report(a.exportable(a.portfolioFile, a.portfolio))},
		{get, "/api/v1/companies", read, a.report(a.recordsOf("companies", a.pageCompanies))},
		{get, "/api/v1/currencies", read, a.report(a.recordsOf("currencies", a.pageCurrencies))},
		{get, "/api/v1/revenues", read, a.report(a.recordsOf("revenue", a.pageRevenues))},

		{post, "/api/v1/department/create", write, a.createDepartment},
		{get, "/api/v1/department/list", read, a.list(a.listDepartments)},
		{get, "/api/v1/department", read, a.getDepartment},
		{post, "/api/v1/department/activity", write, a.setActivity},
		{del, "/api/v1/departments/delete", write, a.deleteDepartment},
		{del, "/api/v1/departments/delete/:id", write, a.deleteDepartment},
		{post, "/api/v1/gl-accounts", write, a.createAccount},
		{get, "/api/v1/gl-accounts", read, a.list(a.listAccounts)},
		{del, "/api/v1/gl-accounts/delete", write, a.deleteAccount},
		{del, "/api/v1/gl-accounts/delete/:id", write, a.deleteAccount},
		{post, "/api/v1/budget/create", write, a.createLine},
		{put, "/api/v1/budgets/update", write, a.updateLine},
		{put, "/api/v1/budgets/update/:id", write, a.updateLine},
		{del, "/api/v1/budgets/delete", write, a.deleteLine},
		{del, "/api/v1/budgets/delete/:id", write, a.deleteLine},
		{post, "/api/v1/budgets/bulk", write, a.bulkLines},
		{get, "/api/v1/budgets", read, a.report(a.recordsOf("budgets", a.pageLines))},
		{post, "/api/v1/actuals/ingest", ingest, a.ingestActual},
		{post, "/api/v1/actuals/bulk", ingest, a.bulkActuals},
		{get, "/api/v1/actuals", read, a.report(a.recordsOf("actuals", a.pageActuals))},
		{del, "/api/v1/actuals/:id", write, a.deleteActual},
		{get, "/api/v1/variance", read, a.report(a.exportable(a.varianceFile, a.variance))},
		{get, "/api/v1/variance/alerts", read, a.report(a.exportable(a.alertsFile, a.alerts))},
		{get, "/api/v1/variance/summary", read, a.report(a.exportable(a.summaryFile, a.summary))},
		{get, "/api/v1/variance/trend", read, a.report(a.trend)},
		{get, "/api/v1/overview", read, a.report(a.overview)},
		{get, "/api/v1/filters", read, a.report(a.filters)},
		{get, "/api/v1/quality", read, a.report(a.quality)},
		{get, "/api/v1/departments", read, a.report(a.recordsOf("departments", a.pageDepartments))},
		{patch, "/api/v1/departments/:id", write, a.updateDepartment},
		{get, "/api/v1/accounts", read, a.report(a.recordsOf("accounts", a.pageAccounts))},
		{patch, "/api/v1/accounts/:id", write, a.updateAccount},

		{post, "/api/v1/imports", write, a.addImport},
		{get, "/api/v1/imports/:id", read, a.getImport},
		{get, "/api/v1/imports/:id/rows", read, a.importRows},
		{put, "/api/v1/imports/:id/map", write, a.setImportMap},
		{post, "/api/v1/imports/:id/commit", write, a.commitImport},
		{del, "/api/v1/imports/:id", write, a.deleteImport},
	}
}
