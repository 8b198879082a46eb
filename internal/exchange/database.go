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
	err = s.finders(kind)
	return s, err
}

// byID returns the stored record with an id, nil if there is none.
type byID func(id int64) (Record, error)

// finder returns the n-th stored record that is the same as another, and its id, which is 0 if there is none.
type finder func(record Record, n int) (id int64, stored Record, err error)

// store implements Store.
type store struct {
	Stored
	codecs *Codecs
	trades Codec[trading.Trade]
	find   finder
	byID   byID
}

func (s *store) References(_ context.Context, kind string) ([]Reference, error) {
	return s.codecs.list(s.Stored, kind)
}

func (s *store) Find(_ context.Context, _ string, record Record, n int) (int64, Record, error) {
	return s.find(record, n)
}

func (s *store) ByID(_ context.Context, _ string, id int64) (Record, error) { return s.byID(id) }

func (s *store) Known(_ context.Context, source, externalID string, trade Record, n int) (Known, error) {
	return s.KnownTrades(source, externalID, s.trades.key(trade), n)
}

// finders sets how the records of a kind are found. Trades are known, not found; lines and actuals have no look-up by id.
func (s *store) finders(kind string) (err error) {
	switch kind {
	case "currencies":
		s.find, s.byID, err = inMemory(s.codecs.Currencies(), s.Currencies(), func(c *trading.Currency) string { return string(c.Code) })
	case "companies":
		s.find, s.byID, err = inMemory(s.codecs.Companies(), s.Companies(), func(c *trading.Company) string { return string(c.Name) })
	case "departments":
		s.find, s.byID, err = inMemory(s.codecs.Departments(), s.Departments(), func(d *budget.Department) string { return string(d.Code) })
	case "accounts":
		s.find, s.byID, err = inMemory(s.codecs.Accounts(), s.Accounts(), func(a *budget.Account) string { return string(a.Code) })
	case "revenue":
		s.find = looked(s.codecs.Revenues(), s.Revenue)
		s.byID = lookedByID(s.codecs.Revenues(), func(id int64) (*trading.Revenue, error) { return s.RevenueByID(trading.RevenueID(id)) })
	case "budgets":
		s.find = looked(s.codecs.Lines(), func(l budget.Line, _ int) (*budget.Line, error) { return s.Line(l.LineKey) })
	case "actuals":
		s.find = looked(s.codecs.Actuals(), func(a budget.Actual, _ int) (*budget.Actual, error) { return s.Actual(a.Key) })
	case "trades":
		s.byID = lookedByID(s.trades, func(id int64) (*trading.Trade, error) { return s.Trade(trading.TradeID(id)) })
	}
	return err
}

// lookedByID finds each record by a look-up of its id.
func lookedByID[R any](codec Codec[R], look func(int64) (*R, error)) byID {
	return func(id int64) (Record, error) {
		found, err := look(id)
		if err != nil || found == nil {
			return nil, err
		}
		return codec.Record(found), nil
	}
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
func inMemory[R any](codec Codec[R], list iter.Seq2[R, error], name func(*R) string) (finder, byID, error) {
	exact, folded, ids := map[string][]*R{}, map[string][]*R{}, map[int64]*R{}
	for record, err := range list {
		if err != nil {
			return nil, nil, err
		}
		ids[codec.ID(&record)] = &record
		called := name(&record)
		exact[called] = append(exact[called], &record)
		if key := text.Code(called).Fold(); len(codec.kind.Key) > 0 && folded[key] == nil {
			folded[key] = exact[called]
		}
	}
	called := textOf(codec.kind.Name, codec.kind.Columns[0].Name)
	find := func(record Record, n int) (int64, Record, error) {
		found := exact[called(record)]
		if found == nil {
			found = folded[text.Code(called(record)).Fold()]
		}
		if n > len(found) {
			return 0, nil, nil
		}
		return codec.ID(found[n-1]), codec.Record(found[n-1]), nil
	}
	return find, lookedByID(codec, func(id int64) (*R, error) { return ids[id], nil }), nil
}
