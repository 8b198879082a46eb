//go:build !race

package soak_test

// raced says that the race detector is in this binary.
const raced = false
