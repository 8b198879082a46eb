package budget

import "context"

// Names are departments and accounts by their ids.
type Names struct {
	Departments map[DepartmentID]Department
	Accounts    map[AccountID]Account
}

// name reads the few departments and accounts that a result names by their ids. One that was deleted
// meanwhile stays as it is.
func (l *Ledger) name(ctx context.Context, departments []*Department, accounts []*Account) error {
	departmentIDs, accountIDs := make([]DepartmentID, len(departments)), make([]AccountID, len(accounts))
	for i, d := range departments {
		departmentIDs[i] = d.ID
	}
	for i, a := range accounts {
		accountIDs[i] = a.ID
	}
	names, err := l.Named(ctx, departmentIDs, accountIDs)
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
