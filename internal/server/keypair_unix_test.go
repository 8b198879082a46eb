//go:build unix

package server

import (
	"log/slog"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestACertificateThatIsAPipe is refused at once: nobody may ever write to it.
func TestACertificateThatIsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pair")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKeyPair(path, path, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v, want an error", err)
	}
}
