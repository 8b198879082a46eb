package sqlite

// NewFile is newFile, for tests of what others see.
var NewFile = newFile
