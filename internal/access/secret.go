package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

// Secret is what a token or a session is proven by: a prefix that says whose it is,
// and 256 random bits in base64url. It is shown once and never stored.
type Secret string

// The prefixes, so that a secret that leaked is recognised by whoever finds it.
const (
	tokenPrefix   = "daybook_"
	sessionPrefix = "daybook_session_"
)

// random is how many characters the random bits take.
var random = base64.RawURLEncoding.EncodedLen(sha256.Size)

func newSecret(prefix string) Secret {
	bits := make([]byte, sha256.Size)
	_, _ = rand.Read(bits) // never fails
	return Secret(prefix + base64.RawURLEncoding.EncodeToString(bits))
}

// ParseToken reads a token's secret. The error continues the field's name and does not
// repeat what was sent.
func ParseToken(raw string) (Secret, error) { return parseSecret(tokenPrefix, raw) }

// ParseSession reads a session's secret, as for ParseToken.
func ParseSession(raw string) (Secret, error) { return parseSecret(sessionPrefix, raw) }

func parseSecret(prefix, raw string) (Secret, error) {
	rest, ok := strings.CutPrefix(raw, prefix)
	if !ok || len(rest) != random {
		return "", errors.New("must be " + prefix + " and what follows it, as it was shown")
	}
	// The decoder passes over line breaks; then there are fewer bits than characters hold.
	if bits, err := base64.RawURLEncoding.Strict().DecodeString(rest); err != nil || len(bits) != sha256.Size {
		return "", errors.New("must be as it was shown")
	}
	return Secret(raw), nil
}

// Digest is what is stored of a secret: its SHA-256. With 256 random bits behind it,
// it needs neither salt nor many rounds.
type Digest [sha256.Size]byte

// Digest returns the digest of a secret.
func (s Secret) Digest() Digest { return sha256.Sum256([]byte(s)) }
