//go:build !race

package sqlite

import (
	"flag"
	"testing"
)

// soak asks for the long form of the tests that have one.
var soak = flag.Bool("soak", false, "run the long form of every test")

// report logs a row of the table that `make soak` prints, of a test that has passed:
// what was promised, what was measured, and what the same check said of something that
// breaks the promise.
func report(t *testing.T, name, goal, measured, control string) {
	t.Helper()
	if !t.Failed() {
		t.Logf("soak: %s | %s | %s | %s", name, goal, measured, control)
	}
}

// times is how often a test repeats: one number for the short form, one for the long.
func times(short, long int) int {
	if *soak {
		return long
	}
	return short
}
