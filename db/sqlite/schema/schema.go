// Package schema defines what a database must be made of: the migrations, the objects that they make,
// and the objects that other programs may keep beside them.
//
// It knows no file: its callers pass an open database.
package schema

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver that sql.Open names

	"daybook/db/sqlite/migrations"

	"daybook/db/sqlite/internal/gen"
)

// ApplicationID marks a database file as Daybook's: "DAYB".
const ApplicationID = 0x44415942

// Version is the newest migration that a database of ours has taken, 0 if it broke off before the
// first. It ignores a view with the name of the table, because reading a view may never end.
func Version(ctx context.Context, db gen.DBTX) (int64, error) {
	var tables int64
	err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version' AND type = 'table' AND rootpage > 0").Scan(&tables)
	if err != nil || tables == 0 {
		return 0, err
	}
	var version int64
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version").Scan(&version)
	return version, err
}

// Migration is one step of the schema.
type Migration struct {
	Version int64
	Name    string
	Applied time.Time // zero when pending
}

// Schema is a series of migrations.
type Schema struct {
	files fs.FS
	known []Migration // by version, none applied
	mutex sync.Mutex
	made  map[int64]map[string]Object // what the migrations up to a version make
	sum   string                      // SumOf what all of them make, "" if unknown
}

// Released is the schema of this program.
var Released = New(migrations.Files, releasedSum)

// releasedSum is SumOf what the migrations make. It saves a start from running them in memory to
// compare. After a new migration a test says what it must be.
const releasedSum = "313854ff85c4de4eb22174faf11ac488bc4acffc4caa9198e8ab714783cd7c63"

// New returns the schema that the migrations in files make. sum is SumOf what they make, "" if unknown.
// It panics if they are malformed.
func New(files fs.FS, sum string) *Schema {
	s := &Schema{files: files, sum: sum, made: map[int64]map[string]Object{}}
	p, err := s.provider(&sql.DB{}) // listing needs no connection
	if err != nil {
		panic(fmt.Sprintf("the embedded migrations are broken: %v", err))
	}
	for _, source := range p.ListSources() {
		s.known = append(s.known, Migration{Version: source.Version, Name: name(source)})
	}
	return s
}

// Baseline is the version of the first migration. A build that was never released made the databases
// with a lower version.
func (s *Schema) Baseline() int64 { return s.known[0].Version }

// Newest is the version of the last migration.
func (s *Schema) Newest() int64 { return s.known[len(s.known)-1].Version }

// Versions are the versions that goose records in a database that took every migration: 0, and each.
func (s *Schema) Versions() []string {
	versions := []string{"0"}
	for _, m := range s.known {
		versions = append(versions, strconv.FormatInt(m.Version, 10))
	}
	return versions
}

// Steps lists the migrations by version, each with the time when it was applied.
func (s *Schema) Steps(applied map[int64]time.Time) []Migration {
	steps := slices.Clone(s.known)
	for i := range steps {
		steps[i].Applied = applied[steps[i].Version]
	}
	return steps
}

func (s *Schema) provider(db *sql.DB) (*goose.Provider, error) {
	return goose.NewProvider(goose.DialectSQLite3, db, s.files, goose.WithDisableGlobalRegistry(true))
}

// Up applies the pending migrations up to a version.
func (s *Schema) Up(ctx context.Context, db *sql.DB, version int64) ([]Migration, error) {
	if err := mark(ctx, db); err != nil {
		return nil, err
	}
	provider, err := s.provider(db)
	if err != nil {
		return nil, err
	}
	if err := refold(ctx, db); err != nil {
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

// mark writes our application id into the file. It comes before the first table, so that a process that
// inspects the file without the lock sees an empty file or one of ours.
func mark(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", ApplicationID))
	return err
}

func name(s *goose.Source) string { return strings.TrimSuffix(filepath.Base(s.Path), ".sql") }
