package soak_test

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// The records of the trading domain, as the interface answers them.
type (
	currency struct {
		ID   int64  `json:"id"`
		Code string `json:"code"`
		Name string `json:"name"`
	}
	company struct {
		ID                int64   `json:"id"`
		Name              string  `json:"name"`
		SharesOutstanding int64   `json:"shares_outstanding"`
		Price             decimal `json:"price"`
		CurrencyID        *int64  `json:"currency_id"`
	}
	revenue struct {
		ID           int64   `json:"id"`
		CompanyID    int64   `json:"company_id"`
		Category     string  `json:"category"`
		Amount       decimal `json:"amount"`
		FiscalYear   *int64  `json:"fiscal_year"`
		CurrencyCode *string `json:"currency_code"`
	}
	trade struct {
		ID           int64     `json:"id"`
		Symbol       string    `json:"symbol"`
		CurrencyCode string    `json:"currency_code"`
		Shares       int64     `json:"shares"`
		Product      int64     `json:"product"`
		Type         bool      `json:"type"`
		Price        decimal   `json:"price"`
		Date         time.Time `json:"date"`
	}
	listedTrade struct {
		Symbol       string
		CurrencyCode string
		Shares       int64
		Product      int64
		Type         bool
		Price        decimal
		Date         time.Time
	}
	addedTrade struct {
		listedTrade
		ID int64

		trade trade
	}
	journalledTrade struct {
		ID           int64     `json:"id"`
		Symbol       string    `json:"symbol"`
		CurrencyCode string    `json:"currency_code"`
		Shares       int64     `json:"shares"`
		Product      int64     `json:"product"`
		Side         int64     `json:"side"`
		Price        decimal   `json:"price"`
		TradedAt     time.Time `json:"traded_at"`
	}
)

func (t trade) listed() listedTrade {
	return listedTrade{t.Symbol, t.CurrencyCode, t.Shares, t.Product, t.Type, t.Price, t.Date}
}

func (t trade) journalled() journalledTrade {
	side := int64(-1)
	if t.Type {
		side = 1
	}
	return journalledTrade{t.ID, t.Symbol, t.CurrencyCode, t.Shares, t.Product, side, t.Price, t.Date}
}

// drawCurrency draws a currency code as a client may send it, and the code that is meant. Two of the
// codes, x-1 and ZZ, are good only after they were added.
func drawCurrency(t *rapid.T) (sent, code string) {
	sent = rapid.SampledFrom([]string{"EUR", "EUR", "usd", "GBP", "GBP", "x-1", "ZZ"}).Draw(t, "currency")
	return spaced(t, sent), strings.ToUpper(sent)
}

// currencyGood reports whether a record may use a code.
func (w *world) currencyGood(code string) bool {
	_, _, registered := w.currencies.find(func(c currency) bool { return c.Code == code })
	return registered || code != "X-1" && code != "ZZ"
}

func (w *world) addCurrency(t *rapid.T) {
	sent, code := drawCurrency(t)
	f, name := fields{"code": sent}, code
	if f.maybe(t, "name", " Coin ") {
		name = "Coin"
	}
	var want outcome
	if wrong := f.wrong(t, "code"); wrong != nil {
		want = invalid(wrong...)
	} else if id, _, taken := w.currencies.find(func(c currency) bool { return c.Code == code }); taken {
		want = exists(id)
	} else {
		id, row := w.currencies.add(func(id int64) currency { return currency{id, code, name} })
		want = created("currencies", id, row)
	}
	w.write(t, request{method: http.MethodPost, target: "/currency/add", body: f.body(t, false)}, want)
}

func (w *world) addCompany(t *rapid.T) {
	row := company{Name: "Müller & <Söhne>", Price: decimal{0, 8}}
	f := fields{"name": spaced(t, row.Name)}
	if shares := rapid.SampledFrom([]int64{0, 1, math.MaxInt64}).Draw(t, "shares"); f.maybe(t, "shares_outstanding", whole(t, shares)) {
		row.SharesOutstanding = shares
	}
	if price := drawPrice(t); f.maybe(t, "price", price.sent(t)) {
		row.Price = price
	}
	named := w.currencies.drawID(t, "currency_id")
	if f.maybe(t, "currency_id", whole(t, named)) {
		row.CurrencyID = &named
	}
	var want outcome
	if wrong := f.wrong(t, "name"); wrong != nil {
		want = invalid(wrong...)
	} else if _, known := w.currencies.rows[named]; row.CurrencyID != nil && !known {
		want = refused(http.StatusBadRequest, "unknown_reference", "currency_id")
	} else {
		id, row := w.companies.add(func(id int64) company { row.ID = id; return row })
		want = created("companies", id, row)
	}
	w.write(t, request{method: http.MethodPost, target: "/company/add", body: f.body(t, false)}, want)
}

