package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
	"daybook/internal/api"
	"daybook/internal/disk"
	"daybook/internal/exchange"
)

func exportCommand() *cobra.Command {
	var o exportOptions
	var names []string
	for _, kind := range exchange.Kinds() {
		names = append(names, kind.Name)
	}
	command := &cobra.Command{
		Use:   "export KIND",
		Short: "Write all records of a kind as a file",
		Long: `Export writes all records of a kind, by id, as one file of one state of the database.
It changes nothing and may run beside a server.

KIND is ` + strings.Join(names, ", ") + `.

A filter is a parameter of the list in the interface: --filter dept=FIN --filter fiscal_year=2026.
CSV for a German, French or Swedish spreadsheet program has semicolons and decimal commas: --locale de.`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: names,
		RunE:      o.run,
	}
	flags := command.Flags()
	flags.StringVar(&o.format, "format", "csv", "the `format`: csv, xlsx, ndjson or json")
	flags.StringVar(&o.out, "out", "", "the `file` to write; standard output without it")
	flags.StringArrayVar(&o.filters, "filter", nil, "a filter as `NAME=VALUE` (repeatable)")
	flags.StringVar(&o.form, "form", "long", "the `form` of budgets and actuals: long, or wide with a column for each period")
	flags.StringVar(&o.locale, "locale", "en", "the `language` of the spreadsheet program that opens the CSV: en, de, fr or sv")
	flags.BoolVar(&o.ids, "ids", false, "write the id of each record in the first column")
	return command
}

type exportOptions struct {
	format, out, form, locale string
	filters                   []string
	ids                       bool
}

func (o *exportOptions) run(cmd *cobra.Command, args []string) error {
	kind, err := exchange.ParseKind(args[0])
	if err != nil {
		return fmt.Errorf("KIND %w", err)
	}
	query, err := o.query()
	if err != nil {
		return err
	}
	write := func(to io.Writer) error {
		return sqlite.Exported(cmd.Context(), database(cmd), func(one exchange.Snapshot) error {
			return api.Export(cmd.Context(), one, kind, query, to)
		})
	}
	if o.out == "" {
		out := bufio.NewWriterSize(cmd.OutOrStdout(), 64<<10)
		return errors.Join(write(out), out.Flush())
	}
	return writeFile(o.out, write)
}

// query is the parameters of the list in the interface.
func (o *exportOptions) query() (url.Values, error) {
	query := url.Values{"format": {o.format}, "form": {o.form}, "locale": {o.locale}, "ids": {strconv.FormatBool(o.ids)}}
	for _, filter := range o.filters {
		name, value, found := strings.Cut(filter, "=")
		if !found || name == "" || value == "" {
			return nil, fmt.Errorf("--filter %s must be a name, an equals sign and a value, such as dept=FIN", filter)
		}
		if query.Has(name) {
			return nil, fmt.Errorf("--filter %s: %s is given already, or has a flag of its own", filter, name)
		}
		query.Set(name, value)
	}
	return query, nil
}

// writeFile writes a file under another name beside it, and renames it when it is whole.
func writeFile(path string, write func(io.Writer) error) (err error) {
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part.Name()))
		}
	}()
	if err := errors.Join(write(part), part.Sync(), part.Close()); err != nil {
		return err
	}
	return disk.Rename(part.Name(), path)
}
