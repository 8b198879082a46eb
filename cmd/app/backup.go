package main

import (
	"context"
	"fmt"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
	"daybook/internal/backup"
)

func backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Copy the database, as it is now, to a new file",
		Long: `Backup copies the database to FILE, or to NAME-YYYYMMDD-HHMMSS.db beside it (UTC),
reads the copy back, and puts a manifest beside that as FILE.json. It replaces
nothing, and may run beside a server.`,
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
			m, err := takeBackup(database(cmd))(ctx, to, now)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is a backup of %s: %d bytes, %d journal entries\nchain head %s\n",
				to, database(cmd), m.Bytes, m.Entries, m.Head)
			return nil
		},
	}
}

// takeBackup is what a backup.Keeper takes backups of a database with.
func takeBackup(path string) func(ctx context.Context, to string, now time.Time) (backup.Manifest, error) {
	return func(ctx context.Context, to string, now time.Time) (backup.Manifest, error) {
		return sqlite.Backup(ctx, path, to, version, now)
	}
}
