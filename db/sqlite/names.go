package sqlite

import (
	"context"
	"maps"
	"math"
	"slices"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/text"
)

// Chart implements budget.Store.
func (s *Store) Chart(ctx context.Context, department func(budget.Department), account func(budget.Account)) error {
	return s.snapshot(ctx, func(c *scanner) error {
		every := []any{int64(0), int64(math.MaxInt64), int64(math.MaxInt64)}
		if err := read(c.departments, func() { department(c.departmentAt()) }, every...); err != nil {
			return err
		}
		return read(c.accounts, func() { account(c.accountAt()) }, every...)
	})
}

// Named implements budget.Store.
func (s *Store) Named(ctx context.Context, departments []budget.DepartmentID, accounts []budget.AccountID) (n budget.Names, err error) {
	n.Departments = map[budget.DepartmentID]budget.Department{}
	err = s.scan(ctx, func(c *scanner) error {
		return c.snapshot(func() error {
			err := readByID(c.departments, sorted(departments), func() {
				d := c.departmentAt()
				n.Departments[d.ID] = d
			})
			if err == nil {
				n.Accounts, err = c.accountsByID(sorted(accounts), mostDescribed)
			}
			return err
		})
	})
	return n, err
}

// departmentAt is the department of the row that is read.
func (s *scanner) departmentAt() budget.Department {
	row := s.departments
	return departmentOf(gen.Department{
		ID: row.Int(0), Code: string(row.Text(1)), CodeKey: string(row.Text(2)), Name: string(row.Text(3)),
		CostCenter: string(row.Text(4)), Active: row.Int(5) != 0,
	})
}

// accountAt is the account of the row that is read, without its description: one has up to
// 16,000 bytes.
func (s *scanner) accountAt() budget.Account {
	row := s.accounts
	return accountOf(gen.GlAccount{
		ID: row.Int(0), Code: string(row.Text(1)), Type: s.text(row.Text(4)), FavourHigh: row.Int(5) != 0,
	})
}

// codesByID are the codes of the departments that have the ids, which rise. Names and cost
// centres are not kept: one department may have 2,000 bytes of them.
func (s *scanner) codesByID(ids []budget.DepartmentID) (map[budget.DepartmentID]text.Code, error) {
	row, codes := s.departments, make(map[budget.DepartmentID]text.Code, len(ids))
	err := readByID(row, ids, func() { codes[budget.DepartmentID(row.Int(0))] = text.Code(row.Text(1)) })
	return codes, err
}

// How many bytes of descriptions one report holds: as many as all answers together, so that
// one with more could not be answered; or none.
const (
	mostDescribed = 64 << 20
	undescribed   = 0
)

// accountsByID are the accounts that have the ids, which rise. Unavailable: their
// descriptions have more bytes than are wanted; they have none where none are wanted.
func (s *scanner) accountsByID(ids []budget.AccountID, most int) (map[budget.AccountID]budget.Account, error) {
	accounts, size := make(map[budget.AccountID]budget.Account, len(ids)), 0
	err := readByID(s.accounts, ids, func() {
		a := s.accountAt()
		if most != undescribed && size <= most {
			a.Description = text.Note(s.accounts.Text(3))
			size += len(a.Description)
		}
		accounts[a.ID] = a
	})
	if err == nil && size > most {
		err = fault.New(fault.Unavailable, "the accounts of this report have descriptions of more than %d bytes; ask for one department", most)
	}
	return accounts, err
}

// readByID goes through the rows that have the ids, which rise. Ids that follow each other
// are one range.
func readByID[ID ~int64](rows *cursor.Rows, ids []ID, row func()) error {
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && ids[n] == ids[n-1]+1 {
			n++
		}
		if err := read(rows, row, int64(ids[0])-1, int64(ids[n-1]), int64(math.MaxInt64)); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// idsIn are the different ids in both sides of a report, rising, without 0.
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

// sorted are the different ids, rising.
func sorted[ID ~int64](ids []ID) []ID {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}
