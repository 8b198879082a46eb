//go:build unix

package backup

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAKeyThatIsAPipe: a key that is a named pipe is refused at once. Reading it could wait forever.
func TestAKeyThatIsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	_, private := LoadPrivateKey(path)
	_, public := LoadPublicKey(path)
	for _, err := range []error{private, public} {
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("got %v, want an error", err)
		}
	}
}

// TestAKeyThatOthersMayRead: a private key that other users may read is refused. A public key is not.
func TestAKeyThatOthersMayRead(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	path, open := pemOf(t, "PRIVATE KEY", private, x509.MarshalPKCS8PrivateKey), pemOf(t, "PUBLIC KEY", public, x509.MarshalPKIXPublicKey)
	for mode, refused := range map[fs.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true, 0o644: true, 0o660: true} {
		for _, file := range []string{path, open} {
			if err := os.Chmod(file, mode); err != nil {
				t.Fatal(err)
			}
		}
		_, err := LoadPrivateKey(path)
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "run: chmod 600 "+path) {
			t.Errorf("%v: got %v, want it refused: %t", mode, err, refused)
		}
		if _, err := LoadPublicKey(open); err != nil {
			t.Errorf("%v: the public key: got %v, want no error", mode, err)
		}
	}
}
