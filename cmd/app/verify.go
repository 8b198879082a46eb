package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
)

func verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Check the database file, its journal, and that the two agree",
		Long: `Verify checks the schema, the pages and indexes of the file, its foreign keys, the
chain of the journal, that folding the journal gives exactly the live tables, that
positions, present and past, are those of their trades, and that no id will be given
twice. It changes nothing and may run beside a server.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := sqlite.Verify(cmd.Context(), database(cmd), progressBar(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			for _, finding := range v.Findings {
				fmt.Fprintln(cmd.OutOrStdout(), finding)
			}
			if len(v.Findings) > 0 {
				return fmt.Errorf("%s is damaged or was changed behind the program's back: %d findings", database(cmd), len(v.Findings))
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is whole: %d journal entries give exactly its %d records\nchain head %s\nfile and foreign keys %s, chain and fold %s\n",
				database(cmd), v.Entries, v.Records, v.Head, v.FileTime.Round(time.Millisecond), v.FoldTime.Round(time.Millisecond))
			return nil
		},
	}
}

// progressBar draws on a terminal, and nowhere else.
func progressBar(out io.Writer) sqlite.Progress {
	f, ok := out.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	const width = 40
	drawn := int64(-1)
	return func(done, all int64) {
		percent := int64(100)
		if all > 0 {
			percent = min(100, done*100/all)
		}
		if percent == drawn {
			return
		}
		drawn = percent
		bar := strings.Repeat("█", int(percent)*width/100)
		fmt.Fprintf(out, "\r%-*s %3d %%", width, bar, percent)
		if done >= all {
			fmt.Fprint(out, "\r\033[K")
		}
	}
}
