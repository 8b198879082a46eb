package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"daybook/internal/api"
	"daybook/web"
)

// pageFiles are the files of a page, as a build makes them.
var pageFiles = map[string]string{
	"index.html":                "<!doctype html>\n<title>Daybook</title>\n",
	"icon.svg":                  `<svg xmlns="http://www.w3.org/2000/svg"/>`,
	"assets/index-Bq3wXk1T.js":  "console.log('Daybook');",
	"assets/index-Dx81pQz0.css": "body { margin: 0 }",
	"assets/figures-a.woff2":    "a font",
	"assets/notes-b.unknown":    "of a kind that nobody knows",
}

func builtPage(t testing.TB) fs.FS {
	t.Helper()
	built := fstest.MapFS{".keep": {}}
	for name, content := range pageFiles {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		built[name+".gz"] = &fstest.MapFile{Data: packed.Bytes()}
	}
	return built
}

// fetch requests a file. takes is the Accept-Encoding, "" for none.
func (s *server) fetch(t *testing.T, method, target, takes string) answer {
	t.Helper()
	header := http.Header{}
	if takes != "" {
		header.Set("Accept-Encoding", takes)
	}
	return s.do(t, request{method: method, target: target, header: header})
}

// TestThePageIsServedToEveryClient: a client that accepts gzip gets the files compressed, another gets
// the same files uncompressed.
func TestThePageIsServedToEveryClient(t *testing.T) {
	s := serve(t)
	const ofPage = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	const ofAssets = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
	const forever = "public, max-age=31536000, immutable"
	for _, c := range []struct{ target, file, content, caching string }{
		{"/", "index.html", "text/html; charset=utf-8", "no-cache"},
		{"/icon.svg", "icon.svg", "image/svg+xml", "no-cache"},
		{"/assets/index-Bq3wXk1T.js", "assets/index-Bq3wXk1T.js", "text/javascript; charset=utf-8", forever},
		{"/assets/index-Dx81pQz0.css", "assets/index-Dx81pQz0.css", "text/css; charset=utf-8", forever},
		{"/assets/figures-a.woff2", "assets/figures-a.woff2", "font/woff2", forever},
		{"/assets/notes-b.unknown", "assets/notes-b.unknown", "application/octet-stream", forever},
	} {
		for _, takes := range []string{"", "gzip"} {
			got := s.fetch(t, http.MethodGet, c.target, takes)
			content := got.body
			if takes == "gzip" {
				content = unpack(t, got.body)
			}
			h := got.header
			if got.status != http.StatusOK || string(content) != pageFiles[c.file] || h.Get("Content-Encoding") != takes {
				t.Errorf("%s, Accept-Encoding %q: got %d %q %q, want 200 and %q", c.target, takes, got.status, h, content, pageFiles[c.file])
			}
			if h.Get("Content-Type") != c.content || h.Get("Cache-Control") != c.caching || h.Get("Vary") != "Accept-Encoding" || h.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: got the headers %q, want Content-Type %s, Cache-Control %s, nosniff, and Vary: Accept-Encoding", c.target, h, c.content, c.caching)
			}
			policy := "default-src 'none'; frame-ancestors 'none'"
			if c.target == "/" {
				policy = ofPage
			} else if c.caching == forever {
				policy = ofAssets
			}
			if h.Get("Content-Security-Policy") != policy {
				t.Errorf("%s: got the policy %q, want %q", c.target, h.Get("Content-Security-Policy"), policy)
			}
			head := s.fetch(t, http.MethodHead, c.target, takes)
			if head.status != http.StatusOK || len(head.body) > 0 || head.header.Get("Content-Length") != h.Get("Content-Length") {
				t.Errorf("HEAD %s: got %d %q %q, want the headers of GET and no body", c.target, head.status, head.header, head.body)
			}
		}
	}
}

func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestWhoTakesGzip: whether a file is compressed follows from Accept-Encoding, by the rules of RFC 9110.
func TestWhoTakesGzip(t *testing.T) {
	s := serve(t)
	for takes, want := range map[string]bool{
		"gzip": true, "GZIP": true, "gzip, deflate, br, zstd": true, "br;q=1.0, gzip;q=0.8, *;q=0.1": true, "*": true,
		"gzip;q=0.001": true, "gzip; q=1": true, "deflate, gzip ; Q=0.5": true, "identity;q=0.5, *;q=0.6": true,
		"gzip;q=0": false, "gzip;q=0.000": false, "identity": false, "br": false, "*;q=0": false, "gzip;q=0, *": false,
		"gzip;q=0.5, identity": false, "gzip;q=": false, "gzip;q=2": false, "gzip;q=-1": false, "gzip;q=NaN": false, "gzip;level=1": false,
		"gzipped": false, ",": false,
	} {
		got := s.fetch(t, http.MethodGet, "/", takes)
		if compressed := got.header.Get("Content-Encoding") == "gzip"; compressed != want {
			t.Errorf("%q: got compressed %t, want %t", takes, compressed, want)
		}
	}
	two := s.do(t, request{method: http.MethodGet, target: "/", header: http.Header{"Accept-Encoding": {"br", "gzip"}}})
	if got := two.header.Get("Content-Encoding"); got != "gzip" {
		t.Errorf("two headers: got %q, want gzip", got)
	}
}

