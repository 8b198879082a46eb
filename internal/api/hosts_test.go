package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/internal/api"
)

// TestHosts: a Host that cannot be a name or an address is refused, even if the server answers to any
// name without a dot. A name below localhost is a name of this machine.
func TestHosts(t *testing.T) {
	config := open(t).config()
	for _, short := range []bool{false, true} {
		config.ShortHosts = short
		handler := api.New(config)
		for status, hosts := range map[int][]string{
			http.StatusOK: {
				"", "localhost", "LOCALHOST:8080", "localhost:", "localhost.", "localhost.:8080", "books.localhost", "Books.LocalHost.:1",
				"127.0.0.1", "127.0.0.1:8080", "192.0.2.1.", "[::1]", "[::1]:8080", "[2001:DB8::1]", "[::ffff:127.0.0.1]:",
			},
			http.StatusMisdirectedRequest: {
				".", ":80", ":", "..", "[::1%25zone]", "[::1%zone]:80", "[fe80::1%25eth0]", "[::1", "::1]", "::1", "fe80::1%eth0", "[]", "[]:80", "[127.0.0.1]",
				"[localhost]", "localhost:80a", "localhost:80:80", "localhost:-1", "[::1]x", "[::1]80", "[[::1]]", ".localhost", "a..localhost", "..localhost",
				"localhost..", "a%20b.localhost", "user@localhost", "localhost/x", "localhost,localhost", "*", "*.localhost", "127.0.0.1%25zone",
			},
		} {
			for _, host := range hosts {
				q := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/currency/list", http.NoBody)
				q.Host = host
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, q)
				if w.Code != status {
					t.Errorf("short names %t, Host %q: got %d %s, want %d", short, host, w.Code, w.Body, status)
				}
				want := fmt.Sprintf(`{"error":"the Host header %s is not the name or address of a host","code":"host_not_allowed"}`, strings.ReplaceAll(fmt.Sprintf("%q", host), `"`, `\"`))
				if w.Code != http.StatusOK && w.Body.String() != want {
					t.Errorf("Host %q: got %s, want %s", host, w.Body, want)
				}
			}
		}
	}
}
