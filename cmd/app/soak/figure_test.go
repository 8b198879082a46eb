package soak_test

import (
	"fmt"
	"testing"
)

// A figure is one row of the table that `make soak` prints: the promise, what was measured, and what
// the control showed (the same check of something that breaks the promise).
type figure struct {
	name, goal, measured, control string
}

// figureMark begins the row in the output of the tests.
const figureMark = "soak: "

func (f figure) String() string {
	return fmt.Sprintf("%s%s | %s | %s | %s", figureMark, f.name, f.goal, f.measured, f.control)
}

// report logs the row of a test that has passed.
func (f figure) report(t *testing.T) {
	t.Helper()
	if !t.Failed() {
		t.Log(f)
	}
}
