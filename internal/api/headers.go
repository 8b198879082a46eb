package api

import (
	"maps"

	"github.com/gin-gonic/gin"
)

// guarded are the headers of every response: nothing here is ever to be framed,
// sniffed, kept in a cache, or read by a page of another site.
var guarded = map[string][]string{
	"Cache-Control":                {"no-store"},
	"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Referrer-Policy":              {"no-referrer"},
	"X-Content-Type-Options":       {"nosniff"},
	"X-Frame-Options":              {"DENY"},
}

// guardHeaders sets the headers of every response.
func guardHeaders(c *gin.Context) error {
	maps.Copy(c.Writer.Header(), guarded)
	return nil
}
