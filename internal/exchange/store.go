package exchange

import "context"

// Store is what a check needs to know of the records that are stored.
type Store interface {
	// References yields the records of a kind that others may name: departments, accounts, companies.
	References(ctx context.Context, kind string) ([]Reference, error)
	// Find returns the stored record that is the same as one of a file: the one with its key, in the columns of an export.
	// Of a kind without a key, it is the n-th with the name of a company, or with all of a revenue but its amount.
	Find(ctx context.Context, kind string, record Record, n int) (stored Record, found bool, err error)
	// Known tells of the trades that are stored and equal to one of a file.
	Known(ctx context.Context, source, externalID string, trade Record) (Known, error)
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
	Voided    bool // the last of them was voided
	Differs   bool // a trade with the same external id has other content
	Elsewhere bool // another source has one
}

// Record is a record as an export has it: a text for each column of its kind, and "" for nothing.
type Record []string
