package api_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"daybook/internal/access"
	"daybook/internal/api"
	"daybook/internal/api/gate"
)

const allowedOrigin = "https://reports.example.com"

// fetchHeaders returns the headers in which a browser describes the sender of a request: Sec-Fetch-Site,
// -Mode and -Dest, and Origin. "" leaves a header out.
func fetchHeaders(site, mode, dest, origin string) http.Header {
	h := http.Header{}
	for name, value := range map[string]string{"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest, "Origin": origin} {
		if value != "" {
			h.Set(name, value)
		}
	}
	return h
}

// TestNothingIsReadForAPageThatMayNotSeeIt: the server refuses every read for a foreign page that could
// not see the answer, because its browser hides it. It answers links, its own page, pages of an allowed
// origin, and programs.
func TestNothingIsReadForAPageThatMayNotSeeIt(t *testing.T) {
	origins, err := gate.ParseOrigins([]string{allowedOrigin})
	if err != nil {
		t.Fatal(err)
	}
	config := open(t).config()
	config.Known = gate.Know(gate.Names{Origins: origins})
	handler := api.New(config)
	unseen := map[string]http.Header{
		"an image of another site":            fetchHeaders("cross-site", "no-cors", "image", ""),
		"a fetch without CORS":                fetchHeaders("cross-site", "no-cors", "empty", ""),
		"the same of a sibling":               fetchHeaders("same-site", "no-cors", "empty", ""),
		"the same of an allowed origin":       fetchHeaders("cross-site", "no-cors", "empty", allowedOrigin),
		"a fetch of an unknown origin":        fetchHeaders("cross-site", "cors", "empty", "https://evil.example"),
		"a fetch of an unknown sibling":       fetchHeaders("same-site", "cors", "empty", "http://localhost:3000"),
		"a fetch of an origin without a name": fetchHeaders("cross-site", "cors", "empty", "null"),
		"a frame":                             fetchHeaders("cross-site", "navigate", "iframe", ""),
		"a frame of a sibling":                fetchHeaders("same-site", "navigate", "frame", ""),
		"an object":                           fetchHeaders("cross-site", "navigate", "object", ""),
		"an embedding":                        fetchHeaders("cross-site", "navigate", "embed", ""),
		"a web socket":                        fetchHeaders("cross-site", "websocket", "websocket", "https://evil.example"),
	}
	seen := map[string]http.Header{
		"a program":                     {},
		"a link on another site":        fetchHeaders("cross-site", "navigate", "document", ""),
		"a link on a sibling":           fetchHeaders("same-site", "navigate", "document", ""),
		"an address that was typed":     fetchHeaders("none", "navigate", "document", ""),
		"the own page":                  fetchHeaders("same-origin", "cors", "empty", ""),
		"an image of the own page":      fetchHeaders("same-origin", "no-cors", "image", ""),
		"a fetch of an allowed origin":  fetchHeaders("cross-site", "cors", "empty", allowedOrigin),
		"a fetch of an allowed sibling": fetchHeaders("same-site", "cors", "empty", allowedOrigin),
		"a browser that names no mode":  fetchHeaders("cross-site", "", "", ""),
	}
	ask := func(method, path string, header http.Header) (status int, body string) {
		q := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
		q.Host, q.Header = publishedHost, maps.Clone(header)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, q)
		return w.Code, w.Body.String()
	}
	reads := 0
	for route, needs := range api.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if needs != access.Read {
			continue
		}
		reads++
		for who, header := range unseen {
			if status, body := ask(method, path, header); status != http.StatusForbidden || !strings.Contains(body, `"code":"forbidden"`) {
				t.Errorf("%s by %s: got %d %s, want 403", route, who, status, body)
			}
			if method == http.MethodGet {
				if status, _ := ask(http.MethodHead, path, header); status != http.StatusForbidden {
					t.Errorf("HEAD %s by %s: got %d, want 403", path, who, status)
				}
			}
		}
		for who, header := range seen {
			if status, body := ask(method, path, header); status == http.StatusForbidden {
				t.Errorf("%s by %s: got %d %s, want another status than 403", route, who, status, body)
			}
		}
	}
	if reads < 20 {
		t.Errorf("got %d reads, want at least 20", reads)
	}
	for who, header := range unseen {
		for _, path := range []string{"/", "/icon.svg", "/openapi.yaml", "/health"} {
			if status, _ := ask(http.MethodGet, path, header); status != http.StatusOK {
				t.Errorf("%s by %s: got %d, want 200, because it contains no records", path, who, status)
			}
		}
	}
}

// TestAForeignPageTakesNoListeners: a foreign page requests as many streams of events as one client may
// have. The server's own page can still open one.
func TestAForeignPageTakesNoListeners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := startEventServer(t, false)
		for range mostOfOne {
			l := lineOn(t, b.wire)
			l.begin(t, "GET /api/v1/events", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors")
			if got := l.answer(t); got.status != http.StatusForbidden {
				t.Fatalf("got %d, want 403", got.status)
			}
		}
		b.listen(t, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors").want(t, eventOf(7, ""))
	})
}
