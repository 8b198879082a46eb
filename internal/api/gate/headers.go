package gate

import (
	"maps"
	"net/http"
)

// headers are those of every response. No response may be framed, sniffed, cached, or read by
// a page of another site.
var headers = map[string][]string{
	"Cache-Control":                {"no-store"},
	"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Referrer-Policy":              {"no-referrer"},
	"X-Content-Type-Options":       {"nosniff"},
	"X-Frame-Options":              {"DENY"},
}

// SetHeaders sets the security headers of a response. A handler may replace them afterwards.
func SetHeaders(h http.Header) { maps.Copy(h, headers) }
