package backup

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/fault"
)

// keyPair makes a key pair, writes both keys in the formats of openssl, and reads them.
func keyPair(t *testing.T) (ed25519.PrivateKey, ed25519.PublicKey) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := LoadPrivateKey(pemOf(t, "PRIVATE KEY", private, x509.MarshalPKCS8PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	by, err := LoadPublicKey(pemOf(t, "PUBLIC KEY", public, x509.MarshalPKIXPublicKey))
	if err != nil {
		t.Fatal(err)
	}
	return key, by
}

func pemOf(t *testing.T, kind string, key any, marshal func(any) ([]byte, error)) string {
	t.Helper()
	der, err := marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// notSigned reports whether a manifest was refused because of its signature.
func notSigned(err error) bool {
	return err != nil && fault.KindOf(err) == fault.Unavailable && strings.Contains(err.Error(), "is not signed")
}

// TestASignedManifest: the key signs the bytes of the manifest. Another key, a changed byte and a
// missing signature are refused. As a control, without a key the changed manifest is read.
func TestASignedManifest(t *testing.T) {
	s := newScene(t)
	key, by := keyPair(t)
	_, other := keyPair(t)
	m, err := NewKeeper(s.config(0)).Take(Signed(t.Context(), key))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.files(), []string{m.File, m.File + ".json", m.File + ".json.sig"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	path := ManifestOf(filepath.Join(s.dir, m.File))
	if got, err := ReadManifest(path, by); err != nil || got.SHA256 != m.SHA256 {
		t.Errorf("got %+v, %v, want the manifest", got, err)
	}
	if _, err := ReadManifest(path, other); !notSigned(err) {
		t.Errorf("another key: got %v, want it refused", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	forged := bytes.Replace(data, []byte(m.SHA256[:8]), []byte("00000000"), 1)
	if err := os.WriteFile(path, forged, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadManifest(path, by); !notSigned(err) {
		t.Errorf("a changed byte: got %v, want it refused", err)
	}
	if got, err := ReadManifest(path, nil); err != nil || !strings.HasPrefix(got.SHA256, "00000000") {
		t.Errorf("as a control, without a key: got %+v, %v, want the changed manifest", got, err)
	}
	for _, signature := range []string{"", "short", strings.Repeat("x", 64), strings.Repeat("x", 65)} {
		if err := os.WriteFile(path+signatureSuffix, []byte(signature), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadManifest(path, by); !notSigned(err) {
			t.Errorf("signature %q: got %v, want it refused", signature, err)
		}
	}
	if err := os.Remove(path + signatureSuffix); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadManifest(path, by); !notSigned(err) {
		t.Errorf("no signature: got %v, want it refused", err)
	}
}

// TestASignedManifestOfAnotherBackup: an older signed backup is refused under the name of a newer one.
// As a control, it is accepted under its own name.
func TestASignedManifestOfAnotherBackup(t *testing.T) {
	s := newScene(t)
	key, by := keyPair(t)
	m, err := NewKeeper(s.config(0)).Take(Signed(t.Context(), key))
	if err != nil {
		t.Fatal(err)
	}
	old, renamed := ManifestOf(filepath.Join(s.dir, m.File)), ManifestOf(filepath.Join(s.dir, "newer.db"))
	for _, part := range []string{"", signatureSuffix} {
		if err := os.Link(old+part, renamed+part); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ReadManifest(renamed, by); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "is the signed manifest of "+m.File) {
		t.Errorf("got %v, want an error", err)
	}
	if _, err := ReadManifest(old, by); err != nil {
		t.Errorf("as a control, under its own name: got %v, want no error", err)
	}
}

func TestInvalidKeysAreRefused(t *testing.T) {
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	nothing := filepath.Join(t.TempDir(), "nothing")
	if err := os.WriteFile(nothing, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(t.TempDir(), "none"), "no such file"},
		{nothing, "holds no PRIVATE KEY in PEM"},
		{pemOf(t, "PUBLIC KEY", public, x509.MarshalPKIXPublicKey), "holds no PRIVATE KEY in PEM"},
		{pemOf(t, "PRIVATE KEY", public, x509.MarshalPKIXPublicKey), "that can be read"},
		{pemOf(t, "PRIVATE KEY", curve, x509.MarshalPKCS8PrivateKey), "of another kind than Ed25519"},
	} {
		if _, err := LoadPrivateKey(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want that it %s", err, c.want)
		}
	}
	if _, err := LoadPublicKey(pemOf(t, "PRIVATE KEY", private, x509.MarshalPKCS8PrivateKey)); err == nil || !strings.Contains(err.Error(), "holds no PUBLIC KEY") {
		t.Errorf("got %v, want the private key refused as a public one", err)
	}
}

// TestASignatureGoesWithItsManifest: a signature is removed with its manifest. After a kill, neither is
// left without the backup.
func TestASignatureGoesWithItsManifest(t *testing.T) {
	s := newScene(t)
	key, _ := keyPair(t)
	c := s.config(24 * time.Hour)
	take := c.Take
	c.Take = func(ctx context.Context, file string, now time.Time) (Manifest, error) {
		return take(Signed(ctx, key), file, now)
	}
	k := NewKeeper(c)
	if err := k.takeScheduled(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.now = start.Add(time.Hour) // of the same day, so that the first is removed
	if err := k.takeScheduled(t.Context()); err != nil {
		t.Fatal(err)
	}
	const left = "app-20260101-130000.db"
	if got, want := s.files(), []string{left, left + ".json", left + ".json.sig"}; !slices.Equal(got, want) {
		t.Errorf("after retention: got %v, want %v", got, want)
	}
	if err := os.Rename(filepath.Join(s.dir, left), (&Folder{path: s.dir}).Draft(left)); err != nil { // as a kill leaves it
		t.Fatal(err)
	}
	f, err := OpenFolder(t.Context(), s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if got := s.files(); len(got) > 0 {
		t.Errorf("after a kill: got the files %v, want none", got)
	}
}

// TestASignatureThatIsInTheWay: a file that already has the name of the signature is not replaced or
// changed.
func TestASignatureThatIsInTheWay(t *testing.T) {
	s := newScene(t)
	key, _ := keyPair(t)
	for _, name := range []string{"a.db.json", "a.db.json.sig"} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFolder(Signed(t.Context(), key), s.dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Free("a.db"); err == nil {
			t.Errorf("%s: got no error, want one that the file exists", name)
		}
		if err := errors.Join(f.Create("a.db"), os.WriteFile(f.Draft("a.db"), []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
		m := Manifest{File: "a.db", TakenAt: start, Contents: Contents{Schema: 1, Counts: map[string]int64{"trades": 1}}}
		if _, err := f.Publish(m); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: got %v, want that it exists", name, err)
		}
		if data, err := os.ReadFile(filepath.Join(s.dir, name)); err != nil || string(data) != "mine" {
			t.Errorf("%s: got %q, %v, want it unchanged", name, data, err)
		}
		if err := errors.Join(f.Close(), os.Remove(f.Draft("a.db")), os.Remove(filepath.Join(s.dir, name))); err != nil {
			t.Fatal(err)
		}
		if got := s.files(); len(got) > 0 {
			t.Errorf("%s: got %v, want nothing else", name, got)
		}
	}
}