// TestAPageThatTheClientHasIsNotSentAgain: a client with the current file (If-None-Match) gets 304.
func TestAPageThatTheClientHasIsNotSentAgain(t *testing.T) {
	s := serve(t)
	for _, target := range []string{"/", "/icon.svg"} {
		tag := s.fetch(t, http.MethodGet, target, "gzip").header.Get("ETag")
		if unpacked := s.fetch(t, http.MethodGet, target, "").header.Get("ETag"); tag == "" || unpacked != tag {
			t.Errorf("%s: got the tags %q and %q, want the same", target, tag, unpacked)
		}
		for sent, want := range map[string]int{
			tag: http.StatusNotModified, strings.TrimPrefix(tag, "W/"): http.StatusNotModified, "*": http.StatusNotModified,
			`"other", ` + tag: http.StatusNotModified, `"other"`: http.StatusOK, "W/": http.StatusOK,
		} {
			got := s.do(t, request{method: http.MethodGet, target: target, header: http.Header{"If-None-Match": {sent}}})
			if got.status != want || (len(got.body) == 0) != (want == http.StatusNotModified) || got.header.Get("ETag") != tag {
				t.Errorf("%s, If-None-Match %s: got %d, %q, %d bytes, want %d", target, sent, got.status, got.header, len(got.body), want)
			}
		}
	}
}

// TestWhatIsNoFileOfThePage: a path that is no file of the page is answered as any unknown path.
func TestWhatIsNoFileOfThePage(t *testing.T) {
	s := serve(t)
	for _, target := range []string{
		"/index.html", "/icon.svg.gz", "/assets", "/assets/", "/assets/index-Bq3wXk1T.js.gz", "/assets/nothing.js",
		"/assets/..", "/assets/%2e%2e", "/assets/..%2findex.html", "/assets/a/b.js", "/.keep", "/assets/%00", "/variance",
	} {
		got := s.do(t, request{method: http.MethodGet, target: target})
		if got.status != http.StatusNotFound || got.header.Get("Content-Type") != "application/json" || !strings.Contains(string(got.body), `"code":"not_found"`) {
			t.Errorf("%s: got %d %q %s, want 404 in JSON", target, got.status, got.header, got.body)
		}
		if caching := got.header.Get("Cache-Control"); caching != "no-store" {
			t.Errorf("%s: got Cache-Control %q, want no-store", target, caching)
		}
	}
}

// TestAProgramWithoutItsPage: a program without the page says how to build it, and serves everything
// else.
func TestAProgramWithoutItsPage(t *testing.T) {
	for name, files := range map[string]fs.FS{"none": nil, "a folder that nothing was built in": fstest.MapFS{".keep": {}}} {
		s := open(t)
		config := s.config()
		config.Page = web.NewPage(files)
		s.listen(t, api.New(config))
		got := s.fetch(t, http.MethodGet, "/", "gzip")
		if got.status != http.StatusOK || got.header.Get("Content-Type") != "text/html; charset=utf-8" || !bytes.Contains(got.body, []byte("make build")) {
			t.Errorf("%s: got %d %q %s, want a page that says how to build it", name, got.status, got.header, got.body)
		}
		if got := s.fetch(t, http.MethodGet, "/icon.svg", ""); got.status != http.StatusNotFound {
			t.Errorf("%s: the icon: got %d, want 404", name, got.status)
		}
		if got := s.get(t, "/currency/list"); got != "[]" {
			t.Errorf("%s: got %s, want []", name, got)
		}
	}
}

// TestAPageThatCannotBeUnpacked: a damaged file is answered with 500, not with a part of the file.
func TestAPageThatCannotBeUnpacked(t *testing.T) {
	s := open(t)
	config := s.config()
	config.Page = web.NewPage(fstest.MapFS{"index.html.gz": {Data: []byte("not gzip")}})
	s.listen(t, api.New(config))
	if got := s.fetch(t, http.MethodGet, "/", ""); got.status != http.StatusInternalServerError || !strings.Contains(string(got.body), `"code":"internal"`) {
		t.Errorf("got %d %s, want 500 internal", got.status, got.body)
	}
}
