package schema

import (
	"strings"
)

// Statistics are the tables that ANALYZE makes, as each version of SQLite defines them.
var Statistics = map[string]string{
	"sqlite_stat1": "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
	"sqlite_stat2": "CREATE TABLE sqlite_stat2(tbl,idx,sampleno,sample)",
	"sqlite_stat3": "CREATE TABLE sqlite_stat3(tbl,idx,neq,nlt,ndlt,sample)",
	"sqlite_stat4": "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}

// namedAsStatistics reports whether SQLite reads a table with this name as statistics. SQLite compares
// names without regard to case.
func namedAsStatistics(table string) bool { return Statistics[strings.ToLower(table)] != "" }
