package budget

import "context"

// Names are departments and accounts by their ids.
type Names struct {
	Departments map[DepartmentID]Department
	Accounts    map[AccountID]Account
}

// name reads the departments and accounts that an answer shows, and so far has by their ids. A record
// that was deleted since keeps its id alone.
func (l *Ledger) name(ctx context.Context, departments []*Department, accounts []*Account) error {
	departmentIDs, accountIDs := make([]DepartmentID, len(departments)), make([]AccountID, len(accounts))
	for i, d := range departments {
		departmentIDs[i] = d.ID
	}
	for i, a := range accounts {
		accountIDs[i] = a.ID
	}
	names, err := l.store.Named(ctx, departmentIDs, accountIDs)
	if err != nil {
		return err
	}
	for _, d := range departments {
		if found, known := names.Departments[d.ID]; known {
			*d = found
		}
	}
	for _, a := range accounts {
		if found, known := names.Accounts[a.ID]; known {
			*a = found
		}
	}
	return nil
}
