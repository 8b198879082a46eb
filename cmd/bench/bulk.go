package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The departments and accounts of the rows that are stored at once. Their years begin where no others are.
const (
	bulkDepartments = 10
	bulkAccounts    = 41
	bulkYear        = 2100
)

// bulkRows stores many actuals in one request, takes them out as a file, and undoes them.
func bulkRows() workload {
	return workload{
		name: "bulk",
		open: openBulk,
		rows: []row{
			{workload: "bulk of actuals, end to end", ours: "bulk", reference: "import", against: "sqlite3 .import", unit: "s", goal: atMost(5), optional: true},
			{workload: "the longest post beside it", ours: "hold", reference: "import", against: "sqlite3 .import", unit: "s", goal: atMost(3), optional: true},
			{workload: "bulk, memory more", ours: "bulk memory", unit: "MiB", goal: atMost(64), optional: true},
			{workload: "undo of the bulk", ours: "undo", reference: "bulk", against: "the bulk", unit: "s", goal: atMost(1)},
			{workload: "all actuals as CSV", ours: "csv", reference: "print", against: "sqlite3 -csv", unit: "s", goal: atMost(0.8), optional: true},
		},
	}
}

// bulkFiles are the same rows as files for the program and for the reference, in the order in which both keep them, and
// a database that has what they name.
type bulkFiles struct {
	base, rows, table string
	n                 int
}

func openBulk(ctx context.Context, b *bench) ([]subject, error) {
	base, err := b.shelf.ledger(ctx, bulkDepartments, bulkAccounts)
	if err != nil {
		return nil, err
	}
	f := &bulkFiles{base: base, rows: filepath.Join(b.folder, "rows.csv"), table: filepath.Join(b.folder, "table.csv"), n: b.scale.rows}
	if err := f.write(); err != nil {
		return nil, err
	}
	b.later(func() { _, _ = os.Remove(f.rows), os.Remove(f.table) })
	ours := []subject{{name: "bulk", measure: func(ctx context.Context, say say) error { return b.bulk(ctx, f, say) }}}
	if shell, err := exec.LookPath("sqlite3"); err == nil {
		ours = append(ours, subject{name: "import", measure: func(ctx context.Context, say say) error { return b.shellBulk(ctx, f, shell, say) }})
	}
	return ours, nil
}

// write writes the files.
func (f *bulkFiles) write() (err error) {
	var rows, table bytes.Buffer
	rows.WriteString("department_id,gl_account_id,fiscal_year,fiscal_period,amount,currency,source\n")
	for i := range f.n {
		account, department := i%bulkAccounts+1, i/bulkAccounts%bulkDepartments+1
		month := i / bulkAccounts / bulkDepartments
		line := fmt.Sprintf("%d,%d,%d,%d,%d", department, account, bulkYear+month/12, month%12+1, i)
		fmt.Fprintf(&rows, "%s,EUR,bench\n", line)
		fmt.Fprintf(&table, "%d,%s0000,EUR,bench\n", 10_000_000+i, line)
	}
	return errors.Join(os.WriteFile(f.rows, rows.Bytes(), 0o600), os.WriteFile(f.table, table.Bytes(), 0o600))
}

