package api

import (
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/fault"
)

// The bounds of answers. One of freeAnswer bytes is outside the room for answers. A
// larger one takes room in pieces of that size while it is made, and gives each piece
// back when it is sent.
const (
	freeAnswer = 64 << 10
	// listHeld is what a list takes that is longer than one piece: the piece, and the
	// pages that are read before it is sent.
	listHeld = 512 << 10
	// answerPatience is how long a reader may take for a piece, while others need its room.
	answerPatience = time.Second
)

// shareOfAnswers returns an empty share of the room for answers. Its end cuts the
// connection, or the stream of HTTP/2.
func shareOfAnswers(c *gin.Context) *share {
	a, control := serving(c), http.NewResponseController(c.Writer)
	return a.answerRoom.share(a.sharerOf(c), func() {
		_ = control.SetWriteDeadline(time.Unix(1, 0)) // a connection that cannot be ended is not in the room
	})
}

// deliver writes a piece of an answer, and reports whether the client took it. A client
// that has gone is nobody's fault. Unavailable: the room ended the answer meanwhile.
func (s *share) deliver(w io.Writer, piece []byte) (taken bool, err error) {
	s.wait()
	_, err = w.Write(piece)
	if !s.goOn() {
		return false, fault.New(fault.Unavailable, "the answer was cut: its client did not take it, and others needed its room")
	}
	return err == nil, nil
}

// answer gathers the body of one answer.
type answer struct {
	c      *gin.Context
	size   int
	first  []byte   // all of an answer that is small
	pieces [][]byte // of one that is large
	share  *share   // nil while the answer is small
}

// answers are kept for the next, with the place for a small body.
var answers = sync.Pool{New: func() any { return &answer{} }}

func newAnswer(c *gin.Context) *answer {
	a, _ := answers.Get().(*answer) // nothing else is put there
	a.c = c
	return a
}

// Write adds to the answer. Unavailable: it is large, and there is no room for it. Invalid: it
// is larger than the whole room.
func (a *answer) Write(p []byte) (n int, err error) {
	a.size += len(p)
	if a.size <= freeAnswer {
		a.first = append(a.first, p...)
		return len(p), nil
	}
	if a.share == nil {
		a.share = shareOfAnswers(a.c)
		if err := a.share.take(cap(a.first)); err != nil {
			return 0, err
		}
		a.pieces, a.first = append(a.pieces, a.first), nil
	}
	for n < len(p) {
		last := len(a.pieces) - 1
		free := cap(a.pieces[last]) - len(a.pieces[last])
		if free == 0 {
			if most := a.share.room.most; a.share.held+freeAnswer > most {
				return n, fault.New(fault.Invalid, "the answer would be larger than the %d MiB that all answers may hold; ask for less by a filter or a smaller limit", most>>20)
			}
			if err := a.share.take(freeAnswer); err != nil {
				return n, err
			}
			a.pieces = append(a.pieces, make([]byte, 0, freeAnswer))
			continue
		}
		part := p[n:min(len(p), n+free)]
		a.pieces[last] = append(a.pieces[last], part...)
		n += len(part)
	}
	return n, nil
}

// send answers with what was gathered. Unavailable: the room ended the answer.
func (a *answer) send(status int) error {
	head(a.c, status, "application/json", a.size)
	if a.share == nil {
		_, _ = a.c.Writer.Write(a.first) // a client that has gone is nobody's fault
		return nil
	}
	for i, piece := range a.pieces {
		if taken, err := a.share.deliver(a.c.Writer, piece); !taken {
			return err
		}
		a.pieces[i] = nil
		a.share.give(cap(piece))
	}
	return nil
}

// close gives back the room, or keeps the answer for the next.
func (a *answer) close() {
	if a.share != nil {
		a.share.leave()
		return
	}
	a.c, a.size, a.first = nil, 0, a.first[:0]
	answers.Put(a)
}

// head sets what comes before a body of a known size. What it is made of has been read.
func head(c *gin.Context, status int, contentType string, size int) {
	leavePlace(c)
	c.Header("Content-Type", contentType)
	c.Header("Content-Length", strconv.Itoa(size))
	c.Status(status)
}

// listPieces are the pieces of a list. The list takes room when it has more than one.
type listPieces struct {
	c     *gin.Context
	share *share // nil before the first piece was sent
}

// send sends a piece that others follow, and reports whether the client took it.
// Unavailable: there is no room for the list, or the room ended it.
func (l *listPieces) send(piece []byte) (taken bool, err error) {
	if l.share == nil {
		l.share = shareOfAnswers(l.c)
		if err := l.share.take(listHeld); err != nil {
			return false, err
		}
	}
	return l.share.deliver(l.c.Writer, piece)
}

// end sends the last piece. Unavailable: the room ended the list.
func (l *listPieces) end(piece []byte) error {
	if l.share == nil {
		_, _ = l.c.Writer.Write(piece) // a client that has gone is nobody's fault
		return nil
	}
	_, err := l.share.deliver(l.c.Writer, piece)
	return err
}

// close gives back the room.
func (l *listPieces) close() {
	if l.share != nil {
		l.share.leave()
	}
}
