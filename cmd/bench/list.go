package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// listed is the result of reading a long list to its end.
type listed struct {
	records     int
	first, last time.Duration // the time until its first byte, and until its last
}

// readList reads a list to its end with as little work as possible.
func readList(from io.Reader, began time.Time) (l listed, err error) {
	piece, end := make([]byte, 256<<10), make([]byte, 0, 32)
	for {
		n, err := from.Read(piece)
		if n > 0 && l.first == 0 {
			l.first = time.Since(began)
		}
		l.records += bytes.Count(piece[:n], []byte("{"))
		end = append(end, piece[max(0, n-16):n]...)
		end = end[max(0, len(end)-16):]
		if err == nil {
			continue
		}
		l.last = time.Since(began)
		if !errors.Is(err, io.EOF) {
			return l, err
		}
		if !bytes.Contains(end, []byte("}]")) {
			return l, fmt.Errorf("a list of %d records broke off at %q", l.records, end)
		}
		return l, nil
	}
}

// list requests a list from a server, and reads it.
func list(ctx context.Context, addr, path string) (listed, error) {
	began := time.Now()
	conn, err := dial(ctx, addr)
	if err != nil {
		return listed{}, err
	}
	defer func() { _ = conn.Close() }() // the server closed it
	if _, err := conn.Write(closing(path)); err != nil {
		return listed{}, err
	}
	return readList(conn, began)
}

