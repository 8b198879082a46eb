package verify

// ChecksOf is for the tests of this room.
var ChecksOf = checksOf
