package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pressly/goose/v3"
)

// The migrations only go forward. A released one is frozen: it is SQL, or Go that runs
// literal SQL, and never changes again.
//
//go:embed migrations/*.sql
var migrations embed.FS

// Migration is one step of the schema.
type Migration struct {
	Version int64
	Name    string
	Applied time.Time // zero when pending
}

// schema is a series of migrations.
type schema struct {
	files fs.FS
	known []Migration // by version, none applied
	mutex sync.Mutex
	made  map[int64]map[string]object // what the migrations up to a version make
	sum   string                      // sumOf what all of them make, "" where it is not known
}

// released is the schema of this program.
var released = newSchema(migrations, releasedSum)

// releasedSum is sumOf what the migrations make. With it a start does not run them in
// memory only to compare. After a new migration a test says what it must be.
const releasedSum = "8729eec77382ebc23f228a698fc990da3f8b35c743a67c1c89680e26e7095e7e"

func newSchema(files fs.FS, sum string) *schema {
	s := &schema{files: files, sum: sum, made: map[int64]map[string]object{}}
	p, err := s.provider(&sql.DB{}) // listing needs no connection
	if err != nil {
		panic(fmt.Sprintf("the embedded migrations are broken: %v", err))
	}
	for _, source := range p.ListSources() {
		s.known = append(s.known, Migration{Version: source.Version, Name: name(source)})
	}
	return s
}

// baseline is the version of the first migration. A database of a lower one was made by
// a build that was never released.
func (s *schema) baseline() int64 { return s.known[0].Version }

func (s *schema) newest() int64 { return s.known[len(s.known)-1].Version }

// versions are what goose notes of a database that took every migration: 0, and each.
func (s *schema) versions() []string {
	versions := []string{"0"}
	for _, m := range s.known {
		versions = append(versions, strconv.FormatInt(m.Version, 10))
	}
	return versions
}

// steps lists the migrations by version, with when each was applied.
func (s *schema) steps(applied map[int64]time.Time) []Migration {
	steps := slices.Clone(s.known)
	for i := range steps {
		steps[i].Applied = applied[steps[i].Version]
	}
	return steps
}

func (s *schema) provider(db *sql.DB) (*goose.Provider, error) {
	dir, err := fs.Sub(s.files, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, dir, goose.WithDisableGlobalRegistry(true))
}

// up applies what is pending of the migrations up to a version.
func (s *schema) up(ctx context.Context, db *sql.DB, version int64) ([]Migration, error) {
	if err := mark(ctx, db); err != nil {
		return nil, err
	}
	provider, err := s.provider(db)
	if err != nil {
		return nil, err
	}
	results, err := provider.UpTo(ctx, version)
	if err != nil {
		return nil, err
	}
	steps := make([]Migration, len(results))
	for i, r := range results {
		steps[i] = Migration{Version: r.Source.Version, Name: name(r.Source), Applied: time.Now()}
	}
	return steps, nil
}

// mark says in the file that it is ours. It comes before the first table, so that
// whoever inspects the file without the lock sees an empty one or one of ours.
func mark(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return err
}

func name(s *goose.Source) string { return strings.TrimSuffix(filepath.Base(s.Path), ".sql") }
