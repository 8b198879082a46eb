package budget

import (
	"context"
	"iter"

	"daybook/internal/bulk"
	"daybook/internal/fiscal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
)

// Store keeps what a Ledger records. Each method is one unit of work: it happens
// whole or not at all, and is durable when it returns without error. Every method
// may also fail with Unavailable (nothing was stored); every one that writes, with
// OutcomeUnknown.
//
// A sequence is read in short pieces, so that a slow reader holds no snapshot open. It ends with the
// newest record at the time that it began, or with its first error.
type Store interface {
	// CreateDepartment stores a department under a new id.
	// AlreadyExists: the code is taken, in whatever case.
	CreateDepartment(ctx context.Context, d Department) (Department, error)
	// Departments yields all departments by id.
	Departments(ctx context.Context) iter.Seq2[Department, error]
	// Department returns the one department that the identifier names.
	// NotFound. AmbiguousIdentifier.
	Department(ctx context.Context, i Identifier) (Department, error)
	// SetActive sets the active flag of the one department that the identifier names. An inactive
	// department still takes postings and still appears in reports.
	// NotFound. AmbiguousIdentifier.
	SetActive(ctx context.Context, i Identifier, active bool) (Department, error)
	// UpdateDepartment changes fields of a department.
	// NotFound. AlreadyExists: the new code is that of another department, in whatever case. ChangedSince:
	// a value is not the one that was seen; the error has the newest entry of the department.
	UpdateDepartment(ctx context.Context, id DepartmentID, change DepartmentChange) (Department, error)
	// DeleteDepartment removes a department and returns it.
	// NotFound. InUse: it has budget lines or actuals; the message counts them.
	DeleteDepartment(ctx context.Context, id DepartmentID) (Department, error)

	// CreateAccount stores an account under a new id.
	// AlreadyExists: the code is taken, in whatever case.
	CreateAccount(ctx context.Context, a Account) (Account, error)
	// Account returns the account that has the code, in whatever case.
	// NotFound.
	Account(ctx context.Context, code text.Code) (Account, error)
	// Accounts yields all accounts by id.
	Accounts(ctx context.Context) iter.Seq2[Account, error]
	// UpdateAccount changes fields of an account.
	// NotFound. AlreadyExists: the new code is that of another account, in whatever case. ChangedSince: a
	// value is not the one that was seen; the error has the newest entry of the account.
	UpdateAccount(ctx context.Context, id AccountID, change AccountChange) (Account, error)
	// DeleteAccount removes an account and returns it.
	// NotFound. InUse: it has budget lines or actuals; the message counts them.
	DeleteAccount(ctx context.Context, id AccountID) (Account, error)

	// StoreDepartments stores the departments of a file that was checked, in one transaction of its own: those that the
	// check saw take the fields of their rows, the others are new. All rows are stored, or none.
	// ChangedSince: a department is not as the check saw it; the cause is a bulk.ConflictsError. AlreadyExists: a code is
	// that of another department.
	StoreDepartments(ctx context.Context, departments bulk.Rows[Department]) (bulk.Result, error)
	// StoreAccounts is StoreDepartments for accounts.
	StoreAccounts(ctx context.Context, accounts bulk.Rows[Account]) (bulk.Result, error)

	// CreateLines stores budget lines under new, rising ids.
	// UnknownReference: department_id, gl_account_id. AlreadyExists: a line has the
	// key. Invalid: a currency that is neither plain nor registered.
	CreateLines(ctx context.Context, lines []Line) ([]Line, error)
	// StoreLines stores many budget lines, as StoreActuals does with actuals. A line that is there can take
	// another currency.
	StoreLines(ctx context.Context, lines bulk.Rows[Line]) (bulk.Result, error)
	// UpdateLine changes the line that the reference names.
	// MissingIdentifier, ConflictingIdentifiers: as LineRef says. NotFound.
	UpdateLine(ctx context.Context, ref LineRef, change LineChange) (Line, error)
	// DeleteLine removes a budget line and returns it.
	// NotFound.
	DeleteLine(ctx context.Context, id LineID) (Line, error)
	// LinePage returns a page of the budget lines that match, in the wanted order.
	// Invalid: after, is not a place in that order.
	LinePage(ctx context.Context, f LineFilter) (listing.Page[Line], error)

	// IngestActuals stores each actual under its key: a new one under a new id; one
	// that is there keeps its id and takes the amount, currency and source. The same actual twice has the
	// same effect as once.
	// UnknownReference: department_id, gl_account_id. Invalid: a currency that is
	// neither plain nor registered.
	IngestActuals(ctx context.Context, actuals []Actual) ([]Actual, error)
	// StoreActuals stores many actuals, in one transaction of its own, under one link of the journal's chain.
	// While it works other writes wait. It reads the rows once.
	// RowsRefused: rows are wrong, among them a currency that is neither plain nor registered, and with
	// bulk.Refuse an actual that is there; the cause is a bulk.RefusedError. UnknownReference: a department or
	// an account does not exist. ChangedSince: an actual is not as the check of its file saw it; the cause is a
	// bulk.ConflictsError.
	StoreActuals(ctx context.Context, actuals bulk.Rows[Actual]) (bulk.Result, error)
	// DeleteActual removes an actual and returns it.
	// NotFound.
	DeleteActual(ctx context.Context, id ActualID) (Actual, error)
	// ActualPage returns a page of the actuals that match, in the wanted order.
	// Invalid: after, is not a place in that order.
	ActualPage(ctx context.Context, f ActualFilter) (listing.Page[Actual], error)

	// Postings returns the data of a report, from one snapshot: the actuals of the fiscal period, and
	// its budget lines of the version, of one department or, for 0, of all.
	Postings(ctx context.Context, year fiscal.Year, period fiscal.Period, version Version, department DepartmentID) (Postings, error)

	// Months returns the sums of each period of the fiscal year, from one snapshot: of the actuals, and of
	// the budget lines of the version, of one department or, for 0, of all. Their DepartmentID is 0.
	Months(ctx context.Context, year fiscal.Year, version Version, department DepartmentID) (Tallies, error)
	// YearToDate returns the sums of each department from the start of the fiscal year up to and with the
	// period, from one snapshot: of the actuals, and of the budget lines of the version, of one department
	// or, for 0, of all. Their Period is 0.
	YearToDate(ctx context.Context, year fiscal.Year, period fiscal.Period, version Version, department DepartmentID) (Tallies, error)
	// OverviewData returns the data of an overview, from one snapshot: the Usage, the Sources, and for the
	// wanted month, as Usage.Newest completes it, the Postings and the Months of its year. Accounts have no
	// descriptions. A month that lacks a part has neither Postings nor Months. The time of a source's last
	// change is searched for in the newest 10,000 changes of any record.
	OverviewData(ctx context.Context, q OverviewDataQuery) (OverviewData, error)
	// Usage counts all budget lines and actuals, from one snapshot.
	Usage(ctx context.Context) (Usage, error)
	// Coverage returns which periods of a year have a budget line of the original version and which have an
	// actual, for each account and department. Invalid: those are more than the memory allows.
	Coverage(ctx context.Context, year fiscal.Year) (Coverage, error)
	// Chart passes each department and each account to a function, by id, from one snapshot. The
	// accounts have no descriptions.
	Chart(ctx context.Context, department func(Department), account func(Account)) error
	// Named returns the departments and the accounts with the ids, from one snapshot, as far as
	// there are any.
	Named(ctx context.Context, departments []DepartmentID, accounts []AccountID) (Names, error)

	// BudgetEmpty reports whether none of the above holds a record.
	BudgetEmpty(ctx context.Context) (bool, error)
}

// LineFilter narrows a page of budget lines. A nil field does not narrow.
type LineFilter struct {
	KeyFilter
	Version  *Version
	Currency *money.Currency
	Sort     Sort // by id by default
	Down     bool // from the highest to the lowest
	After    listing.Place
	Limit    int
}

// ActualFilter narrows a page of actuals. A nil field does not narrow.
type ActualFilter struct {
	KeyFilter
	Currency *money.Currency
	Source   *text.Source
	Sort     Sort // by id by default
	Down     bool // from the highest to the lowest
	After    listing.Place
	Limit    int
}

// KeyFilter narrows by the parts of a Key. A nil field does not narrow.
type KeyFilter struct {
	DepartmentID *DepartmentID
	AccountID    *AccountID
	Year         *fiscal.Year
	Period       *fiscal.Period
}
