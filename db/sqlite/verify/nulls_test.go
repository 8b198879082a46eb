package verify_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/access"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// withNulls returns a specimen in which each column that can be NULL is NULL in some row.
func withNulls(s sqlitetest.Specimen, t *testing.T) sqlitetest.Specimen {
	t.Helper()
	path := sqlitetest.FileOf(t, s.Content)
	store, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, nameless := store.AddCompany(t.Context(), trading.Company{Name: "Private"})
	_, err = store.CreateToken(t.Context(), access.Token{Name: "page", Scope: access.Read, Digest: access.Digest{9}, Created: sqlitetest.Midday})
	if err := errors.Join(nameless, err, store.Close()); err != nil {
		t.Fatal(err)
	}
	if s.Content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestVerifyTellsNullFromZero: the program reads NULL and the zero value of a column as the same. Verify
// still finds a zero in the place of a NULL. The test reads the columns from the schema, so it includes
// those of later versions.
func TestVerifyTellsNullFromZero(t *testing.T) {
	t.Parallel()
	s := withNulls(sqlitetest.NewSpecimen(t, sqlite.Open), t)
	tables := []string{"journal"}
	for _, entity := range journal.Kept() {
		tables = append(tables, string(entity))
	}
	tried := 0
	for _, table := range tables {
		for _, column := range sqlitetest.ColumnsOf(t, s, table) {
			if !column.Nullable {
				continue
			}
			zero := map[string]string{"INTEGER": "0", "TEXT": "''"}[column.Kind]
			if strings.HasSuffix(column.Name, "_at") {
				zero = fmt.Sprint(time.Time{}.UnixMicro())
			}
			update := fmt.Sprintf("UPDATE %[1]s SET %[2]s = %[3]s WHERE %[2]s IS NULL", table, column.Name, zero)
			if got := s.Edited(t, s.Quietly(table, update)...); !sqlitetest.Names(got, table) {
				t.Errorf("%s: got %q, want a finding of %s", update, got, table)
			}
			tried++
		}
	}
	if tried < 8 {
		t.Errorf("got %d columns that can be NULL, want at least 8", tried)
	}
}
