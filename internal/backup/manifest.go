// Package backup says what a backup of the database is: its manifest and its name, how
// one is put into a folder whole, how long it is kept, and who takes the next one.
//
// It knows files and folders. What is in a database it does not know: a store looks
// into that.
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

// Manifest describes a backup: the file, and what is in it. It lies beside the backup
// as FILE.json.
type Manifest struct {
	File    string    `json:"file"` // its name, without a folder
	Bytes   int64     `json:"bytes"`
	SHA256  string    `json:"sha256"`   // of the file, in hexadecimal
	TakenAt time.Time `json:"taken_at"` // UTC
	Program string    `json:"program"`  // the version that took it
	// Scheduled: it was taken by the clock, and is removed when it is no longer kept.
	Scheduled bool `json:"scheduled"`
	// Damage is what keeps the backup from being restored, since the database was damaged
	// when it was taken. It is "" where the backup is whole.
	Damage string `json:"damage,omitempty"`
	Contents
}

// Contents is what a database holds, as far as two can be told apart by it.
type Contents struct {
	Schema  int64            `json:"schema"`          // the newest migration it has taken
	Entries int64            `json:"journal_entries"` // 0 where the schema is older than the journal
	Head    string           `json:"chain_head"`      // the newest link of the journal, in hexadecimal
	Origin  string           `json:"chain_origin"`    // the first link, which no two histories share; "" before there is one
	Counts  map[string]int64 `json:"counts"`          // rows by table
}

// ChainHead is the newest link of the journal. The error continues a manifest's name.
func (c Contents) ChainHead() (journal.Head, error) {
	hash, err := journal.ParseHash(c.Head)
	if err != nil || c.Entries < 0 {
		return journal.Head{}, fault.New(fault.Invalid, "its chain_head is no link: %q at entry %d", text.Shorten(c.Head), c.Entries)
	}
	return journal.Head{Seq: journal.Seq(c.Entries), Hash: hash}, nil
}

// manifestSuffix follows a backup's name in its manifest's.
const manifestSuffix = ".json"

// Warning says what is wrong with a backup at a path, and what to do, "" where it is whole.
func (m Manifest) Warning(file string) string {
	if m.Damage == "" {
		return ""
	}
	return fmt.Sprintf("the backup %s was taken, and cannot be restored: %s; run app verify on the database, and keep the older backups", text.Printable(file), m.Damage)
}

// ManifestOf is where the manifest of a backup lies.
func ManifestOf(file string) string { return file + manifestSuffix }

// Format returns the manifest as its file has it.
func (m Manifest) Format() ([]byte, error) {
	data, err := json.Marshal(m, json.Deterministic(true), jsontext.WithIndent("  "))
	return append(data, '\n'), err
}

// Parse reads a manifest. Members that it does not know are those of a newer program.
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

// mostManifest is how many bytes a manifest may have. One has under 2 KiB.
const mostManifest = 1 << 20

// ReadManifest reads the manifest at a path. Where a key is given, it must be signed by
// that, and be of the backup that it lies beside: the signed manifest of an older backup
// cannot take its place. fs.ErrNotExist: there is none. Unavailable: it is not signed by
// that key, is no manifest, no regular file or too large, or cannot be read.
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

// Differs says in what a database is not what another is, "" when it is the same.
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
