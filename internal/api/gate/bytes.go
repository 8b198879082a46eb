package gate

import (
	"sync"

	"daybook/internal/fault"
)

// Bytes bounds the memory that all requests together hold for one purpose, such as bodies that are arriving.
// A client holds at most its share, so that there is room for others beside one that holds much.
type Bytes struct {
	most, share int64
	full        string // the message for a request that gets none

	mu      sync.Mutex
	held    int64
	clients map[string]int64 // what each client holds
}

// NewBytes returns a bound of most bytes for all clients, and of share bytes for one. A request that gets
// none fails with the message full.
func NewBytes(most, share int64, full string) *Bytes {
	return &Bytes{most: most, share: share, full: full, clients: map[string]int64{}}
}

// Share is what one client may hold.
func (b *Bytes) Share() int64 { return b.share }

// Held is what all clients hold.
func (b *Bytes) Held() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}

// Reserve returns an empty reservation for a request of a client.
func (b *Bytes) Reserve(client string) *Reservation { return &Reservation{bytes: b, client: client} }

// count adds n bytes, and reports whether that is within the bounds. If it is not, it adds nothing.
func (b *Bytes) count(client string, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > 0 && (b.held+n > b.most || b.clients[client]+n > b.share) {
		return false
	}
	b.held += n
	b.clients[client] += n
	if b.clients[client] == 0 {
		delete(b.clients, client)
	}
	return true
}

// Reservation is what one request holds. One goroutine at a time uses it.
type Reservation struct {
	bytes  *Bytes
	client string
	held   int64
}

// Held is what the reservation holds.
func (r *Reservation) Held() int64 { return r.held }

// Grow adds bytes to a reservation. Unavailable: all clients, or this one, hold too many.
func (r *Reservation) Grow(n int) error {
	if !r.bytes.count(r.client, int64(n)) {
		return fault.New(fault.Unavailable, "%s", r.bytes.full)
	}
	r.held += int64(n)
	return nil
}

// Shrink returns n bytes.
func (r *Reservation) Shrink(n int) {
	r.bytes.count(r.client, -int64(n))
	r.held -= int64(n)
}

// Release returns all bytes. It may be called more than once.
func (r *Reservation) Release() { r.Shrink(int(r.held)) }
