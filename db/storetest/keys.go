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

// keys is about writes with an Idempotency-Key.
func keys() []clause {
	return []clause{
		{"a repeated request gets the kept answer, and nothing is written again", func(t *testing.T, s Store) {
			k := keyed{key: "k", request: 1}
			wants(t, "the first", k.add(t, s, "AAA"), "stored AAA")
			unchangedJournal(t, s, "its repetition", func() error {
				for range 2 {
					wants(t, "a repetition", k.add(t, s, "AAA"), "answered AAA")
				}
				return nil
			})
			same(t, "currencies", len(all(t, s.Currencies(t.Context()))), 1)
		}},
		{"another request under a used key is refused, and nothing is written", func(t *testing.T, s Store) {
			wants(t, "the first", keyed{key: "k", request: 1}.add(t, s, "AAA"), "stored AAA")
			unchangedJournal(t, s, "another", func() error {
				wants(t, "another", keyed{key: "k", request: 2}.add(t, s, "BBB"), "key reused")
				return nil
			})
			wants(t, "the first again", keyed{key: "k", request: 1}.add(t, s, "AAA"), "answered AAA")
		}},
		{"a key belongs to its principal", func(t *testing.T, s Store) {
			wants(t, "of one", keyed{principal: "1", key: "k", request: 1}.add(t, s, "AAA"), "stored AAA")
			wants(t, "of another", keyed{principal: "2", key: "k", request: 2}.add(t, s, "BBB"), "stored BBB")
			wants(t, "of nobody", keyed{key: "k", request: 3}.add(t, s, "CCC"), "stored CCC")
			wants(t, "of one again", keyed{principal: "1", key: "k", request: 1}.add(t, s, "AAA"), "answered AAA")
			wants(t, "of another again", keyed{principal: "2", key: "k", request: 2}.add(t, s, "BBB"), "answered BBB")
			wants(t, "of another, the request of one", keyed{principal: "2", key: "k", request: 1}.add(t, s, "AAA"), "key reused")
		}},
		{"a failed request keeps no answer", func(t *testing.T, s Store) {
			must(s.AddCurrency(t.Context(), currency(t, "AAA")))(t)
			k := keyed{key: "k", request: 1}
			wants(t, "a code that is taken", k.add(t, s, "AAA"), "already exists")
			wants(t, "the same key", k.add(t, s, "BBB"), "stored BBB")
		}},
		{"a request whose answer cannot be made writes nothing", func(t *testing.T, s Store) {
			failure := errors.New("no answer")
			unchangedJournal(t, s, "it", func() error {
				ctx := idempotency.With(t.Context(), idempotency.Claim[trading.Currency]{
					Request: idempotency.Request{Principal: idempotency.Local, Key: "k"},
					Answer:  func(trading.Currency) (idempotency.Answer, error) { return idempotency.Answer{}, failure },
				})
				if _, err := s.AddCurrency(ctx, currency(t, "AAA")); !errors.Is(err, failure) {
					return fmt.Errorf("got %w, want its error", err)
				}
				return nil
			})
			same(t, "currencies", all(t, s.Currencies(t.Context())), nil)
		}},
		{"a key is for the write of one record", func(t *testing.T, s Store) {
			one := trade("ACME", trading.Buy, 1, "1")
			for _, many := range [][]trading.Trade{{}, {one, one}} {
				unchangedJournal(t, s, fmt.Sprintf("%d trades", len(many)), func() error {
					if _, err := s.AddTrades(claimOne(t.Context(), keyed{key: "k"}, tradeAnswer), many); err == nil {
						return errors.New("got no error, want it refused")
					}
					return nil
				})
			}
		}},
		{"a write that its key does not claim is refused", func(t *testing.T, s Store) {
			unchangedJournal(t, s, "it", func() error {
				if _, err := s.AddCurrency(claim(t.Context(), keyed{key: "k"}, records.Company), currency(t, "AAA")); err == nil {
					return errors.New("got no error, want it refused")
				}
				return nil
			})
		}},
		{"every kind of write is done once", everyWriteIsDoneOnce},
		{"of a crowd that repeats a request, one writes and all others get its answer", func(t *testing.T, s Store) {
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

// expiringKeys is about how long answers are kept. pass lets time pass.
func expiringKeys(pass func(time.Duration)) []clause {
	return []clause{
		{"an answer is kept for idempotency.KeptFor, and no longer", func(t *testing.T, s Store) {
			old, later := keyed{key: "old", request: 1}, keyed{key: "later", request: 1}
			wants(t, "the first", old.add(t, s, "AAA"), "stored AAA")
			pass(time.Hour)
			wants(t, "one an hour later", later.add(t, s, "BBB"), "stored BBB")
			pass(idempotency.KeptFor - 2*time.Hour)
			wants(t, "the first, an hour before its end", old.add(t, s, "AAA"), "answered AAA")
			pass(time.Hour)
			wants(t, "the first, at its end", old.add(t, s, "CCC"), "stored CCC")
			wants(t, "the one an hour later", later.add(t, s, "BBB"), "answered BBB")
		}},
	}
}

// keyed is a request with a key.
type keyed struct {
	principal string // "" for idempotency.Local
	key       idempotency.Key
	request   byte // tells requests apart
}

// claim is the context of the request, whose write results in a T.
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

// claimOne is claim for a write of many records that is to write one.
func claimOne[T any](ctx context.Context, k keyed, body func(T) []byte) context.Context {
	return idempotency.WithOne[T](claim(ctx, k, body))
}

// tradeAnswer is a trade with the names of the interface.
func tradeAnswer(t trading.Trade) []byte {
	return fmt.Appendf(nil, `{"Symbol":%q,"CurrencyCode":%q,"Shares":%d,"Product":%d,"Type":%t,"Price":%s,"Date":%q,"ID":%d}`,
		t.Symbol, t.Currency, t.Shares, t.Product, t.Side.Flag(), t.Price.AppendTo(nil), t.Date.Format(time.RFC3339Nano), t.ID)
}

// add adds a currency and says what became of it.
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

func wants(t *testing.T, name, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", name, got, want)
	}
}

// everyWriteIsDoneOnce repeats every write that a client may send a key with.
func everyWriteIsDoneOnce(t *testing.T, s Store) {
	g := ground(t, s)
	acme := company(t, s, "Acme")
	trades := must(s.AddTrades(t.Context(), []trading.Trade{trade("ACME", trading.Buy, 1, "1")}))(t)
	lines := must(s.CreateLines(t.Context(), []budget.Line{g.line(1), g.line(2)}))(t)
	actuals := must(s.IngestActuals(t.Context(), []budget.Actual{g.actual(1)}))(t)
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
		"DeleteDepartment": func(k keyed) error {
			_, err := s.DeleteDepartment(claim(t.Context(), k, records.Department), d.ID)
			return err
		},
		"CreateAccount": func(k keyed) error {
			_, err := s.CreateAccount(claim(t.Context(), k, records.Account), budget.Account{Code: "NEW", Type: budget.Opex})
			return err
		},
		"DeleteAccount": func(k keyed) error {
			_, err := s.DeleteAccount(claim(t.Context(), k, records.Account), a.ID)
			return err
		},
		"CreateLines": func(k keyed) error {
			_, err := s.CreateLines(claimOne(t.Context(), k, records.Line), []budget.Line{g.line(3)})
			return err
		},
		"UpdateLine": func(k keyed) error {
			_, err := s.UpdateLine(claim(t.Context(), k, records.Line), budget.LineRef{ID: lines[0].ID}, budget.LineChange{Amount: new(money.Amount(1))})
			return err
		},
		"DeleteLine": func(k keyed) error {
			_, err := s.DeleteLine(claim(t.Context(), k, records.Line), lines[1].ID)
			return err
		},
		"IngestActuals": func(k keyed) error {
			_, err := s.IngestActuals(claimOne(t.Context(), k, records.Actual), []budget.Actual{g.actual(2)})
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
		unchangedJournal(t, s, "repeating "+name, func() error {
			if _, answered := errors.AsType[*idempotency.AnsweredError](do(k)); !answered {
				return errors.New("got no kept answer")
			}
			return nil
		})
	}
}
