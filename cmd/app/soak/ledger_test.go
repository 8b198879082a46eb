package soak_test

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// The records of the budget domain, as the interface answers them.
type (
	department struct {
		ID         int64  `json:"id"`
		Code       string `json:"code"`
		Name       string `json:"name"`
		CostCenter string `json:"cost_center"`
		Active     bool   `json:"active"`
	}
	account struct {
		ID          int64  `json:"id"`
		Code        string `json:"code"`
		Description string `json:"description"`
		Type        string `json:"type"`
		FavourHigh  bool   `json:"favour_high"`
	}
	postingKey struct {
		DepartmentID int64 `json:"department_id"`
		GLAccountID  int64 `json:"gl_account_id"`
		FiscalYear   int64 `json:"fiscal_year"`
		FiscalPeriod int64 `json:"fiscal_period"`
	}
	line struct {
		ID int64 `json:"id"`
		postingKey
		Version  string  `json:"version"`
		Amount   decimal `json:"amount"`
		Currency string  `json:"currency"`
		Notes    string  `json:"notes"`
	}
	actual struct {
		ID int64 `json:"id"`
		postingKey
		Amount   decimal `json:"amount"`
		Currency string  `json:"currency"`
		Source   string  `json:"source"`
	}
)

// sameCode compares codes without regard to case, as the interface does.
func sameCode(a, b string) bool { return strings.EqualFold(a, b) }

var (
	codes       = []string{"A", "a", "Ökonomie", "ÖKONOMIE", "Sales & Co", "z9"}
	names       = []string{"North", "north", "South"}
	costCenters = []string{"", "CC1", "cc1"}
)

func (w *world) createDepartment(t *rapid.T) {
	row := department{Code: rapid.SampledFrom(codes).Draw(t, "code"), Name: rapid.SampledFrom(names).Draw(t, "name"), Active: true}
	f := fields{"code": spaced(t, row.Code), "name": spaced(t, row.Name)}
	if center := rapid.SampledFrom(costCenters).Draw(t, "cost_center"); f.maybe(t, "cost_center", center) {
		row.CostCenter = center
	}
	if active := rapid.Bool().Draw(t, "active"); f.maybe(t, "active", active) {
		row.Active = active
	}
	var want outcome
	if wrong := f.wrong(t, "code", "name"); wrong != nil {
		want = invalid(wrong...)
	} else if id, _, taken := w.departments.find(func(d department) bool { return sameCode(d.Code, row.Code) }); taken {
		want = exists(id)
	} else {
		id, row := w.departments.add(func(id int64) department { row.ID = id; return row })
		want = created("departments", id, row)
	}
	w.write(t, request{method: http.MethodPost, target: "/api/v1/department/create", body: f.body(t, false)}, want)
}

// identified draws a code, name or cost center, and returns the only department that has it, or the
// expected error response.
func (w *world) identified(t *rapid.T) (by, value string, row department, failure *outcome) {
	by = rapid.SampledFrom([]string{"code", "name", "cost_center"}).Draw(t, "by")
	var matches []department
	switch by {
	case "code":
		value = rapid.SampledFrom(codes).Draw(t, "code")
		matches = slices.DeleteFunc(w.departments.list(), func(d department) bool { return !sameCode(d.Code, value) })
	case "name":
		value = rapid.SampledFrom(names).Draw(t, "name")
		matches = slices.DeleteFunc(w.departments.list(), func(d department) bool { return d.Name != value })
	default:
		value = rapid.SampledFrom(costCenters[1:]).Draw(t, "cost_center")
		matches = slices.DeleteFunc(w.departments.list(), func(d department) bool { return d.CostCenter != value })
	}
	switch len(matches) {
	case 0:
		return by, value, row, &missing
	case 1:
		return by, value, matches[0], nil
	}
	ambiguous := refused(http.StatusConflict, "ambiguous_identifier", by)
	return by, value, row, &ambiguous
}

