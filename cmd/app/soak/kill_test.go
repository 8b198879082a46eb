package soak_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"
)

// writers is how many clients write at once.
const writers = 8

// TestKill kills the process at random moments while clients write. After the next start, every
// acknowledged write is there and no write is half stored. A write that was not answered is sent
// again with its Idempotency-Key, and is then stored exactly once.
func TestKill(t *testing.T) {
	cycles := times(6, 500)
	const cyclesOnOne = 25 // on one database, so that verifying it stays short
	acknowledged, retried := 0, 0
	for done := 0; done < cycles; {
		c := newCrowd(t, newFile(t), false)
		for range min(cyclesOnOne, cycles-done) {
			c.writeUntilKilled(t)
			for _, complaint := range c.settle(t) {
				t.Errorf("cycle %d: %s", done, complaint)
			}
			retried += c.retry(t)
			for _, complaint := range c.settle(t) {
				t.Errorf("cycle %d, after the retries: %s", done, complaint)
			}
			done++
			if t.Failed() {
				return
			}
		}
		acknowledged += c.acknowledged()
		if err := c.server.stop(t); err != nil {
			t.Errorf("got %v, want an exit with 0", err)
		}
	}
	noticed, cycle := noticesLoss(t)
	figure{
		"kill -9 under 8 writers", fmt.Sprintf("%d cycles, 0 lost, 0 half stored", cycles),
		fmt.Sprintf("%d cycles, %d acknowledged, %d retried with their key, 0 lost, 0 half stored", cycles, acknowledged, retried),
		fmt.Sprintf("writes counted as acknowledged when sent: %d lost, noticed in cycle %d", noticed, cycle),
	}.report(t)
}

// noticesLoss is the control: clients count a write as acknowledged when they send it. Some of these
// writes are lost, and the test must notice that.
func noticesLoss(t *testing.T) (lost, cycle int) {
	t.Helper()
	c := newCrowd(t, newFile(t), true)
	for cycle := range 50 {
		c.writeUntilKilled(t)
		if wrong := c.settle(t); len(wrong) > 0 {
			return len(wrong), cycle + 1
		}
	}
	t.Error("clients that count writes as acknowledged when sent: got no loss noticed in 50 cycles, want one")
	return 0, 0
}

// crowd is a group of clients that write to one database.
type crowd struct {
	db      string
	server  *process
	clients []*writer
}

// newCrowd starts a server on a database, with clients. Optimistic clients count a write as
// acknowledged when they send it.
func newCrowd(t *testing.T, db string, optimistic bool) *crowd {
	t.Helper()
	c := &crowd{db: db, server: serve(t, db)}
	create := func(target, body string) int64 {
		return decoded[struct{ ID int64 }](t, c.server.send(t, http.MethodPost, target, body, http.StatusCreated)).ID
	}
	department := create("/api/v1/department/create", `{"code":"CROWD","name":"Crowd"}`)
	for i := range writers {
		s := &writer{department: department, symbol: fmt.Sprintf("CROWD-%d", i+1), optimistic: optimistic, retries: i%2 == 0}
		s.account = create("/api/v1/gl-accounts", fmt.Sprintf(`{"code":%q,"type":"opex"}`, s.symbol))
		create("/api/v1/budget/create", s.posting(0))
		c.clients = append(c.clients, s)
	}
	return c
}

// writeUntilKilled kills the server while all clients write, and starts it again. Sometimes it kills
// the server once more during its start.
func (c *crowd) writeUntilKilled(t *testing.T) {
	t.Helper()
	var writing sync.WaitGroup
	for _, s := range c.clients {
		writing.Go(func() { s.writeUntilCut(t.Context(), c.server.client) })
	}
	time.Sleep(10*time.Millisecond + rand.N(300*time.Millisecond))
	c.server.kill()
	writing.Wait()
	if rand.N(3) == 0 {
		p, _ := launch(t, c.db)
		time.Sleep(rand.N(40 * time.Millisecond))
		p.kill()
	}
	for _, complaint := range verified(t, c.db) {
		t.Error(complaint)
	}
	c.server = serve(t, c.db)
}

// settle returns how the database differs from what the clients were answered.
func (c *crowd) settle(t *testing.T) (wrong []string) {
	t.Helper()
	for _, s := range c.clients {
		wrong = append(wrong, s.settle(t, c.server.client)...)
	}
	return wrong
}

// retry repeats the writes that were not answered, for the clients that retry, and returns how many
// writes there were.
func (c *crowd) retry(t *testing.T) (n int) {
	t.Helper()
	for _, s := range c.clients {
		if s.cut == nil || !s.retries {
			continue
		}
		n++
		if w := *s.cut; !s.write(t.Context(), c.server.client, w) {
			t.Errorf("%s %s repeated: got no answer, want one", w.target, w.body)
		}
	}
	return n
}

func (c *crowd) acknowledged() (n int) {
	for _, s := range c.clients {
		n += s.acknowledged
	}
	return n
}
