package api

import (
	"daybook/internal/seed"
)

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
