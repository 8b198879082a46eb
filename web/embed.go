// Package web shows Daybook in a browser. It knows the interface, not the program
// behind it.
package web

import _ "embed"

// Page is the HTML page at the root. It loads nothing from elsewhere.
//
//go:embed page.html
var Page []byte
