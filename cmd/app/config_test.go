package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/internal/settings"
)

// settingsIn returns the settings of serve with the file, and fails if it is wrong.
func settingsIn(t *testing.T, file string) map[string]settings.Setting {
	t.Helper()
	path := filepath.Join(t.TempDir(), "daybook.toml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	app := newCommand(browse)
	serve, _, err := app.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.ParseFlags([]string{"--config", path}); err != nil {
		t.Fatal(err)
	}
	s, err := settings.Settle(serve.Flags(), outside(app), nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]settings.Setting{}
	for _, setting := range s.List {
		found[setting.Name] = setting
	}
	return found
}

// TestTheExampleHasEverySetting: the example of the manual is right as it is, changes no default, and with
// every setting that it leaves out.
func TestTheExampleHasEverySetting(t *testing.T) {
	example := readAll(t, "web/manual/daybook.toml")
	defaults := settingsIn(t, "")
	for name, s := range settingsIn(t, example) {
		if want := defaults[name].Value; name != "config" && fmt.Sprint(s.Value) != fmt.Sprint(want) {
			t.Errorf("the example sets %s to %v, want its default, %v", name, s.Value, want)
		}
	}
	all := settingsIn(t, regexp.MustCompile(`(?m)^# ([a-z-]+ = )`).ReplaceAllString(example, "$1"))
	for _, name := range outside(&cobra.Command{}).File {
		if all[name].Origin != settings.File {
			t.Errorf("the example has no line for %s", name)
		}
	}
}

// TestTheManualHasEverySetting: the table in Configure has a row for each setting, with its default, and no
// other rows.
func TestTheManualHasEverySetting(t *testing.T) {
	_, configure, _ := strings.Cut(readAll(t, "web/manual/command-line.md"), "\n## Configure\n")
	configure, _, found := strings.Cut(configure, "\n## ")
	if !found {
		t.Fatal("the manual has no Configure")
	}
	rows := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)[^`]*` \\| ([^|]+) \\|").FindAllStringSubmatch(configure, -1) {
		rows[row[1]] = row[2]
	}
	serve, _, err := newCommand(browse).Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	known := outside(&cobra.Command{}).File
	for _, name := range known {
		want := serve.Flag(name).DefValue
		switch got := rows[name]; {
		case slices.Contains([]string{"", "[]", "false"}, want):
			if got == "" || strings.Contains(got, "`") {
				t.Errorf("the row of %s says the default is %q, want a word for none", name, got)
			}
		case got != "`"+want+"`":
			t.Errorf("the row of %s says the default is %s, want `%s`", name, got, want)
		}
	}
	for name := range rows {
		if !slices.Contains(known, name) {
			t.Errorf("the table has a row for %s, which is no setting", name)
		}
	}
}

// TestSettingsAreNoSecrets: no setting holds a secret itself, because config prints them all. A new one must be
// looked at.
func TestSettingsAreNoSecrets(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	o := defaultServeOptions()
	o.declare(flags)
	flags.VisitAll(func(f *pflag.Flag) {
		secret := regexp.MustCompile(`key|secret|password|token`).MatchString(f.Name)
		named, _ := pflag.UnquoteUsage(f)
		if secret && f.Value.Type() != "bool" && named != "file" {
			t.Errorf("--%s may hold a secret, want a file that holds it", f.Name)
		}
	})
}