func (w *world) lookUp(t *rapid.T) {
	by, value, row, failure := w.identified(t)
	want := outcome{status: http.StatusOK, answer: row}
	if failure != nil {
		want = *failure
	}
	r := request{method: http.MethodGet, target: "/api/v1/department/"}
	switch rapid.IntRange(0, 2).Draw(t, "asked in") {
	case 0:
		r.target += "?" + url.Values{by: {value}}.Encode()
	case 1:
		r.body = fields{by: value}.body(t, true)
	default:
		r.body = `{"code":"A","name":"North"}`
		want = refused(http.StatusConflict, "conflicting_identifiers", "code", "name")
	}
	w.read(t, r, want)
}

func (w *world) setActivity(t *rapid.T) {
	by, value, row, failure := w.identified(t)
	f := fields{by: value, "active": rapid.Bool().Draw(t, "active")}
	for _, other := range []string{"code", "name", "cost_center"} {
		if other != by {
			f.maybe(t, other, "") // counts as absent
		}
	}
	var want outcome
	if wrong := f.wrong(t, "active"); wrong != nil {
		want = invalid(wrong...)
	} else if failure != nil {
		want = *failure
	} else {
		after := row
		after.Active = f["active"].(bool)
		w.departments.rows[row.ID] = after
		want = changed("departments", row.ID, row, after)
	}
	w.write(t, request{method: http.MethodPost, target: "/api/v1/department/activity", body: f.body(t, true)}, want)
}

func (w *world) createAccount(t *rapid.T) {
	row := account{
		Code: rapid.SampledFrom(codes).Draw(t, "code"),
		Type: rapid.SampledFrom([]string{"revenue", "cogs", "opex", "capex", "headcount"}).Draw(t, "type"),
	}
	row.FavourHigh = row.Type == "revenue"
	f := fields{"code": spaced(t, row.Code), "type": row.Type}
	if rapid.Bool().Draw(t, "in capitals") {
		f["type"] = strings.ToUpper(row.Type)
	}
	if f.maybe(t, "description", " two\nlines ") {
		row.Description = "two\nlines"
	}
	if high := rapid.Bool().Draw(t, "favour_high"); f.maybe(t, "favour_high", high) {
		row.FavourHigh = high
	}
	var want outcome
	if wrong := f.wrong(t, "code", "type"); wrong != nil {
		want = invalid(wrong...)
	} else if id, _, taken := w.accounts.find(func(a account) bool { return sameCode(a.Code, row.Code) }); taken {
		want = exists(id)
	} else {
		id, row := w.accounts.add(func(id int64) account { row.ID = id; return row })
		want = created("gl_accounts", id, row)
	}
	w.write(t, request{method: http.MethodPost, target: "/api/v1/gl-accounts", body: f.body(t, false)}, want)
}

// inUse reports whether a budget line or an actual matches.
func (w *world) inUse(matches func(postingKey) bool) bool {
	_, _, budgeted := w.lines.find(func(l line) bool { return matches(l.postingKey) })
	_, _, posted := w.actuals.find(func(a actual) bool { return matches(a.postingKey) })
	return budgeted || posted
}

func (w *world) deleteDepartment(t *rapid.T) {
	id := w.departments.drawID(t, "department")
	want := missing
	if row, there := w.departments.rows[id]; there && w.inUse(func(k postingKey) bool { return k.DepartmentID == id }) {
		want = refused(http.StatusConflict, "in_use")
	} else if there {
		w.departments.remove(id)
		want = removed("departments", id, row)
	}
	w.write(t, deletion(t, "/api/v1/departments/delete", id), want)
}

func (w *world) deleteAccount(t *rapid.T) {
	id := w.accounts.drawID(t, "account")
	want := missing
	if row, there := w.accounts.rows[id]; there && w.inUse(func(k postingKey) bool { return k.GLAccountID == id }) {
		want = refused(http.StatusConflict, "in_use")
	} else if there {
		w.accounts.remove(id)
		want = removed("gl_accounts", id, row)
	}
	w.write(t, deletion(t, "/api/v1/gl-accounts/delete", id), want)
}

// drawKey draws the key of a posting.
func (w *world) drawKey(t *rapid.T) (k postingKey, f fields) {
	k = postingKey{
		DepartmentID: w.departments.drawID(t, "department"), GLAccountID: w.accounts.drawID(t, "account"),
		FiscalYear: rapid.SampledFrom([]int64{2026, 2026, 2027}).Draw(t, "year"), FiscalPeriod: rapid.SampledFrom([]int64{1, 1, 12}).Draw(t, "period"),
	}
	return k, fields{
		"department_id": whole(t, k.DepartmentID), "gl_account_id": whole(t, k.GLAccountID),
		"fiscal_year": whole(t, k.FiscalYear), "fiscal_period": whole(t, k.FiscalPeriod),
	}
}

