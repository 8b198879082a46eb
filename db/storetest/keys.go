package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"daybook/db/records"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// keys are the clauses about writes with an Idempotency-Key.
func keys() []clause {
	return []clause{
		{"a repeated request gets the stored answer, and nothing is written again", func(t *testing.T, s Store) {
			k := keyed{key: "k", request: 1}
			checkOutcome(t, "the first", k.add(t, s, "AAA"), "stored AAA")
			checkJournalUnchanged(t, s, "the same request again", func() error {
				for range 2 {
					checkOutcome(t, "the same request again", k.add(t, s, "AAA"), "answered AAA")
				}
				return nil
			})
			same(t, "currencies", len(all(t, s.Currencies(t.Context()))), 1)
		}},
		{"another request with a used key is refused, and nothing is written", func(t *testing.T, s Store) {
			checkOutcome(t, "the first", keyed{key: "k", request: 1}.add(t, s, "AAA"), "stored AAA")
			checkJournalUnchanged(t, s, "another request", func() error {
				checkOutcome(t, "another request", keyed{key: "k", request: 2}.add(t, s, "BBB"), "key reused")
				return nil
			})
			checkOutcome(t, "the first again", keyed{key: "k", request: 1}.add(t, s, "AAA"), "answered AAA")
		}},
		{"two principals can use the same key for different requests", func(t *testing.T, s Store) {
			checkOutcome(t, "of one", keyed{principal: "1", key: "k", request: 1}.add(t, s, "AAA"), "stored AAA")
			checkOutcome(t, "of another", keyed{principal: "2", key: "k", request: 2}.add(t, s, "BBB"), "stored BBB")
			checkOutcome(t, "of nobody", keyed{key: "k", request: 3}.add(t, s, "CCC"), "stored CCC")
			checkOutcome(t, "of one again", keyed{principal: "1", key: "k", request: 1}.add(t, s, "AAA"), "answered AAA")
			checkOutcome(t, "of another again", keyed{principal: "2", key: "k", request: 2}.add(t, s, "BBB"), "answered BBB")
			checkOutcome(t, "of another, the request of one", keyed{principal: "2", key: "k", request: 1}.add(t, s, "AAA"), "key reused")
		}},
		{"the answer to a failed request is not stored", func(t *testing.T, s Store) {
			must(s.AddCurrency(t.Context(), currency(t, "AAA")))(t)
			k := keyed{key: "k", request: 1}
			checkOutcome(t, "a code that exists", k.add(t, s, "AAA"), "already exists")
			checkOutcome(t, "the same key", k.add(t, s, "BBB"), "stored BBB")
		}},
		{"a request whose answer cannot be composed writes nothing", func(t *testing.T, s Store) {
			failure := errors.New("no answer")
			checkJournalUnchanged(t, s, "the request", func() error {
				ctx := idempotency.With(t.Context(), idempotency.Claim[trading.Currency]{
					Request: idempotency.Request{Principal: idempotency.Local, Key: "k"},
					Answer:  func(trading.Currency) (idempotency.Answer, error) { return idempotency.Answer{}, failure },
				})
				if _, err := s.AddCurrency(ctx, currency(t, "AAA")); !errors.Is(err, failure) {
					return fmt.Errorf("got error %w, want the error of the answer", err)
				}
				return nil
			})
			same(t, "currencies", all(t, s.Currencies(t.Context())), nil)
		}},
		{"a request with a key can write several records, and the repetition tells their entries", func(t *testing.T, s Store) {
			one := trade("ACME", trading.Buy, 1, "1")
			for attempt := range 2 {
				ctx := claim(t.Context(), keyed{key: "k"}, func([]trading.Trade) []byte { return []byte("[]") })
				_, err := s.AddTrades(ctx, []trading.Trade{one, one, one})
				if _, answered := errors.AsType[*idempotency.AnsweredError](err); answered != (attempt > 0) || !answered && err != nil {
					t.Errorf("attempt %d: got error %v, want the stored answer the second time", attempt, err)
				}
				same(t, "written", journal.WrittenIn(ctx), journal.Range{First: 1, Last: 3})
			}
			same(t, "trades", len(all(t, s.Trades(t.Context()))), 3)
		}},
		{"the answer to a request that changes nothing is not stored", func(t *testing.T, s Store) {
			checkJournalUnchanged(t, s, "no trades", func() error {
				_, err := s.AddTrades(claim(t.Context(), keyed{key: "k"}, func([]trading.Trade) []byte { return []byte("[]") }), nil)
				return err
			})
			checkOutcome(t, "another request with the key", keyed{key: "k", request: 2}.add(t, s, "AAA"), "stored AAA")
		}},
		{"a request with a key must not write a record of another kind than it claims", func(t *testing.T, s Store) {
			checkJournalUnchanged(t, s, "the write", func() error {
				if _, err := s.AddCurrency(claim(t.Context(), keyed{key: "k"}, records.Company), currency(t, "AAA")); err == nil {
					return errors.New("got no error, want one")
				}
				return nil
			})
		}},
		{"every kind of write with a key is done once", everyWriteIsDoneOnce},
		{"when many send one request at the same time, one writes and the others get its answer", func(t *testing.T, s Store) {
			outcomes := make([]string, crowd)
			inCrowd(crowd, func(i int) { outcomes[i] = keyed{key: "k", request: 1}.add(t, s, "AAA") })
			counts := map[string]int{}
			for _, outcome := range outcomes {
				counts[outcome]++
			}
			same(t, "outcomes", counts, map[string]int{"stored AAA": 1, "answered AAA": crowd - 1})
			same(t, "entries", len(entries(t, s)), 1)
		}},
	}
}

