package soak_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// longestFold is how long `app verify` may take to check the chain of a million entries and to fold
// their positions.
const longestFold = 10 * time.Second

// TestVerify: `app verify` finds nothing wrong with a database of many entries, and names a row that
// was changed in it. Only the long form checks the time, because the short form runs beside other
// tests.
func TestVerify(t *testing.T) {
	db := newFile(t)
	mustRunApp(t, "seed", "--db", db, "--trades", strconv.Itoa(times(2_000, 1_000_000)))
	entries, took := foldTime(t, mustRunApp(t, "verify", "--db", db))
	if *soak && took >= longestFold {
		t.Errorf("got chain and fold of %d entries in %s, want less than %s", entries, took, longestFold)
	}
	figure{
		"app verify", fmt.Sprintf("chain and fold of %d entries within %s", entries, longestFold),
		took.String(), namesTheRow(t, db),
	}.report(t)
}

// foldTime reads the number of entries and the time of the fold from the output of `app verify`.
func foldTime(t *testing.T, said string) (entries int, took time.Duration) {
	t.Helper()
	parts := regexp.MustCompile(`(\d+) journal entries (?s:.*)chain and fold (\S+)`).FindStringSubmatch(said)
	if parts == nil {
		t.Fatalf("app verify printed %q, want the number of entries and the time of the fold", said)
	}
	entries, err := strconv.Atoi(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	if took, err = time.ParseDuration(parts[2]); err != nil {
		t.Fatal(err)
	}
	return entries, took
}

// namesTheRow is the control: another program changes a row, and `app verify` must name it.
func namesTheRow(t *testing.T, db string) string {
	t.Helper()
	other := openAs(t, db, "rw")
	if _, err := other.ExecContext(t.Context(), "UPDATE trades SET price = price + 1 WHERE id = 1234"); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	said, err := runApp(t, "verify", "--db", db)
	if err == nil || !strings.Contains(said, "trades 1234: is not what the journal says") {
		t.Errorf("a changed trade: got %q, %v, want an error that names trades 1234", said, err)
	}
	return "one price changed by another program: named"
}
