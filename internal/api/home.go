package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"daybook/web"
)

// home answers the web interface.
func (a *api) home(c *gin.Context) error {
	writeBytes(c, http.StatusOK, "text/html; charset=utf-8", web.Page)
	return nil
}
