package main

import (
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
	"daybook/internal/batch"
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
