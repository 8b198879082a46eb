package api

import (
	"crypto/rand"
	"errors"
	"net/http"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/access"
	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
)

// request is one request: what is known of it, and what it holds of the server. Each step of serving it reads
// and writes it here.
type request struct {
	*gin.Context
	api         *api
	origin      journal.Origin
	token       access.Token             // that authorised it; the zero value if none was needed
	body        *body                    // nil if it has none
	fingerprint *idempotency.Fingerprint // made when the body was read, so that the body need not be kept; nil before
	slot        func()                   // releases its slot for reports; nil if it has none
}

// handle does a step of a request: it returns a fault and writes nothing, or writes the response, or leaves both
// to the next step.
type handle func(*request) error

// serve makes a gin handler of the handle of an operation, and of the scope that it needs. It is the one place
// that turns an error or a panic of a handle into a response.
func (a *api) serve(needed access.Scope, h handle) gin.HandlerFunc {
	steps := []handle{a.enter, a.checkWrite, a.authorize(needed), h}
	return func(g *gin.Context) {
		c := a.begin(g)
		defer c.release()
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p) // net/http cuts the connection
			}
			a.respondError(c, fault.Wrap(fault.Internal, errors.New(string(debug.Stack())), "panic: %v", p))
		}()
		for _, step := range steps {
			if err := step(c); err != nil {
				a.respondError(c, err)
				return
			}
			if c.IsAborted() {
				return
			}
		}
	}
}

// localActor is who sent a request that no token came with.
const localActor = "local"

// requestID is what a client may send as X-Request-Id.
var requestID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

// begin returns a request, and bounds the time of its body, even if no handle reads it, because net/http reads
// the rest before it responds. The request has a name in the journal, in the log and in the response: its
// X-Request-Id if that is valid, else a new one.
func (a *api) begin(g *gin.Context) *request {
	name := g.GetHeader("X-Request-Id")
	if !requestID.MatchString(name) {
		name = rand.Text()
	}
	g.Header("X-Request-Id", name)
	c := &request{Context: g, api: a}
	c.from(journal.Origin{Actor: localActor, Request: name})
	if sent := g.Request.Body; sent != nil && sent != http.NoBody {
		c.body = &body{Reader: sent, most: mostBody, control: http.NewResponseController(g.Writer)}
		_ = c.body.control.SetReadDeadline(time.Now().Add(a.BodyTime)) // a writer without deadlines has no slow client
	}
	return c
}

// from says who sent the request, for the journal.
func (c *request) from(origin journal.Origin) {
	c.origin = origin
	c.Request = c.Request.WithContext(journal.With(c.Request.Context(), origin))
}

// authorize lets a request pass whose token has the needed scope. Unauthorized, Forbidden.
func (a *api) authorize(needed access.Scope) handle {
	return func(c *request) error {
		token, err := a.gate.Authorize(c.Writer, c.Request, needed)
		if token.ID != 0 { // it may lack the scope
			c.token = token
			origin := c.origin
			origin.Actor = token.Actor()
			c.from(origin)
		}
		return err
	}
}

// client is the client to which the use of shared resources counts.
func (c *request) client() string { return c.api.gate.Sharer(c.Request, c.token) }

// principal is who sent the request.
func (c *request) principal() string { return gate.Principal(c.token) }

// release returns what the request holds for reading its data, before it responds: a client that is slow to
// take the response holds neither a slot nor room for bodies.
func (c *request) release() {
	if c.slot != nil {
		c.slot()
	}
	if c.body != nil {
		c.body.release()
	}
}
