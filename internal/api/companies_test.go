package api_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/api"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// TestCategoriesOfAnySize: the categories of a company are listed although they are larger than the
// memory for all large answers.
func TestCategoriesOfAnySize(t *testing.T) {
	s := open(t)
	config := s.config()
	config.MostHeld = 600 << 10 // of one list
	s.listen(t, api.New(config))
	acme, err := s.store.AddCompany(t.Context(), trading.Company{Name: "Acme"})
	if err != nil {
		t.Fatal(err)
	}
	const many = 1_000
	err = s.store.Atomically(t.Context(), func(ctx context.Context) error {
		for i := range many {
			category := text.Name(fmt.Sprintf("%04d%s", i, strings.Repeat("\U0001F4B6", 251)))
			if _, err := s.store.AddRevenue(ctx, trading.Revenue{CompanyID: acme.ID, Category: category}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	body := s.get(t, "/company/revenue/categories?company_id=1")
	if got := read[[]string](t, body); len(got) != many || len(body) < int(config.MostHeld) {
		t.Errorf("got %d categories in %d bytes, want %d in more than %d bytes", len(got), len(body), many, config.MostHeld)
	}
}
