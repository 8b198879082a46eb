//go:build unix

package server

import (
	"log/slog"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestACertificateThatIsAPipe: a certificate that is a named pipe is refused at once. Reading it could
// wait forever.
func TestACertificateThatIsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pair")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKeyPair(path, path, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v, want an error", err)
	}
}
