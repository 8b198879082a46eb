package journal

import (
	"context"
	"strconv"
)

// Origin is who asked for a change, in which request, and why.
type Origin struct {
	Actor   string
	Request string
	Reason  string // as text.ParseReason gives it; "" if none was given
}

// Range is the entries of one request, which follow each other. The zero Range has none.
type Range struct{ First, Last Seq }

// String returns the range as the interface gives it: FIRST-LAST, or the number of the only entry.
func (r Range) String() string {
	if r.First == r.Last {
		return strconv.FormatInt(int64(r.First), 10)
	}
	return strconv.FormatInt(int64(r.First), 10) + "-" + strconv.FormatInt(int64(r.Last), 10)
}

type requestKey struct{}

// request is what a context carries from a request to the store, and back.
type request struct {
	origin  Origin
	written Range
}

// With returns a context in which changes come from an origin.
func With(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, requestKey{}, &request{origin: o})
}

// OriginOf returns the origin of changes in a context, or the zero Origin.
func OriginOf(ctx context.Context) Origin {
	if r, is := ctx.Value(requestKey{}).(*request); is {
		return r.origin
	}
	return Origin{}
}

// SetWritten says which entries a write in the context left. A store calls it after the commit.
func SetWritten(ctx context.Context, entries Range) {
	if r, is := ctx.Value(requestKey{}).(*request); is {
		r.written = entries
	}
}

// WrittenIn returns the entries that the last write in a context left, the zero Range if there was none or
// it changed nothing.
func WrittenIn(ctx context.Context) Range {
	if r, is := ctx.Value(requestKey{}).(*request); is {
		return r.written
	}
	return Range{}
}
