package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/web"
)

// newCommand returns the command line, which opens the page with open. A flag wins over the environment, which
// wins over the file of --config, which wins over the default. A failure is one line on standard error.
func newCommand(open opener) *cobra.Command {
	o := defaultServeOptions()
	app := &cobra.Command{
		Use:   "app",
		Short: "Daybook keeps a portfolio's trades and a company's budgets in one SQLite file",
		Long: `Daybook keeps a portfolio's trades and a company's budgets in one SQLite file.

Without a command it serves the database as app serve does, and opens the page in the
browser. If a server already serves the database, it opens the page of that server.`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return settle(cmd) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return o.desktop(cmd, open) },
	}
	o.declare(app.Flags())
	app.CompletionOptions.HiddenDefaultCmd = true
	app.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return wrongFlag(err) })
	declareForAll(app.PersistentFlags())
	app.AddCommand(
		serveCommand(), configCommand(), migrateCommand(), seedCommand(), verifyCommand(), importCommand(), batchesCommand(), undoCommand(), exportCommand(),
		tokenCommand(), backupCommand(), restoreCommand(), healthCommand(), versionCommand(), licensesCommand(web.Files()),
	)
	return app
}

// declareForAll declares the flags of every command.
func declareForAll(flags *pflag.FlagSet) {
	flags.String("db", "app.db", "the database `file`")
	flags.String("config", "", "the `file` of settings, TOML; it may set the flags of serve, by their names")
}

// database is the --db flag.
func database(cmd *cobra.Command) string {
	return cmd.Flag("db").Value.String()
}
