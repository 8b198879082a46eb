package api

import (
	_ "embed"
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/goccy/go-yaml"
)

// The published contract, written by hand.
//
//go:embed openapi.yaml
var openapiYAML []byte

// openapiJSON is the same document, made when it is first asked for.
var openapiJSON = sync.OnceValues(func() ([]byte, error) { return yaml.YAMLToJSON(openapiYAML) })

func (a *api) specYAML(c *gin.Context) error {
	writeBytes(c, http.StatusOK, "application/yaml", openapiYAML)
	return nil
}

func (a *api) specJSON(c *gin.Context) error {
	document, err := openapiJSON()
	if err != nil {
		return err
	}
	writeBytes(c, http.StatusOK, "application/json", document)
	return nil
}
