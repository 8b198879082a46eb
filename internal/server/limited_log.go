package server

import (
	"log/slog"
	"strings"
	"sync"
	"time"
)

// limitedLog logs warnings that a peer can cause without end: at most mostLines in a minute, and then one
// that counts the others.
type limitedLog struct {
	log  *slog.Logger
	more string // says that there was more

	mu           sync.Mutex
	told, untold int         // in this minute
	minute       *time.Timer // ends it; nil while there is nothing to tell of
}

// mostLines is the number of warnings in a minute.
const mostLines = 10

func newLimitedLog(log *slog.Logger, more string) *limitedLog {
	return &limitedLog{log: log, more: more}
}

func (s *limitedLog) warn(text string, args ...any) {
	if s.tells() {
		s.log.Warn(text, args...)
	}
}

// tells counts a warning, and reports whether it is written.
func (s *limitedLog) tells() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.minute == nil {
		s.minute = time.AfterFunc(time.Minute, s.end)
	}
	if s.told == mostLines {
		s.untold++
		return false
	}
	s.told++
	return true
}

// end ends a minute.
func (s *limitedLog) end() {
	s.mu.Lock()
	untold := s.untold
	if s.minute != nil {
		s.minute.Stop()
	}
	s.told, s.untold, s.minute = 0, 0, nil
	s.mu.Unlock()
	if untold > 0 {
		s.log.Warn(s.more, "left_out", untold)
	}
}

// peerLines is the log of net/http. It limits the lines that a peer can cause.
type peerLines struct{ failures *limitedLog }

// byPeer is the beginning of the line that a peer can cause without a request.
const byPeer = "http: TLS handshake error"

// Write takes one line.
func (p peerLines) Write(line []byte) (int, error) {
	text := strings.TrimSuffix(string(line), "\n")
	if strings.HasPrefix(text, byPeer) {
		p.failures.warn(text)
	} else {
		p.failures.log.Warn(text)
	}
	return len(line), nil
}
