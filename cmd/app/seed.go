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
		Long: `Seed fills an empty database with demo data of an invented company. The same date gives
the same data. It refuses a database that holds data, and changes nothing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asOf != "" {
				day, err := time.Parse(time.DateOnly, asOf)
				if err != nil {
					return fmt.Errorf("--as-of %s is not a date like 2026-06-30", asOf)
				}
				o.AsOf = day
			}
			if err := o.Err(); err != nil { // before the command creates a file
				return err
			}
			return runSeed(cmd, o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&asOf, "as-of", "", "the `date` of the data, like 2026-06-30 (default today)")
	flags.IntVar(&o.Trades, "trades", o.Trades, "the number of trades")
	flags.IntVar(&o.Departments, "departments", o.Departments, "the number of departments")
	flags.IntVar(&o.Accounts, "accounts", o.Accounts, "the number of general ledger accounts")
	flags.IntVar(&o.Years, "years", o.Years, "the number of fiscal years; the last one is that of the date")
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
