package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

// Origins are the web pages of others that may use the interface, by their origin
// (scheme, host and port). The zero value allows none.
type Origins struct{ allowed []string }

// ParseOrigins reads origins like "https://reports.example.com". There is no wildcard:
// whoever may read a company's books has a name.
func ParseOrigins(raw []string) (o Origins, err error) {
	for _, s := range raw {
		u, err := url.Parse(s)
		if err != nil || u.Host == "" || u.Scheme+"://"+u.Host != s || u.Scheme != "https" && u.Scheme != "http" {
			return Origins{}, fmt.Errorf("%q is not an origin like https://reports.example.com", s)
		}
		if s != strings.ToLower(s) || u.Port() == map[string]string{"https": "443", "http": "80"}[u.Scheme] && u.Port() != "" {
			return Origins{}, fmt.Errorf("%q is an origin as no browser sends it; write it in lower case and without the port %s has by itself", s, u.Scheme)
		}
		o.allowed = append(o.allowed, s)
	}
	return o, nil
}

// share lets a page of an allowed origin read the answer, and answers its preflight
// (Fetch standard, "CORS protocol"). Cookies are not shared: such a page brings a
// token.
func (o Origins) share(c *gin.Context) error {
	if len(o.allowed) == 0 {
		return nil
	}
	c.Writer.Header().Add("Vary", "Origin")
	origin := c.GetHeader("Origin")
	if !slices.Contains(o.allowed, origin) {
		return nil
	}
	c.Header("Access-Control-Allow-Origin", origin)
	c.Header("Access-Control-Expose-Headers", "Idempotency-Replayed, Retry-After, X-Request-Id")
	c.Header("Cross-Origin-Resource-Policy", "cross-origin")
	if c.Request.Method != http.MethodOptions || c.GetHeader("Access-Control-Request-Method") == "" {
		return nil
	}
	c.Header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
	c.Header("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, X-Request-Id")
	c.Header("Access-Control-Max-Age", "600")
	c.Abort()
	return write(c, http.StatusOK, struct{}{})
}
