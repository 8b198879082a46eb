package backup

import (
	"path/filepath"
	"strings"
	"time"
)

// stamp is when a backup was taken, in its name: UTC, to the second.
const stamp = "20060102-150405"

// Name is how a backup of a database is called: app-20261121-045131.db for app.db.
func Name(database string, taken time.Time) string {
	return stem(database) + "-" + Stamp(taken) + ".db"
}

// Stamp is a time as names have it.
func Stamp(at time.Time) string { return at.UTC().Format(stamp) }

// takenAt reads a backup's name. False: it is not one of that database.
func takenAt(database, name string) (time.Time, bool) {
	middle, isBackup := strings.CutPrefix(name, stem(database)+"-")
	middle, isFile := strings.CutSuffix(middle, ".db")
	at, err := time.Parse(stamp, middle)
	return at, isBackup && isFile && err == nil
}

// stem is a database's name without its folder and extension.
func stem(database string) string {
	name := filepath.Base(database)
	if bare := strings.TrimSuffix(name, filepath.Ext(name)); bare != "" {
		return bare
	}
	return name
}
