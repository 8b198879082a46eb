package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

type currencyBody struct {
	ID   trading.CurrencyID `json:"id"`
	Code money.Currency     `json:"code"`
	Name text.Name          `json:"name"`
}

func currencyOf(c trading.Currency) currencyBody { return currencyBody(c) }

func (a *api) addCurrency(c *gin.Context) error {
	f, err := object(c)
	if err != nil {
		return err
	}
	currency := trading.Currency{
		Code: required(f, "code", str(money.ParseCurrency)),
		Name: optional(f, "name", "", str(text.ParseName)),
	}
	if err := f.err(); err != nil {
		return err
	}
	currency, err = a.Book.AddCurrency(once(c, http.StatusCreated, currencyOf), currency)
	return stored(c, currencyOf(currency), err)
}

func (a *api) listCurrencies(c *gin.Context) error {
	return list(c, a.Book.Currencies(c.Request.Context()), encoded(currencyOf))
}
