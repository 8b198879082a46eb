package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"daybook/internal/settings"
)

var names = settings.Names{
	Prefix: "APP_", Config: "config",
	Environment: []string{"addr", "hosts", "open", "places", "config", "trades"},
	File:        []string{"addr", "hosts", "open", "places", "other-command"},
}

// settle returns the settings of a command line, an environment, and the content of a file; "" = none.
func settle(t *testing.T, args, environ []string, file string) (map[string]settings.Setting, settings.Settings, error) {
	t.Helper()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.String("addr", "localhost", "")
	flags.StringSlice("hosts", nil, "")
	flags.Bool("open", false, "")
	flags.Int("places", 10, "")
	flags.String("config", "", "")
	if file != "" {
		t.Chdir(t.TempDir())
		if err := os.WriteFile("d.toml", []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--config", "d.toml")
	}
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	s, err := settings.Settle(flags, names, environ)
	found := map[string]settings.Setting{}
	for _, setting := range s.List {
		found[setting.Name] = setting
	}
	return found, s, err
}

// TestEachOriginWins: a flag wins over the environment, that over the file, and that over the default. Each
// value knows where it came from.
func TestEachOriginWins(t *testing.T) {
	file := "# settings\naddr = \"file\"\nhosts = [\n \"one,1\",\n \"two\"]\nplaces = 0x10\nopen = true\n"
	for _, c := range []struct {
		args, environ []string
		file          string
		name          string
		want          settings.Setting
	}{
		{nil, nil, "", "addr", settings.Setting{Value: "localhost", Origin: settings.Default}},
		{nil, nil, file, "addr", settings.Setting{Value: "file", Origin: settings.File, Where: "d.toml:2"}},
		{nil, []string{"APP_ADDR=environment"}, file, "addr", settings.Setting{Value: "environment", Origin: settings.Environment, Where: "APP_ADDR"}},
		{[]string{"--addr=flag"}, []string{"APP_ADDR=environment"}, file, "addr", settings.Setting{Value: "flag", Origin: settings.Flag, Where: "--addr"}},
		{[]string{"--addr=localhost"}, nil, file, "addr", settings.Setting{Value: "localhost", Origin: settings.Flag, Where: "--addr"}},
		{nil, nil, file, "hosts", settings.Setting{Value: []string{"one,1", "two"}, Origin: settings.File, Where: "d.toml:3"}},
		{nil, []string{"APP_HOSTS=a,b"}, file, "hosts", settings.Setting{Value: []string{"a", "b"}, Origin: settings.Environment, Where: "APP_HOSTS"}},
		{nil, nil, file, "places", settings.Setting{Value: int64(16), Origin: settings.File, Where: "d.toml:6"}},
		{nil, nil, file, "open", settings.Setting{Value: true, Origin: settings.File, Where: "d.toml:7"}},
		{nil, []string{"APP_OPEN=false"}, file, "open", settings.Setting{Value: false, Origin: settings.Environment, Where: "APP_OPEN"}},
	} {
		found, _, err := settle(t, c.args, c.environ, c.file)
		c.want.Name = c.name
		if diff := cmp.Diff(c.want, found[c.name]); err != nil || diff != "" {
			t.Errorf("%v, %v, %d bytes of file: got %v, %s", c.args, c.environ, len(c.file), err, diff)
		}
	}
}

// TestTheFileIsNamedByTheEnvironment: a variable may name the file too.
func TestTheFileIsNamedByTheEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.toml")
	if err := os.WriteFile(path, []byte("places = 5"), 0o600); err != nil {
		t.Fatal(err)
	}
	found, _, err := settle(t, nil, []string{"APP_CONFIG=" + path}, "")
	if want := (settings.Setting{Name: "places", Value: int64(5), Origin: settings.File, Where: path + ":1"}); err != nil || !cmp.Equal(found["places"], want) {
		t.Errorf("got %v, %v, want %v", found["places"], err, want)
	}
}

// TestMistakesNameTheirPlace: a mistake in the environment or in a file is an error that says where it is, and
// what to do.
func TestMistakesNameTheirPlace(t *testing.T) {
	for _, c := range []struct {
		environ []string
		file    string
		want    string
	}{
		{nil, "\nadr = 'x'", "d.toml:2: adr is no setting; did you mean addr?"},
		{nil, "hsots = ['x']", "d.toml:1: hsots is no setting; did you mean hosts?"},
		{nil, "trades = 3", "d.toml:1: trades is no setting"},
		{nil, "config = 'x'", "d.toml:1: config is no setting"},
		{nil, "open = true\n[serve]\naddr = 'x'", "d.toml:2: [serve] is a table"},
		{nil, "a.b = 1", "d.toml:1: [a] is a table"},
		{nil, "addr = 7", "d.toml:1: addr must be a text in quotes"},
		{nil, "open = 'true'", "d.toml:1: open must be true or false, without quotes"},
		{nil, "places = '7'", "d.toml:1: places must be a whole number, without quotes"},
		{nil, "places = 7.5", "d.toml:1: places must be a whole number, without quotes"},
		{nil, "hosts = 'one'", "d.toml:1: hosts must be a list of texts"},
		{nil, "hosts = ['one', 2]", "d.toml:1: hosts must be a list of texts"},
		{nil, "hosts = []", "d.toml:1: hosts is empty"},
		{nil, "addr = ''", "d.toml:1: addr is empty"},
		{nil, "addr = 'a'\naddr = 'b'", "d.toml:2 is not TOML: key addr is already defined"},
		{nil, "open = true\naddr = localhost", "d.toml:2 is not TOML"},
		{nil, "addr = 'x", "d.toml:1 is not TOML"},
		{nil, "\x00\x01", "d.toml:1 is not TOML"},
		{[]string{"APP_PLACES=7"}, "places = 'x'", "d.toml:1: places must be a whole number"},
		{[]string{"APP_PLACES=many"}, "", `the environment variable APP_PLACES is wrong: must be a whole number, got "many"`},
		{[]string{"APP_OPEN=perhaps"}, "", `the environment variable APP_OPEN is wrong: must be true or false, got "perhaps"`},
		{[]string{"APP_ADDR="}, "", "the environment variable APP_ADDR is empty"},
		{[]string{"APP_CONFIG="}, "", "the environment variable APP_CONFIG is empty"},
		{[]string{"APP_CONFIG=none.toml"}, "", "the configuration file none.toml does not exist; make it, or leave --config out"},
		{[]string{"APP_CONFIG=."}, "", "the configuration file . cannot be read: . is not a regular file"},
		{[]string{"APP_PLACE=7"}, "", "the environment variable APP_PLACE is unknown; did you mean APP_PLACES?"},
		{[]string{"APP_OTHERCOMMAND=7"}, "", "did you mean APP_OTHER_COMMAND?"},
	} {
		_, _, err := settle(t, nil, c.environ, c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, file %q: got %v, want one line with %q", c.environ, c.file, err, c.want)
		}
	}
}

// TestWhatIsNotMeantForACommand: values of other commands, and variables of other programs, set nothing and
// are no mistake. The latter are named.
func TestWhatIsNotMeantForACommand(t *testing.T) {
	_, s, err := settle(t, nil, []string{"APP_TRADES=9", "APP_PORT=tcp://10.0.0.1:80", "APP_ENV=production", "PATH=/bin"}, "other-command = 3")
	if want := []string{"APP_ENV", "APP_PORT"}; err != nil || !cmp.Equal(s.Unused, want) {
		t.Errorf("got %v unused, %v, want %v", s.Unused, err, want)
	}
}
