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

// TestKill: the process is killed at random moments while clients write. After the next
// start, every acknowledged write is there, none is half there, and repeating a write
// whose answer did not come, under its Idempotency-Key, stores it once.
func TestKill(t *testing.T) {
	cycles := times(6, 500)
	const cyclesOnOne = 25 // so that verifying stays short
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
		"kill -9 under 8 writers", fmt.Sprintf("%d cycles, 0 lost, 0 half there", cycles),
		fmt.Sprintf("%d cycles, %d acknowledged, %d retried under their key, 0 lost, 0 half there", cycles, acknowledged, retried),
		fmt.Sprintf("acknowledged when sent: %d lost, noticed in cycle %d", noticed, cycle),
	}.report(t)
}

// noticesLoss is the control: clients that count a write as acknowledged when it is sent
// must be found to lose some.
func noticesLoss(t *testing.T) (lost, cycle int) {
	t.Helper()
	c := newCrowd(t, newFile(t), true)
	for cycle := range 50 {
		c.writeUntilKilled(t)
		if wrong := c.settle(t); len(wrong) > 0 {
			return len(wrong), cycle + 1
		}
	}
	t.Error("no loss was noticed of clients that acknowledge their own writes")
	return 0, 0
}

// crowd is some clients that write to one database.
type crowd struct {
	db      string
	server  *process
	clients []*scribbler
}

// newCrowd starts a server on a database. Clients that are rash count a write as
// acknowledged when they send it.
func newCrowd(t *testing.T, db string, rash bool) *crowd {
	t.Helper()
	c := &crowd{db: db, server: serve(t, db)}
	create := func(target, body string) int64 {
		return decoded[struct{ ID int64 }](t, c.server.send(t, http.MethodPost, target, body, http.StatusCreated)).ID
	}
	department := create("/api/v1/department/create", `{"code":"CROWD","name":"Crowd"}`)
	for i := range writers {
		s := &scribbler{department: department, symbol: fmt.Sprintf("CROWD-%d", i+1), rash: rash, retries: i%2 == 0}
		s.account = create("/api/v1/gl-accounts", fmt.Sprintf(`{"code":%q,"type":"opex"}`, s.symbol))
		create("/api/v1/budget/create", s.posting(0))
		c.clients = append(c.clients, s)
	}
	return c
}

// writeUntilKilled lets all clients write, kills the server in the midst, and starts it
// again, sometimes killing that one too before it is up.
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

// settle says what the database holds that it should not, or lacks.
func (c *crowd) settle(t *testing.T) (wrong []string) {
	t.Helper()
	for _, s := range c.clients {
		wrong = append(wrong, s.settle(t, c.server.client)...)
	}
	return wrong
}

// retry repeats the writes whose answer did not come, of those clients that do so, and
// returns how many there were.
func (c *crowd) retry(t *testing.T) (n int) {
	t.Helper()
	for _, s := range c.clients {
		if s.cut == nil || !s.retries {
			continue
		}
		n++
		if w := *s.cut; !s.write(t.Context(), c.server.client, w) {
			t.Errorf("the repeated %s was not answered: %s", w.target, w.body)
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
