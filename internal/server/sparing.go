package server

import (
	"log/slog"
	"strings"
	"sync"
	"time"
)

// sparingLog warns of what a peer can cause as often as it likes: at most mostLines times
// a minute, and then once more, to say how often it did not.
type sparingLog struct {
	log  *slog.Logger
	more string // says that there was more

	mu           sync.Mutex
	told, untold int         // in this minute
	minute       *time.Timer // ends it; nil while there is nothing to tell of
}

// mostLines is how many warnings there are in a minute.
const mostLines = 10

func newSparingLog(log *slog.Logger, more string) *sparingLog {
	return &sparingLog{log: log, more: more}
}

func (s *sparingLog) warn(text string, args ...any) {
	if s.tells() {
		s.log.Warn(text, args...)
	}
}

// tells counts a warning, and reports whether it is to be written.
func (s *sparingLog) tells() bool {
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
func (s *sparingLog) end() {
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

// peerLines takes the log of net/http, and is sparing with the lines that a peer can
// cause.
type peerLines struct{ failures *sparingLog }

// byPeers are how the lines begin that a peer can cause without a request.
var byPeers = []string{
	"http: TLS handshake error", "http2: server connection error", "http2: server closing client connection",
	"http2: server: error reading preface", "http2: received GOAWAY", "timeout waiting for",
}

// Write takes one line.
func (p peerLines) Write(line []byte) (int, error) {
	text := strings.TrimSuffix(string(line), "\n")
	for _, begin := range byPeers {
		if strings.HasPrefix(text, begin) {
			p.failures.warn(text)
			return len(line), nil
		}
	}
	p.failures.log.Warn(text)
	return len(line), nil
}
