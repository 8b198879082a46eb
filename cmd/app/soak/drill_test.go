package soak_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestDrill: backed up under load, wiped, restored. No write fails meanwhile; what is
// restored is the journal from its first entry to a moment after all that had been
// acknowledged when the backup began; and what is backed up at rest is answered as
// before, byte by byte.
func TestDrill(t *testing.T) {
	d := newDrill(t)
	d.load(t, times(3, 20))
	wrong := d.backToLife(t, d.backups[len(d.backups)-1])
	compared := d.restoreAtRest(t)
	for _, complaint := range wrong {
		t.Error(complaint)
	}
	quiet, busy := d.watch.p99(false), d.watch.p99(true)
	if quiet == 0 || busy == 0 {
		t.Errorf("got p99 %s with backups and %s without, want writes in both", busy, quiet)
	}
	figure{
		"backup under 8 writers, wipe, restore", "0 writes refused; the journal's first entries, all acknowledged before; at rest every list equal",
		fmt.Sprintf("%d backups under %d writes, 0 refused; p99 of a write %s with, %s without: %.1f times; %d of %d entries restored; %d lists byte for byte",
			len(d.backups), d.watch.count(), busy.Round(10*time.Microsecond), quiet.Round(10*time.Microsecond), float64(busy)/float64(quiet),
			d.restored, d.original, compared),
		noticesAPlainCopy(t),
	}.report(t)
}

// drill is a crowd that writes to a database which is backed up meanwhile.
type drill struct {
	*crowd
	watch    *stopwatch
	before   int64 // entries that the journal had before the load
	backups  []taken
	journal  []json.RawMessage // of the original, when the load had ended
	original int
	restored int
}

// taken is a backup, and how many entries the journal had, acknowledged, when it began.
type taken struct {
	file         string
	acknowledged int64
}

func newDrill(t *testing.T) *drill {
	t.Helper()
	db := newFile(t)
	mustRunApp(t, "seed", "--db", db, "--trades", strconv.Itoa(times(1_000, 100_000)), "--accounts", strconv.Itoa(times(10, 40)))
	d := &drill{crowd: newCrowd(t, db, false)}
	d.watch = &stopwatch{next: d.server.http.Transport}
	d.before = int64(entriesOf(t, db))
	d.server.http.Transport = d.watch
	return d
}

// entriesOf is how many entries the journal of a database has.
func entriesOf(t *testing.T, db string) int {
	t.Helper()
	entries, _ := foldTime(t, mustRunApp(t, "verify", "--db", db))
	return entries
}

// load lets all clients write, and takes backups with pauses as long as they.
func (d *drill) load(t *testing.T, backups int) {
	t.Helper()
	d.backups = nil
	d.underLoad(t, func() {
		for i := range backups {
			began := time.Now()
			b := taken{filepath.Join(filepath.Dir(d.db), fmt.Sprintf("backup-%d.db", i)), d.before + d.watch.acknowledged.Load()}
			d.watch.during(true)
			mustRunApp(t, "backup", "--db", d.db, b.file)
			d.watch.during(false)
			d.backups = append(d.backups, b)
			time.Sleep(time.Since(began))
			d.watch.more(t, writers+1) // so that one has begun after the backup
		}
	})
	if refused := d.watch.refused.Load(); refused > 0 {
		t.Errorf("got %d writes refused under the load, want none", refused)
	}
	for _, complaint := range d.settle(t) {
		t.Error(complaint)
	}
	d.journal = all[json.RawMessage](t, d.server.client, "/api/v1/journal?")
	d.original = len(d.journal)
}

// underLoad does something while all clients write.
func (d *drill) underLoad(t *testing.T, do func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	for _, s := range d.clients {
		writing.Go(func() {
			for answered := true; answered && ctx.Err() == nil; {
				answered = s.write(t.Context(), d.server.client, s.next())
			}
		})
	}
	d.watch.more(t, 10*writers)
	do()
	stop()
	writing.Wait()
}

// backToLife wipes the database as a lost disk would, restores a backup, and says what
// is wrong with what is there then.
func (d *drill) backToLife(t *testing.T, b taken) (wrong []string) {
	t.Helper()
	d.wipe(t)
	if said, err := runApp(t, "restore", "--db", d.db, b.file); err != nil {
		return []string{fmt.Sprintf("app restore: %v: %s", err, said)}
	}
	wrong = verified(t, d.db)
	d.server = serve(t, d.db)
	journal := all[json.RawMessage](t, d.server.client, "/api/v1/journal?")
	d.restored = len(journal)
	if int64(len(journal)) < b.acknowledged {
		wrong = append(wrong, fmt.Sprintf("got %d entries restored, %d were acknowledged when the backup began", len(journal), b.acknowledged))
	}
	if len(journal) > len(d.journal) || !slices.EqualFunc(journal, d.journal[:len(journal)], func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		wrong = append(wrong, "the restored journal is not how the original began")
	}
	return wrong
}

