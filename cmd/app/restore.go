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
		Long: `Restore checks the backup FILE, with its manifest where that lies beside it, and puts
a copy in the place of the database. The database that was there is kept beside it as
NAME.before-restore-YYYYMMDD-HHMMSS (UTC). No server may run on it. Nobody is signed in
afterwards, the tokens are those of the backup, and only its owner may use the file.`,
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
			if r.Abandoned.Seq > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), "its journal ended with %s, which is recorded; backups of what followed %s raise no alarm\n", r.Abandoned, args[0])
			}
			if r.Unrecorded {
				fmt.Fprintln(cmd.OutOrStdout(), "its journal cannot be read, so that backups of what followed will be warned of; app backup --accept-fork MANIFEST, with the newest of them, records them as lost")
			}
			if tokens := goodAgain(r.Tokens); tokens != "" {
				fmt.Fprintln(cmd.OutOrStdout(), tokens)
			}
			return nil
		},
	}
	restore.Flags().StringVar(&signedBy, "signed-by", "", "the `file` of the public key that must have signed the manifest of the backup")
	return restore
}

// takenAt says how old a backup is, so that one who was given an old one notices.
func takenAt(manifest time.Time) string {
	if manifest.IsZero() {
		return "it has no manifest, which would say when it was taken"
	}
	return "it was taken at " + manifest.UTC().Format(time.RFC3339)
}

// goodAgain says that a restored database lets in who has a token of the backup.
func goodAgain(tokens int) string {
	const what = "app token list shows them, app token revoke ends those you had ended"
	switch tokens {
	case 0:
		return ""
	case 1:
		return "1 token of the backup is good again; " + what
	}
	return fmt.Sprintf("%d tokens of the backup are good again; %s", tokens, what)
}