// bulk stores the rows, with posts of another client beside them, takes them out, and undoes them.
func (b *bench) bulk(ctx context.Context, f *bulkFiles, say say) error {
	db, err := b.copyOf(f.base)
	if err != nil {
		return err
	}
	defer remove(db)
	p, err := launch(ctx, b.shelf.app, "serve", "--db", db, "--addr", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer p.stop()
	body, err := os.ReadFile(f.rows)
	if err != nil {
		return err
	}
	beside := b.postBeside(ctx, p)
	before, most := p.memory(), p.mostMemory()
	began := time.Now()
	answer, err := send(ctx, p, http.MethodPost, "/api/v1/actuals/bulk", "text/csv", bytes.NewReader(body), &bytes.Buffer{})
	took, held := time.Since(began), most()
	hold, failed := beside()
	if err = errors.Join(err, failed); err != nil {
		return errors.Join(err, said(p))
	}
	say("bulk", took.Seconds())
	say("hold", hold.Seconds())
	if before > 0 {
		say("bulk memory", held-before)
	}
	var stored struct {
		Batch  int
		Counts struct{ New int }
	}
	if err := json.Unmarshal(answer.Bytes(), &stored); err != nil || stored.Counts.New != f.n {
		return fmt.Errorf("stored are %d rows of %d: %w", stored.Counts.New, f.n, err)
	}
	lines := &counting{}
	began = time.Now()
	if _, err := send(ctx, p, http.MethodGet, "/api/v1/actuals?format=csv", "", nil, lines); err != nil {
		return err
	}
	say("csv", time.Since(began).Seconds())
	if lines.n <= f.n {
		return fmt.Errorf("the file has %d lines, for more than %d rows", lines.n, f.n)
	}
	began = time.Now()
	_, err = send(ctx, p, http.MethodPost, fmt.Sprintf("/api/v1/batches/%d/undo", stored.Batch), "application/json", strings.NewReader(`{"rows":"all"}`), &bytes.Buffer{})
	say("undo", time.Since(began).Seconds())
	return err
}

// postBeside posts one actual again and again until stop is called, which returns the longest time of an answer.
func (b *bench) postBeside(ctx context.Context, p *process) (stop func() (time.Duration, error)) {
	end, ended := make(chan struct{}), make(chan error, 1)
	var longest time.Duration
	go func() {
		conn, err := dial(ctx, p.addr)
		if err != nil {
			ended <- err
			return
		}
		defer func() { _ = conn.Close() }() // the answers were read
		body := fmt.Sprintf(`{"department_id":1,"gl_account_id":1,"fiscal_year":%d,"fiscal_period":1,"amount":1,"currency":"EUR"}`, year)
		for {
			select {
			case <-end:
				ended <- nil
				return
			default:
			}
			began := time.Now()
			if _, err := conn.ask(append(postHead("/api/v1/actuals/ingest", len(body)), body...)); err != nil {
				ended <- err
				return
			}
			longest = max(longest, time.Since(began))
			time.Sleep(time.Millisecond)
		}
	}()
	return func() (time.Duration, error) {
		close(end)
		err := <-ended
		return longest, err
	}
}

// shellBulk does the same in SQLite's own shell, into the table of the actuals alone.
func (b *bench) shellBulk(ctx context.Context, f *bulkFiles, shell string, say say) error {
	db, err := b.copyOf(f.base)
	if err != nil {
		return err
	}
	defer remove(db)
	began := time.Now()
	if out, err := exec.CommandContext(ctx, shell, db, ".mode csv", ".import '"+f.table+"' actuals").CombinedOutput(); err != nil || len(out) > 0 {
		return fmt.Errorf("sqlite3 .import: %w\n%s", err, out)
	}
	say("import", time.Since(began).Seconds())
	began = time.Now()
	printed := exec.CommandContext(ctx, shell, "-readonly", "-csv", db, "SELECT department_id, gl_account_id, fiscal_year, fiscal_period, amount, currency, source FROM actuals ORDER BY id")
	lines := &counting{}
	printed.Stdout = lines
	if err := printed.Run(); err != nil || lines.n < f.n {
		return fmt.Errorf("sqlite3 -csv: %d lines for %d rows: %w", lines.n, f.n, err)
	}
	say("print", time.Since(began).Seconds())
	return nil
}

// counting counts lines.
type counting struct{ n int }

func (c *counting) Write(b []byte) (int, error) {
	c.n += bytes.Count(b, []byte("\n"))
	return len(b), nil
}

// send sends a request, and writes the body of its answer. Any answer but 200 is an error.
func send[W io.Writer](ctx context.Context, p *process, method, path, label string, body io.Reader, into W) (W, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+p.addr+path, body) //nolint:gosec // the server is ours
	if err != nil {
		return into, err
	}
	request.Header.Set("Content-Type", label)
	request.Header.Set("Accept-Encoding", "identity")
	answer, err := http.DefaultClient.Do(request) //nolint:gosec // as above
	if err != nil {
		return into, err
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(answer.Body, 1000))
		return into, fmt.Errorf("%s %s answered %s %s", method, path, answer.Status, said)
	}
	_, err = io.Copy(into, bufio.NewReaderSize(answer.Body, 256<<10))
	return into, err
}
