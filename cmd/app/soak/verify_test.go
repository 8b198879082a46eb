package soak_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// longestFold is how long the chain of a million entries and their folding may take.
const longestFold = 10 * time.Second

// TestVerify: a database of many entries is verified, and one changed row is named. How soon
// is held to in the long form only: the short one runs beside other tests.
func TestVerify(t *testing.T) {
	db := newFile(t)
	mustRunApp(t, "seed", "--db", db, "--trades", strconv.Itoa(times(2_000, 1_000_000)))
	entries, took := foldTime(t, mustRunApp(t, "verify", "--db", db))
	if *soak && took >= longestFold {
		t.Errorf("got chain and fold of %d entries in %s, want it within %s", entries, took, longestFold)
	}
	figure{
		"app verify", fmt.Sprintf("chain and fold of %d entries within %s", entries, longestFold),
		took.String(), namesTheRow(t, db),
	}.report(t)
}

// foldTime reads what a verification of a whole database says.
func foldTime(t *testing.T, said string) (entries int, took time.Duration) {
	t.Helper()
	parts := regexp.MustCompile(`(\d+) journal entries (?s:.*)chain and fold (\S+)`).FindStringSubmatch(said)
	if parts == nil {
		t.Fatalf("app verify said %q", said)
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

// namesTheRow is the control: a row that was changed behind the program's back is found.
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
		t.Errorf("a changed trade: got %q, %v, want it named", said, err)
	}
	return "one price changed behind its back: named"
}
