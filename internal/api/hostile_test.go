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

// besiegers is how many clients of ill will there are at once.
const besiegers = 64

// TestHostileClientsStallNobody: while many clients do what they can to be waited for,
// each in the middle of a write, others write and are answered.
func TestHostileClientsStallNobody(t *testing.T) {
	for _, c := range []struct {
		name   string
		attack attack
		over   bool // at once, so that more must follow
		stored func(stored, attacks int) bool
	}{
		{"their bodies come byte by byte", drip, false, func(stored, _ int) bool { return stored == 0 }},
		{"they hang up in their bodies", breakOff, true, func(stored, _ int) bool { return stored == 0 }},
		{"they hang up after their bodies", hangUp, true, func(stored, attacks int) bool { return stored <= attacks }},
		{"they do not take their answers", leaveAnswer, false, func(stored, attacks int) bool { return stored == attacks }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := besiege(t, func(h http.Handler) http.Handler { return h })
			var attacks atomic.Int64
			suffer := func() {
				attacks.Add(1)
				s.suffer(t, c.attack)
			}
			var besieging sync.WaitGroup
			for range besiegers {
				besieging.Go(suffer)
			}
			besieging.Wait()
			s.writeHonestly(t, func() {
				if c.over {
					suffer()
				}
			})
			got, sent := s.count(t, "hostile"), int(attacks.Load())
			for began := time.Now(); !c.stored(got, sent) && time.Since(began) < patience; got = s.count(t, "hostile") {
				time.Sleep(time.Millisecond) // the last of them may be at work
			}
			if !c.stored(got, sent) {
				t.Errorf("got %d stored of %d hostile writes", got, sent)
			}
		})
	}
}

// TestAServerThatWaitsForItsClientsIsStalled is the control: where requests take turns,
// one hostile client is enough.
func TestAServerThatWaitsForItsClientsIsStalled(t *testing.T) {
	var turn sync.Mutex
	s := besiege(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			turn.Lock()
			defer turn.Unlock()
			h.ServeHTTP(w, r)
		})
	})
	s.suffer(t, drip)
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.writeHonestly(t, func() {})
	}()
	select {
	case <-served:
		t.Error("the others are served, want them to wait")
	case <-time.After(100 * time.Millisecond):
	}
	s.entrance.HangUp()
	<-served
}

// siege is a server with an entrance for hostile clients.
type siege struct {
	*server
	entrance *wiretest.Wire
}

// besiege starts a server, with something before its handler, that waits for a body as
// long as its client keeps the connection.
func besiege(t *testing.T, before func(http.Handler) http.Handler) *siege {
	t.Helper()
	s := &siege{open(t), wiretest.New()}
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

// attack is what a client does whose write waits for its body.
type attack func(c net.Conn, body string) error

// suffer lets a hostile client in, and returns when it gets no further.
func (s *siege) suffer(t *testing.T, a attack) {
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
		t.Errorf("a hostile client: %v", err)
	}
}

// send sends a part of a body.
func send(c net.Conn, part string) error {
	_, err := fmt.Fprintf(c, "%x\r\n%s\r\n", len(part), part)
	return err
}

// drip goes on until the connection ends, and never comes to what the body says.
func drip(c net.Conn, _ string) error {
	go func() {
		for send(c, " ") == nil { // as may stand before JSON
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

// writeHonestly wants the writes of some others to be answered and stored, each after
// something else.
func (s *siege) writeHonestly(t *testing.T, after func()) {
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
		t.Errorf("got %d stored of %d honest writes", got, want)
	}
}

// count counts what is stored of clients.
func (s *siege) count(t *testing.T, name string) int {
	t.Helper()
	return strings.Count(s.get(t, "/company/list"), `"name":"`+name+`"`)
}
