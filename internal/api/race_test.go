//go:build race

package api_test

// shorterBy makes long lists a twentieth as long, because SQLite is some thirty times slower under the
// race detector.
const shorterBy = 20
