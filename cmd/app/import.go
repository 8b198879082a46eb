package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"daybook/db/sqlite"
	"daybook/internal/exchange"
	"daybook/internal/imports"
	"daybook/internal/journal"
	"daybook/internal/mapping"
	"daybook/internal/spool"
	"daybook/internal/text"
)

// The exit codes of an import, beside 0 and 1.
const (
	exitRefused = 2 // questions are open or rows are wrong, and nothing is stored
	exitLeftOut = 3 // the good rows are stored, and others were left out
)

// exitError is a failure with an exit code of its own.
type exitError struct {
	code int
	error
}

func importCommand() *cobra.Command {
	var names []string
	for _, kind := range exchange.Kinds() {
		names = append(names, kind.Name)
	}
	o := &importOptions{}
	command := &cobra.Command{
		Use:   "import KIND FILE|-",
		Short: "Store the records of a file",
		Long: `Import reads a file and stores its records in one transaction: all of them, or none. The
file is CSV in any dialect and encoding, XLSX, NDJSON or a JSON array; - reads standard input.
It migrates the database, and may run beside a server.

KIND is ` + strings.Join(names, ", ") + `.

What can mean two things is a question, and is answered by a flag or in the file of --map.
--dry-run only shows what the file would do.

The exit code is 0 if the file is stored or there is nothing to do, 1 after a failure, 2 if
questions are open or rows are wrong (nothing is stored), and 3 if rows were left out.`,
		Args:      cobra.ExactArgs(2),
		ValidArgs: names,
		RunE:      o.run,
	}
	flags := command.Flags()
	flags.BoolVar(&o.dry, "dry-run", false, "show what the file would do, and store nothing")
	flags.StringVar(&o.mapFrom, "map", "", "the `map` to read the file by: the name of a saved one, or a file (with a slash or .json)")
	flags.StringVar(&o.mapTo, "save-map", "", "the `name` under which the map of the file is saved")
	flags.StringArrayVar(&o.set, "set", nil, "the value of a field in every row, as `FIELD=VALUE` (repeatable)")
	flags.BoolVar(&o.good, "good-rows", false, "store the good rows, and leave out the wrong ones")
	flags.BoolVar(&o.accept, "accept-doubtful", false, "store doubtful rows as they read")
	flags.StringVar(&o.wrong, "wrong", "", "the `file` for the wrong rows, as CSV to mend")
	flags.BoolVar(&o.json, "json", false, "print the preview as JSON, as the interface does")
	for _, answer := range answers {
		o.given = append(o.given, flags.String(answer.flag, "", answer.usage))
	}
	return command
}

// answers are the flags that say how a file is read, by the fields of the map that they set.
var answers = []struct {
	flag, usage string
	field       func(*exchange.Map) any
}{
	{"existing", "what happens to a record that is stored `already`: replace, refuse, skip or add", func(m *exchange.Map) any { return &m.Existing }},
	{"match", "what finds the stored record of a `row`: id, the column of an export with ids", func(m *exchange.Map) any { return &m.Match }},
	{"encoding", "the `encoding`: utf-8, utf-16le, utf-16be or windows-1252", func(m *exchange.Map) any { return &m.Read.Encoding }},
	{"delimiter", "the `character` between cells", func(m *exchange.Map) any { return &m.Read.Delimiter }},
	{"sheet", "the `name` of the sheet", func(m *exchange.Map) any { return &m.Read.Sheet }},
	{"header-row", "the `line` of the header; 0 if there is none", func(m *exchange.Map) any { return &m.Read.HeaderRow }},
	{"decimal", "the decimal `mark`: . or ,", func(m *exchange.Map) any { return &m.Numbers.Decimal }},
	{"other-mark", "what a number with the other mark `is`: wrong or decimal", func(m *exchange.Map) any { return &m.Numbers.OtherMark }},
	{"scale", "the `unit` of the amounts, such as 1000 for thousands", func(m *exchange.Map) any { return &m.Numbers.Scale }},
	{"round", "to how many `decimals` numbers are rounded: 2, 4, 8 or refuse", func(m *exchange.Map) any { return &m.Numbers.Round }},
	{"suffix-m", "what m behind a number `means`: thousand or million", func(m *exchange.Map) any { return &m.Numbers.SuffixM }},
	{"dash", "what a lone dash `means`: zero or empty", func(m *exchange.Map) any { return &m.Numbers.Dash }},
	{"date-order", "the `order` in dates: dmy or mdy", func(m *exchange.Map) any { return &m.Dates.Order }},
	{"century", "the first `year` of the hundred of years with two digits", func(m *exchange.Map) any { return &m.Dates.Century }},
	{"timezone", "the `zone` of times without one, such as Europe/Madrid", func(m *exchange.Map) any { return &m.Dates.Timezone }},
	{"year-starts", "the `month` in which the fiscal year begins, as a number", func(m *exchange.Map) any { return &m.Dates.YearStarts }},
	{"duplicates", "which `rows` with one key count: refuse, last or sum", func(m *exchange.Map) any { return &m.Duplicates }},
	{"fill-down", "what merged cells `mean`: repeat or empty", func(m *exchange.Map) any { return &m.FillDown }},
	{"sign-rule", "the `sign` of debit and credit: by_type, debit_credit or credit_debit", func(m *exchange.Map) any { return &m.SignRule }},
	{"minor-unit", "what happens to `pence`: divide or refuse", func(m *exchange.Map) any { return &m.MinorUnit }},
	{"row-order", "the `order` of trades of one time: newest_first or as_written", func(m *exchange.Map) any { return &m.RowOrder }},
	{"source", "where trades come `from`", func(m *exchange.Map) any { return &m.Source }},
}

