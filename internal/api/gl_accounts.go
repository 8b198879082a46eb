package api

import (
	"net/http"

	"daybook/internal/budget"
)

func (a *api) createAccount(c *request) error {
	return creation(c, http.StatusCreated, budget.AccountFields, a.Ledger.CreateAccount)
}

func (a *api) updateAccount(c *request) error {
	return edit(c, budget.AccountFields, a.Ledger.UpdateAccount)
}

func (a *api) listAccounts(c *request) error {
	return list(c, a.Ledger.Accounts(c.Request.Context()), budget.AccountFields.Append)
}

func (a *api) deleteAccount(c *request) error {
	return deletion(c, a.Ledger.DeleteAccount, budget.AccountFields.Append, "gl_account_id")
}
