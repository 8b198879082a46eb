package gate

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Origins are the web pages of other sites that may use the interface, by their origin (scheme,
// host and port). The zero value allows none.
type Origins struct{ allowed []string }

// ParseOrigins reads origins like "https://reports.example.com". There is no wildcard: each
// origin that may read a company's books is named.
func ParseOrigins(raw []string) (o Origins, err error) {
	for _, s := range raw {
		u, err := url.Parse(s)
		if err != nil || u.Host == "" || u.Scheme+"://"+u.Host != s || u.Scheme != "https" && u.Scheme != "http" {
			return Origins{}, fmt.Errorf("%q is not an origin like https://reports.example.com", s)
		}
		if s != strings.ToLower(s) || u.Port() == map[string]string{"https": "443", "http": "80"}[u.Scheme] && u.Port() != "" {
			return Origins{}, fmt.Errorf("%q is not written as browsers send an origin; write it in lower case and without the default port of %s", s, u.Scheme)
		}
		o.allowed = append(o.allowed, s)
	}
	return o, nil
}

// Share lets a page of an allowed origin read the response (Fetch standard, "CORS protocol").
// It reports whether the request is a preflight of such a page, which it answers by headers
// alone. Cookies are not shared: such a page sends a token.
func (g *Gate) Share(h http.Header, r *http.Request) (preflight bool) {
	o := g.names().Origins
	if len(o.allowed) == 0 {
		return false
	}
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !slices.Contains(o.allowed, origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "Idempotency-Replayed, Retry-After, X-Journal-Seq, X-Request-Id")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Reason, X-Request-Id")
	h.Set("Access-Control-Max-Age", "600")
	return true
}

// protection refuses writes by pages of other origins.
func (o Origins) protection() *http.CrossOriginProtection {
	p := http.NewCrossOriginProtection()
	for _, origin := range o.allowed {
		if err := p.AddTrustedOrigin(origin); err != nil {
			panic(fmt.Sprintf("ParseOrigins accepted %q: %v", origin, err))
		}
	}
	return p
}
