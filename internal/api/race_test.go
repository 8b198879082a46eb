//go:build race

package api_test

// SQLite is some thirty times slower under the race detector; long lists are a twentieth
// as long.
const shorterBy = 20
