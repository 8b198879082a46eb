//go:build !race

package api_test

const shorterBy = 1
