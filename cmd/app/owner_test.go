package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"daybook/db/sqlite"
	"daybook/internal/fault"
)

// TestRootIsSentToTheOwner: the refusal is one line that ends with the command to run
// instead; only that of another user's database is.
func TestRootIsSentToTheOwner(t *testing.T) {
	dir, app := openToAll(t)
	data := filepath.Join(dir, "my data")
	if err := errors.Join(os.Mkdir(data, 0o777), os.Chmod(data, 0o777)); err != nil { // whatever the umask
		t.Fatal(err)
	}
	if r := runBound(t, data, app, "migrate"); r.err != nil {
		t.Fatalf("%v\n%s", r.err, r.stderr)
	}
	path := filepath.Join(data, "app.db")
	for _, c := range []struct {
		args, env []string
		want      string
	}{
		{[]string{"token", "list", "--db", path}, nil, " token list --db '" + path + "'"},
		{[]string{"verify"}, nil, " verify --db app.db"},
		{[]string{"serve", "--addr", "localhost:0"}, []string{"APP_DB=" + path}, " serve --addr localhost:0 --db '" + path + "'"},
	} {
		if os.Geteuid() != 0 {
			t.Log("the tests do not run as root, who alone is refused; what the refusal says is tried below")
			break
		}
		command := exec.CommandContext(t.Context(), app, c.args...)
		var complaint strings.Builder
		command.Dir, command.Env, command.Stderr = data, append(plainEnvironment(), c.env...), &complaint
		err := command.Run()
		line, whole := strings.CutSuffix(complaint.String(), "\n")
		_, run, found := strings.Cut(line, "; run sudo -u ")
		owner, run, _ := strings.Cut(run, " ")
		if err == nil || !whole || !found || owner == "root" || strings.Contains(line, "\n") || run != "app"+c.want {
			t.Errorf("app %v: got %v, %q, want sudo -u OWNER app%s", c.args, err, complaint.String(), c.want)
		}
	}
	refused := fault.Wrap(fault.Unavailable, &sqlite.OwnerError{Path: path, Owner: "#1000"}, "root does not open it")
	if got := asOwner(newCommand(nil), refused); !strings.HasPrefix(got, "; run sudo -u '#1000' ") || !strings.HasSuffix(got, " --db app.db") {
		t.Errorf("got %q, want the command", got)
	}
	if got := asOwner(newCommand(nil), errors.New("another")); got != "" {
		t.Errorf("got %q for another error", got)
	}
}

func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{"/data/app-1.db": "/data/app-1.db", "": "''", "my data": "'my data'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "#7": "'#7'"} {
		if got := quoted(word); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
