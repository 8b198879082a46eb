package backup

import (
	"path/filepath"
	"strings"
	"time"
)

// stamp is the format of the time in the name of a backup: UTC, to the second.
const stamp = "20060102-150405"

// Name returns the name of a backup of a database: app-20261121-045131.db for app.db.
func Name(database string, taken time.Time) string {
	return stem(database) + "-" + Stamp(taken) + ".db"
}

// Stamp returns a time as it is in names.
func Stamp(at time.Time) string { return at.UTC().Format(stamp) }

// takenAt returns the time in the name of a backup. It returns false if the name is not one of that
// database.
func takenAt(database, name string) (time.Time, bool) {
	middle, isBackup := strings.CutPrefix(name, stem(database)+"-")
	middle, isFile := strings.CutSuffix(middle, ".db")
	at, err := time.Parse(stamp, middle)
	return at, isBackup && isFile && err == nil
}

// stem is the name of a database without its folder and extension.
func stem(database string) string {
	name := filepath.Base(database)
	if bare := strings.TrimSuffix(name, filepath.Ext(name)); bare != "" {
		return bare
	}
	return name
}