// listing is a subject that starts the program and requests all trades. It starts a new process each
// time, because a process that has sent the list before already holds the memory for it.
func (b *bench) listing(name, db string, records int) subject {
	return subject{name: name, measure: func(ctx context.Context, say say) error {
		p, err := launch(ctx, b.shelf.app, "serve", "--db", db, "--addr", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer p.stop()
		if err := healthy(ctx, p); err != nil {
			return err
		}
		before := p.memory()
		most := p.mostMemory()
		l, err := list(ctx, p.addr, "/trade/list")
		held := most()
		if err != nil {
			return errors.Join(err, said(p))
		}
		say(name, l.last.Seconds())
		say(name+" first", float64(l.first)/float64(time.Millisecond))
		if before > 0 {
			say(name+" memory", held-before)
		}
		return l.counted(records)
	}}
}

func (l listed) counted(want int) error {
	if l.records != want {
		return fmt.Errorf("listed are %d records of %d", l.records, want)
	}
	return nil
}

// printing is a subject in which a command prints all trades.
func printing(name string, records int, command ...string) subject {
	return subject{name: name, measure: func(ctx context.Context, say say) error {
		began := time.Now()
		shell := exec.CommandContext(ctx, command[0], command[1:]...)
		out, err := shell.StdoutPipe()
		if err != nil {
			return err
		}
		if err := shell.Start(); err != nil {
			return err
		}
		l, err := readList(out, began)
		if err := errors.Join(err, shell.Wait(), l.counted(records)); err != nil {
			return err
		}
		say(name, l.last.Seconds())
		return nil
	}}
}

// everyTrade selects the columns of the list, as integers.
const everyTrade = `SELECT symbol AS "Symbol", currency_code AS "CurrencyCode", shares AS "Shares", product AS "Product", side AS "Type", price AS "Price", traded_at AS "Date" FROM trades ORDER BY id`

// printer returns the command that prints all trades of a database, and its name: SQLite's own shell if
// this machine has it.
func (b *bench) printer(db string) (command []string, name string) {
	if shell, err := exec.LookPath("sqlite3"); err == nil {
		return []string{shell, "-readonly", "-json", db, everyTrade}, "sqlite3 -json"
	}
	return []string{b.self, referenceArgument, listReference, db}, "database/sql (there is no sqlite3 here)"
}

// printTrades prints all trades of a database as JSON.
func printTrades(ctx context.Context, path string, out io.Writer) error {
	db, err := openDatabase(ctx, path, "ro")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	rows, err := db.QueryContext(ctx, everyTrade)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	w := bufio.NewWriterSize(out, 64<<10)
	names := [...]string{`"Shares":`, `,"Product":`, `,"Type":`, `,"Price":`, `,"Date":`}
	var symbol, currency string
	var numbers [len(names)]int64
	var line []byte
	for separator := byte('['); rows.Next(); separator = ',' {
		if err := rows.Scan(&symbol, &currency, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4]); err != nil {
			return err
		}
		line = append(line[:0], separator)
		line = append(line, `{"Symbol":`...)
		line = strconv.AppendQuote(line, symbol)
		line = append(line, `,"CurrencyCode":`...)
		line = append(strconv.AppendQuote(line, currency), ',')
		for i, name := range names {
			line = append(line, name...)
			line = strconv.AppendInt(line, numbers[i], 10)
		}
		line = append(line, '}')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	_ = w.WriteByte(']') // Flush returns the error
	return errors.Join(rows.Err(), w.Flush())
}

func list1m() workload {
	w := workload{name: "list-1m"}
	w.open = func(ctx context.Context, b *bench) ([]subject, error) {
		whole, err := b.shelf.trades(ctx, b.scale.trades)
		if err != nil {
			return nil, err
		}
		small, err := b.shelf.trades(ctx, tenth(b.scale.trades))
		if err != nil {
			return nil, err
		}
		command, name := b.printer(whole)
		w.rows[0].against = name
		return []subject{
			b.listing("list", whole, b.scale.trades),
			printing("print", b.scale.trades, command...),
			b.listing("tenth", small, tenth(b.scale.trades)),
		}, nil
	}
	w.rows = []row{
		{workload: "list-1m, to the last byte", ours: "list", reference: "print", unit: "s", goal: atMost(0.5)},
		{workload: "list-1m, memory more", ours: "list memory", unit: "MiB", goal: atMost(32), optional: true},
		{workload: "list-1m, first byte", ours: "list first", unit: "ms", goal: atMost(10)},
		{workload: "list, 10 x the trades", ours: "list", reference: "tenth", against: "a tenth", unit: "s"},
	}
	return w
}

// slowReaders is the number of slow readers.
const slowReaders = 8

// readSlowly reads a list slowly until ctx ends. If the list ends before, it begins again.
func readSlowly(ctx context.Context, addr string) error {
	for ctx.Err() == nil {
		if err := readOnceSlowly(ctx, addr); err != nil && ctx.Err() == nil {
			return fmt.Errorf("a slow reader was cut off: %w", err)
		}
	}
	return nil
}

func readOnceSlowly(ctx context.Context, addr string) error {
	conn, err := dial(ctx, addr)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	defer func() { _ = conn.Close() }() // there may be more to read
	if tcp, is := conn.Conn.(*net.TCPConn); is {
		_ = tcp.SetReadBuffer(16 << 10) // with a larger buffer the system would read ahead
	}
	if _, err := conn.Write(closing("/trade/list")); err != nil {
		return err
	}
	_, err = readList(slow{conn}, time.Now())
	return err
}

// slow is a reader that pauses.
type slow struct{ io.Reader }

func (s slow) Read(p []byte) (int, error) {
	time.Sleep(20 * time.Millisecond)
	return s.Reader.Read(p[:min(len(p), 4<<10)])
}

// besideReaders is a subject that posts trades one by one while readers read slowly.
func (b *bench) besideReaders(name string, readers int, server *process, p *portfolio, f *feed) subject {
	return subject{name: name, measure: func(ctx context.Context, say say) error {
		reading, stop := context.WithCancel(ctx)
		var wait sync.WaitGroup
		errs := make([]error, readers)
		for i := range errs {
			wait.Go(func() { errs[i] = readSlowly(reading, server.addr) })
		}
		before := f.serial.Load()
		done, err := f.run(ctx, server.addr, b.duration())
		stop()
		wait.Wait()
		if err := errors.Join(err, errors.Join(errs...)); err != nil {
			return errors.Join(err, said(server))
		}
		say(name, float64(done.latency)/float64(time.Microsecond))
		say(name+" p99", float64(percentile(done.duration, 0.99))/float64(time.Microsecond))
		p.trades += f.serial.Load() - before
		return p.check(ctx)
	}}
}

func slowReader() workload {
	return workload{
		name: "slow-reader",
		open: func(ctx context.Context, b *bench) ([]subject, error) {
			p, err := b.copyPortfolio(ctx, b.scale.trades)
			if err != nil {
				return nil, err
			}
			server, err := b.serve(ctx, p.path)
			if err != nil {
				return nil, err
			}
			return []subject{
				b.besideReaders("beside", slowReaders, server, p, tradeFeed(1, false)),
				b.besideReaders("alone", 0, server, p, tradeFeed(1, false)),
			}, nil
		},
		rows: []row{
			{workload: "a post beside " + strconv.Itoa(slowReaders) + " slow readers of list-1m", ours: "beside", reference: "alone", against: "without them", unit: "us", goal: atMost(1.25)},
			{workload: "the same, p99", ours: "beside p99", reference: "alone p99", against: "without them", unit: "us"},
		},
	}
}

// healthy requests the health of a server, and fails unless it is ok.
func healthy(ctx context.Context, p *process) error {
	conn, err := dial(ctx, p.addr)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // the answer was read
	body, err := conn.ask(get("/health"))
	if err == nil && !strings.HasPrefix(string(body), `{"status":"ok"`) {
		err = fmt.Errorf("health answered %q", body)
	}
	return err
}
