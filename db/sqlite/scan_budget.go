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

// codesByID returns the codes of the departments with the ids, which are in ascending order. It does
// not keep names and cost centres: one department may have 2,000 bytes of them.
func (s *scanner) codesByID(ids []budget.DepartmentID) (map[budget.DepartmentID]text.Code, error) {
	codes := make(map[budget.DepartmentID]text.Code, len(ids))
	err := readByID(s.departments, ids, func(row gen.Department) { codes[budget.DepartmentID(row.ID)] = text.Code(row.Code) })
	return codes, err
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
	err := readByID(s.accounts, ids, func(row gen.GlAccount) {
		if most == undescribed || size > most {
			row.Description = ""
		}
		size += len(row.Description)
		accounts[budget.AccountID(row.ID)] = rows.Account(row)
	})
	if err == nil && size > most {
		err = fault.New(fault.Invalid, "the descriptions of the accounts in this report have more than %d bytes; narrow the report, or shorten the descriptions", most)
	}
	return accounts, err
}

// readByID reads the rows with the ids, which are in ascending order. It reads consecutive ids as one
// range.
func readByID[Row any, ID ~int64](list *cursor.Query[Row], ids []ID, use func(Row)) error {
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && ids[n] == ids[n-1]+1 {
			n++
		}
		for row, err := range list.All(int64(ids[0])-1, int64(ids[n-1]), int64(math.MaxInt64)) {
			if err != nil {
				return err
			}
			use(*row)
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

// mostCombined is how many lines, or sums of an account, a report may hold. Four such reports at once
// take about 500 MB.
const mostCombined = 200_000

// errCombined refuses a report of more than mostCombined. Invalid.
func errCombined() error {
	return fault.New(fault.Invalid, "the report combines more than %d departments, accounts and currencies; ask for one department", mostCombined)
}

// postings reads one side of a variance, in the order of the merge. likely is its initial capacity.
// Invalid: there are more than mostCombined.
func (s *scanner) postings(list *cursor.Query[postingRow], likely int, parameters ...any) ([]budget.Posting, error) {
	side := make([]budget.Posting, 0, min(likely, mostCombined))
	for row, err := range list.All(parameters...) {
		if err == nil && len(side) == mostCombined {
			err = errCombined()
		}
		if err != nil {
			return nil, err
		}
		side = append(side, budget.Posting{
			DepartmentID: budget.DepartmentID(row.DepartmentID), AccountID: budget.AccountID(row.GlAccountID),
			Amount: money.Amount(row.Amount), Currency: money.Currency(row.Currency),
		})
	}
	return side, nil
}
