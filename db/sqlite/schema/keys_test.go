package schema_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"daybook/db/sqlite/schema"
)

// TestOldKeysAreFoldedAnew: an upgrade gives each code the key of today. Where two codes have the same key
// now, one of them has itself as its key, and the upgrade succeeds. A second upgrade changes nothing.
func TestOldKeysAreFoldedAnew(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "app.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := schema.Released.Up(t.Context(), db, schema.Released.Baseline()); err != nil {
		t.Fatal(err)
	}
	type keyed struct{ code, old, want string }
	codes := []keyed{
		{"FIN", "fin", "fin"}, {"İST", "ist", "i̇st"}, {"straße", "straße", " straße"}, {"STRASSE", "strasse", "strasse"},
		{"ıss", "iss", "ıss"}, {"ıß", "iß", " ıß"}, {"Ꭰ", "ꭰ", "Ꭰ"}, {"École", "école", "école"},
	}
	for _, c := range codes {
		for _, insert := range []string{
			"INSERT INTO departments (code, code_key, name, cost_center, active) VALUES (?, ?, 'n', '', 1)",
			"INSERT INTO gl_accounts (code, code_key, description, type, favour_high) VALUES (?, ?, '', 'opex', 0)",
		} {
			if _, err := db.ExecContext(t.Context(), insert, c.code, c.old); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 {
		if _, err := schema.Released.Up(t.Context(), db, schema.Released.Newest()); err != nil {
			t.Fatal(err)
		}
		for _, c := range codes {
			for _, table := range []string{"departments", "gl_accounts"} {
				var got string
				if err := db.QueryRowContext(t.Context(), "SELECT code_key FROM "+table+" WHERE code = ?", c.code).Scan(&got); err != nil || got != c.want {
					t.Errorf("%s: got the key %q of %q, %v, want %q", table, got, c.code, err, c.want)
				}
			}
		}
	}
}
