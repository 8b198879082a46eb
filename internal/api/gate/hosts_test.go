package gate

import "testing"

func TestInvalidHostsAreRefused(t *testing.T) {
	for _, host := range []string{"", "https://books.example.com", "books.example.com/", "*", "*.example.com", "a b", "[::1"} {
		if err := CheckHosts([]string{"localhost", host}); err == nil {
			t.Errorf("%q: got no error, want one", host)
		}
	}
	if err := CheckHosts([]string{"books.example.com", "Books.Example.com:8443", "books", "192.0.2.1", "[2001:db8::1]"}); err != nil {
		t.Error(err)
	}
}
