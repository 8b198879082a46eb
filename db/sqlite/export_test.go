package sqlite

// NewFile is newFile, for the tests in package sqlite_test.
var NewFile = newFile
