package schema

import (
	"context"
	"database/sql"

	"daybook/internal/text"
)

// keyed are the tables with codes that are looked up by their keys.
var keyed = []struct{ read, set string }{
	{"SELECT code, code_key FROM departments ORDER BY id", "UPDATE OR IGNORE departments SET code_key = ? WHERE code = ?"},
	{"SELECT code, code_key FROM gl_accounts ORDER BY id", "UPDATE OR IGNORE gl_accounts SET code_key = ? WHERE code = ?"},
}

// refold gives each code the key that text.Code.Fold returns. Schemas up to 12 had keys that took İ and ı
// for i, and ß for no ss. Where the new keys of two codes are equal, one has the key: the code that had it,
// or else the first. The other has OwnKey, and is found by exactly its code.
func refold(ctx context.Context, db *sql.DB) error {
	var there bool
	err := db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'departments'").Scan(&there)
	if err != nil || !there {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it does nothing after the commit
	for _, table := range keyed {
		codes, err := misfolded(ctx, tx, table.read)
		if err != nil {
			return err
		}
		for _, key := range []func(string) string{OwnKey, func(code string) string { return text.Code(code).Fold() }} {
			for _, code := range codes {
				if _, err := tx.ExecContext(ctx, table.set, key(code), code); err != nil {
					return err
				}
			}
		}
	}
	return tx.Commit()
}

// misfolded returns the codes of a table that have another key, by id.
func misfolded(ctx context.Context, tx *sql.Tx, read string) (codes []string, err error) {
	err = Each(ctx, tx, read, func(scan func(...any) error) error {
		var code, key string
		err := scan(&code, &key)
		if key != text.Code(code).Fold() && key != OwnKey(code) {
			codes = append(codes, code)
		}
		return err
	})
	return codes, err
}

// OwnKey is the key of a code that clashed with another one. No code begins with a space.
func OwnKey(code string) string { return " " + code }
