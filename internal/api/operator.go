package api

import (
	"context"

	"daybook/internal/backup"
	"daybook/internal/seed"
)

// Backups takes backups and reports on them.
type Backups interface {
	// Take takes a backup now. Unavailable: another is being taken, there are as many as allowed, or
	// the disk is full or fails. The message names no folder.
	Take(ctx context.Context) (backup.Manifest, error)
	Status() backup.Status
}

// takeBackup responds when the backup is complete on the disk. It goes on if the client hangs up.
func (a *api) takeBackup(c *request) error {
	if err := labelled(c); err != nil {
		return err
	}
	manifest, err := a.Backups.Take(context.WithoutCancel(c.Request.Context()))
	return created(c, manifest, err)
}

// demoBody counts the demo data.
type demoBody struct {
	Currencies  int `json:"currencies"`
	Companies   int `json:"companies"`
	Revenues    int `json:"revenues"`
	Trades      int `json:"trades"`
	Departments int `json:"departments"`
	Accounts    int `json:"gl_accounts"`
	Lines       int `json:"budget_lines"`
	Actuals     int `json:"actuals"`
}

// loadDemo fills an empty database with demo data, in one transaction: of two requests at once the
// second one finds data.
func (a *api) loadDemo(c *request) error {
	if err := labelled(c); err != nil {
		return err
	}
	s, err := seed.Run(c.Request.Context(), a.Atomically, a.Book, a.Ledger, a.Demo())
	return created(c, demoBody{
		Currencies: s.Currencies, Companies: s.Companies, Revenues: s.Revenues, Trades: s.Trades,
		Departments: s.Departments, Accounts: s.Accounts, Lines: s.Lines, Actuals: s.Actuals,
	}, err)
}
