// Package web holds the page, as `npm run build` makes it of this folder. It knows the
// interface, not the program behind it.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var built embed.FS

// Files are those of the page, each compressed and under its name with .gz after it;
// none where the page was not built.
func Files() fs.FS {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		panic(err) // "dist" is a path
	}
	return files
}
