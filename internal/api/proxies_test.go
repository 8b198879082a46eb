package api

import (
	"net/http"
	"testing"
)

func TestClientIsWhoTheTrustedProxiesSay(t *testing.T) {
	for _, c := range []struct {
		trusted   []string
		peer      string
		forwarded []string
		want      string
	}{
		{nil, "192.0.2.1:5000", nil, "192.0.2.1"},
		{nil, "192.0.2.1:5000", []string{"10.9.9.9"}, "192.0.2.1"},
		{nil, "@", []string{"10.9.9.9"}, "unix"},
		{[]string{"unix"}, "@", []string{"198.51.100.4"}, "198.51.100.4"},
		{[]string{"unix"}, "", []string{"198.51.100.4"}, "198.51.100.4"},
		{[]string{"unix"}, "192.0.2.1:5000", []string{"198.51.100.4"}, "192.0.2.1"},
		{[]string{"192.0.2.0/24"}, "192.0.2.1:5000", []string{"198.51.100.4"}, "198.51.100.4"},
		{[]string{"192.0.2.0/24"}, "192.0.2.1:5000", []string{"1.1.1.1, 198.51.100.4, 192.0.2.9"}, "198.51.100.4"},
		{[]string{"192.0.2.0/24"}, "192.0.2.1:5000", []string{"1.1.1.1", "198.51.100.4"}, "198.51.100.4"},
		{[]string{"192.0.2.0/24"}, "192.0.2.1:5000", []string{"nonsense"}, "192.0.2.1"},
		{[]string{"192.0.2.0/24"}, "192.0.2.1:5000", []string{"1.1.1.1, nonsense"}, "192.0.2.1"},
		{[]string{"192.0.2.0/24"}, "192.0.2.1:5000", nil, "192.0.2.1"},
		{[]string{"192.0.2.1"}, "[::ffff:192.0.2.1]:5000", []string{"2001:db8::7"}, "2001:db8::7"},
		{[]string{"192.0.2.1"}, "192.0.2.2:5000", []string{"2001:db8::7"}, "192.0.2.2"},
		{[]string{"2001:db8::/32"}, "[2001:db8::1]:5000", []string{"198.51.100.4"}, "198.51.100.4"},
	} {
		proxies, err := ParseProxies(c.trusted)
		if err != nil {
			t.Fatal(err)
		}
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header{"X-Forwarded-For": c.forwarded}}
		if got := proxies.client(r); got != c.want {
			t.Errorf("%v trusted, peer %s, forwarded for %q: got %s, want %s", c.trusted, c.peer, c.forwarded, got, c.want)
		}
	}
}

func TestProxiesAndOriginsThatAreNone(t *testing.T) {
	for _, raw := range []string{"", "*", "proxy.example.com", "10.0.0.0/33", "10.0.0.1:80"} {
		if _, err := ParseProxies([]string{raw}); err == nil {
			t.Errorf("ParseProxies(%q): got no error", raw)
		}
	}
	for _, raw := range []string{"", "*", "null", "reports.example.com", "https://", "https://a.example/", "https://a.example/x", "https://u@a.example", "ftp://a.example", "https://a.example?x"} {
		if _, err := ParseOrigins([]string{raw}); err == nil {
			t.Errorf("ParseOrigins(%q): got no error", raw)
		}
	}
	for _, raw := range []string{"https://a.example", "http://localhost:3000", "https://[2001:db8::1]:8443"} {
		if _, err := ParseOrigins([]string{raw}); err != nil {
			t.Errorf("ParseOrigins(%q): %v", raw, err)
		}
	}
}
