package api_test

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/api"
	"daybook/internal/wiretest"
)

// attackers is the number of hostile clients at once.
const attackers = 64

// TestHostileClientsStallNobody: hostile clients stop or slow down in the middle of a write. Meanwhile
// the writes of other clients are answered.
func TestHostileClientsStallNobody(t *testing.T) {
	for _, c := range []struct {
		name   string
		attack attack
		over   bool // the attack ends at once, so it is repeated
		stored func(stored, attacks int) bool
	}{
		{"their bodies come byte by byte", sendSlowly, false, func(stored, _ int) bool { return stored == 0 }},
		{"they hang up in their bodies", breakOff, true, func(stored, _ int) bool { return stored == 0 }},
		{"they hang up after their bodies", hangUp, true, func(stored, attacks int) bool { return stored <= attacks }},
		{"they do not take their answers", leaveAnswer, false, func(stored, attacks int) bool { return stored == attacks }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serveAttacked(t, func(h http.Handler) http.Handler { return h })
			var attacks atomic.Int64
			startAttack := func() {
				attacks.Add(1)
				s.startAttack(t, c.attack)
			}
			var attacking sync.WaitGroup
			for range attackers {
				attacking.Go(startAttack)
			}
			attacking.Wait()
			s.writeBeside(t, func() {
				if c.over {
					startAttack()
				}
			})
			got, sent := s.count(t, "hostile"), int(attacks.Load())
			for began := time.Now(); !c.stored(got, sent) && time.Since(began) < patience; got = s.count(t, "hostile") {
				time.Sleep(time.Millisecond) // the last writes may still be in progress
			}
			if !c.stored(got, sent) {
				t.Errorf("got %d stored of %d hostile writes, want another number", got, sent)
			}
		})
	}
}

// TestAServerThatWaitsForItsClientsIsStalled is the control of TestHostileClientsStallNobody: a server
// handles one request after the other. One hostile client then stops all others.
func TestAServerThatWaitsForItsClientsIsStalled(t *testing.T) {
	var turn sync.Mutex
	s := serveAttacked(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			turn.Lock()
			defer turn.Unlock()
			h.ServeHTTP(w, r)
		})
	})
	s.startAttack(t, sendSlowly)
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.writeBeside(t, func() {})
	}()
	select {
	case <-served:
		t.Error("got the other clients served, want them to wait")
	case <-time.After(100 * time.Millisecond):
	}
	s.entrance.HangUp()
	<-served
}

// attackedServer is a server to which hostile clients connect over entrance.
type attackedServer struct {
	*server
	entrance *wiretest.Wire
}

// serveAttacked starts a server that waits for a body as long as its client keeps the connection open.
// before wraps its handler.
func serveAttacked(t *testing.T, before func(http.Handler) http.Handler) *attackedServer {
	t.Helper()
	s := &attackedServer{open(t), wiretest.New()}
	config := s.config()
	config.BodyTime = time.Hour
	handler := before(api.New(config))
	s.listen(t, handler)
	web := &http.Server{Handler: handler, ReadHeaderTimeout: patience, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	go func() { _ = web.Serve(s.entrance) }() // until it is closed
	t.Cleanup(func() {
		s.entrance.HangUp()
		_ = web.Close()
	})
	return s
}

// attack is what a hostile client does when the server waits for its body.
type attack func(c net.Conn, body string) error

// startAttack connects a hostile client, sends the headers of a write, and calls the attack.
func (s *attackedServer) startAttack(t *testing.T, a attack) {
	c, err := s.entrance.Dial()
	if err != nil {
		t.Error(err)
		return
	}
	const head = "POST /company/add HTTP/1.1\r\nHost: " + publishedHost + "\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
	if _, err = io.WriteString(c, head); err == nil {
		_, err = io.ReadFull(c, make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n")))
	}
	if err == nil {
		err = a(c, `{"name":"hostile"}`)
	}
	if err != nil {
		t.Errorf("a hostile client: got %v, want no error", err)
	}
}

// send sends a part of a body.
func send(c net.Conn, part string) error {
	_, err := fmt.Fprintf(c, "%x\r\n%s\r\n", len(part), part)
	return err
}

// sendSlowly sends spaces until the connection ends, so that the body never comes to an end.
func sendSlowly(c net.Conn, _ string) error {
	go func() {
		for send(c, " ") == nil { // spaces are allowed before JSON
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return send(c, " ")
}

func breakOff(c net.Conn, body string) error {
	if err := send(c, body[:len(body)/2]); err != nil {
		return err
	}
	return c.Close()
}

func hangUp(c net.Conn, body string) error {
	if err := leaveAnswer(c, body); err != nil {
		return err
	}
	return c.Close()
}

func leaveAnswer(c net.Conn, body string) error {
	if err := send(c, body); err != nil {
		return err
	}
	_, err := io.WriteString(c, "0\r\n\r\n")
	return err
}

// writeBeside makes the writes of honest clients, and calls after before each. All must be answered
// and stored.
func (s *attackedServer) writeBeside(t *testing.T, after func()) {
	t.Helper()
	const clients, writes = 8, 10
	var honest sync.WaitGroup
	for range clients {
		honest.Go(func() {
			for range writes {
				after()
				got, err := s.try(t, request{method: http.MethodPost, target: "/company/add", body: []byte(`{"name":"honest"}`)})
				if err != nil || got.status != http.StatusCreated {
					t.Errorf("got %d %s, %v, want 201", got.status, got.body, err)
					return
				}
			}
		})
	}
	honest.Wait()
	if got, want := s.count(t, "honest"), clients*writes; got != want {
		t.Errorf("got %d honest writes stored, want %d", got, want)
	}
}

// count returns how many writes of clients with that name are stored.
func (s *attackedServer) count(t *testing.T, name string) int {
	t.Helper()
	return strings.Count(s.get(t, "/company/list"), `"name":"`+name+`"`)
}
