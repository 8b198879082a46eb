package exchange

import "slices"

// Kind is a kind of records that files have: its columns in the order of an export, and what makes two records
// of it the same. Exports and imports both follow from it.
type Kind struct {
	Name    string // in addresses and on the command line
	Title   string // of a sheet
	Columns []Field
	Key     []string // the columns that make two records the same; none: the n-th of a file is the n-th stored
	Wide    bool     // it also has a form with a column for each period
}

// Field is a column of a file.
type Field struct {
	Name     string
	Value    Value
	Required bool   // a new record must have it: it has no default
	Of       string // the kind whose record the code names, or ""
}

// Value says what the cells of a column hold.
type Value int

// The values of cells.
const (
	Text    Value = iota
	Code          // a text that names a record or a currency
	Decimal       // a number with decimals
	Integer
	Flag    // true or false
	Date    // an instant
	Side    // of a trade: buy or sell
	Product // of a trade: stock, call, put, currency or bond
	Object  // of JSON
)

// The columns that several kinds have.
const (
	colDepartment = "department"
	colAccount    = "gl_code"
	colYear       = "fiscal_year"
	colPeriod     = "fiscal_period"
	colVersion    = "version"
	colAmount     = "amount"
	colCurrency   = "currency"
	colCode       = "code"
	colName       = "name"
	colCompany    = "company"
	colNth        = "company_nth"
	colSymbol     = "symbol"
	colTraded     = "currency_code"
	colShares     = "shares"
	colProduct    = "product"
	colSide       = "side"
	colPrice      = "price"
	colDate       = "date"
)

// kinds are all kinds.
var kinds = []Kind{
	{Name: "currencies", Title: "Currencies", Key: []string{colCode}, Columns: []Field{
		{Name: colCode, Value: Code, Required: true}, {Name: colName},
	}},
	{Name: "companies", Title: "Companies", Columns: []Field{
		{Name: colName, Required: true}, {Name: "shares_outstanding", Value: Integer}, {Name: colPrice, Value: Decimal},
		{Name: colTraded, Value: Code, Of: "currencies"},
	}},
	{Name: "revenue", Title: "Revenue", Columns: []Field{
		{Name: colCompany, Value: Code, Required: true, Of: "companies"}, {Name: colNth, Value: Integer}, {Name: "category", Required: true},
		{Name: colAmount, Value: Decimal, Required: true}, {Name: colYear, Value: Integer}, {Name: colTraded, Value: Code},
	}},
	{Name: "departments", Title: "Departments", Key: []string{colCode}, Columns: []Field{
		{Name: colCode, Value: Code, Required: true}, {Name: colName, Required: true}, {Name: "cost_center"}, {Name: "active", Value: Flag},
	}},
	{Name: "accounts", Title: "Accounts", Key: []string{colCode}, Columns: []Field{
		{Name: colCode, Value: Code, Required: true}, {Name: "description"}, {Name: "type", Required: true}, {Name: "favour_high", Value: Flag},
	}},
	{Name: "budgets", Title: "Budgets", Wide: true, Key: []string{colDepartment, colAccount, colYear, colPeriod, colVersion}, Columns: slices.Concat(postingKey, []Field{
		{Name: colVersion}, {Name: colAmount, Value: Decimal, Required: true}, {Name: colCurrency, Value: Code, Required: true}, {Name: "notes"},
	})},
	{Name: "actuals", Title: "Actuals", Wide: true, Key: []string{colDepartment, colAccount, colYear, colPeriod}, Columns: slices.Concat(postingKey, []Field{
		{Name: colAmount, Value: Decimal, Required: true}, {Name: colCurrency, Value: Code, Required: true}, {Name: "source"},
	})},
	{Name: "trades", Title: "Trades", Columns: []Field{
		{Name: colSymbol, Value: Code, Required: true}, {Name: colTraded, Value: Code, Required: true}, {Name: colShares, Value: Integer, Required: true},
		{Name: colProduct, Value: Product, Required: true}, {Name: colSide, Value: Side, Required: true},
		{Name: colPrice, Value: Decimal, Required: true}, {Name: colDate, Value: Date, Required: true},
	}},
}

// postingKey is the key of budgets and actuals in a file.
var postingKey = []Field{
	{Name: colDepartment, Value: Code, Required: true, Of: "departments"}, {Name: colAccount, Value: Code, Required: true, Of: "accounts"},
	{Name: colYear, Value: Integer, Required: true}, {Name: colPeriod, Value: Integer, Required: true},
}

// Kinds returns all kinds.
func Kinds() []Kind { return slices.Clone(kinds) }

// kindOf returns the kind with a name, which it must be.
func kindOf(name string) *Kind {
	return &kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })]
}
