package sqlite

import (
	"math"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/text"
)

// The columns of ListDepartments.
const (
	departmentID = iota
	departmentCode
	departmentCodeKey
	departmentName
	departmentCostCenter
	departmentActive
)

var departmentColumns = []string{
	departmentID:         "id",
	departmentCode:       "code",
	departmentCodeKey:    "code_key",
	departmentName:       "name",
	departmentCostCenter: "cost_center",
	departmentActive:     "active",
}

// departmentsByID are those from the first id to the last.
func (s *scanner) departmentsByID(first, last int64) (map[budget.DepartmentID]budget.Department, error) {
	row, departments := s.departments, map[budget.DepartmentID]budget.Department{}
	err := row.Read(func() {
		d := rows.Department(gen.Department{
			ID: row.Int(departmentID), Code: string(row.Text(departmentCode)), CodeKey: string(row.Text(departmentCodeKey)), Name: string(row.Text(departmentName)),
			CostCenter: string(row.Text(departmentCostCenter)), Active: row.Int(departmentActive) != 0,
		})
		departments[d.ID] = d
	}, first-1, last, int64(math.MaxInt64))
	return departments, err
}

// The columns of ListAccounts.
const (
	accountID = iota
	accountCode
	accountCodeKey
	accountDescription
	accountType
	accountFavourHigh
)

var accountColumns = []string{
	accountID:          "id",
	accountCode:        "code",
	accountCodeKey:     "code_key",
	accountDescription: "description",
	accountType:        "type",
	accountFavourHigh:  "favour_high",
}

// accountsByID are all accounts, without their descriptions: one has up to 16,000 bytes, and
// most answers show few.
func (s *scanner) accountsByID() (map[budget.AccountID]budget.Account, error) {
	row, accounts := s.accounts, map[budget.AccountID]budget.Account{}
	err := row.Read(func() {
		a := rows.Account(gen.GlAccount{
			ID: row.Int(accountID), Code: string(row.Text(accountCode)), Type: s.text(row.Text(accountType)), FavourHigh: row.Int(accountFavourHigh) != 0,
		})
		accounts[a.ID] = a
	}, int64(0), int64(math.MaxInt64), int64(math.MaxInt64))
	return accounts, err
}

// mostDescribed is how many bytes of descriptions one report holds: as many as all answers
// together, so that one with more could not be answered.
const mostDescribed = 64 << 20

// describe gives the accounts that are used their descriptions. Unavailable: these have more
// bytes than are wanted.
func (s *scanner) describe(accounts map[budget.AccountID]budget.Account, used map[budget.AccountID]bool, most int) error {
	row, size := s.accounts, 0
	err := row.Read(func() {
		a := accounts[budget.AccountID(row.Int(accountID))]
		if !used[a.ID] || size > most {
			return
		}
		a.Description = text.Note(row.Text(accountDescription))
		accounts[a.ID] = a
		size += len(a.Description)
	}, int64(0), int64(math.MaxInt64), int64(math.MaxInt64))
	if err == nil && size > most {
		err = fault.New(fault.Unavailable, "the accounts of this report have descriptions of more than %d bytes; ask for one department", most)
	}
	return err
}

// The columns of ListBudgeted and ListActual.
const (
	postingCurrency = iota
	postingDepartment
	postingAccount
	postingAmount
)

var postingColumns = []string{
	postingCurrency:   "currency",
	postingDepartment: "department_id",
	postingAccount:    "gl_account_id",
	postingAmount:     "amount",
}

// postings are one side of a variance, in the order it is merged in. It takes no copy
// to gather as many as are likely.
func (s *scanner) postings(row *cursor.Rows, likely int, parameters ...any) ([]budget.Posting, error) {
	side := make([]budget.Posting, 0, likely)
	err := row.Read(func() {
		side = append(side, budget.Posting{
			DepartmentID: budget.DepartmentID(row.Int(postingDepartment)),
			AccountID:    budget.AccountID(row.Int(postingAccount)),
			Amount:       money.Amount(row.Int(postingAmount)),
			Currency:     money.Currency(s.text(row.Text(postingCurrency))),
		})
	}, parameters...)
	return side, err
}
