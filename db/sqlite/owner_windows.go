package sqlite

import "io/fs"

// succeed: on Windows a file inherits from its folder who may use it.
func succeed(fs.FileInfo, string) error { return nil }

// belong does nothing: a new file has the permissions of its folder.
func belong(_, _ string) {}
