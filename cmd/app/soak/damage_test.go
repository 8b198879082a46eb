package soak_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDamagedFiles opens, reads, verifies and writes files with random damage. Each step ends with an
// error or succeeds; nothing panics and nothing hangs. A file in which verifying finds nothing wrong
// must have its original content.
func TestDamagedFiles(t *testing.T) {
	files := times(150, 10_000)
	const inOneProcess = 50
	whole := newSampleDatabase(t)
	counts := map[string]int{}
	for first := 0; first < files; first += inOneProcess {
		dir := t.TempDir()
		copies, reads := map[string]string{}, map[string]string{} // the damage to each, and the digest it must have
		for i := first; i < min(files, first+inOneProcess); i++ {
			name := fmt.Sprintf("%05d.db", i)
			copies[name], reads[name] = whole.damagedCopy(t, filepath.Join(dir, name), randomOf(i))
		}
		for name, v := range exerciseIn(t, dir, patience) {
			if wrong := v.complaint(reads[name]); wrong != "" {
				t.Errorf("%s (%s; -soak-seed %d): %s", name, copies[name], *soakSeed, wrong)
			}
			counts[v.end]++
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	served, ended := servesDamaged(t, whole, times(10, 200))
	figure{
		"damaged files", fmt.Sprintf("%d files: an error or degraded health, no panic, no hang", files),
		fmt.Sprintf("%d refused, %d with errors, %d whole; %d by the binary: %d ended with an error, %d served",
			counts[endRefused], counts[endErrors], counts[endWhole], served+ended, ended, served),
		noticesPanicAndHang(t, whole),
	}.report(t)
}

// noticesPanicAndHang is the control: a panic and a hang are reported, and a file without damage is
// not.
func noticesPanicAndHang(t *testing.T, whole sampleDatabase) string {
	t.Helper()
	for name, silence := range map[string]time.Duration{panicsOn: patience, hangsOn: time.Second, "whole.db": patience} {
		dir := t.TempDir()
		whole.copyTo(t, filepath.Join(dir, name))
		v := exerciseIn(t, dir, silence)[name]
		wrong := v.complaint(whole.read)
		if name == "whole.db" && (wrong != "" || v.end != endWhole) {
			t.Errorf("a file without damage: got %s, %q, want %s and no report", v.end, wrong, endWhole)
		} else if name != "whole.db" && wrong == "" {
			t.Errorf("%s: got no report, want one", name)
		}
	}
	return "a panic and a hang: noticed"
}

// sampleDatabase is the database whose copies are damaged. It is there twice: once closed, and once
// with the write-ahead log that a killed server left.
type sampleDatabase struct {
	closed, crashed string
	read            string   // the digest of the content of the closed one
	log             []byte   // the write-ahead log of the crashed one
	commits         []int    // the offset in the log before the first commit, and after each
	reads           []string // the digest of the content of the crashed one at each of these offsets
}

func newSampleDatabase(t *testing.T) (s sampleDatabase) {
	t.Helper()
	s.closed, s.crashed = newFile(t), newFile(t)
	mustRunApp(t, "seed", "--db", s.closed, "--as-of", "2026-06-30", "--trades", "300", "--departments", "3", "--accounts", "12", "--years", "1")
	closing := openAs(t, s.closed, "rw")
	kept, err := closing.ExecContext(t.Context(), firstPositions)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := kept.RowsAffected(); err != nil || n == 0 {
		t.Fatalf("got %d position checkpoints, %v, want some", n, err)
	}
	if _, err := closing.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	if err := closing.Close(); err != nil {
		t.Fatal(err)
	}
	copyFile(t, s.closed, s.crashed)
	server := serve(t, s.crashed)
	for i := range 60 {
		server.send(t, http.MethodPost, "/trade/add",
			fmt.Sprintf(`{"symbol":"S%d","currency_code":"EUR","shares":1,"product":0,"type":true,"price":1}`, i%7), http.StatusCreated)
	}
	server.kill()
	dir := t.TempDir()
	s.copyTo(t, filepath.Join(dir, "read.db"))
	s.read = exerciseIn(t, dir, patience)["read.db"].read
	s.readLog(t)
	return s
}

// firstPositions stores a position checkpoint after the first trade of each instrument, if that is a
// purchase. The program itself stores no checkpoint for so few trades.
const firstPositions = `
	INSERT INTO position_checkpoints
	SELECT symbol, currency_code, product, shares, price, 0, traded_at, price, traded_at, 1, 0, shares * price
	FROM trades AS first
	WHERE side = 1 AND NOT EXISTS (
		SELECT 1 FROM trades AS other WHERE (other.symbol, other.currency_code, other.product) = (first.symbol, first.currency_code, first.product)
		AND other.traded_at <= first.traded_at AND other.id <> first.id
	) AND EXISTS (
		SELECT 1 FROM trades AS other WHERE (other.symbol, other.currency_code, other.product) = (first.symbol, first.currency_code, first.product)
		AND other.traded_at > first.traded_at
	)`

// readLog finds the commits of the log, and reads the database as it was after each.
func (s *sampleDatabase) readLog(t *testing.T) {
	t.Helper()
	const header, frame = 32, 24 + 4096
	var err error
	if s.log, err = os.ReadFile(s.crashed + "-wal"); err != nil {
		t.Fatal(err)
	}
	s.commits = []int{header}
	for at := header; at+frame <= len(s.log); at += frame {
		if pages := binary.BigEndian.Uint32(s.log[at+4:]); pages > 0 { // set only in the last frame of a commit
			s.commits = append(s.commits, at+frame)
		}
	}
	dir := t.TempDir()
	name := func(i int) string { return fmt.Sprintf("%05d.db", i) }
	for i, end := range s.commits {
		path := filepath.Join(dir, name(i))
		copyFile(t, s.crashed, path)
		if err := os.WriteFile(path+"-wal", s.log[:end], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	verdicts, distinct := exerciseIn(t, dir, patience), map[string]bool{}
	for i := range s.commits {
		v := verdicts[name(i)]
		if v.end != endWhole {
			t.Fatalf("a log cut after %d commits: got %s, %s, want %s", i, v.end, v.detail, endWhole)
		}
		s.reads = append(s.reads, v.read)
		distinct[v.read] = true
	}
	if len(s.commits) < 61 || len(distinct) != len(s.commits) {
		t.Fatalf("got %d commits in the log and %d different contents, want one for each of 60 trades, and another content before each and after the last",
			len(s.commits)-1, len(distinct))
	}
}

// after returns the digest that the crashed database must have with a damaged log. It must have all
// commits that are complete before the first changed byte.
func (s sampleDatabase) after(log []byte) string {
	sound := 0
	for sound < min(len(log), len(s.log)) && log[sound] == s.log[sound] {
		sound++
	}
	read := s.reads[0]
	for i, end := range s.commits {
		if end <= sound {
			read = s.reads[i]
		}
	}
	return read
}

func (s sampleDatabase) copyTo(t *testing.T, path string) {
	t.Helper()
	copyFile(t, s.closed, path)
}

// damagedCopy writes a damaged copy. It returns what the damage is, and the digest that the copy must
// have if verifying finds nothing wrong with it.
func (s sampleDatabase) damagedCopy(t *testing.T, path string, r *rand.Rand) (done, read string) {
	t.Helper()
	if r.IntN(3) > 0 {
		s.copyTo(t, path)
		return damage(t, path, r), s.read
	}
	copyFile(t, s.crashed, path)
	copyFile(t, s.crashed+"-wal", path+"-wal")
	if r.IntN(3) == 0 {
		return "beside a log: " + damage(t, path, r), s.after(s.log)
	}
	done = "log: " + damage(t, path+"-wal", r)
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return done, s.after(log)
}

// randomOf returns the source of random numbers for the damage to one file.
func randomOf(file int) *rand.Rand { return rand.New(rand.NewPCG(*soakSeed, uint64(file))) }

// damage changes a file in one random way.
func damage(t *testing.T, path string, r *rand.Rand) (done string) {
	t.Helper()
	const page = 4096
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pages := len(data) / page
	at := func(n int) []byte { return data[n*page : (n+1)*page] }
	switch r.IntN(8) {
	case 0:
		done = fmt.Sprintf("%d bytes changed", scatter(data, 1+r.IntN(16), r))
	case 1:
		n := r.IntN(pages)
		done = fmt.Sprintf("page %d: %d bytes changed", n+1, scatter(at(n), 1+r.IntN(200), r))
	case 2:
		n := r.IntN(len(data))
		data, done = data[:n], fmt.Sprintf("cut to %d bytes", n)
	case 3:
		n := r.IntN(pages)
		clear(at(n))
		done = fmt.Sprintf("page %d zeroed", n+1)
	case 4:
		a, b := r.IntN(pages), r.IntN(pages)
		held := bytes.Clone(at(a))
		copy(at(a), at(b))
		copy(at(b), held)
		done = fmt.Sprintf("pages %d and %d swapped", a+1, b+1)
	case 5:
		a, b := r.IntN(pages), r.IntN(pages)
		copy(at(a), at(b))
		done = fmt.Sprintf("page %d written over page %d", b+1, a+1)
	case 6:
		done = fmt.Sprintf("header: %d bytes changed", scatter(data[:100], 1+r.IntN(8), r))
	default: // the header of a page: its kind, and where its cells begin
		n := r.IntN(pages)
		done = fmt.Sprintf("page %d: %d bytes of its head changed", n+1, scatter(at(n)[:64], 1+r.IntN(4), r))
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return done
}

// scatter changes some bytes at random.
func scatter(data []byte, n int, r *rand.Rand) int {
	for range n {
		data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
	}
	return n
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// servesDamaged starts the binary on damaged files. It counts how often the binary served requests
// and how often it ended without serving.
func servesDamaged(t *testing.T, whole sampleDatabase, files int) (served, ended int) {
	t.Helper()
	for i := range files {
		db := newFile(t)
		done, _ := whole.damagedCopy(t, db, randomOf(-1-i))
		p, addr := launch(t, db)
		select {
		case base, ok := <-addr:
			if ok {
				served++
				askEverything(t, newClient(base), done)
				p.signal(t, os.Interrupt)
			} else {
				ended++
			}
		case <-time.After(patience):
			t.Errorf("%s: the binary neither served nor ended within %s", done, patience)
			p.kill()
		}
		if !p.endsWithin(patience) {
			t.Errorf("%s: the binary still ran after %s, want it to end", done, patience)
			p.kill()
		}
		said := p.stderr.String()
		if strings.Contains(said, "panic") || strings.Contains(said, "goroutine ") {
			t.Errorf("%s: got %s, want no panic", done, said)
		}
	}
	return served, ended
}

// askEverything sends requests to a server on a damaged file. Each answer must come in time and begin
// as JSON. The connection may break.
func askEverything(t *testing.T, c *client, done string) {
	t.Helper()
	for _, r := range []struct{ method, target, body string }{
		{http.MethodGet, "/health", ""},
		{http.MethodGet, "/trade/list", ""},
		{http.MethodGet, "/positions/list", ""},
		{http.MethodGet, "/company/list", ""},
		{http.MethodGet, "/api/v1/variance?year=2026&period=1", ""},
		{http.MethodGet, "/api/v1/budgets?limit=1000", ""},
		{http.MethodGet, "/api/v1/actuals?limit=1000", ""},
		{http.MethodGet, "/api/v1/journal?limit=1000", ""},
		{http.MethodPost, "/trade/add", `{"symbol":"S","currency_code":"EUR","shares":1,"product":0,"type":true,"price":1}`},
		{http.MethodPost, "/api/v1/actuals/ingest", `{"department_id":1,"gl_account_id":1,"fiscal_year":2026,"fiscal_period":1,"amount":1,"currency":"EUR"}`},
		{http.MethodGet, "/health", ""},
	} {
		began := time.Now()
		got, err := c.do(t.Context(), r.method, r.target, r.body, "")
		if took := time.Since(began); took > patience/2 {
			t.Errorf("%s: %s %s took %s, want at most %s", done, r.method, r.target, took, patience/2)
		}
		if err == nil && !bytes.HasPrefix(got.body, []byte("{")) && !bytes.HasPrefix(got.body, []byte("[")) {
			t.Errorf("%s: %s %s: got %d %q, want JSON", done, r.method, r.target, got.status, got.body)
		}
	}
}
