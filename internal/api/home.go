package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"daybook/internal/fault"
)

// unbuilt is the page of a program that was built without one.
//
//go:embed unbuilt.html
var unbuilt []byte

// pagePolicy lets the page have what is of this server, and nothing else (Content
// Security Policy Level 3).
const pagePolicy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// assetPolicy is what a shared worker may do, which goes by the policy of its own script: listen to the events.
const assetPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

// home answers the page, or how to build it where there is none.
func (a *api) home(c *gin.Context) error {
	c.Header("Content-Security-Policy", pagePolicy)
	err := a.current(c, "index.html")
	if fault.KindOf(err) != fault.NotFound {
		return err
	}
	writeBytes(c, http.StatusOK, contentType("index.html"), unbuilt)
	return nil
}

func (a *api) icon(c *gin.Context) error { return a.current(c, "icon.svg") }

// current answers a file that another build changes under its name: a browser asks each
// time whether it still has the newest. NotFound.
func (a *api) current(c *gin.Context, name string) error {
	f, err := a.file(c, name)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(f.packed)
	tag := `W/"` + hex.EncodeToString(sum[:16]) + `"` // of both encodings
	c.Header("Cache-Control", "no-cache")
	c.Header("ETag", tag)
	if has(c.Request.Header["If-None-Match"], tag) {
		c.Writer.Header().Add("Vary", "Accept-Encoding")
		c.Status(http.StatusNotModified)
		c.Writer.WriteHeaderNow()
		return nil
	}
	return f.send(c)
}

// asset answers a file whose name holds a hash of it, so that it never changes. NotFound.
func (a *api) asset(c *gin.Context) error {
	name := "assets/" + c.Param("name")
	f, err := a.file(c, name)
	if err != nil {
		return err
	}
	c.Header("Content-Security-Policy", assetPolicy)
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	return f.send(c)
}

// file is a file of the page. All answers share its bytes, so that a client which takes
// none holds none.
type file struct {
	name   string
	packed []byte // compressed
	plain  func() ([]byte, error)
}

// file returns a file of the page. NotFound.
func (a *api) file(c *gin.Context, name string) (*file, error) {
	if known, is := a.files.Load(name); is {
		f, _ := known.(*file) // nothing else is stored there
		return f, nil
	}
	packed, err := fs.ReadFile(a.Page, name+".gz")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil, noPath(c)
	}
	if err != nil {
		return nil, err
	}
	read := &file{name, packed, sync.OnceValues(func() ([]byte, error) { return unpacked(packed) })}
	known, _ := a.files.LoadOrStore(name, read)
	f, _ := known.(*file)
	return f, nil
}

// send answers the file, compressed where the client takes it so.
func (f *file) send(c *gin.Context) error {
	content := f.packed
	if takesGzip(c.Request.Header["Accept-Encoding"]) {
		c.Header("Content-Encoding", "gzip")
	} else {
		var err error
		if content, err = f.plain(); err != nil {
			return err
		}
	}
	c.Writer.Header().Add("Vary", "Accept-Encoding")
	writeBytes(c, http.StatusOK, contentType(f.name), content)
	return nil
}

func unpacked(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// contentTypes are those of the files that a build makes. The system's own table is
// another on every system.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".woff2": "font/woff2",
}

func contentType(name string) string {
	if known := contentTypes[path.Ext(name)]; known != "" {
		return known
	}
	return "application/octet-stream"
}

// has reports whether an If-None-Match names what a weak tag does (RFC 9110, section
// 13.1.2).
func has(sent []string, tag string) bool {
	for one := range strings.SplitSeq(strings.Join(sent, ","), ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
