package verify

// ChecksOf is exported for the tests of this folder only.
var ChecksOf = checksOf
