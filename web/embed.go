// Package web holds the page, as `npm run build` makes it from this folder, and serves its files.
//
// It knows HTTP. It must not know the rest of the program: no domain, no store, no other path.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var built embed.FS

// Files are the files of the page, each compressed and named NAME.gz. There are none if the page was
// not built.
func Files() fs.FS {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		panic(err) // "dist" is a path
	}
	return files
}
