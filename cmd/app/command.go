package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/internal/server"
	"daybook/web"
)

// newCommand returns the command line, which opens the page with open. A flag wins over the environment,
// which wins over the default. A failure is one line on standard error.
func newCommand(open opener) *cobra.Command {
	cobra.MousetrapHelpText = "" // a double-click on Windows is one of the ways to start
	o := serveOptions{limits: server.DefaultLimits()}
	app := &cobra.Command{
		Use:   "app",
		Short: "Daybook keeps a portfolio's trades and a company's budgets in one SQLite file",
		Long: `Daybook keeps a portfolio's trades and a company's budgets in one SQLite file.

Without a command it serves the database as app serve does, and opens the page in the
browser. If a server already serves the database, it opens the page of that server.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := fromEnvironment(cmd.Flags()); err != nil {
				return err
			}
			return noneEmpty(cmd.Flags())
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return o.desktop(cmd, open) },
	}
	o.declare(app.Flags())
	app.CompletionOptions.HiddenDefaultCmd = true
	app.PersistentFlags().String("db", "app.db", "the database `file`")
	app.AddCommand(
		serveCommand(), migrateCommand(), seedCommand(), verifyCommand(), exportCommand(),
		tokenCommand(), backupCommand(), restoreCommand(), versionCommand(), licensesCommand(web.Files()),
	)
	return app
}

// fromEnvironment sets the flags that only the environment gives: APP_DB for --db, APP_NO_AUTH for
// --no-auth.
func fromEnvironment(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		name := "APP_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, found := os.LookupEnv(name)
		if err != nil || f.Changed || !found {
			return
		}
		if setting := flags.Set(f.Name, value); setting != nil {
			err = fmt.Errorf("the environment variable %s is wrong: %w", name, setting)
		}
	})
	return err
}

// noneEmpty refuses a flag with an empty value, which a script gives if its variable is not set: for some
// flags that would mean less protection than intended.
func noneEmpty(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		empty := f.Value.Type() == "string" && f.Value.String() == ""
		if list, is := f.Value.(pflag.SliceValue); is {
			empty = len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
		}
		if err == nil && f.Changed && empty {
			err = fmt.Errorf("--%s is empty; give it a value, or leave it out, in the environment too", f.Name)
		}
	})
	return err
}

// database is the --db flag.
func database(cmd *cobra.Command) string {
	return cmd.Flag("db").Value.String()
}