// expiringKeys are the clauses about how long answers are stored. advance moves the store's clock
// forward.
func expiringKeys(advance func(time.Duration)) []clause {
	return []clause{
		{"an answer is stored for idempotency.KeptFor, and no longer", func(t *testing.T, s Store) {
			old, later := keyed{key: "old", request: 1}, keyed{key: "later", request: 1}
			checkOutcome(t, "the first", old.add(t, s, "AAA"), "stored AAA")
			advance(time.Hour)
			checkOutcome(t, "one an hour later", later.add(t, s, "BBB"), "stored BBB")
			advance(idempotency.KeptFor - 2*time.Hour)
			checkOutcome(t, "the first, an hour before its end", old.add(t, s, "AAA"), "answered AAA")
			advance(time.Hour)
			checkOutcome(t, "the first, at its end", old.add(t, s, "CCC"), "stored CCC")
			checkOutcome(t, "the later one again", later.add(t, s, "BBB"), "answered BBB")
		}},
	}
}

// keyed is a request with a key.
type keyed struct {
	principal string // "" for idempotency.Local
	key       idempotency.Key
	request   byte // differs between requests
}

// claim returns a context for a request with a key that writes one T.
func claim[T any](ctx context.Context, k keyed, body func(T) []byte) context.Context {
	origin := journal.Origin{Actor: "local"}
	if k.principal == "" {
		k.principal = idempotency.Local
	} else {
		origin.Actor = "feed (token " + k.principal + ")"
	}
	return idempotency.With(journal.With(ctx, origin), idempotency.Claim[T]{
		Request: idempotency.Request{Principal: k.principal, Key: k.key, Fingerprint: idempotency.Fingerprint{k.request}},
		Answer: func(result T) (idempotency.Answer, error) {
			return idempotency.Answer{Status: 200, Body: body(result)}, nil
		},
	})
}

// claimOne is claim for a method that takes many records. The request writes only one.
func claimOne[T any](ctx context.Context, k keyed, body func(T) []byte) context.Context {
	return idempotency.WithOne[T](claim(ctx, k, body))
}

// tradeAnswer encodes a trade with the field names of the API.
func tradeAnswer(t trading.Trade) []byte {
	return fmt.Appendf(nil, `{"Symbol":%q,"CurrencyCode":%q,"Shares":%d,"Product":%d,"Type":%t,"Price":%s,"Date":%q,"ID":%d}`,
		t.Symbol, t.Currency, t.Shares, t.Product, t.Side.Flag(), t.Price.AppendTo(nil), t.Date.Format(time.RFC3339Nano), t.ID)
}

// add adds a currency. It returns the outcome in words: stored, answered from the stored answer, or the
// kind of the error.
func (k keyed) add(t *testing.T, s Store, code money.Currency) string {
	stored, err := s.AddCurrency(claim(t.Context(), k, records.Currency), trading.Currency{Code: code, Name: text.Name(code)})
	if answered, is := errors.AsType[*idempotency.AnsweredError](err); is {
		for _, c := range all(t, s.Currencies(t.Context())) {
			if bytes.Equal(records.Currency(c), answered.Answer.Body) && answered.Answer.Status == 200 {
				return "answered " + string(c.Code)
			}
		}
		return fmt.Sprintf("answered %d %s", answered.Answer.Status, answered.Answer.Body)
	}
	switch kind := fault.KindOf(err); {
	case err == nil:
		return "stored " + string(stored.Code)
	case kind != fault.Internal:
		return string(kind)
	}
	return err.Error()
}

