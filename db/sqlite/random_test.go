//go:build !race

package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/db/sqlite/rows"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// TestTheCacheEqualsARead: after random changes of every kind in two processes whose clocks jump, cached
// results equal new reads.
func TestTheCacheEqualsARead(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			path := t.TempDir() + "/app.db"
			c := randomWriter{Rand: rand.New(rand.NewPCG(seed, 7))}
			now := jumpingClock()
			c.stores = []*Store{opened(t, path, now), opened(t, path, now)}
			for _, code := range []text.Code{"0", "1", "2"} {
				if err := c.createParents(t.Context(), c.stores[0], code); err != nil {
					t.Fatal(err)
				}
			}
			var kept cachedAnswers
			for range 60 {
				for range 1 + c.IntN(12) {
					c.change(t)
				}
				kept.wantAsRead(t, c.stores[0])
			}
			for len(c.lines)+len(c.actuals) > 0 {
				c.removeSome(t)
				kept.wantAsRead(t, c.stores[0])
			}
			if got := kept.printed[0]; strings.ContainsAny(got, "123456789") {
				t.Errorf("got %s when all records were removed, want only zeros", got)
			}
		})
	}
}

// randomWriter makes random changes of departments, accounts, budget lines and actuals.
type randomWriter struct {
	*rand.Rand
	stores      []*Store
	departments []budget.DepartmentID // all ids that were ever created, also below
	accounts    []budget.AccountID
	lines       []budget.LineID
	actuals     []budget.ActualID
}

// jumpingClock returns a clock that jumps forward and back.
func jumpingClock() func() time.Time {
	var ticks atomic.Int64
	return func() time.Time { return time.Date(2026, 1, 1+int(ticks.Add(7919)%1000), 0, 0, 0, 0, time.UTC) }
}

// oneOf returns one of the newest elements.
func oneOf[T any](c *randomWriter, of ...T) T {
	of = of[max(0, len(of)-50):]
	return of[c.IntN(len(of))]
}

func (c *randomWriter) key() budget.Key {
	return budget.Key{
		DepartmentID: oneOf(c, c.departments...), AccountID: oneOf(c, c.accounts...),
		Year: fiscal.Year(2025 + c.IntN(2)), Period: oneOf[fiscal.Period](c, 1, 2, 3, 12),
	}
}

func (c *randomWriter) amount() money.Amount {
	return oneOf(c, 0, 0, 1, -1, money.Amount(c.IntN(1_000_000)), 999_999_999_999_999_999, -999_999_999_999_999_999)
}

func (c *randomWriter) currency() money.Currency {
	return oneOf[money.Currency](c, "EUR", "EUR", "USD", "CHF")
}

// change makes one random change, which the store may refuse.
func (c *randomWriter) change(t *testing.T) {
	t.Helper()
	ctx, s := t.Context(), oneOf(c, c.stores...)
	var err error
	switch c.IntN(18) {
	case 0:
		err = c.createParents(ctx, s, text.Code(fmt.Sprint(c.IntN(4))))
	case 1:
		_, err = s.DeleteDepartment(ctx, oneOf(c, c.departments...))
	case 2:
		_, err = s.DeleteAccount(ctx, oneOf(c, c.accounts...))
	case 3:
		_, err = s.SetActive(ctx, budget.Identifier{By: budget.ByCode, Value: fmt.Sprint(c.IntN(4))}, c.IntN(2) == 0)
	case 16:
		named := budget.Department{Name: text.Name(fmt.Sprint("D", c.IntN(100)))}
		_, err = s.UpdateDepartment(ctx, oneOf(c, c.departments...), budget.DepartmentChange{To: budget.DepartmentFields.Part(named, "name")})
	case 17:
		to := budget.Account{Type: oneOf(c, budget.AccountTypes()...), FavourHigh: c.IntN(2) == 0}
		_, err = s.UpdateAccount(ctx, oneOf(c, c.accounts...), budget.AccountChange{To: budget.AccountFields.Part(to, "type", "favour_high")})
	case 4, 5, 6, 7:
		err = c.plan(ctx, s)
	case 8:
		_, err = s.UpdateLine(ctx, budget.LineRef{ID: oneOf(c, append(c.lines, 1)...)}, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: c.amount()}, "amount")})
	case 9, 10:
		_, err = s.DeleteLine(ctx, oneOf(c, append(c.lines, 1)...))
	case 11, 12, 13:
		err = c.post(ctx, s)
	default:
		_, err = s.DeleteActual(ctx, oneOf(c, append(c.actuals, 1)...))
	}
	if err != nil && fault.KindOf(err) == fault.Internal {
		t.Fatal(err)
	}
}

// createParents creates a department and an account.
func (c *randomWriter) createParents(ctx context.Context, s *Store, code text.Code) error {
	d, err := s.CreateDepartment(ctx, budget.Department{Code: code, Name: text.Name(code), Active: true})
	if err == nil {
		c.departments = append(c.departments, d.ID)
	}
	a, err := s.CreateAccount(ctx, budget.Account{Code: code, Type: budget.Opex})
	if err == nil {
		c.accounts = append(c.accounts, a.ID)
	}
	return err
}

func (c *randomWriter) plan(ctx context.Context, s *Store) error {
	var lines []budget.Line
	for range 1 + c.IntN(3) {
		key := budget.LineKey{Key: c.key(), Version: oneOf(c, budget.Versions()...)}
		lines = append(lines, budget.Line{LineKey: key, Amount: c.amount(), Currency: c.currency()})
	}
	stored, err := s.CreateLines(ctx, lines)
	if err == nil {
		c.lines = append(c.lines, rows.Map(stored, func(l budget.Line) budget.LineID { return l.ID })...)
	}
	return err
}

func (c *randomWriter) post(ctx context.Context, s *Store) error {
	var actuals []budget.Actual
	for range 1 + c.IntN(5) {
		actuals = append(actuals, budget.Actual{Key: c.key(), Amount: c.amount(), Currency: c.currency(), Source: oneOf[text.Source](c, "", "erp", "a \"b\"", "ü")})
	}
	stored, err := s.IngestActuals(ctx, actuals)
	if err == nil {
		c.actuals = append(c.actuals, rows.Map(stored, func(a budget.Actual) budget.ActualID { return a.ID })...)
	}
	return err
}

// removeSome removes up to 100 of the oldest budget lines, and as many actuals.
func (c *randomWriter) removeSome(t *testing.T) {
	t.Helper()
	lines, actuals := min(100, len(c.lines)), min(100, len(c.actuals))
	for _, id := range c.lines[:lines] {
		_, _ = c.stores[1].DeleteLine(t.Context(), id) // it may be gone
	}
	for _, id := range c.actuals[:actuals] {
		_, _ = c.stores[0].DeleteActual(t.Context(), id) // it may be gone
	}
	c.lines, c.actuals = c.lines[lines:], c.actuals[actuals:]
}