// postable returns the expected error response for a posting that cannot be stored, nil for one that
// can.
func (w *world) postable(k postingKey, currency string) *outcome {
	if !w.currencyGood(currency) {
		bad := invalid("currency")
		return &bad
	}
	var unknown []string
	if _, known := w.departments.rows[k.DepartmentID]; !known {
		unknown = append(unknown, "department_id")
	}
	if _, known := w.accounts.rows[k.GLAccountID]; !known {
		unknown = append(unknown, "gl_account_id")
	}
	if unknown == nil {
		return nil
	}
	bad := refused(http.StatusBadRequest, "unknown_reference", unknown...)
	return &bad
}

var (
	postingFields = []string{"department_id", "gl_account_id", "fiscal_year", "fiscal_period", "amount", "currency"}
	versions      = []string{"original", "forecast1"}
)

func (w *world) createLine(t *rapid.T) {
	key, f := w.drawKey(t)
	sent, code := drawCurrency(t)
	row := line{postingKey: key, Version: "original", Amount: drawAmount(t), Currency: code}
	f["amount"], f["currency"] = row.Amount.sent(t), sent
	if version := rapid.SampledFrom(versions).Draw(t, "version"); f.maybe(t, "version", strings.ToUpper(version)) {
		row.Version = version
	}
	if f.maybe(t, "notes", "a \"note\"\r\n\tof two lines\n") {
		row.Notes = "a \"note\"\n\tof two lines"
	}
	var want outcome
	if wrong := f.wrong(t, postingFields...); wrong != nil {
		want = invalid(wrong...)
	} else if failure := w.postable(key, code); failure != nil {
		want = *failure
	} else if id, _, taken := w.lines.find(func(l line) bool { return l.postingKey == key && l.Version == row.Version }); taken {
		want = exists(id)
	} else {
		id, row := w.lines.add(func(id int64) line { row.ID = id; return row })
		want = created("budget_lines", id, row)
	}
	w.write(t, request{method: http.MethodPost, target: "/api/v1/budget/create", body: f.body(t, false)}, want)
}

// updateLine changes a line, named by its id or by its natural key.
func (w *world) updateLine(t *rapid.T) {
	r := request{method: http.MethodPut, target: "/api/v1/budgets/update"}
	id := w.lines.drawID(t, "line")
	f := fields{}
	switch rapid.IntRange(0, 3).Draw(t, "named by") {
	case 0:
		f["id"] = whole(t, id)
	case 1:
		r.target += "?id=" + strconv.FormatInt(id, 10)
	case 2:
		r.target += "/" + strconv.FormatInt(id, 10)
	default:
		id = w.nameByKey(t, f, id)
	}
	before, there := w.lines.rows[id]
	after := before
	amount := drawAmount(t)
	changes := f.maybe(t, "amount", amount.sent(t))
	if changes {
		after.Amount = amount
	}
	if f.maybe(t, "notes", "changed") {
		after.Notes, changes = "changed", true
	}
	want := missing
	switch {
	case !changes:
		want = invalid("amount")
	case there:
		w.lines.rows[id] = after
		want = changed("budget_lines", id, before, after)
	}
	r.body = f.body(t, true)
	w.write(t, r, want)
}

// nameByKey sets the fields of a line's natural key, and returns the id of the line with that key, 0
// if there is none.
func (w *world) nameByKey(t *rapid.T, f fields, id int64) int64 {
	key, version := postingKey{999, 1, 2026, 1}, "original"
	if row, there := w.lines.rows[id]; there {
		key, version = row.postingKey, row.Version
	}
	f["department_id"], f["gl_account_id"] = whole(t, key.DepartmentID), whole(t, key.GLAccountID)
	f["fiscal_year"], f["fiscal_period"] = whole(t, key.FiscalYear), whole(t, key.FiscalPeriod)
	if version != "original" || rapid.Bool().Draw(t, "version is given") {
		f["version"] = version
	}
	id, _, _ = w.lines.find(func(l line) bool { return l.postingKey == key && l.Version == version })
	return id
}

