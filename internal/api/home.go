package api

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"sync"

	"github.com/gin-gonic/gin"

	"daybook/web"
)

// home answers the web interface, with a policy under which nothing runs but what the
// page itself brings.
func (a *api) home(c *gin.Context) error {
	c.Header("Content-Security-Policy", pagePolicy())
	writeBytes(c, http.StatusOK, "text/html; charset=utf-8", web.Page)
	return nil
}

// pagePolicy allows the page's own script and style, by their hashes, and requests to
// this server (Content Security Policy Level 3).
var pagePolicy = sync.OnceValue(func() string {
	return "default-src 'none'; script-src " + hashOf("script") + "; style-src " + hashOf("style") +
		"; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
})

// hashOf is the hash of the one element of the page that has the name.
func hashOf(element string) string {
	content := regexp.MustCompile(`(?s)<` + element + `>(.*)</` + element + `>`).FindSubmatch(web.Page)[1]
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
