package gate

import (
	"net/http"
	"net/url"
	"slices"

	"daybook/internal/fault"
)

// CheckWrite refuses a write that the page of another site makes the browser send, unless its
// origin is allowed. Forbidden.
func (g *Gate) CheckWrite(r *http.Request) error {
	if g.names().writes.Check(r) != nil {
		return fault.New(Forbidden, "a page of another site must not write here")
	}
	return nil
}

// CheckRead refuses a read of records by the page of another site, unless the browser shows
// the response to a person or to an allowed origin. Nobody could see the response, but the
// read would still use the server. Forbidden.
func (g *Gate) CheckRead(r *http.Request) error {
	if g.seen(r) {
		return nil
	}
	return fault.New(Forbidden, "a page of another site must not read here; to let it, start the server with --cors-origin and the origin of the page, and send the request with CORS")
}

// seen reports whether the browser may show the response to anybody (Fetch Metadata). A person
// who follows a link from another site sees it, and by CORS a page of an allowed origin. No
// page can embed a response, or read it without CORS. A client that sends no mode is not a
// browser, or an old one.
func (g *Gate) seen(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "cross-site" && site != "same-site" {
		return true
	}
	switch r.Header.Get("Sec-Fetch-Mode") {
	case "":
		return true
	case "navigate":
		embedded := []string{"embed", "fencedframe", "frame", "iframe", "object"}
		return !slices.Contains(embedded, r.Header.Get("Sec-Fetch-Dest"))
	case "cors":
		return slices.Contains(g.names().Origins.allowed, r.Header.Get("Origin"))
	}
	return false
}

// CheckOwnPage refuses a request by any page but this server's own, even one of an allowed
// origin. Forbidden.
func CheckOwnPage(r *http.Request) error {
	if fromOwnPage(r) {
		return nil
	}
	return fault.New(Forbidden, "a page of another site must not sign in or out here; it sends its token with every request")
}

// fromOwnPage reports whether a request comes from a page of this server, or from no page (Fetch
// Metadata, "Sec-Fetch-Site"; an older browser sends Origin alone).
func fromOwnPage(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return true
	case "":
		sent := r.Header.Get("Origin")
		origin, err := url.Parse(sent)
		return sent == "" || err == nil && origin.Host == r.Host
	}
	return false
}
