// Package backup defines what a backup of the database is: its manifest and its name, how it is put into
// a folder whole, how long it is kept, and when the next one is taken.
//
// It knows files and folders. It must not know what is in a database, which a store reads.
package backup

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// Manifest describes a backup: the file and its contents. It is the file FILE.json beside the backup.
type Manifest struct {
	File    string    `json:"file"` // its name, without a folder
	Bytes   int64     `json:"bytes"`
	SHA256  string    `json:"sha256"`   // of the file, in hexadecimal
	TakenAt time.Time `json:"taken_at"` // UTC
	Program string    `json:"program"`  // the version that took it
	// Scheduled: it was taken by the schedule, and is removed when retention no longer keeps it.
	Scheduled bool `json:"scheduled"`
	// Damage is why the backup cannot be restored: the database was damaged when it was taken. It is "" for
	// a whole backup.
	Damage string `json:"damage,omitempty"`
	Contents
}

// Contents is what tells the contents of two databases apart.
type Contents struct {
	Schema  int64            `json:"schema"`          // the newest migration it has taken
	Entries int64            `json:"journal_entries"` // 0 where the schema is older than the journal
	Head    string           `json:"chain_head"`      // the newest link of the journal, in hexadecimal
	Origin  string           `json:"chain_origin"`    // the first link, which no two histories share; "" before there is one
	Counts  map[string]int64 `json:"counts"`          // rows by table
}

// ChainHead is the newest link of the journal. The error continues the name of the manifest.
func (c Contents) ChainHead() (journal.Head, error) {
	hash, err := journal.ParseHash(c.Head)
	if err != nil || c.Entries < 0 {
		return journal.Head{}, fault.New(fault.Invalid, "its chain_head is no link: %q at entry %d", text.Shorten(c.Head), c.Entries)
	}
	return journal.Head{Seq: journal.Seq(c.Entries), Hash: hash}, nil
}

// manifestSuffix follows a backup's name in its manifest's.
const manifestSuffix = ".json"

// Warning says what is wrong with a backup at a path, and what to do; "" for a whole backup.
func (m Manifest) Warning(file string) string {
	if m.Damage == "" {
		return ""
	}
	return fmt.Sprintf("the backup %s was taken, and cannot be restored: %s; run app verify on the database, and keep the older backups", text.Printable(file), m.Damage)
}

// ManifestOf is the path of a backup's manifest.
func ManifestOf(file string) string { return file + manifestSuffix }

// Format returns the contents of the manifest's file.
func (m Manifest) Format() ([]byte, error) {
	data, err := json.Marshal(m, json.Deterministic(true), jsontext.WithIndent("  "))
	return append(data, '\n'), err
}

// Parse reads a manifest. It ignores unknown members, which a newer program may write.
func Parse(data []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return Manifest{}, err
	}
	if m.File == "" || m.Bytes == 0 || len(m.SHA256) != 64 || m.TakenAt.IsZero() || m.Schema == 0 || len(m.Counts) == 0 {
		return Manifest{}, fmt.Errorf("it lacks what a manifest says of its backup")
	}
	return m, nil
}

// mostManifest is the largest size of a manifest in bytes. A usual one has less than 2 KiB.
const mostManifest = 1 << 20

// ReadManifest reads the manifest at a path. If a key is given, the key must have signed it, and it must be
// that of the backup beside it: the signed manifest of an older backup cannot take its place.
// fs.ErrNotExist: there is none. Unavailable: the key did not sign it, it is not a manifest, not a
// regular file, or too large, or it cannot be read.
func ReadManifest(path string, signedBy ed25519.PublicKey) (Manifest, error) {
	data, err := disk.Read(path, mostManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, err
	}
	if err != nil {
		return Manifest{}, fault.Wrap(fault.Unavailable, err, "cannot read the manifest %s", path)
	}
	if signedBy != nil {
		if err := checkSignature(path, data, signedBy); err != nil {
			return Manifest{}, err
		}
	}
	m, err := Parse(data)
	if err != nil {
		return Manifest{}, fault.Wrap(fault.Unavailable, err, "%s is not the manifest of a backup", path)
	}
	if signedBy != nil && ManifestOf(m.File) != filepath.Base(path) {
		return Manifest{}, fault.New(fault.Unavailable, "%s is the signed manifest of %s, not of the backup that it lies beside; give the backup and its manifest their names back", path, text.Shorten(m.File))
	}
	return m, nil
}

// Differs says how the contents of two databases differ; "" if they do not.
func (c Contents) Differs(from Contents) string {
	switch {
	case c.Schema != from.Schema:
		return fmt.Sprintf("schema version %d, not %d", c.Schema, from.Schema)
	case c.Entries != from.Entries:
		return fmt.Sprintf("%d journal entries, not %d", c.Entries, from.Entries)
	case c.Head != from.Head:
		return fmt.Sprintf("chain head %s, not %s", c.Head, from.Head)
	case c.Origin != from.Origin && c.Origin != "" && from.Origin != "": // manifests were once without
		return fmt.Sprintf("chain origin %s, not %s", c.Origin, from.Origin)
	case len(c.Counts) != len(from.Counts):
		return fmt.Sprintf("%d tables, not %d", len(c.Counts), len(from.Counts))
	}
	for _, table := range slices.Sorted(maps.Keys(from.Counts)) {
		if n, is := c.Counts[table]; !is || n != from.Counts[table] {
			return fmt.Sprintf("%d rows in %s, not %d", n, table, from.Counts[table])
		}
	}
	return ""
}
