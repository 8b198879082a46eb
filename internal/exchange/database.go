package exchange

import (
	"context"
	"iter"

	"daybook/internal/budget"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// NewStore makes a Store of the records of a database, for one check of a kind. It keeps the lists of other records in
// memory, but no posting, revenue or trade.
func NewStore(one Stored, kind string) (Store, error) {
	codecs, err := NewCodecs(one, kind)
	if err != nil {
		return nil, err
	}
	s := &store{Stored: one, codecs: codecs, trades: codecs.Trades()}
	s.find, err = s.finderOf(kind)
	return s, err
}

// finder returns the n-th stored record that is the same as another, and its id, which is 0 if there is none.
type finder func(record Record, n int) (id int64, stored Record, err error)

// store implements Store.
type store struct {
	Stored
	codecs *Codecs
	trades Codec[trading.Trade]
	find   finder
}

func (s *store) References(_ context.Context, kind string) ([]Reference, error) {
	return s.codecs.list(s.Stored, kind)
}

func (s *store) Find(_ context.Context, _ string, record Record, n int) (int64, Record, error) {
	return s.find(record, n)
}

func (s *store) Known(_ context.Context, source, externalID string, trade Record, n int) (Known, error) {
	return s.KnownTrades(source, externalID, s.trades.key(trade), n)
}

// finderOf returns how the records of a kind are found.
func (s *store) finderOf(kind string) (finder, error) {
	switch kind {
	case "currencies":
		return inMemory(s.codecs.Currencies(), s.Currencies(), func(c *trading.Currency) string { return string(c.Code) })
	case "companies":
		return inMemory(s.codecs.Companies(), s.Companies(), func(c *trading.Company) string { return string(c.Name) })
	case "departments":
		return inMemory(s.codecs.Departments(), s.Departments(), func(d *budget.Department) string { return string(d.Code) })
	case "accounts":
		return inMemory(s.codecs.Accounts(), s.Accounts(), func(a *budget.Account) string { return string(a.Code) })
	case "revenue":
		return looked(s.codecs.Revenues(), s.Revenue), nil
	case "budgets":
		return looked(s.codecs.Lines(), func(l budget.Line, _ int) (*budget.Line, error) { return s.Line(l.LineKey) }), nil
	case "actuals":
		return looked(s.codecs.Actuals(), func(a budget.Actual, _ int) (*budget.Actual, error) { return s.Actual(a.Key) }), nil
	}
	return nil, nil // trades are known, not found
}

// looked finds each record by a look-up.
func looked[R any](codec Codec[R], look func(R, int) (*R, error)) finder {
	return func(record Record, n int) (int64, Record, error) {
		found, err := look(codec.key(record), n)
		if err != nil || found == nil {
			return 0, nil, err
		}
		return codec.ID(found), codec.Record(found), nil
	}
}

// inMemory finds records of a short list by their code or name. A code is found without regard to case, except if
// another one differs from it only by that.
func inMemory[R any](codec Codec[R], list iter.Seq2[R, error], name func(*R) string) (finder, error) {
	exact, folded := map[string][]*R{}, map[string][]*R{}
	for record, err := range list {
		if err != nil {
			return nil, err
		}
		called := name(&record)
		exact[called] = append(exact[called], &record)
		if key := text.Code(called).Fold(); len(codec.kind.Key) > 0 && folded[key] == nil {
			folded[key] = exact[called]
		}
	}
	called := textOf(codec.kind.Name, codec.kind.Columns[0].Name)
	return func(record Record, n int) (int64, Record, error) {
		found := exact[called(record)]
		if found == nil {
			found = folded[text.Code(called(record)).Fold()]
		}
		if n > len(found) {
			return 0, nil, nil
		}
		return codec.ID(found[n-1]), codec.Record(found[n-1]), nil
	}, nil
}