// checkOutcome fails the test unless the outcome that add returned is the wanted one.
func checkOutcome(t *testing.T, name, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", name, got, want)
	}
}

// everyWriteIsDoneOnce repeats every write that a client can send with a key.
func everyWriteIsDoneOnce(t *testing.T, s Store) {
	chart := newChart(t, s)
	acme := company(t, s, "Acme")
	trades := must(s.AddTrades(t.Context(), []trading.Trade{trade("ACME", trading.Buy, 1, "1")}))(t)
	lines := must(s.CreateLines(t.Context(), []budget.Line{chart.line(1), chart.line(2)}))(t)
	actuals := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
	d, a := department(t, s, "GONE"), account(t, s, "GONE")
	for name, do := range map[string]func(k keyed) error{
		"AddCurrency": func(k keyed) error {
			_, err := s.AddCurrency(claim(t.Context(), k, records.Currency), currency(t, "USD"))
			return err
		},
		"AddCompany": func(k keyed) error {
			_, err := s.AddCompany(claim(t.Context(), k, records.Company), trading.Company{Name: "Other"})
			return err
		},
		"AddRevenue": func(k keyed) error {
			_, err := s.AddRevenue(claim(t.Context(), k, records.Revenue), trading.Revenue{CompanyID: acme, Category: "Lamps"})
			return err
		},
		"AddTrades": func(k keyed) error {
			_, err := s.AddTrades(claimOne(t.Context(), k, tradeAnswer), []trading.Trade{trade("ACME", trading.Buy, 1, "1")})
			return err
		},
		"VoidTrade": func(k keyed) error {
			_, err := s.VoidTrade(claim(t.Context(), k, tradeAnswer), trades[0].ID)
			return err
		},
		"CreateDepartment": func(k keyed) error {
			_, err := s.CreateDepartment(claim(t.Context(), k, records.Department), budget.Department{Code: "NEW", Name: "any"})
			return err
		},
		"SetActive": func(k keyed) error {
			_, err := s.SetActive(claim(t.Context(), k, records.Department), budget.Identifier{By: budget.ByCode, Value: "D1"}, true)
			return err
		},
		"UpdateDepartment": func(k keyed) error {
			change := budget.DepartmentChange{To: budget.DepartmentFields.Part(budget.Department{Name: "other"}, "name")}
			_, err := s.UpdateDepartment(claim(t.Context(), k, records.Department), chart.department, change)
			return err
		},
		"DeleteDepartment": func(k keyed) error {
			_, err := s.DeleteDepartment(claim(t.Context(), k, records.Department), d.ID)
			return err
		},
		"CreateAccount": func(k keyed) error {
			_, err := s.CreateAccount(claim(t.Context(), k, records.Account), budget.Account{Code: "NEW", Type: budget.Opex})
			return err
		},
		"UpdateAccount": func(k keyed) error {
			change := budget.AccountChange{To: budget.AccountFields.Part(budget.Account{Type: budget.Capex}, "type")}
			_, err := s.UpdateAccount(claim(t.Context(), k, records.Account), chart.account, change)
			return err
		},
		"DeleteAccount": func(k keyed) error {
			_, err := s.DeleteAccount(claim(t.Context(), k, records.Account), a.ID)
			return err
		},
		"CreateLines": func(k keyed) error {
			_, err := s.CreateLines(claimOne(t.Context(), k, records.Line), []budget.Line{chart.line(3)})
			return err
		},
		"UpdateLine": func(k keyed) error {
			_, err := s.UpdateLine(claim(t.Context(), k, records.Line), budget.LineRef{ID: lines[0].ID}, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: 1}, "amount")})
			return err
		},
		"DeleteLine": func(k keyed) error {
			_, err := s.DeleteLine(claim(t.Context(), k, records.Line), lines[1].ID)
			return err
		},
		"IngestActuals": func(k keyed) error {
			_, err := s.IngestActuals(claimOne(t.Context(), k, records.Actual), []budget.Actual{chart.actual(2)})
			return err
		},
		"DeleteActual": func(k keyed) error {
			_, err := s.DeleteActual(claim(t.Context(), k, records.Actual), actuals[0].ID)
			return err
		},
	} {
		k := keyed{key: idempotency.Key(name), request: 1}
		if err := do(k); err != nil {
			t.Errorf("%s: got error %v, want none", name, err)
			continue
		}
		checkJournalUnchanged(t, s, "repeating "+name, func() error {
			if _, answered := errors.AsType[*idempotency.AnsweredError](do(k)); !answered {
				return errors.New("got no stored answer, want one")
			}
			return nil
		})
	}
}
