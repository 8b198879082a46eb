package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Secret proves a token or a session: a prefix that tells which of the two, and 256 random
// bits in base64url. It is shown once and never stored.
type Secret string

// The prefixes make a leaked secret recognisable.
const (
	tokenPrefix   = "daybook_"
	sessionPrefix = "daybook_session_"
)

// random is the number of characters that encode the random bits.
var random = base64.RawURLEncoding.EncodedLen(sha256.Size)

func newSecret(prefix string) Secret {
	bits := make([]byte, sha256.Size)
	_, _ = rand.Read(bits) // never fails
	return Secret(prefix + base64.RawURLEncoding.EncodeToString(bits))
}

// ParseToken reads a token's secret. The error continues the field's name and does not
// repeat the input.
func ParseToken(raw string) (Secret, error) { return parseSecret(tokenPrefix, raw) }

// ParseSession reads a session's secret, as for ParseToken.
func ParseSession(raw string) (Secret, error) { return parseSecret(sessionPrefix, raw) }

func parseSecret(prefix, raw string) (Secret, error) {
	rest, ok := strings.CutPrefix(raw, prefix)
	if !ok || len(rest) != random {
		return "", fmt.Errorf("must be %d characters that begin with %s; copy all of it", len(prefix)+random, prefix)
	}
	// The decoder skips line breaks, so the number of bits is checked as well.
	if bits, err := base64.RawURLEncoding.Strict().DecodeString(rest); err != nil || len(bits) != sha256.Size {
		return "", errors.New("has a mistake in its characters; copy it again")
	}
	return Secret(raw), nil
}

// Digest is the SHA-256 of a secret, which is stored instead of it. A secret of 256 random
// bits needs neither salt nor many rounds.
type Digest [sha256.Size]byte

// Digest returns the digest of a secret.
func (s Secret) Digest() Digest { return sha256.Sum256([]byte(s)) }
