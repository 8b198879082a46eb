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

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/internal/backup"
)

func backupCommand() *cobra.Command {
	var o backupOptions
	command := &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Copy the database, as it is now, to a new file",
		Long: `Backup copies the database to FILE, or to NAME-YYYYMMDD-HHMMSS.db beside it (UTC),
verifies the copy as restore does, and puts a manifest beside it as FILE.json. With
a key it signs the manifest, as FILE.json.sig. It replaces nothing, and may run beside a
server. It warns if restore would refuse the copy because the database is damaged.

It warns of backups in the folder that hold entries which this database does not have:
an older backup was restored, another file took its place, or its journal was rewritten.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// A signal cancels the backup, so that no unfinished file stays.
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return o.backup(ctx, cmd, args)
		},
	}
	declareSignKey(command.Flags(), &o.signKey)
	return command
}

type backupOptions struct{ signKey string }

func (o *backupOptions) backup(ctx context.Context, cmd *cobra.Command, args []string) error {
	path, now := database(cmd), time.Now()
	to := filepath.Join(filepath.Dir(path), backup.Name(path, now))
	if len(args) > 0 {
		to = args[0]
	}
	key, err := privateKey(o.signKey)
	if err != nil {
		return err
	}
	m, err := sqlitebackup.Backup(backup.Signed(ctx, key), path, to, version, now)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is a backup of %s: %d bytes, %d journal entries\nchain head %s\n", to, path, m.Bytes, m.Entries, m.Head)
	if warning := m.Warning(to); warning != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), cmd.Root().Name()+": warning:", naming(cmd)(warning))
	}
	strays, err := backup.FindStrays(ctx, filepath.Dir(to), func(ctx context.Context, of []backup.Manifest) ([]backup.Lineage, error) {
		return sqlitebackup.Lineages(ctx, path, of)
	})
	if err != nil {
		return err
	}
	if len(strays) > 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), cmd.Root().Name()+": warning:", naming(cmd)(strays.Warning()))
	}
	return nil
}

func declareSignKey(flags *pflag.FlagSet, path *string) {
	flags.StringVar(path, "backup-sign-key", "", "the `file` of the private key that signs the manifest of each backup: Ed25519, PKCS#8, PEM; no other user may be allowed to read it (default: none is signed)")
}

// privateKey reads the key of --backup-sign-key, nil if the flag is not given.
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
