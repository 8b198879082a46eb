//go:build race

package soak_test

// raced reports whether this binary contains the race detector.
const raced = true
