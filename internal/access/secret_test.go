package access_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/internal/access"
)

// The published forms of secrets, by which people and secret scanners recognise them.
var (
	tokenForm   = regexp.MustCompile(`^daybook_[A-Za-z0-9_-]{43}$`)
	sessionForm = regexp.MustCompile(`^daybook_session_[A-Za-z0-9_-]{43}$`)
)

func TestSecretsHaveTheirFormAndDiffer(t *testing.T) {
	k, _ := authenticator(t)
	seen := map[string]bool{}
	for range 20 {
		token, _ := create(t, k, access.Read, 0)
		session, _, _, err := k.SignIn(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		for secret, form := range map[access.Secret]*regexp.Regexp{token: tokenForm, session: sessionForm} {
			if !form.MatchString(string(secret)) {
				t.Errorf("got %s, want %s", secret, form)
			}
			random := string(secret[len(secret)-43:])
			if bits, err := base64.RawURLEncoding.DecodeString(random); err != nil || len(bits) != 32 {
				t.Errorf("%s: got %d bytes, %v, want 32", secret, len(bits), err)
			}
			if seen[random] {
				t.Errorf("got %s twice, want each secret once", secret)
			}
			seen[random] = true
		}
	}
}

func TestDigestIsTheSumOfTheWholeSecret(t *testing.T) {
	const secret = "daybook_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	if got, want := access.Secret(secret).Digest(), access.Digest(sha256.Sum256([]byte(secret))); got != want {
		t.Errorf("got %x, want %x", got, want)
	}
}

// TestSecretsAreReadStrictly: only a secret in its exact form is accepted, and an error does not repeat
// it.
func TestSecretsAreReadStrictly(t *testing.T) {
	k, _ := authenticator(t)
	made, _ := create(t, k, access.Read, time.Hour)
	begun, _, _, err := k.SignIn(t.Context(), made)
	if err != nil {
		t.Fatal(err)
	}
	token, session := string(made), string(begun)
	random := strings.TrimPrefix(token, "daybook_")
	if got, err := access.ParseToken(token); err != nil || got != made {
		t.Errorf("got %s, %v, want %s", got, err, made)
	}
	if got, err := access.ParseSession(session); err != nil || got != begun {
		t.Errorf("got %s, %v, want %s", got, err, begun)
	}
	// The last character of a secret has 4 bits of it. The 2 lowest bits of the character must be 0.
	loose := token[:len(token)-1] + "B"
	for _, raw := range []string{
		"", "daybook_", random, "Daybook_" + random, "daybook-" + random, "daybook_" + random[1:],
		token + "A", token + "=", token + " ", " " + token, token + "\n", "daybook_\n" + random[1:], loose,
		"daybook_+" + random[1:], "daybook_/" + random[1:], "daybook_=" + random[1:], "daybook_\x00" + random[1:],
		"daybook_é" + random[2:], "Bearer " + token, token + token, session,
	} {
		if got, err := access.ParseToken(raw); err == nil || got != "" {
			t.Errorf("%q as a token: got %q, %v, want it refused", raw, got, err)
		} else if strings.Contains(err.Error(), random) {
			t.Errorf("%q: got the error %q, want one that does not repeat it", raw, err)
		}
	}
	for _, raw := range []string{"", token, "daybook_session_", "daybook_session_" + random[1:], session + "=", session[:len(session)-1] + "B"} {
		if got, err := access.ParseSession(raw); err == nil || got != "" {
			t.Errorf("%q as a session: got %q, %v, want it refused", raw, got, err)
		}
	}
}

// TestLineBreaksAreNoPartOfASecret: a text with line breaks is refused, also if it would be a secret
// without them.
func TestLineBreaksAreNoPartOfASecret(t *testing.T) {
	const characters = 43
	parse := map[string]func(string) (access.Secret, error){"daybook_": access.ParseToken, "daybook_session_": access.ParseSession}
	for prefix, parse := range parse {
		if got, err := parse(prefix + strings.Repeat("A", characters)); err != nil || got == "" {
			t.Errorf("%s without a line break: got %q, %v, want it read", prefix, got, err)
		}
		for _, breaks := range []string{"\n", "\r", "\r\n", "\n\n\n", "\r\r\r", strings.Repeat("\n", characters)} {
			for _, kept := range []int{characters - len(breaks), characters} {
				for at := range kept + 1 {
					raw := prefix + strings.Repeat("A", at) + breaks + strings.Repeat("A", kept-at)
					if got, err := parse(raw); err == nil || got != "" {
						t.Errorf("%q: got %q, %v, want it refused", raw, got, err)
					}
				}
			}
		}
	}
}
