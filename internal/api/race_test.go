//go:build race

package api_test

// SQLite is some thirty times slower under the race detector, and the heap means
// little there; long lists are a twentieth as long.
const shorterBy = 20