type importOptions struct {
	dry, good, accept, json bool
	mapFrom, mapTo, wrong   string
	set                     []string
	given                   []*string // by answers
}

func (o *importOptions) run(cmd *cobra.Command, args []string) (err error) {
	kind, err := exchange.ParseKind(args[0])
	if err != nil {
		return fmt.Errorf("KIND %w", err)
	}
	if o.mapTo != "" {
		if _, err := mapping.ParseName(o.mapTo); err != nil {
			return fmt.Errorf("--save-map %w", err)
		}
	}
	from := cmd.InOrStdin()
	if args[1] != "-" {
		file, err := os.Open(args[1])
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // it was only read
		from = file
	}
	store, err := sqlite.Open(cmd.Context(), database(cmd), time.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	u := imports.Upload{Kind: kind, Name: imports.NameOf(args[1]), Told: imports.Told(progressBar(cmd.ErrOrStderr()))}
	if u.Map, err = o.mapOf(cmd.Context(), store, kind); err != nil {
		return err
	}
	folder := spool.Beside(database(cmd))
	if u.Content, u.Size, err = received(folder, from); err != nil {
		return err
	}
	service := imports.New(folder, store)
	defer service.Close()
	r := importRun{o, cmd, store, service}
	ctx := journal.With(cmd.Context(), journal.Origin{Actor: "import"})
	return r.run(ctx, u)
}

// received keeps what is read in a file of its own, which nobody changes meanwhile.
func received(folder spool.Folder, from io.Reader) (*spool.File, int64, error) {
	const most = 256<<20 + 1 // one more than can be read, so that the refusal says it
	kept, err := folder.New()
	if err != nil {
		return nil, 0, err
	}
	size, err := io.Copy(kept, io.LimitReader(from, most))
	if err != nil {
		return nil, 0, errors.Join(err, kept.Close())
	}
	return kept, size, nil
}

// mapOf is the map of --map, with what the flags say.
func (o *importOptions) mapOf(ctx context.Context, store mapping.Store, kind string) (m exchange.Map, err error) {
	written := []byte(`{"kind":"` + kind + `"}`)
	switch {
	case strings.ContainsAny(o.mapFrom, `/\`) || strings.HasSuffix(o.mapFrom, ".json"):
		if written, err = os.ReadFile(o.mapFrom); err != nil {
			return m, err
		}
	case o.mapFrom != "":
		saved, err := store.Map(ctx, text.Code(o.mapFrom))
		if err != nil {
			return m, err
		}
		written = []byte(saved.Text)
	}
	if m, err = exchange.ParseMap(written, kind); err != nil {
		return m, fmt.Errorf("the map %s: %w", o.mapFrom, err)
	}
	for _, set := range o.set {
		name, value, found := strings.Cut(set, "=")
		if !found || name == "" {
			return m, fmt.Errorf("--set %s must be a field, an equals sign and a value, such as currency=EUR", set)
		}
		if m.Set == nil {
			m.Set = map[string]exchange.Constant{}
		}
		m.Set[name] = exchange.Constant(value)
	}
	for i, answer := range answers {
		if err := give(answer.field(&m), *o.given[i]); err != nil {
			return m, fmt.Errorf("--%s must be a number, not %s", answer.flag, *o.given[i])
		}
	}
	return m, nil
}

// give sets a field of a map, unless nothing is given.
func give(field any, value string) error {
	if value == "" {
		return nil
	}
	switch to := field.(type) {
	case *string:
		*to = value
		return nil
	case *exchange.Constant:
		*to = exchange.Constant(value)
		return nil
	}
	n, err := strconv.Atoi(value)
	switch to := field.(type) {
	case *int:
		*to = n
	case *int64:
		*to = int64(n)
	case **int:
		*to = &n
	}
	return err
}

// importRun is one run of the command.
type importRun struct {
	*importOptions
	cmd     *cobra.Command
	store   *sqlite.Store
	service *imports.Service
}

func (r *importRun) run(ctx context.Context, u imports.Upload) error {
	one, err := r.service.Add(ctx, u)
	for err == nil && one.State == "reading" {
		one, err = r.service.Get(ctx, u.Owner, one.ID)
	}
	if err == nil && one.State == "failed" {
		err = errors.New(one.Problem)
	}
	if err != nil {
		return err
	}
	if err := r.saveMap(ctx, one); err != nil {
		return err
	}
	if r.wrong != "" && one.Counts.Wrong > 0 {
		if err := writeFile(r.wrong, func(to io.Writer) error { return r.service.WriteRows(ctx, u.Owner, one.ID, "wrong", to) }); err != nil {
			return err
		}
	}
	if !r.json {
		r.show(one)
	}
	left, err := r.refusal(one)
	if err == nil && !r.dry && one.Counts.New+one.Counts.Changed+one.Counts.Cleared > 0 {
		var done *imports.Done
		done, err = r.service.Commit(ctx, u.Owner, one.ID, imports.Order{Revision: one.Revision, Good: r.good, Accept: r.accept}, nil)
		if err == nil {
			one.Done, one.State = done, "committed"
			r.stored(done)
		}
	}
	if r.json {
		err = errors.Join(r.print(one), err)
	}
	if err == nil && left > 0 {
		return exitError{exitLeftOut, fmt.Errorf("records are left out (%d); --wrong FILE writes the wrong rows", left)}
	}
	return err
}

// refusal says why nothing can be stored, or how many records are left out.
func (r *importRun) refusal(one *imports.Import) (left int, err error) {
	doubtful := one.Doubts
	if r.accept {
		doubtful = 0
	}
	switch left = one.Counts.Wrong + doubtful; {
	case len(one.Questions) > 0:
		return 0, exitError{exitRefused, fmt.Errorf("questions are open (%d); answer them by a flag or a map; nothing is stored", len(one.Questions))}
	case left == 0 || r.good:
		return left, nil
	case one.Counts.Wrong == 0:
		return 0, exitError{exitRefused, fmt.Errorf("rows are doubtful (%d); look at them, then --accept-doubtful stores them as they read; nothing is stored", doubtful)}
	}
	return 0, exitError{exitRefused, fmt.Errorf("records are wrong (%d); mend them, or --good-rows leaves them out; nothing is stored", one.Counts.Wrong)}
}

// saveMap saves the map that the file was read by.
func (r *importRun) saveMap(ctx context.Context, one *imports.Import) error {
	if r.mapTo == "" {
		return nil
	}
	m := one.Map
	m.Name = r.mapTo
	written, err := json.Marshal(m, json.Deterministic(true))
	if err == nil {
		_, err = r.store.PutMap(ctx, mapping.Map{Name: text.Code(r.mapTo), Kind: m.Kind, Text: string(written)})
	}
	return err
}

// print prints an import as the interface does.
func (r *importRun) print(one *imports.Import) error {
	return json.MarshalWrite(r.cmd.OutOrStdout(), one, json.Deterministic(true), jsontext.Multiline(true))
}

// shown is how many findings are printed.
const shown = 20

// show prints what a file would do.
func (r *importRun) show(one *imports.Import) {
	out := r.cmd.OutOrStdout()
	for _, q := range one.Questions {
		fmt.Fprintf(out, "question %s: %s%s\n", q.Code, text.Printable(q.Message), r.answer(q))
	}
	for _, f := range one.Findings[:min(shown, len(one.Findings))] {
		where := fmt.Sprintf("line %d", f.Line)
		if f.Column != "" {
			where += ", " + text.Printable(f.Column)
		}
		fmt.Fprintf(out, "%s: %s: %s\n", where, f.Severity, text.Printable(f.Message))
	}
	if more := one.FindingsTotal - shown; more > 0 {
		fmt.Fprintf(out, "%d more are wrong or doubtful\n", more)
	}
	if one.Suggested != "" && len(one.Questions)+one.Counts.Wrong > 0 {
		fmt.Fprintf(out, "the file has the columns of the saved map %s; --map reads it so\n", text.Printable(string(one.Suggested)))
	}
	c := one.Counts
	fmt.Fprintf(out, "%s: %d new, %d changed, %d unchanged, %d already there, %d cleared, %d wrong, %d doubtful; %d rows skipped\n",
		one.Kind, c.New, c.Changed, c.Unchanged, c.Already, c.Cleared, c.Wrong, c.Doubtful, c.Skipped)
}

// answer says how a question is answered.
func (r *importRun) answer(q exchange.Question) string {
	flag := strings.NewReplacer("decimal_mark", "decimal", "_", "-").Replace(q.Code)
	for _, answer := range answers {
		if answer.flag == flag {
			values := make([]string, len(q.Choices))
			for i, choice := range q.Choices {
				values[i] = text.Printable(choice.Value)
			}
			return fmt.Sprintf(" Answer with --%s: %s.", flag, strings.Join(values, ", "))
		}
	}
	if q.Field != "" {
		return fmt.Sprintf(" Answer with --set %s=VALUE, or with columns in the file of --map.", q.Field)
	}
	return " Answer in the file of --map."
}

// stored prints what was stored.
func (r *importRun) stored(done *imports.Done) {
	if !r.json && done.Batch != nil {
		fmt.Fprintf(r.cmd.OutOrStdout(), "stored as batch %d\n", done.Batch.ID)
	}
}
