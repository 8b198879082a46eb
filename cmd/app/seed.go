package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/seed"
	"daybook/internal/trading"
)

func seedCommand() *cobra.Command {
	o := seed.Defaults(time.Now())
	var asOf string
	command := &cobra.Command{
		Use:   "seed",
		Short: "Fill an empty database with demo data",
		Long: `Seed fills an empty database with the demo data of an invented company, the same
for the same date. Into a database that holds data it refuses, and changes nothing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asOf != "" {
				day, err := time.Parse(time.DateOnly, asOf)
				if err != nil {
					return fmt.Errorf("--as-of %s is not a date like 2026-06-30", asOf)
				}
				o.AsOf = day
			}
			if err := o.Err(); err != nil { // before a file is created for nothing
				return err
			}
			return runSeed(cmd, o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&asOf, "as-of", "", "the `date` the data is of, like 2026-06-30 (default today)")
	flags.IntVar(&o.Trades, "trades", o.Trades, "how many trades")
	flags.IntVar(&o.Departments, "departments", o.Departments, "how many departments")
	flags.IntVar(&o.Accounts, "accounts", o.Accounts, "how many general ledger accounts")
	flags.IntVar(&o.Years, "years", o.Years, "how many fiscal years, the last that of the date")
	return command
}

func runSeed(cmd *cobra.Command, o seed.Options) (err error) {
	store, err := sqlite.Open(cmd.Context(), database(cmd), time.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	ctx := journal.With(cmd.Context(), journal.Origin{Actor: "seed"})
	stored, err := seed.Run(ctx, store.Atomically, trading.NewBook(store), budget.NewLedger(store, time.Now), o)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(),
		"%s holds %d currencies, %d companies, %d revenues, %d trades, %d departments, %d accounts, %d budget lines, %d actuals\n",
		database(cmd), stored.Currencies, stored.Companies, stored.Revenues, stored.Trades,
		stored.Departments, stored.Accounts, stored.Lines, stored.Actuals)
	return nil
}
