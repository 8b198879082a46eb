package main

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"database/sql"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // to read databases without the program
)

// TestScripts runs the scripts in testdata/script, which use the command line as a person does. The
// additional commands of the scripts are defined below.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			s := &scene{ctx: t.Context(), servers: map[string]*process{}}
			env.Values[sceneKey{}] = s
			env.Defer(s.end)
			env.Setenv("GORACE", os.Getenv("GORACE"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"refused":   refused,
			"bytes":     randomBytes,
			"snapshot":  snapshot,
			"unchanged": unchanged,
			"names":     names,
			"sql":       query,
			"dump":      dump,
			"serve":     serve,
			"signal":    stop,
			"http":      request,
			"keypair":   keypair,
		},
	})
}

// scene is the state of one script: its snapshot and its servers.
type scene struct {
	ctx     context.Context
	before  string
	servers map[string]*process
}

type sceneKey struct{}

func sceneOf(ts *testscript.TestScript) *scene { return ts.Value(sceneKey{}).(*scene) }

func (s *scene) end() {
	for _, server := range s.servers {
		_ = server.stop(os.Kill) // a server runs here only if the script failed
	}
}

// usage fails a script that calls a command with a wrong number of arguments.
func usage(ts *testscript.TestScript, neg bool, args []string, least, most int, line string) {
	if neg || len(args) < least || len(args) > most {
		ts.Fatalf("usage: %s", line)
	}
}

// refused PATTERN: checks that the last command printed exactly one line on standard error, which
// begins with "app: " and matches the pattern.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 1, 1, "refused PATTERN")
	line, found := strings.CutSuffix(ts.ReadFile("stderr"), "\n")
	if !found || strings.Contains(line, "\n") || !strings.HasPrefix(line, "app: ") {
		ts.Fatalf("got %q on standard error, want one line from app", ts.ReadFile("stderr"))
	}
	if !regexp.MustCompile(args[0]).MatchString(line) {
		ts.Fatalf("got %q, want it to match %s", line, args[0])
	}
}

// bytes FILE: writes a file of random bytes.
func randomBytes(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 1, 1, "bytes FILE")
	data := make([]byte, 64<<10)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(data) // never fails
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o600))
}

// snapshot PATH: remembers a file, or every file in a directory.
func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 1, 1, "snapshot PATH")
	state, err := stateOf(ts.MkAbs(args[0]))
	ts.Check(err)
	sceneOf(ts).before = state
}

// unchanged PATH: checks that the files are those of the last snapshot, without a change or a new file.
func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 1, 1, "unchanged PATH")
	got, err := stateOf(ts.MkAbs(args[0]))
	ts.Check(err)
	if want := sceneOf(ts).before; got != want {
		ts.Fatalf("got\n%s, want\n%s", got, want)
	}
}

// stateOf lists the files in a directory and its folders with their checksums, modes and times.
func stateOf(dir string) (string, error) {
	var state strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&state, "%x %v %v %s\n", sha256.Sum256(data), info.Mode(), info.ModTime().UnixNano(), entry.Name())
		return nil
	})
	return state.String(), err
}

// names DIR: prints the names of the files in a directory, one a line, without lock files.
func names(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 1, 1, "names DIR")
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".lock") {
			fmt.Fprintln(ts.Stdout(), entry.Name())
		}
	}
}

// sql FILE STATEMENT: runs a statement on a database and prints its rows.
func query(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, 2, "sql FILE STATEMENT")
	withDatabase(ts, args[0], func(db *sql.DB) error { return printRows(sceneOf(ts).ctx, ts.Stdout(), db, args[1]) })
}

// dump FILE OUT: writes every row of Daybook's records to a file, in the order in which SQLite returns them.
func dump(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, 2, "dump FILE OUT")
	var all strings.Builder
	withDatabase(ts, args[0], func(db *sql.DB) error {
		ctx := sceneOf(ts).ctx
		var tables strings.Builder
		err := printRows(ctx, &tables, db, `SELECT name FROM sqlite_schema
			WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'
			AND name NOT LIKE 'journal%' AND name <> 'log_base' ORDER BY name`) // these have times and random numbers, which differ in each run
		for table := range strings.Lines(tables.String()) {
			all.WriteString(table)
			err = errors.Join(err, printRows(ctx, &all, db, `SELECT * FROM "`+strings.TrimSpace(table)+`"`))
		}
		return err
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(all.String()), 0o600))
}

func withDatabase(ts *testscript.TestScript, file string, use func(*sql.DB) error) {
	db, err := sql.Open("sqlite", ts.MkAbs(file))
	ts.Check(err)
	ts.Check(errors.Join(use(db), db.Close()))
}

func printRows(ctx context.Context, to io.Writer, db *sql.DB, statement string) (err error) {
	rows, err := db.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	cells, pointers := make([]any, len(columns)), make([]any, len(columns))
	for i := range cells {
		pointers[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(pointers...); err != nil {
			return err
		}
		fmt.Fprintln(to, cells...)
	}
	return rows.Err()
}

// serve NAME [ARGUMENT...]: starts `app serve` and puts its address into $NAME once it
// accepts connections.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 1, 99, "serve NAME [ARGUMENT...]")
	env := []string{"PATH=" + ts.Getenv("PATH")}
	for _, name := range []string{"APP_DB", "APP_ADDR", "APP_NO_AUTH", "APP_ALLOW_HOST"} {
		if value := ts.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	p, err := startServing(sceneOf(ts).ctx, ts.MkAbs("."), env, args[1:]...)
	ts.Check(err)
	sceneOf(ts).servers[args[0]] = p
	ts.Setenv(args[0], p.addr)
}

// signal NAME INT|TERM: sends the signal to a server, which must then exit with 0. The output of the
// server becomes the output of this command.
func stop(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM}
	usage(ts, neg, args, 2, 2, "signal NAME INT|TERM")
	p, running := sceneOf(ts).servers[args[0]]
	signal, known := signals[args[1]]
	if !running || !known {
		ts.Fatalf("the server %s or the signal %s does not exist", args[0], args[1])
	}
	delete(sceneOf(ts).servers, args[0])
	err := p.stop(signal)
	fmt.Fprint(ts.Stdout(), p.stdout.String())
	fmt.Fprint(ts.Stderr(), p.stderr.String())
	ts.Check(err)
}

// http METHOD URL [BODY]: prints the status and the body of the answer.
func request(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, 3, "http METHOD URL [BODY]")
	body := strings.Join(args[2:], "")
	r, err := http.NewRequestWithContext(sceneOf(ts).ctx, args[0], args[1], strings.NewReader(body))
	ts.Check(err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	content, err := io.ReadAll(answer.Body)
	ts.Check(errors.Join(err, answer.Body.Close()))
	fmt.Fprintf(ts.Stdout(), "%d\n%s\n", answer.StatusCode, content)
}

// keypair NAME: makes a key that signs backups, NAME.key, and its public key, NAME.pem, in the formats
// of openssl.
func keypair(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 1, 1, "keypair NAME")
	public, private, err := ed25519.GenerateKey(nil)
	ts.Check(err)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
	der, err = x509.MarshalPKIXPublicKey(public)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".pem"), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o600))
}
