package budget

import (
	"slices"

	"daybook/internal/field"
	"daybook/internal/text"
)

// AccountID identifies a general ledger account.
type AccountID int64

// Account is a general ledger account (interface.md, "GL accounts"). Its code is unique without regard
// to case.
type Account struct {
	ID          AccountID
	Code        text.Code
	Description text.Note
	Type        AccountType
	FavourHigh  bool // a higher actual is good
}

// AccountFields are the fields of an account.
var AccountFields = field.List[Account]{
	field.ID("id", func(a *Account) *AccountID { return &a.ID }).Assigned(),
	field.Text("code", text.ParseCode, func(a *Account) *text.Code { return &a.Code }),
	field.Text("description", text.ParseNote, func(a *Account) *text.Note { return &a.Description }).Optional(),
	field.Text("type", ParseAccountType, func(a *Account) *AccountType { return &a.Type }),
	field.Flag("favour_high", func(a *Account) *bool { return &a.FavourHigh }).Default(func(a *Account) { a.FavourHigh = a.Type.FavoursHigh() }),
}

// AccountChange is a change of an account. A change of the type leaves FavourHigh as it is.
type AccountChange = field.Change[Account]

// Contra reports an account that favours what its type does not, such as discounts among
// revenue. It is deducted from the subtotal of its type.
func (a Account) Contra() bool { return a.FavourHigh != a.Type.FavoursHigh() }

// AccountType is the kind of an account.
type AccountType string

// The account types, in the order of a profit and loss statement.
const (
	Revenue   AccountType = "revenue"
	COGS      AccountType = "cogs"
	Opex      AccountType = "opex"
	Headcount AccountType = "headcount"
	Capex     AccountType = "capex"
)

// AccountTypes lists the account types in the order of a profit and loss statement.
func AccountTypes() []AccountType { return []AccountType{Revenue, COGS, Opex, Headcount, Capex} }

// title is the name of the type in a sentence.
func (t AccountType) title() string {
	switch t {
	case COGS:
		return "cost of goods sold"
	case Opex:
		return "operating expenses"
	case Capex:
		return "capital expenditure"
	default:
		return string(t)
	}
}

// rank is where the type stands in a profit and loss statement.
func (t AccountType) rank() int { return slices.Index(AccountTypes(), t) }

// ParseAccountType reads an account type without regard to case. The error
// continues the field's name.
func ParseAccountType(raw string) (AccountType, error) {
	return text.OneOf(raw, Revenue, COGS, Opex, Capex, Headcount)
}

// FavoursHigh is the default of FavourHigh for an account of this type: only revenue favours a high
// actual.
func (t AccountType) FavoursHigh() bool { return t == Revenue }
