package main

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"database/sql"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"daybook/db/sqlite/schema"
	"daybook/internal/backup"
)

// TestTheBackupBeforeAMigrationIsSigned: with a key, both `app migrate` and a server sign the backup that they take
// before a migration, as every other. As a control, without a key there is no signature.
func TestTheBackupBeforeAMigrationIsSigned(t *testing.T) {
	fixture, err := os.ReadFile("../../db/sqlite/testdata/schema-11.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		signed bool
	}{
		{[]string{"migrate", "--backup-sign-key", key}, true},
		{[]string{"migrate", "up", "--backup-sign-key", key}, true},
		{[]string{"--addr", "127.0.0.1:0", "--backup-sign-key", key}, true}, // serves and opens the page
		{[]string{"migrate"}, false},
	} {
		path := filepath.Join(t.TempDir(), "app.db")
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.ExecContext(t.Context(), string(fixture)); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		command := newCommand(func(context.Context, string) { stop() })
		command.SetArgs(append(c.args, "--db", path))
		command.SetOut(io.Discard)
		command.SetErr(io.Discard)
		err = command.ExecuteContext(ctx)
		stop()
		if err != nil {
			t.Fatalf("%v: %v", c.args, err)
		}
		_, err = os.Stat(backup.SignatureOf(fmt.Sprintf("%s.before-schema-%d", path, schema.Released.Newest())))
		if (err == nil) != c.signed {
			t.Errorf("%v: got %v, want a signature: %t", c.args, err, c.signed)
		}
	}
}
