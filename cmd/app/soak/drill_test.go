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

// TestDrill backs a database up under load, removes it, and restores it. No write fails during the
// backups. The restored journal is a beginning of the original one, with at least every entry that
// was acknowledged when the backup began. After a backup without load, the restored database gives
// the same answers byte by byte.
func TestDrill(t *testing.T) {
	d := newDrill(t)
	d.load(t, times(3, 20))
	wrong := d.restoreAfterLoss(t, d.backups[len(d.backups)-1])
	compared := d.restoreAtRest(t)
	for _, complaint := range wrong {
		t.Error(complaint)
	}
	quiet, busy := d.watch.p99(false), d.watch.p99(true)
	if quiet == 0 || busy == 0 {
		t.Errorf("got p99 %s with backups and %s without, want writes during backups and between them", busy, quiet)
	}
	figure{
		"backup under 8 writers, wipe, restore", "0 writes refused; restored: every entry acknowledged before the backup; without load: every list equal",
		fmt.Sprintf("%d backups under %d writes, 0 refused; p99 of a write %s with, %s without: %.1f times; %d of %d entries restored; %d lists byte for byte",
			len(d.backups), d.watch.count(), busy.Round(10*time.Microsecond), quiet.Round(10*time.Microsecond), float64(busy)/float64(quiet),
			d.restored, d.original, compared),
		noticesAPlainCopy(t),
	}.report(t)
}

// drill is a crowd that writes to a database while it is backed up.
type drill struct {
	*crowd
	watch    *stopwatch
	before   int64 // number of journal entries before the load
	backups  []taken
	journal  []json.RawMessage // the original's entries after the load
	original int               // their number
	restored int               // number of entries after the restore
}

// taken is a backup, and the number of acknowledged journal entries when it began.
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

// entriesOf returns the number of journal entries of a database.
func entriesOf(t *testing.T, db string) int {
	t.Helper()
	entries, _ := foldTime(t, mustRunApp(t, "verify", "--db", db))
	return entries
}

// load takes backups while all clients write. After each backup it pauses as long as that took.
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
			d.watch.more(t, writers+1) // at least one of them has begun after the backup
		}
	})
	if refused := d.watch.refused.Load(); refused > 0 {
		t.Errorf("got %d writes refused under the load, want none", refused)
	}
	for _, complaint := range d.settle(t) {
		t.Error(complaint)
	}
	d.journal = journalOf(t, d.server.client)
	d.original = len(d.journal)
}

// underLoad calls do while all clients write.
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

// restoreAfterLoss removes the database, as if its disk were lost, and restores a backup. It returns
// what is wrong with the restored database.
func (d *drill) restoreAfterLoss(t *testing.T, b taken) (wrong []string) {
	t.Helper()
	d.wipe(t)
	if said, err := runApp(t, "restore", "--db", d.db, b.file); err != nil {
		return []string{fmt.Sprintf("app restore: %v: %s", err, said)}
	}
	wrong = verified(t, d.db)
	d.server = serve(t, d.db)
	journal := journalOf(t, d.server.client)
	d.restored = len(journal)
	if int64(len(journal)) < b.acknowledged {
		wrong = append(wrong, fmt.Sprintf("got %d entries restored, want at least the %d acknowledged when the backup began", len(journal), b.acknowledged))
	}
	if len(journal) > len(d.journal) || !slices.EqualFunc(journal, d.journal[:len(journal)], func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		wrong = append(wrong, "the restored journal differs from the first entries of the original")
	}
	return wrong
}

// wipe kills the server and removes all files of the database.
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

// restoreAtRest backs the database up while nobody writes, removes it and restores it. It compares
// the answers of all lists from before and after, and returns how many lists there are.
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
			t.Errorf("%s: got %d bytes after the restore that differ from the %d before it", target, len(got[target]), len(answer))
		}
		if len(answer) < 10 {
			t.Errorf("%s: got %s before the restore, want a list that is not empty", target, answer)
		}
	}
	return len(want)
}

// everything returns the answers of all lists. All pages of a paged list are one answer.
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
	answers["/api/v1/journal"] = []byte(fmt.Sprintf("%s", journalOf(t, c)))
	for _, target := range []string{"/api/v1/trades?", "/api/v1/budgets?", "/api/v1/actuals?"} {
		var items bytes.Buffer
		for _, item := range all[json.RawMessage](t, c, target) {
			items.Write(append(item, '\n'))
		}
		answers[target] = items.Bytes()
	}
	return answers
}

// journalOf returns the entries of the journal, except those that restores noted.
func journalOf(t *testing.T, c *client) []json.RawMessage {
	t.Helper()
	return slices.DeleteFunc(all[json.RawMessage](t, c, "/api/v1/journal?"), func(entry json.RawMessage) bool {
		return bytes.Contains(entry, []byte(`"entity":"restores"`))
	})
}

// noticesAPlainCopy is the control: a plain copy of app.db under load, without its write-ahead log,
// lacks acknowledged entries. The drill must report that. An open read transaction prevents a
// checkpoint, which would copy the log into the file just before.
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
	d.journal = journalOf(t, d.server.client)
	wrong := d.restoreAfterLoss(t, b)
	if len(wrong) == 0 {
		t.Error("a plain copy of the file: got nothing wrong after its restore, want lost entries")
		return ""
	}
	if lost := regexp.MustCompile(`got (\d+) entries`).FindStringSubmatch(wrong[0]); lost != nil {
		return fmt.Sprintf("a plain copy without the log: %d acknowledged entries lost, noticed", b.acknowledged-int64(d.restored))
	}
	return "a plain copy without the log, noticed: " + strings.Join(strings.Fields(wrong[0]), " ")
}

// stopwatch is a transport that measures the time of each write.
type stopwatch struct {
	next                  http.RoundTripper
	acknowledged, refused atomic.Int64

	mu     sync.Mutex
	backup bool                     // whether a backup runs
	taken  map[bool][]time.Duration // the times of writes, during backups (true) and between them
}

// RoundTrip sends a request and measures the time until its answer.
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
	beside = beside || s.backup // also when the backup ran during only a part of the write
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

// more waits until that many more writes have been acknowledged.
func (s *stopwatch) more(t *testing.T, writes int64) {
	t.Helper()
	enough := s.acknowledged.Load() + writes
	for deadline := time.Now().Add(patience); s.acknowledged.Load() < enough; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("got %d writes acknowledged after %s, want %d", s.acknowledged.Load(), patience, enough)
		}
	}
}

// during sets whether a backup runs from now on.
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

// p99 returns the 99th percentile of the times of writes, during backups or between them.
func (s *stopwatch) p99(backup bool) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	times := slices.Sorted(slices.Values(s.taken[backup]))
	if len(times) == 0 {
		return 0
	}
	return times[len(times)*99/100]
}