// wipe kills the server and removes the database with all that belongs to it.
func (d *drill) wipe(t *testing.T) {
	t.Helper()
	d.server.kill()
	files, err := filepath.Glob(d.db + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// restoreAtRest backs up what nobody writes to, wipes it and restores it, and compares
// everything that the interfaces answer. It returns how many lists that were.
func (d *drill) restoreAtRest(t *testing.T) (compared int) {
	t.Helper()
	file := filepath.Join(filepath.Dir(d.db), "at-rest.db")
	mustRunApp(t, "backup", "--db", d.db, file)
	want := everything(t, d.server.client)
	d.wipe(t)
	mustRunApp(t, "restore", "--db", d.db, file)
	for _, complaint := range verified(t, d.db) {
		t.Error(complaint)
	}
	d.server = serve(t, d.db)
	got := everything(t, d.server.client)
	for target, answer := range want {
		if !bytes.Equal(got[target], answer) {
			t.Errorf("%s: got %d bytes after the restore that are not the %d before it", target, len(got[target]), len(answer))
		}
		if len(answer) < 10 {
			t.Errorf("%s: got %s, want something to compare", target, answer)
		}
	}
	return len(want)
}

// everything is what the interfaces answer to every list, all pages of those that have
// pages in one.
func everything(t *testing.T, c *client) map[string][]byte {
	t.Helper()
	answers := map[string][]byte{}
	for _, target := range []string{
		"/currency/list", "/company/list", "/company/revenue/list?company_id=1", "/company/revenue/categories?company_id=1",
		"/trade/list", "/positions/list", "/api/v1/department/list", "/api/v1/gl-accounts",
		"/api/v1/variance?year=2026&period=1", "/api/v1/variance/alerts?year=2026&period=1",
	} {
		answers[target] = c.get(t, target)
	}
	for _, target := range []string{"/api/v1/journal?", "/api/v1/trades?", "/api/v1/budgets?", "/api/v1/actuals?"} {
		var items bytes.Buffer
		for _, item := range all[json.RawMessage](t, c, target) {
			items.Write(append(item, '\n'))
		}
		answers[target] = items.Bytes()
	}
	return answers
}

// noticesAPlainCopy is the control: app.db copied under load without its log lacks what
// was acknowledged, and the drill says so. A reader sees to it that the log is not just
// then copied into the file.
func noticesAPlainCopy(t *testing.T) string {
	t.Helper()
	d := newDrill(t)
	b := taken{file: filepath.Join(filepath.Dir(d.db), "plain-copy")}
	release := pin(t, d.db)
	d.underLoad(t, func() {
		b.acknowledged = d.before + d.watch.acknowledged.Load()
		copyFile(t, d.db, b.file)
	})
	release()
	d.journal = all[json.RawMessage](t, d.server.client, "/api/v1/journal?")
	wrong := d.backToLife(t, b)
	if len(wrong) == 0 {
		t.Error("a plain copy of the file passed for a backup")
		return ""
	}
	if lost := regexp.MustCompile(`got (\d+) entries`).FindStringSubmatch(wrong[0]); lost != nil {
		return fmt.Sprintf("a plain copy without the log: %d acknowledged entries lost, noticed", b.acknowledged-int64(d.restored))
	}
	return "a plain copy without the log, noticed: " + strings.Join(strings.Fields(wrong[0]), " ")
}

// stopwatch times the writes that go through it.
type stopwatch struct {
	next                  http.RoundTripper
	acknowledged, refused atomic.Int64

	mu     sync.Mutex
	backup bool // a backup is being taken
	taken  map[bool][]time.Duration
}

// RoundTrip times a request and the answer to it.
func (s *stopwatch) RoundTrip(r *http.Request) (*http.Response, error) {
	began, beside := time.Now(), s.beside()
	response, err := s.next.RoundTrip(r)
	if r.Method == http.MethodGet {
		return response, err
	}
	if err != nil || response.StatusCode >= 300 {
		s.refused.Add(1)
		return response, err
	}
	s.acknowledged.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	beside = beside || s.backup // also when only a part of it was
	s.taken[beside] = append(s.taken[beside], time.Since(began))
	return response, err
}

func (s *stopwatch) beside() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken == nil {
		s.taken = map[bool][]time.Duration{}
	}
	return s.backup
}

// more waits until some more writes were acknowledged.
func (s *stopwatch) more(t *testing.T, writes int64) {
	t.Helper()
	enough := s.acknowledged.Load() + writes
	for deadline := time.Now().Add(patience); s.acknowledged.Load() < enough; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("got %d writes acknowledged, want %d", s.acknowledged.Load(), enough)
		}
	}
}

// during says whether a backup is being taken from now on.
func (s *stopwatch) during(backup bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.backup = backup
}

func (s *stopwatch) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.taken[false]) + len(s.taken[true])
}

// p99 is the time that one write in a hundred exceeds, beside a backup or not.
func (s *stopwatch) p99(backup bool) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	times := slices.Sorted(slices.Values(s.taken[backup]))
	if len(times) == 0 {
		return 0
	}
	return times[len(times)*99/100]
}
