package gate

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestClientIsWhoTheTrustedProxiesSay: the address of a client is the one that a trusted proxy names in
// X-Forwarded-For. The header of any other peer is ignored.
func TestClientIsWhoTheTrustedProxiesSay(t *testing.T) {
	for _, c := range []struct {
		trusted   []string
		peer      string // the network and the address of the peer
		forwarded []string
		want      string
	}{
		{nil, "tcp 192.0.2.1:5000", nil, "192.0.2.1"},
		{nil, "tcp 192.0.2.1:5000", []string{"10.9.9.9"}, "192.0.2.1"},
		{nil, "unix @", []string{"10.9.9.9"}, "unix"},
		{nil, "unix 192.0.2.1:5000", nil, "unix"},
		{[]string{"192.0.2.1"}, "unix 192.0.2.1:5000", []string{"198.51.100.4"}, "unix"},
		{[]string{"unix"}, "unix 192.0.2.1:5000", []string{"198.51.100.4"}, "198.51.100.4"},
		{[]string{"unix"}, "unix @", []string{"198.51.100.4"}, "198.51.100.4"},
		{[]string{"unix"}, "unix ", []string{"198.51.100.4"}, "198.51.100.4"},
		{[]string{"unix"}, "tcp 192.0.2.1:5000", []string{"198.51.100.4"}, "192.0.2.1"},
		{[]string{"192.0.2.0/24"}, "tcp 192.0.2.1:5000", []string{"198.51.100.4"}, "198.51.100.4"},
		{[]string{"192.0.2.0/24"}, "tcp 192.0.2.1:5000", []string{"1.1.1.1, 198.51.100.4, 192.0.2.9"}, "198.51.100.4"},
		{[]string{"192.0.2.0/24"}, "tcp 192.0.2.1:5000", []string{"1.1.1.1", "198.51.100.4"}, "198.51.100.4"},
		{[]string{"192.0.2.0/24"}, "tcp 192.0.2.1:5000", []string{"nonsense"}, "192.0.2.1"},
		{[]string{"192.0.2.0/24"}, "tcp 192.0.2.1:5000", []string{"1.1.1.1, nonsense"}, "192.0.2.1"},
		{[]string{"192.0.2.0/24"}, "tcp 192.0.2.1:5000", nil, "192.0.2.1"},
		{[]string{"192.0.2.1"}, "tcp [::ffff:192.0.2.1]:5000", []string{"2001:db8::7"}, "2001:db8::7"},
		{[]string{"::ffff:192.0.2.1"}, "tcp 192.0.2.1:5000", []string{"2001:db8::7"}, "2001:db8::7"},
		{[]string{"192.0.2.1"}, "tcp 192.0.2.2:5000", []string{"2001:db8::7"}, "192.0.2.2"},
		{[]string{"2001:db8::/32"}, "tcp [2001:db8::1]:5000", []string{"198.51.100.4"}, "198.51.100.4"},
	} {
		proxies, err := ParseProxies(c.trusted)
		if err != nil {
			t.Fatal(err)
		}
		network, name, _ := strings.Cut(c.peer, " ")
		ends := map[string]net.Addr{"tcp": &net.TCPAddr{}, "unix": &net.UnixAddr{}}
		ctx := context.WithValue(t.Context(), http.LocalAddrContextKey, ends[network])
		r := (&http.Request{RemoteAddr: name, Header: http.Header{"X-Forwarded-For": c.forwarded}}).WithContext(ctx)
		if got := proxies.client(r); got != c.want {
			t.Errorf("%v trusted, peer %s, forwarded for %q: got %s, want %s", c.trusted, c.peer, c.forwarded, got, c.want)
		}
	}
}

// TestAPeerOfAUnixSocketHasNoAddress: a peer on a Unix socket counts as "unix", even if it binds its own
// socket to a name that looks like an address.
func TestAPeerOfAUnixSocketHasNoAddress(t *testing.T) {
	t.Chdir(t.TempDir())
	var listening net.ListenConfig
	l, err := listening.Listen(t.Context(), "unix", "server.sock")
	if err != nil {
		t.Fatal(err)
	}
	peers := make(chan string, 1)
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { peers <- r.RemoteAddr + " is " + peer(r) }))
	if err := web.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	web.Listener = l
	web.Start()
	t.Cleanup(web.Close)
	from := net.Dialer{LocalAddr: &net.UnixAddr{Net: "unix", Name: "203.0.113.7:99"}}
	client := http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return from.DialContext(ctx, "unix", "server.sock")
		},
		DisableKeepAlives: true,
	}}
	q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close() // it is empty
	if got, want := <-peers, "203.0.113.7:99 is unix"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestInvalidProxiesAndOriginsAreRefused(t *testing.T) {
	for _, raw := range []string{"", "*", "proxy.example.com", "10.0.0.0/33", "10.0.0.1:80", "::ffff:10.0.0.0/104"} {
		if _, err := ParseProxies([]string{raw}); err == nil {
			t.Errorf("ParseProxies(%q): got no error, want one", raw)
		}
	}
	for _, raw := range []string{"", "*", "null", "reports.example.com", "https://", "https://a.example/", "https://a.example/x", "https://u@a.example", "ftp://a.example", "https://a.example?x", "https://A.example", "https://a.example:443", "http://a.example:80"} {
		if _, err := ParseOrigins([]string{raw}); err == nil {
			t.Errorf("ParseOrigins(%q): got no error, want one", raw)
		}
	}
	for _, raw := range []string{"https://a.example", "http://localhost:3000", "http://a.example:443", "https://[2001:db8::1]:8443"} {
		if _, err := ParseOrigins([]string{raw}); err != nil {
			t.Errorf("ParseOrigins(%q): %v", raw, err)
		}
	}
}