func (w *world) addRevenue(t *rapid.T) {
	row := revenue{
		CompanyID: w.companies.drawID(t, "company_id"), Amount: drawAmount(t),
		Category: rapid.SampledFrom([]string{"Goods", "Services", "goods"}).Draw(t, "category"),
	}
	f := fields{"company_id": whole(t, row.CompanyID), "category": spaced(t, row.Category), "amount": row.Amount.sent(t)}
	if year := int64(2026); f.maybe(t, "fiscal_year", whole(t, year)) {
		row.FiscalYear = &year
	}
	sent, code := drawCurrency(t)
	if f.maybe(t, "currency_code", sent) {
		row.CurrencyCode = &code
	}
	var want outcome
	if wrong := f.wrong(t, "company_id", "category", "amount"); wrong != nil {
		want = invalid(wrong...)
	} else if row.CurrencyCode != nil && !w.currencyGood(code) {
		want = invalid("currency_code")
	} else if _, known := w.companies.rows[row.CompanyID]; !known {
		want = refused(http.StatusBadRequest, "unknown_reference", "company_id")
	} else {
		id, row := w.revenues.add(func(id int64) revenue { row.ID = id; return row })
		want = created("revenues", id, row)
	}
	w.write(t, request{method: http.MethodPost, target: "/company/revenue/add", body: f.body(t, false)}, want)
}

// dates are ways to send a date, each with the instant that it means.
var dates = []struct {
	sent  string
	meant time.Time
}{
	{"2026-01-05", time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)},
	{"2026-01-05T00:00:00", time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)},
	{"2026-01-05T10:00:00Z", time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)},
	{"2026-01-05T12:00:00.50+02:00", time.Date(2026, 1, 5, 10, 0, 0, 500_000_000, time.UTC)},
	{"2026-02-01T00:00:00.000000001Z", time.Date(2026, 2, 1, 0, 0, 0, 1, time.UTC)},
	{"1900-01-01", time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)},
	{"2200-12-31T23:59:59.999999999Z", time.Date(2200, 12, 31, 23, 59, 59, 999_999_999, time.UTC)},
}

func drawTrade(t *rapid.T) (row trade, f fields) {
	sent, code := drawCurrency(t)
	row = trade{
		Symbol:       rapid.SampledFrom([]string{"ACME", "acme", "Ü<1>"}).Draw(t, "symbol"),
		CurrencyCode: code,
		Shares: rapid.OneOf(
			rapid.Int64Range(1, 9), rapid.Int64Range(1, 100_000), rapid.SampledFrom([]int64{1, math.MaxInt64/2 + 1, math.MaxInt64}),
		).Draw(t, "shares"),
		Product: rapid.Int64Range(0, 1).Draw(t, "product"),
		Type:    rapid.Bool().Draw(t, "type"),
		Price:   drawPrice(t),
		Date:    noon,
	}
	f = fields{
		"symbol": spaced(t, row.Symbol), "currency_code": sent, "shares": whole(t, row.Shares), "product": whole(t, row.Product),
		"type": row.Type, "price": row.Price.sent(t),
	}
	if date := rapid.SampledFrom(dates).Draw(t, "date"); f.maybe(t, "date", date.sent) {
		row.Date = date.meant
	}
	return row, f
}

