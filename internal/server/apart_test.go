package server

import (
	"bufio"
	"io"
	"net/http"
	"testing"
)

// TestApart: a handler that panics still cuts its connection, and a response with a length is not sent
// in chunks.
func TestApart(t *testing.T) {
	routes := http.NewServeMux()
	routes.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic(http.ErrAbortHandler)
	})
	routes.HandleFunc("/sized", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5")
		_, _ = io.WriteString(w, "hello")
	})
	addr := start(t, "127.0.0.1:0", &Server{Handler: routes, Limits: limits()}).addrs[0]
	cut := dial(t, "tcp", addr)
	cut.send(t, "GET /cut HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if whole, err := io.ReadAll(cut.answers); err != nil || len(whole) > 0 {
		t.Errorf("a handler that panics: got %q, %v, want its connection cut", whole, err)
	}
	sized := dial(t, "tcp", addr)
	for _, method := range []string{"HEAD", "GET", "GET"} {
		sized.send(t, method+" /sized HTTP/1.1\r\nHost: localhost\r\n\r\n")
		got, err := http.ReadResponse(bufio.NewReaderSize(sized, 4096), &http.Request{Method: method})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		if want := map[string]string{"GET": "hello"}[method]; err != nil || string(body) != want || got.ContentLength != 5 || len(got.TransferEncoding) > 0 {
			t.Errorf("%s: got %q of length %d, %v, %v, want %q of length 5, whole", method, body, got.ContentLength, got.TransferEncoding, err, want)
		}
		if err := got.Body.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
