package backup

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

// signatureSuffix follows the name of a manifest in the name of its signature, which is the 64 bytes of
// an Ed25519 signature over the manifest.
const signatureSuffix = ".sig"

// SignatureOf is the path of the signature of a backup's manifest.
func SignatureOf(file string) string { return ManifestOf(file) + signatureSuffix }

type signingKey struct{}

// Signed returns a context whose backups get manifests that are signed with a key; nil signs none.
func Signed(ctx context.Context, key ed25519.PrivateKey) context.Context {
	return context.WithValue(ctx, signingKey{}, key)
}

// LoadPrivateKey reads an Ed25519 key in PKCS#8, PEM. No other user may have the right to read the
// file. The error says what is wrong with the file.
func LoadPrivateKey(path string) (ed25519.PrivateKey, error) {
	return loadKey[ed25519.PrivateKey](path, disk.ReadSecret, "PRIVATE KEY", x509.ParsePKCS8PrivateKey)
}

// LoadPublicKey reads the public half of such a key, PEM. The error says what is wrong with the file.
func LoadPublicKey(path string) (ed25519.PublicKey, error) {
	return loadKey[ed25519.PublicKey](path, disk.ReadNamed, "PUBLIC KEY", x509.ParsePKIXPublicKey)
}

func loadKey[Key any](path string, read func(path string) ([]byte, error), kind string, parse func(der []byte) (any, error)) (key Key, _ error) {
	data, err := read(path)
	if err != nil {
		return key, err
	}
	block, _ := pem.Decode(data)
	if block == nil || block.Type != kind {
		return key, fmt.Errorf("%s holds no %s in PEM", path, kind)
	}
	parsed, err := parse(block.Bytes)
	if err != nil {
		return key, fmt.Errorf("%s holds no %s that can be read: %w", path, kind, err)
	}
	key, is := parsed.(Key)
	if !is {
		return key, fmt.Errorf("%s holds a key of another kind than Ed25519", path)
	}
	return key, nil
}

// checkSignature checks the signature beside the manifest at a path. Unavailable: the key did not sign
// these bytes.
func checkSignature(path string, data []byte, by ed25519.PublicKey) error {
	signature, err := disk.Read(path+signatureSuffix, ed25519.SignatureSize)
	if err != nil {
		return fault.New(fault.Unavailable, "%s is not signed: %v", path, err) // does not wrap it: the manifest is there
	}
	if !ed25519.Verify(by, data, signature) {
		return fault.New(fault.Unavailable, "%s is not signed by this key: %s%s is the signature of other bytes or of another key", path, path, signatureSuffix)
	}
	return nil
}
