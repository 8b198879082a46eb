package main

import (
	"errors"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
	"daybook/internal/batch"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
)

func batchesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "batches",
		Short: "List what was stored together",
		Long: `Batches lists the imports, the writes of many rows and their undos, the newest first. Each
is a batch with a number. It may run beside a server.`,
		Args: cobra.NoArgs,
		RunE: listBatches,
	}
}

func listBatches(cmd *cobra.Command, _ []string) (err error) {
	store, err := sqlite.OpenExisting(cmd.Context(), database(cmd), time.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "BATCH\tAT\tACTOR\tKIND\tVIA\tSTATE\tNEW\tCHANGED\tCLEARED\tFILE")
	const page = 100
	for before := batch.ID(0); ; {
		list, err := store.Batches(cmd.Context(), before, page)
		if err != nil {
			return err
		}
		for _, b := range list {
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\n", b.ID, b.At.Format(time.RFC3339), text.Printable(b.Actor), b.Kind, b.Via, b.State,
				b.Counts.New, b.Counts.Changed, b.Counts.Cleared, text.Printable(b.File))
			before = b.ID
		}
		if len(list) < page {
			return table.Flush()
		}
	}
}

func undoCommand() *cobra.Command {
	rows := batch.All
	possible := false
	command := &cobra.Command{
		Use:   "undo BATCH",
		Short: "Take back a batch",
		Long: `Undo takes back all that a batch stored: what was new is removed, what was changed gets its
values from before, and what was removed comes back. It is a batch too, and undoing it does
the first one again. app batches lists the numbers. It may run beside a server.

If a record was changed since, nothing is undone, and each such record is named.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id < 1 {
				return fmt.Errorf("%q is not the number of a batch; app batches lists them", text.Shorten(args[0]))
			}
			if possible {
				rows = batch.Possible
			}
			return undoBatch(cmd, batch.ID(id), rows)
		},
	}
	command.Flags().BoolVar(&possible, "possible", false, "take back the records that can be, and leave the others")
	return command
}

func undoBatch(cmd *cobra.Command, id batch.ID, rows batch.Rows) (err error) {
	store, err := sqlite.OpenExisting(cmd.Context(), database(cmd), time.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	ctx := journal.With(cmd.Context(), journal.Origin{Actor: "undo"})
	taken, err := store.UndoBatch(ctx, id, rows, func(journal.Entry) error { return nil })
	if refused, is := errors.AsType[*fault.Error](err); is {
		for _, d := range refused.Details {
			if d.Obstacle != nil {
				fmt.Fprintln(cmd.OutOrStdout(), text.Printable(d.Obstacle.Words()))
			}
		}
	}
	if err != nil {
		return err
	}
	c := taken.Batch.Counts
	fmt.Fprintf(cmd.OutOrStdout(), "batch %d is undone as batch %d: %d removed, %d changed back, %d put back, %d left as they are\n",
		id, taken.Batch.ID, c.Cleared, c.Changed, c.New, c.Skipped)
	return nil
}