func (w *world) addTrade(t *rapid.T) {
	row, f := drawTrade(t)
	var want outcome
	if wrong := f.wrong(t, "symbol", "currency_code", "shares", "product", "type", "price"); wrong != nil {
		want = invalid(wrong...)
	} else if !w.currencyGood(row.CurrencyCode) {
		want = invalid("currency_code")
	} else if _, fits := fold(append(w.tradesOf(row), row)); !fits {
		want = invalid("shares")
	} else {
		id, row := w.trades.add(func(id int64) trade { row.ID = id; return row })
		want = created("trades", id, addedTrade{row.listed(), id, row})
	}
	w.write(t, request{method: http.MethodPost, target: "/trade/add", body: f.body(t, false)}, want)
}

// tradesOf returns the trades of the same instrument.
func (w *world) tradesOf(of trade) (trades []trade) {
	for _, row := range w.trades.list() {
		if row.Symbol == of.Symbol && row.CurrencyCode == of.CurrencyCode && row.Product == of.Product {
			trades = append(trades, row)
		}
	}
	return trades
}

func (w *world) voidTrade(t *rapid.T) {
	id := w.trades.drawID(t, "trade")
	want := missing
	if row, there := w.trades.rows[id]; there {
		rest := slices.DeleteFunc(w.tradesOf(row), func(other trade) bool { return other.ID == id })
		if _, fits := fold(rest); fits {
			w.trades.remove(id)
			want = removed("trades", id, row)
		} else {
			want = invalid("shares")
		}
	}
	w.write(t, request{method: http.MethodDelete, target: "/api/v1/trades/" + strconv.FormatInt(id, 10)}, want)
}

// listPortfolio reads one of the lists of the trading domain.
func (w *world) listPortfolio(t *rapid.T) {
	method := http.MethodGet
	company := w.companies.drawID(t, "company")
	target := rapid.SampledFrom([]string{
		"/currency/list", "/company/list", "/trade/list", "/positions/list", "/company/revenue/list", "/company/revenue/categories",
	}).Draw(t, "list")
	var want any
	switch target {
	case "/currency/list":
		want = w.currencies.list()
	case "/company/list":
		want = w.companies.list()
	case "/trade/list":
		method, want = rapid.SampledFrom([]string{http.MethodGet, http.MethodPost}).Draw(t, "method"), w.listedTrades()
	case "/positions/list":
		method, want = rapid.SampledFrom([]string{http.MethodGet, http.MethodPost}).Draw(t, "method"), w.positions()
	default:
		rows := slices.DeleteFunc(w.revenues.list(), func(r revenue) bool { return r.CompanyID != company })
		want = rows
		if target == "/company/revenue/categories" {
			want = categories(rows)
		}
		target += "?company_id=" + strconv.FormatInt(company, 10)
	}
	w.read(t, request{method: method, target: target}, outcome{status: http.StatusOK, answer: want})
}

func (w *world) listedTrades() []listedTrade {
	listed := []listedTrade{}
	for _, row := range w.trades.list() {
		listed = append(listed, row.listed())
	}
	return listed
}

func categories(rows []revenue) []string {
	distinct := []string{}
	for _, r := range rows {
		distinct = append(distinct, r.Category)
	}
	slices.Sort(distinct)
	return slices.Compact(distinct)
}

// pageTrades reads the trades in pages, with some filters.
func (w *world) pageTrades(t *rapid.T) {
	like, _ := drawTrade(t)
	query, rows := url.Values{}, w.trades.list()
	narrow := func(name, value string, matches func(trade) bool) {
		if rapid.IntRange(0, 3).Draw(t, "by "+name) == 0 {
			query.Set(name, value)
			rows = slices.DeleteFunc(rows, func(row trade) bool { return !matches(row) })
		}
	}
	narrow("symbol", like.Symbol, func(r trade) bool { return r.Symbol == like.Symbol })
	narrow("currency_code", like.CurrencyCode, func(r trade) bool { return r.CurrencyCode == like.CurrencyCode })
	narrow("product", strconv.FormatInt(like.Product, 10), func(r trade) bool { return r.Product == like.Product })
	narrow("type", strconv.FormatBool(like.Type), func(r trade) bool { return r.Type == like.Type })
	narrow("from", like.Date.Format(time.RFC3339Nano), func(r trade) bool { return !r.Date.Before(like.Date) })
	narrow("to", like.Date.Format(time.RFC3339Nano), func(r trade) bool { return r.Date.Before(like.Date) })
	pages(w, t, "/api/v1/trades", query, rows, func(r trade) int64 { return r.ID })
}
