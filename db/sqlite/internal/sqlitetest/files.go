package sqlitetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite/verify"
)

// CopyOver writes a file over another, as cp does.
func CopyOver(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from) //nolint:gosec // a file of the test
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Names reports whether a finding is about a table.
func Names(findings []string, table string) bool {
	return slices.ContainsFunc(findings, func(f string) bool {
		return strings.HasPrefix(f, table+":") || strings.HasPrefix(f, table+" ") || strings.HasSuffix(f, " in "+table)
	})
}

// Verified is an error that names what Verify finds.
func Verified(ctx context.Context, path string) error {
	v, err := verify.Database(ctx, path, nil)
	if err != nil || len(v.Findings) == 0 {
		return err
	}
	problems := make([]string, len(v.Findings))
	for i, f := range v.Findings {
		problems[i] = f.String()
	}
	return fmt.Errorf("verify: %s", strings.Join(problems, "; "))
}

// FileOf writes a database into a folder of its own, and returns its path.
func FileOf(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
