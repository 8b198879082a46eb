package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/internal/settings"
	"daybook/internal/text"
)

func configCommand() *cobra.Command {
	o := defaultServeOptions()
	var asJSON bool
	command := &cobra.Command{
		Use:   "config",
		Short: "Print the settings of serve that are in force, and where each came from",
		Long: `Config takes the flags of serve, reads the environment and the file of --config, and
prints each setting with its origin, in the form of that file. Then it checks them as serve
does, as far as that needs no database, no folder of backups and no port. It changes nothing.
Keys are named by their files; what is in these files is not printed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			inForce := settingsOf(cmd)
			_, wrong := o.check()
			return errors.Join(printSettings(cmd.OutOrStdout(), inForce, asJSON), located(inForce, cmp.Or(wrong, o.checkFiles())))
		},
	}
	o.declare(command.Flags())
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return command
}

// check refuses settings that contradict each other or cannot be used, as far as that needs no file. It says who
// may use the server by them.
func (o *serveOptions) check() (a admission, err error) {
	if a, err = o.admission(); err != nil {
		return a, err
	}
	return a, o.log.check()
}

// checkFiles refuses files of settings that serve cannot use.
func (o *serveOptions) checkFiles() error {
	if _, err := o.loadPair(slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	_, err := privateKey(o.backupSignKey)
	return err
}

// settingsKey is the key of the settings in the context of a command.
type settingsKey struct{}

// settle sets the flags of a command that its command line has not set.
func settle(cmd *cobra.Command) error {
	inForce, err := settings.Settle(cmd.Flags(), outside(cmd.Root()), os.Environ())
	for i, s := range inForce.List {
		inForce.List[i].Where = text.Printable(s.Where)
	}
	cmd.SetContext(context.WithValue(cmd.Context(), settingsKey{}, inForce))
	return err
}

// settingsOf returns the settings of a command.
func settingsOf(cmd *cobra.Command) settings.Settings {
	s, _ := cmd.Context().Value(settingsKey{}).(settings.Settings) // settle put it there
	return s
}

// located says where a setting was given, if an error begins with its flag.
func located(all settings.Settings, err error) error {
	if err == nil {
		return nil
	}
	for _, s := range all.List {
		after, is := strings.CutPrefix(err.Error(), "--"+s.Name)
		if is && s.Given() && strings.IndexAny(after, " :") == 0 {
			return fmt.Errorf("%s: %w", s.Where, err)
		}
	}
	return err
}

// outside are the names of the flags that the environment and a file may set.
func outside(root *cobra.Command) settings.Names {
	n := settings.Names{Prefix: "APP_", Config: "config", Environment: flagsOf(root), File: []string{"db"}}
	o, flags := defaultServeOptions(), pflag.NewFlagSet("", pflag.ContinueOnError)
	o.declare(flags)
	flags.VisitAll(func(f *pflag.Flag) { n.File = append(n.File, f.Name) })
	return n
}

// flagsOf returns the names of the flags of a command and of those below it.
func flagsOf(c *cobra.Command) (names []string) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	for _, sub := range c.Commands() {
		names = append(names, flagsOf(sub)...)
	}
	return names
}

// wrongFlag says in plain words what is wrong with a flag of the command line.
func wrongFlag(err error) error {
	if wrong, is := errors.AsType[*pflag.InvalidValueError](err); is {
		return fmt.Errorf("--%s %w", wrong.GetFlag().Name, settings.Complaint(err))
	}
	return err
}

// printSettings prints the settings that a file may have.
func printSettings(out io.Writer, s settings.Settings, asJSON bool) error {
	known := outside(&cobra.Command{}).File
	list := slices.DeleteFunc(s.List, func(s settings.Setting) bool { return !slices.Contains(known, s.Name) })
	if asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Settings []settings.Setting `json:"settings"`
			Unused   []string           `json:"unused_variables"`
		}{list, append([]string{}, s.Unused...)})
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, setting := range list {
		value, err := json.Marshal(setting.Value) // also a value of TOML
		if err != nil {
			return err
		}
		unset := ""
		if setting.Empty() {
			unset = "# " // a file may not have it
		}
		fmt.Fprintf(table, "%s%s = %s\t# %s\n", unset, setting.Name, value, strings.TrimSpace(string(setting.Origin)+" "+setting.Where))
	}
	for _, variable := range s.Unused {
		fmt.Fprintf(table, "# %s in the environment is no setting\n", text.Printable(variable))
	}
	return table.Flush()
}
