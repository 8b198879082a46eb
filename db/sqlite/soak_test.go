package sqlite

import (
	"flag"
	"testing"
)

// soak is the flag that runs the long form of the tests that have one.
var soak = flag.Bool("soak", false, "run the long form of every test")

// report logs a row of the table that `make soak` prints, if the test has passed: the goal, the measured
// result, and the result of the control.
func report(t *testing.T, name, goal, measured, control string) {
	t.Helper()
	if !t.Failed() {
		t.Logf("soak: %s | %s | %s | %s", name, goal, measured, control)
	}
}

// times returns how often a test repeats: short in the short form, long in the long form.
func times(short, long int) int {
	if *soak {
		return long
	}
	return short
}
