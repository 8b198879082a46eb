package main

import (
	"fmt"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite/backup"
)

func restoreCommand() *cobra.Command {
	var signedBy string
	restore := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database",
		Long: `Restore checks the backup FILE, with its manifest if there is one beside it, and puts
a copy in the place of the database. It keeps the old database beside it as
NAME.before-restore-YYYYMMDD-HHMMSS (UTC). No server may run on it. It ends all sessions.
The tokens are those of the backup. Only the owner of the file may use it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			key, err := publicKey(signedBy)
			if err != nil {
				return err
			}
			r, err := backup.Restore(ctx, args[0], database(cmd), key, time.Now())
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is restored from %s: %d bytes, %d journal entries\nchain head %s\n",
				database(cmd), args[0], r.Bytes, r.Entries, r.Head)
			fmt.Fprintln(cmd.OutOrStdout(), takenAt(r.TakenAt))
			if r.Aside != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "what was there before is %s\n", r.Aside)
			}
			if tokens := goodAgain(r.Tokens); tokens != "" {
				fmt.Fprintln(cmd.OutOrStdout(), naming(cmd)(tokens))
			}
			return nil
		},
	}
	restore.Flags().StringVar(&signedBy, "signed-by", "", "the `file` of the public key that must have signed the manifest of the backup")
	return restore
}

// takenAt says when a backup was taken, so that the user notices an old one.
func takenAt(manifest time.Time) string {
	if manifest.IsZero() {
		return "it has no manifest, which would say when it was taken"
	}
	return "it was taken at " + manifest.UTC().Format(time.RFC3339)
}

// goodAgain says that the tokens of the backup are valid in the restored database.
func goodAgain(tokens int) string {
	const what = "app token list shows them; revoke again with app token revoke those that you had revoked"
	switch tokens {
	case 0:
		return ""
	case 1:
		return "1 token of the backup is good again; " + what
	}
	return fmt.Sprintf("%d tokens of the backup are good again; %s", tokens, what)
}
