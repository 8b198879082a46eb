package main

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/db/sqlite"
	"daybook/internal/backup"
)

func backupCommand() *cobra.Command {
	var signKey string
	command := &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Copy the database, as it is now, to a new file",
		Long: `Backup copies the database to FILE, or to NAME-YYYYMMDD-HHMMSS.db beside it (UTC),
reads the copy back, and puts a manifest beside that as FILE.json. With a key it signs
the manifest, as FILE.json.sig. It replaces nothing, and may run beside a server.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// So that a signal leaves nothing unfinished behind.
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			now := time.Now()
			to := filepath.Join(filepath.Dir(database(cmd)), backup.Name(database(cmd), now))
			if len(args) > 0 {
				to = args[0]
			}
			key, err := privateKey(signKey)
			if err != nil {
				return err
			}
			m, err := takeBackup(database(cmd), key)(ctx, to, now)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is a backup of %s: %d bytes, %d journal entries\nchain head %s\n",
				to, database(cmd), m.Bytes, m.Entries, m.Head)
			return nil
		},
	}
	declareSignKey(command.Flags(), &signKey)
	return command
}

// takeBackup is what a backup.Keeper takes backups of a database with; it signs them where
// there is a key.
func takeBackup(path string, key ed25519.PrivateKey) func(ctx context.Context, to string, now time.Time) (backup.Manifest, error) {
	return func(ctx context.Context, to string, now time.Time) (backup.Manifest, error) {
		return sqlite.Backup(backup.Signed(ctx, key), path, to, version, now)
	}
}

func declareSignKey(flags *pflag.FlagSet, path *string) {
	flags.StringVar(path, "backup-sign-key", "", "the `file` of the private key that signs the manifest of each backup: Ed25519, PKCS#8, PEM (default: none is signed)")
}

// privateKey reads the key of --backup-sign-key, nil where none is named.
func privateKey(path string) (ed25519.PrivateKey, error) {
	if path == "" {
		return nil, nil
	}
	key, err := backup.LoadPrivateKey(path)
	if err != nil {
		return nil, fmt.Errorf("--backup-sign-key: %w", err)
	}
	return key, nil
}
