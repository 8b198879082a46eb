package sqlite

import (
	"context"
	"errors"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/access"
	"daybook/internal/budget"
	"daybook/internal/exchange"
	"daybook/internal/journal"
	"daybook/internal/mapping"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// patience is how long a test waits for a read. Only a read that waits for the writer takes longer.
const patience = 5 * time.Minute

// readMethod calls a method of Store that reads, and returns its result for a comparison.
type readMethod func(ctx context.Context, s *Store) (any, error)

// changingReads are the methods whose result changes after the writes of moreOfEach.
var changingReads = map[string]readMethod{
	"Currencies": func(ctx context.Context, s *Store) (any, error) { return gather(s.Currencies(ctx)) },
	"Companies":  func(ctx context.Context, s *Store) (any, error) { return gather(s.Companies(ctx)) },
	"Revenues":   func(ctx context.Context, s *Store) (any, error) { return gather(s.Revenues(ctx, 1)) },
	"RevenueCategories": func(ctx context.Context, s *Store) (any, error) {
		return gather(s.RevenueCategories(ctx, 1))
	},
	"Trades": func(ctx context.Context, s *Store) (any, error) { return gather(s.Trades(ctx)) },
	"TradePage": func(ctx context.Context, s *Store) (any, error) {
		return s.TradePage(ctx, trading.TradeFilter{Limit: 100})
	},
	"Positions":    func(ctx context.Context, s *Store) (any, error) { return gather(s.Positions(ctx)) },
	"Departments":  func(ctx context.Context, s *Store) (any, error) { return gather(s.Departments(ctx)) },
	"CurrencyPage": func(ctx context.Context, s *Store) (any, error) { return s.CurrencyPage(ctx, 0, 100) },
	"CompanyPage":  func(ctx context.Context, s *Store) (any, error) { return s.CompanyPage(ctx, 0, 100) },
	"RevenuePage": func(ctx context.Context, s *Store) (any, error) {
		return s.RevenuePage(ctx, trading.RevenueFilter{Limit: 100})
	},
	"Holdings": func(ctx context.Context, s *Store) (any, error) {
		var positions, quotes any
		err := s.Holdings(ctx, func(i trading.Inventory) (err error) {
			if positions, err = gather(i.Positions(trading.Instrument{})); err == nil {
				quotes, err = gather(i.Quotes())
			}
			return err
		})
		return []any{positions, quotes}, err
	},
	"Department": func(ctx context.Context, s *Store) (any, error) {
		return s.Department(ctx, finance)
	},
	"Account": func(ctx context.Context, s *Store) (any, error) {
		accounts, err := gather(s.Accounts(ctx))
		if err != nil {
			return nil, err
		}
		return s.Account(ctx, accounts[len(accounts)-1].Code)
	},
	"Accounts": func(ctx context.Context, s *Store) (any, error) { return gather(s.Accounts(ctx)) },
	"LinePage": func(ctx context.Context, s *Store) (any, error) {
		return s.LinePage(ctx, budget.LineFilter{Limit: 100})
	},
	"ActualPage": func(ctx context.Context, s *Store) (any, error) {
		return s.ActualPage(ctx, budget.ActualFilter{Limit: 100})
	},
	"Postings": func(ctx context.Context, s *Store) (any, error) {
		return s.Postings(ctx, 2026, 1, budget.Original, 0)
	},
	"Months": func(ctx context.Context, s *Store) (any, error) {
		return s.Months(ctx, 2026, budget.Original, 0)
	},
	"YearToDate": func(ctx context.Context, s *Store) (any, error) {
		return s.YearToDate(ctx, 2026, 12, budget.Original, 0)
	},
	"Usage":    func(ctx context.Context, s *Store) (any, error) { return s.Usage(ctx) },
	"Coverage": func(ctx context.Context, s *Store) (any, error) { return s.Coverage(ctx, 2026) },
	"Chart": func(ctx context.Context, s *Store) (any, error) {
		var all []any
		err := s.Chart(ctx, func(d budget.Department) { all = append(all, d) }, func(a budget.Account) { all = append(all, a) })
		return all, err
	},
	"Named": func(ctx context.Context, s *Store) (any, error) {
		return s.Named(ctx, []budget.DepartmentID{1}, []budget.AccountID{1, 2})
	},
	"OverviewData": func(ctx context.Context, s *Store) (any, error) {
		return s.OverviewData(ctx, budget.OverviewDataQuery{Month: budget.Month{Year: 2026, Period: 1}, Version: budget.Original})
	},
	"JournalPage": func(ctx context.Context, s *Store) (any, error) {
		return s.JournalPage(ctx, journal.Filter{Limit: 100})
	},
	"Maps":        func(ctx context.Context, s *Store) (any, error) { return s.Maps(ctx) },
	"Map":         func(ctx context.Context, s *Store) (any, error) { return s.Map(ctx, "erp") },
	"JournalHead": func(ctx context.Context, s *Store) (any, error) { return s.JournalHead(ctx) },
	"Tokens":      func(ctx context.Context, s *Store) (any, error) { return s.Tokens(ctx) },
	"TokenByDigest": func(ctx context.Context, s *Store) (any, error) {
		return s.TokenByDigest(ctx, access.Digest{1})
	},
	"SessionByDigest": func(ctx context.Context, s *Store) (any, error) {
		session, token, err := s.SessionByDigest(ctx, access.Digest{3})
		return []any{session, token}, err
	},
}

// otherReads are the other methods that read.
var otherReads = map[string]readMethod{
	"Batches": func(ctx context.Context, s *Store) (any, error) { return s.Batches(ctx, 0, 100) },
	"Batch":   func(ctx context.Context, s *Store) (any, error) { return s.Batch(ctx, 1) },
	"Ready":   func(ctx context.Context, s *Store) (any, error) { return nil, s.Ready(ctx) },
	"Ping":    func(ctx context.Context, s *Store) (any, error) { return nil, s.Ping(ctx) },
	"Free": func(_ context.Context, s *Store) (any, error) {
		s.Free() // the result depends on the disk
		return nil, nil
	},
	"Writing": func(_ context.Context, s *Store) (any, error) {
		s.Writing() // the result depends on the writer
		return nil, nil
	},
	"Connections": func(_ context.Context, s *Store) (any, error) {
		s.Connections() // the result depends on the other reads
		return nil, nil
	},
	"Checkpoints": func(_ context.Context, s *Store) (any, error) {
		done, failed, heldUp := s.Checkpoints()
		return []int64{done, failed, heldUp}, nil
	},
	"File": func(_ context.Context, s *Store) (any, error) {
		s.File() // the result depends on the size of the write-ahead log
		return nil, nil
	},
	"JournalEntities": func(ctx context.Context, s *Store) (any, error) {
		return s.JournalEntities(ctx, 0, 10)
	},
	"Lineages": func(ctx context.Context, s *Store) (any, error) { return s.Lineages(ctx, nil) },
	"Backup": func(ctx context.Context, s *Store) (any, error) {
		dir, err := os.MkdirTemp("", "daybook")
		if err != nil {
			return nil, err
		}
		m, err := s.Backup(ctx, filepath.Join(dir, "backup.db"), "test", today())
		return m.Contents, errors.Join(err, os.RemoveAll(dir))
	},
	"Export": func(ctx context.Context, s *Store) (any, error) {
		return nil, s.Export(ctx, func(exchange.Snapshot) error { return nil })
	},
	"Compare": func(ctx context.Context, s *Store) (any, error) {
		return nil, s.Compare(ctx, func(exchange.Stored) error { return nil })
	},
	"SchemaVersion": func(_ context.Context, s *Store) (any, error) { return s.SchemaVersion(), nil },
	"TradingEmpty":  func(ctx context.Context, s *Store) (any, error) { return s.TradingEmpty(ctx) },
	"BudgetEmpty":   func(ctx context.Context, s *Store) (any, error) { return s.BudgetEmpty(ctx) },
}

// writeMethods are the methods of Store that do not only read.
var writeMethods = []string{
	"AddCurrency", "AddCompany", "AddRevenue", "AddTrades", "VoidTrade", "Undo",
	"CreateDepartment", "SetActive", "UpdateDepartment", "DeleteDepartment", "CreateAccount", "UpdateAccount", "DeleteAccount",
	"CreateLines", "UpdateLine", "DeleteLine", "IngestActuals", "DeleteActual", "StoreActuals", "StoreLines", "StoreTrades", "UndoBatch", "PutMap", "DeleteMap",
	"StoreCurrencies", "StoreCompanies", "StoreRevenues", "StoreDepartments", "StoreAccounts",
	"CreateToken", "RevokeToken", "TouchToken", "CreateSession", "EndSession",
	"Atomically", "Close",
}

// finance is the department that Fill stores.
var finance = budget.Identifier{By: budget.ByCode, Value: "FIN"}

// TestEveryWayToReadIsLookedAt: every method of Store is in the list of reads or writes.
func TestEveryWayToReadIsLookedAt(t *testing.T) {
	known := slices.Concat(slices.Collect(maps.Keys(changingReads)), slices.Collect(maps.Keys(otherReads)), writeMethods)
	var methods []string
	for method := range reflect.TypeFor[*Store]().Methods() {
		methods = append(methods, method.Name)
	}
	slices.Sort(known)
	slices.Sort(methods)
	if !slices.Equal(methods, known) {
		t.Errorf("got the methods %v, want %v", methods, known)
	}
}

// TestReadersNeverWaitForTheWriter: while a transaction that has changed every table stays open, every
// method that reads returns the state before it at once. As a control, a read on the writer's
// connection waits.
func TestReadersNeverWaitForTheWriter(t *testing.T) {
	s := openStore(t)
	sqlitetest.Fill(t, s)
	reads := maps.Clone(changingReads)
	maps.Copy(reads, otherReads)
	before := map[string]any{}
	for name, read := range reads {
		before[name] = readInTime(t, s, name, read)
	}

	release := hold(t, s)
	written := moreOfEach(t, s)
	last := sendPause(t, s)
	var holding sync.WaitGroup
	holding.Go(release)
	<-last.begun
	control := send(t.Context(), t, s, func(ctx context.Context, q *tx) error {
		_, err := q.ListCurrencies(ctx, 0, 100, 100)
		return err
	})
	var looking sync.WaitGroup
	for range 2 * len(s.scanners.free) { // more reads at once than there are connections
		for name, read := range reads {
			looking.Go(func() {
				if got := readInTime(t, s, name, read); !reflect.DeepEqual(got, before[name]) {
					t.Errorf("%s: got %v while a transaction is open, want %v as before it", name, got, before[name])
				}
			})
		}
	}
	looking.Wait()
	select {
	case err := <-control:
		t.Errorf("the control, a read on the writer's connection: got %v while a transaction is open, want it to wait", err)
	default:
	}

	if err := errors.Join(last.end(), <-control, written()); err != nil {
		t.Error(err)
	}
	holding.Wait()
	for name, read := range changingReads {
		if got := readInTime(t, s, name, read); reflect.DeepEqual(got, before[name]) {
			t.Errorf("%s: got %v after the transaction, want the changed state", name, got)
		}
	}
}

// readInTime calls a method and returns its result. The test fails if the method fails or waits.
func readInTime(t *testing.T, s *Store, name string, read readMethod) any {
	t.Helper()
	type answer struct {
		what any
		err  error
	}
	seen := make(chan answer, 1)
	go func() {
		what, err := read(t.Context(), s)
		seen <- answer{what, err}
	}()
	select {
	case got := <-seen:
		if got.err != nil {
			t.Errorf("%s: got %v, want no error", name, got.err)
		}
		return got.what
	case <-time.After(patience):
		t.Errorf("%s: got no answer after %s, want one", name, patience)
		return nil
	}
}

func gather[T any](records iter.Seq2[T, error]) (all []T, err error) {
	for one, err := range records {
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// moreOfEach queues writes that change the results of all changingReads after Fill. written waits for
// the writes.
func moreOfEach(t *testing.T, s *Store) (written func() error) {
	t.Helper()
	ctx := t.Context()
	key := newPosting(1)
	var answers []func() (any, error)
	for _, write := range []func() (any, error){
		func() (any, error) { return s.AddCurrency(ctx, trading.Currency{Code: "EUR", Name: "Euro"}) },
		func() (any, error) { return s.AddCompany(ctx, trading.Company{Name: "ACME"}) },
		func() (any, error) {
			return s.AddRevenue(ctx, trading.Revenue{CompanyID: 1, Category: "Ropes", Amount: money.Units(1)})
		},
		func() (any, error) {
			return s.AddTrades(ctx, []trading.Trade{{
				Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Shares: 1, Side: trading.Buy, Date: today(),
			}})
		},
		func() (any, error) { return s.SetActive(ctx, finance, false) },
		func() (any, error) { return s.CreateAccount(ctx, budget.Account{Code: "7000", Type: budget.Opex}) },
		func() (any, error) {
			return s.UpdateLine(ctx, budget.LineRef{ID: 1}, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: money.Units(7)}, "amount")})
		},
		func() (any, error) {
			return s.IngestActuals(ctx, []budget.Actual{
				{Key: key, Amount: money.Units(7), Currency: "EUR"}, {Key: newPosting(2), Amount: money.Units(7), Currency: "EUR"},
			})
		},
		func() (any, error) {
			return s.PutMap(ctx, mapping.Map{Name: "erp", Kind: "actuals", Text: `{"kind":"actuals"}`})
		},
		func() (any, error) { return nil, s.TouchToken(ctx, 1, today().AddDate(0, 0, 1)) },
	} {
		answers = append(answers, queue(t, s, write))
	}
	return func() (err error) {
		for _, answer := range answers {
			_, wrong := answer()
			err = errors.Join(err, wrong)
		}
		return err
	}
}