func (w *world) deleteLine(t *rapid.T) {
	id := w.lines.drawID(t, "line")
	want := missing
	if row, there := w.lines.rows[id]; there {
		w.lines.remove(id)
		want = removed("budget_lines", id, row)
	}
	w.write(t, deletion(t, "/api/v1/budgets/delete", id), want)
}

func (w *world) ingest(t *rapid.T) {
	key, f := w.drawKey(t)
	sent, code := drawCurrency(t)
	row := actual{postingKey: key, Amount: drawAmount(t), Currency: code}
	f["amount"], f["currency"] = row.Amount.sent(t), sent
	if f.maybe(t, "source", "feed") {
		row.Source = "feed"
	}
	var want outcome
	if wrong := f.wrong(t, postingFields...); wrong != nil {
		want = invalid(wrong...)
	} else if failure := w.postable(key, code); failure != nil {
		want = *failure
	} else if id, before, there := w.actuals.find(func(a actual) bool { return a.postingKey == key }); there {
		row.ID = id
		w.actuals.rows[id] = row
		want = changed("actuals", id, before, row)
	} else {
		id, row := w.actuals.add(func(id int64) actual { row.ID = id; return row })
		want = created("actuals", id, row)
		want.status = http.StatusOK
	}
	w.write(t, request{method: http.MethodPost, target: "/api/v1/actuals/ingest", body: f.body(t, true)}, want)
}

func (w *world) deleteActual(t *rapid.T) {
	id := w.actuals.drawID(t, "actual")
	want := missing
	if row, there := w.actuals.rows[id]; there {
		w.actuals.remove(id)
		want = removed("actuals", id, row)
	}
	w.write(t, request{method: http.MethodDelete, target: "/api/v1/actuals/" + strconv.FormatInt(id, 10)}, want)
}

// listLedger reads the list of departments or of accounts.
func (w *world) listLedger(t *rapid.T) {
	if rapid.Bool().Draw(t, "departments") {
		w.read(t, request{method: http.MethodGet, target: "/api/v1/department/list"}, outcome{status: http.StatusOK, answer: w.departments.list()})
		return
	}
	w.read(t, request{method: http.MethodGet, target: "/api/v1/gl-accounts"}, outcome{status: http.StatusOK, answer: w.accounts.list()})
}

// pageLedger reads the budget lines or the actuals in pages, with some filters.
func (w *world) pageLedger(t *rapid.T) {
	query := url.Values{}
	keep := func(postingKey) bool { return true }
	like, _ := w.drawKey(t)
	for name, part := range map[string]struct {
		value int64
		of    func(postingKey) int64
	}{
		"department_id": {like.DepartmentID, func(k postingKey) int64 { return k.DepartmentID }},
		"gl_account_id": {like.GLAccountID, func(k postingKey) int64 { return k.GLAccountID }},
		"fiscal_year":   {like.FiscalYear, func(k postingKey) int64 { return k.FiscalYear }},
		"fiscal_period": {like.FiscalPeriod, func(k postingKey) int64 { return k.FiscalPeriod }},
	} {
		if (like.DepartmentID+like.GLAccountID+int64(len(name)))%3 == 0 {
			query.Set(name, strconv.FormatInt(part.value, 10))
			others := keep
			keep = func(k postingKey) bool { return others(k) && part.of(k) == part.value }
		}
	}
	if rapid.Bool().Draw(t, "actuals") {
		rows := slices.DeleteFunc(w.actuals.list(), func(a actual) bool { return !keep(a.postingKey) })
		pages(w, t, "/api/v1/actuals", query, rows, func(a actual) int64 { return a.ID })
		return
	}
	rows := slices.DeleteFunc(w.lines.list(), func(l line) bool { return !keep(l.postingKey) })
	if version := rapid.SampledFrom(versions).Draw(t, "version"); rapid.Bool().Draw(t, "by version") {
		query.Set("version", version)
		rows = slices.DeleteFunc(rows, func(l line) bool { return l.Version != version })
	}
	pages(w, t, "/api/v1/budgets", query, rows, func(l line) int64 { return l.ID })
}
