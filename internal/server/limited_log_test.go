package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"daybook/internal/wiretest"
)

// TestFailedHandshakesAreLoggedAtABoundedRate: the log says how many lines are left out, and no other
// line of net/http is left out.
func TestFailedHandshakesAreLoggedAtABoundedRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wire := wiretest.New()
		s := &Server{Limits: DefaultLimits(), Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a defect") })}
		r, trust := startTLSOn(t, s, wire)
		logged := func() (handshakes, panics int, leftOut []string) {
			for line := range strings.Lines(r.log.String()) {
				if strings.Contains(line, "TLS handshake error") {
					handshakes++
				}
				if strings.Contains(line, "panic serving") {
					panics++
				}
				if _, count, is := strings.Cut(line, "left_out="); is {
					leftOut = append(leftOut, strings.TrimSpace(count))
				}
			}
			return handshakes, panics, leftOut
		}
		wants := func(handshakes, panics int, leftOut ...string) {
			t.Helper()
			synctest.Wait()
			h, p, l := logged()
			if got, want := fmt.Sprint(h, p, l), fmt.Sprint(handshakes, panics, leftOut); got != want {
				t.Errorf("got %s (lines about handshakes, about panics, and about left out lines), want %s", got, want)
			}
		}
		fail := func(times int) {
			for range times {
				c := lineOn(t, wire)
				c.send(t, "GET / HTTP/1.1\r\n")
				c.closes(t)
			}
		}
		fail(100)
		wants(10, 0)
		for range 20 {
			client := clientOf(t, &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return wire.Dial() }, TLSClientConfig: trust.Clone()})
			q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://localhost/", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := client.Do(q); err == nil {
				t.Errorf("a handler that panics: got %d, want a cut connection", got.StatusCode)
				_ = got.Body.Close()
			}
		}
		wants(10, 20)
		time.Sleep(time.Minute)
		wants(10, 20, "90")
		fail(5)
		time.Sleep(time.Minute)
		wants(15, 20, "90")
		fail(12)
		if err := r.stop(); err != nil {
			t.Fatal(err)
		}
		wants(25, 20, "90", "2")
	})
}

// TestOtherLinesThatAPeerCanCauseAreBounded: every line that a peer can cause is logged at a bounded
// rate. Other lines are always logged.
func TestOtherLinesThatAPeerCanCauseAreBounded(t *testing.T) {
	for line, bounded := range map[string]bool{
		"http: TLS handshake error from 192.0.2.1:1: EOF":                                               true,
		"http: panic serving 192.0.2.1:1: a defect":                                                     false,
		"http: superfluous response.WriteHeader call from main.main (main.go:1)":                        false,
		"http: panic serving 192.0.2.1:1: http: TLS handshake error, a defect whose text is misguiding": false,
	} {
		var out bytes.Buffer
		sparing := newLimitedLog(slog.New(slog.NewTextHandler(&out, nil)), "failures")
		for range 3 * mostLines {
			if _, err := io.WriteString(peerLines{sparing}, line+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		want := 3 * mostLines
		if bounded {
			want = mostLines
		}
		if got := strings.Count(out.String(), "\n"); got != want {
			t.Errorf("%s: got %d of %d lines, want %d", line, got, 3*mostLines, want)
		}
		sparing.end()
		if got := strings.Contains(out.String(), "left_out=20"); got != bounded {
			t.Errorf("%s: got a line about left out lines %t, want %t", line, got, bounded)
		}
	}
}
