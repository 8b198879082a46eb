//go:build unix

package backup

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAKeyThatIsAPipe is refused at once: nobody may ever write to it.
func TestAKeyThatIsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	_, private := LoadPrivateKey(path)
	_, public := LoadPublicKey(path)
	for _, err := range []error{private, public} {
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("got %v, want a refusal", err)
		}
	}
}
