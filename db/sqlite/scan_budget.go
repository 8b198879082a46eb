package sqlite

import (
	"maps"
	"math"
	"slices"

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

// departmentAt returns the department in the current row.
func (s *scanner) departmentAt() budget.Department {
	row := s.departments
	return rows.Department(gen.Department{
		ID: row.Int(departmentID), Code: string(row.Text(departmentCode)), CodeKey: string(row.Text(departmentCodeKey)), Name: string(row.Text(departmentName)),
		CostCenter: string(row.Text(departmentCostCenter)), Active: row.Int(departmentActive) != 0,
	})
}

// codesByID returns the codes of the departments with the ids, which are in ascending order. It does
// not keep names and cost centres: one department may have 2,000 bytes of them.
func (s *scanner) codesByID(ids []budget.DepartmentID) (map[budget.DepartmentID]text.Code, error) {
	row, codes := s.departments, make(map[budget.DepartmentID]text.Code, len(ids))
	err := readByID(row, ids, func() { codes[budget.DepartmentID(row.Int(departmentID))] = text.Code(row.Text(departmentCode)) })
	return codes, err
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

// accountAt returns the account in the current row without its description, which may have 16,000
// bytes.
func (s *scanner) accountAt() budget.Account {
	row := s.accounts
	return rows.Account(gen.GlAccount{
		ID: row.Int(accountID), Code: string(row.Text(accountCode)), Type: s.text(row.Text(accountType)), FavourHigh: row.Int(accountFavourHigh) != 0,
	})
}

// How many bytes of descriptions a report may hold: four reports as many as all answers together; or
// none.
const (
	mostDescribed = 16 << 20
	undescribed   = 0
)

// accountsByID returns the accounts with the ids, which are in ascending order. With undescribed they
// have no descriptions. Invalid: the descriptions have more bytes than most.
func (s *scanner) accountsByID(ids []budget.AccountID, most int) (map[budget.AccountID]budget.Account, error) {
	accounts, size := make(map[budget.AccountID]budget.Account, len(ids)), 0
	err := readByID(s.accounts, ids, func() {
		a := s.accountAt()
		if most != undescribed && size <= most {
			a.Description = text.Note(s.accounts.Text(accountDescription))
			size += len(a.Description)
		}
		accounts[a.ID] = a
	})
	if err == nil && size > most {
		err = fault.New(fault.Invalid, "the descriptions of the accounts in this report have more than %d bytes; narrow the report, or shorten the descriptions", most)
	}
	return accounts, err
}

// readByID reads the rows with the ids, which are in ascending order. It reads consecutive ids as one
// range.
func readByID[ID ~int64](found *cursor.Rows, ids []ID, row func()) error {
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && ids[n] == ids[n-1]+1 {
			n++
		}
		if err := found.Read(row, int64(ids[0])-1, int64(ids[n-1]), int64(math.MaxInt64)); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// idsIn returns the distinct ids on both sides of a report in ascending order, without 0.
func idsIn[T any, ID ~int64](budgeted, actual []T, of func(*T) ID) []ID {
	seen, last := map[ID]bool{}, ID(0)
	for _, side := range [][]T{budgeted, actual} {
		for i := range side {
			if id := of(&side[i]); id != last {
				seen[id], last = true, id
			}
		}
	}
	delete(seen, 0)
	return slices.Sorted(maps.Keys(seen))
}

// sorted returns the distinct ids in ascending order.
func sorted[ID ~int64](ids []ID) []ID {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
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

// mostCombined is how many lines, or sums of an account, a report may hold. Four such reports at once
// take about 500 MB.
const mostCombined = 200_000

// errCombined refuses a report of more than mostCombined. Invalid.
func errCombined() error {
	return fault.New(fault.Invalid, "the report combines more than %d departments, accounts and currencies; ask for one department", mostCombined)
}

// postings reads one side of a variance, in the order of the merge. likely is its initial capacity.
// Invalid: there are more than mostCombined.
func (s *scanner) postings(row *cursor.Rows, likely int, parameters ...any) ([]budget.Posting, error) {
	side, more := make([]budget.Posting, 0, min(likely, mostCombined)), false
	err := row.Read(func() {
		if len(side) == mostCombined {
			more = true
			return
		}
		side = append(side, budget.Posting{
			DepartmentID: budget.DepartmentID(row.Int(postingDepartment)),
			AccountID:    budget.AccountID(row.Int(postingAccount)),
			Amount:       money.Amount(row.Int(postingAmount)),
			Currency:     money.Currency(s.text(row.Text(postingCurrency))),
		})
	}, parameters...)
	if err == nil && more {
		err = errCombined()
	}
	return side, err
}
