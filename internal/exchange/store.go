package exchange

import (
	"context"
	"iter"

	"daybook/internal/budget"
	"daybook/internal/trading"
)

// Store is what a check needs to know of the records that are stored, as the texts of files. NewStore makes it of a
// database.
type Store interface {
	Seq() int64 // of the newest entry of the journal when the check began
	// References returns the records of a kind that others may name: departments, accounts, companies, currencies.
	References(ctx context.Context, kind string) ([]Reference, error)
	// Find returns the stored record that is the same as one of a file: the one with its key, in the columns of an export.
	// Of a kind without a key, it is the n-th with the name of a company, or with all of a revenue but its amount. The id
	// is 0 if there is none.
	Find(ctx context.Context, kind string, record Record, n int) (id int64, stored Record, err error)
	// ByID returns the stored record with an id, nil if there is none. Lines and actuals are only found by their keys.
	ByID(ctx context.Context, kind string, id int64) (Record, error)
	// Known tells of the trades that are stored and equal to one of a file, which is the n-th of its content there.
	Known(ctx context.Context, source, externalID string, trade Record, n int) (Known, error)
}

// Reference is a record that others name.
type Reference struct {
	ID   int64
	Code string // as it is stored
	Name string // of an account, its description
	Type string // of an account
}

// Known tells of the stored trades that are equal to a trade of a file.
type Known struct {
	Already   int  // those of the same source, and those of no source: as many equal trades of a file are there already
	ByID      bool // it is that with the same external id
	Voided    bool // the n-th of them was voided
	Differs   bool // a trade with the same external id has other content
	Elsewhere bool // another source has one
}

// Record is a record as an export has it: a text for each column of its kind, and "" for nothing.
type Record []string

// Database is a database that files are compared with.
type Database interface {
	// Compare calls check with the records that are stored, and returns its error. A check may take minutes, so the
	// database does not hold one state until it ends: each answer may be of a newer state than the one before. A commit
	// compares what a check saw with what is there, so that is no harm. Unavailable.
	Compare(ctx context.Context, check func(Stored) error) error
}

// Stored is the records of a database. Only one of its methods and sequences is used at a time.
type Stored interface {
	Lists
	Actual(key budget.Key) (*budget.Actual, error)                 // nil if there is none
	Line(key budget.LineKey) (*budget.Line, error)                 // nil if there is none
	Revenue(like trading.Revenue, n int) (*trading.Revenue, error) // the n-th, from 1, with all of another but its id and amount
	RevenueByID(id trading.RevenueID) (*trading.Revenue, error)
	Trade(id trading.TradeID) (*trading.Trade, error)
	KnownTrades(source, externalID string, like trading.Trade, n int) (Known, error)
}

// Lists are the records that others refer to, each list by id.
type Lists interface {
	Seq() int64 // of the newest entry of the journal
	Currencies() iter.Seq2[trading.Currency, error]
	Companies() iter.Seq2[trading.Company, error]
	Departments() iter.Seq2[budget.Department, error]
	Accounts() iter.Seq2[budget.Account, error]
}
