package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"daybook/internal/accept"
)

// unbuilt is the page of a program that was built without one.
//
//go:embed unbuilt.html
var unbuilt []byte

// pagePolicy lets the page load from this server, and from nowhere else (Content Security
// Policy Level 3).
const pagePolicy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// assetPolicy lets a shared worker, which has the policy of its own script, listen to events.
const assetPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

// Page serves the files of the page over HTTP.
type Page struct {
	files fs.FS    // each as NAME.gz
	read  sync.Map // *file by name, once it was asked for
}

// NewPage serves files as Files returns them; nil is none.
func NewPage(files fs.FS) *Page {
	if files == nil {
		files = embed.FS{}
	}
	return &Page{files: files}
}

// index is the name of the page itself.
const index = "index.html"

// Serve responds with a file, whose name is relative to the page, like "icon.svg" or
// "assets/NAME". If it cannot read the file it returns an error and has written nothing:
// fs.ErrNotExist if there is none. A program without its page has an index.html that says how to
// build it.
func (p *Page) Serve(w http.ResponseWriter, r *http.Request, name string) error {
	f, err := p.file(name)
	if errors.Is(err, fs.ErrNotExist) && name == index {
		w.Header().Set("Content-Security-Policy", pagePolicy)
		send(w, name, unbuilt)
		return nil
	}
	if err != nil {
		return err
	}
	if f.tag != "" && matches(r.Header["If-None-Match"], f.tag) {
		f.setHeaders(w.Header())
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	content := f.packed
	zipped := accept.Gzip(r.Header["Accept-Encoding"])
	if !zipped {
		if content, err = f.plain(); err != nil {
			return err
		}
	}
	f.setHeaders(w.Header())
	if zipped {
		w.Header().Set("Content-Encoding", "gzip")
	}
	send(w, name, content)
	return nil
}

// file is a file of the page. All responses share its bytes, so that a client which is slow to
// read holds none.
type file struct {
	packed []byte // compressed
	plain  func() ([]byte, error)
	policy string // Content-Security-Policy, or "" for that of every response
	tag    string // of both encodings; "" for a file that never changes, because its name holds its hash
}

// file returns a file of the page. fs.ErrNotExist.
func (p *Page) file(name string) (*file, error) {
	if known, is := p.read.Load(name); is {
		f, _ := known.(*file) // nothing else is stored there
		return f, nil
	}
	packed, err := fs.ReadFile(p.files, name+".gz")
	if errors.Is(err, fs.ErrInvalid) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	known, _ := p.read.LoadOrStore(name, newFile(name, packed))
	f, _ := known.(*file)
	return f, nil
}

func newFile(name string, packed []byte) *file {
	f := &file{packed: packed, plain: sync.OnceValues(func() ([]byte, error) { return unpack(packed) })}
	if strings.HasPrefix(name, "assets/") {
		f.policy = assetPolicy
		return f
	}
	sum := sha256.Sum256(packed)
	f.tag = `W/"` + hex.EncodeToString(sum[:16]) + `"`
	if name == index {
		f.policy = pagePolicy
	}
	return f
}

// setHeaders sets the headers of every response with the file. A browser asks each time whether
// it has the newest version of a file that another build changes.
func (f *file) setHeaders(h http.Header) {
	h.Add("Vary", "Accept-Encoding")
	if f.policy != "" {
		h.Set("Content-Security-Policy", f.policy)
	}
	if f.tag == "" {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		return
	}
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", f.tag)
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// send writes a file. A client that has gone is not an error.
func send(w http.ResponseWriter, name string, content []byte) {
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(content)
}

// contentTypes are those of the files that a build makes. The table of the operating system
// differs from one to another.
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

// matches reports whether If-None-Match names a weak tag (RFC 9110, section 13.1.2).
func matches(sent []string, tag string) bool {
	for one := range strings.SplitSeq(strings.Join(sent, ","), ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
