package api

import (
	_ "embed"
	"errors"
	"io/fs"
	"net/http"
	"sync"

	"github.com/goccy/go-yaml"
)

// Page serves the files of the web page.
type Page interface {
	// Serve responds with a file. If it cannot read the file it returns an error and has written
	// nothing: fs.ErrNotExist if there is none.
	Serve(w http.ResponseWriter, r *http.Request, name string) error
}

func (a *api) home(c *request) error  { return a.pageFile(c, "index.html") }
func (a *api) icon(c *request) error  { return a.pageFile(c, "icon.svg") }
func (a *api) asset(c *request) error { return a.pageFile(c, "assets/"+c.Param("name")) }

// pageFile responds with a file of the page. NotFound.
func (a *api) pageFile(c *request, name string) error {
	if a.Page == nil {
		return noPath(c)
	}
	err := a.Page.Serve(c.Writer, c.Request, name)
	if errors.Is(err, fs.ErrNotExist) {
		return noPath(c)
	}
	return err
}

// The published contract, written by hand.
//
//go:embed openapi.yaml
var openapiYAML []byte

// openapiJSON is the same document in JSON, made at the first request for it.
var openapiJSON = sync.OnceValues(func() ([]byte, error) { return yaml.YAMLToJSON(openapiYAML) })

func (a *api) specYAML(c *request) error {
	writeBytes(c, http.StatusOK, "application/yaml", openapiYAML)
	return nil
}

func (a *api) specJSON(c *request) error {
	document, err := openapiJSON()
	if err != nil {
		return err
	}
	writeBytes(c, http.StatusOK, "application/json", document)
	return nil
}
