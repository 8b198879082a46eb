package api

import (
	"context"
	"net/http"

	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/text"
)

type accountBody struct {
	ID          budget.AccountID   `json:"id"`
	Code        text.Code          `json:"code"`
	Description text.Note          `json:"description"`
	Type        budget.AccountType `json:"type"`
	FavourHigh  bool               `json:"favour_high"`
}

func accountOf(a budget.Account) accountBody { return accountBody(a) }

func (a *api) createAccount(c *request) error {
	return creation(c, http.StatusCreated, newAccount, a.Ledger.CreateAccount, encoded(accountOf))
}

func newAccount(f *form) budget.Account {
	account := budget.Account{
		Code:        required(f, "code", field.String(text.ParseCode)),
		Description: optional(f, "description", "", field.String(text.ParseNote)),
		Type:        required(f, "type", field.String(budget.ParseAccountType)),
	}
	account.FavourHigh = optional(f, "favour_high", account.Type.FavoursHigh(), field.Bool)
	return account
}

func (a *api) updateAccount(c *request) error {
	return edit(c, accountFields, func(ctx context.Context, id budget.AccountID, to, was budget.AccountFields) (budget.Account, error) {
		return a.Ledger.UpdateAccount(ctx, id, budget.AccountChange{To: to, Was: was})
	}, encoded(accountOf))
}

func accountFields(f *form) budget.AccountFields {
	return budget.AccountFields{
		Code:        maybe(f, "code", field.String(text.ParseCode)),
		Description: maybe(f, "description", field.String(text.ParseNote)),
		Type:        maybe(f, "type", field.String(budget.ParseAccountType)),
		FavourHigh:  maybe(f, "favour_high", field.Bool),
	}
}

func (a *api) listAccounts(c *request) error {
	return list(c, a.Ledger.Accounts(c.Request.Context()), encoded(accountOf))
}

func (a *api) deleteAccount(c *request) error {
	return deletion(c, a.Ledger.DeleteAccount, encoded(accountOf), "gl_account_id")
}
