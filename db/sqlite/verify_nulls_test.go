package sqlite

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"daybook/internal/access"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// withNulls is a specimen in which each column that may be NULL is NULL somewhere.
func (s specimen) withNulls(t *testing.T) specimen {
	t.Helper()
	path := fileOf(t, s.content)
	store, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, nameless := store.AddCompany(t.Context(), trading.Company{Name: "Private"})
	_, err = store.CreateToken(t.Context(), access.Token{Name: "page", Scope: access.Read, Digest: access.Digest{9}, Created: midday})
	if err := errors.Join(nameless, err, store.Close()); err != nil {
		t.Fatal(err)
	}
	if s.content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return s
}

// The program reads NULL, and the zero of a column's type, as the same. So that zero may not
// stand in the place of a NULL, whatever columns there will be.
func TestVerifyTellsNullFromZero(t *testing.T) {
	t.Parallel()
	s := newSpecimen(t).withNulls(t)
	tables := []string{"journal"}
	for _, entity := range journal.Entities() {
		tables = append(tables, string(entity))
	}
	tried := 0
	for _, table := range tables {
		for _, column := range columnsOf(t, s, table) {
			if !column.nullable {
				continue
			}
			zero := map[string]string{"INTEGER": "0", "TEXT": "''"}[column.kind]
			if strings.HasSuffix(column.name, "_at") {
				zero = fmt.Sprint(time.Time{}.UnixMicro())
			}
			update := fmt.Sprintf("UPDATE %[1]s SET %[2]s = %[3]s WHERE %[2]s IS NULL", table, column.name, zero)
			if got := s.edited(t, s.quietly(table, update)...); !names(got, table) {
				t.Errorf("%s: got %q, want a finding of %s", update, got, table)
			}
			tried++
		}
	}
	if tried < 8 {
		t.Errorf("got %d columns that may be NULL, want those of all tables", tried)
	}
}
