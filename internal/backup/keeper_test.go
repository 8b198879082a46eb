package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"daybook/internal/fault"
	"daybook/internal/journal"
)

// scene has the dependencies of a Keeper: a folder, a log, and a clock that moves when the Keeper
// sleeps.
type scene struct {
	t     *testing.T
	dir   string
	log   strings.Builder
	mu    sync.Mutex
	now   time.Time
	until time.Time // when the clock stops, and stop is called
	stop  context.CancelFunc
	fails func(now time.Time) error // the error of Take, nil for none
	tries []time.Time

	origin  string             // of the database
	lineage map[string]Lineage // of backups, by name; for others it follows from their origin
	damage  string             // of the backups that are taken
}

func (s *scene) lineages(_ context.Context, of []Manifest) (lineages []Lineage, _ error) {
	for _, m := range of {
		lineage, said := s.lineage[m.File]
		if !said && m.Origin == s.origin {
			lineage = Own
		}
		lineages = append(lineages, lineage)
	}
	return lineages, nil
}

func newScene(t *testing.T) *scene {
	t.Helper()
	return &scene{t: t, dir: t.TempDir(), now: start, fails: func(time.Time) error { return nil }}
}

var start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func (s *scene) config(every time.Duration) Config {
	return Config{
		Database: "/somewhere/app.db", Dir: s.dir, Every: every,
		Lineages: s.lineages,
		Take:     s.take, Now: s.clock, After: s.after, Log: slog.New(slog.NewTextHandler(&s.log, nil)),
	}
}

func (s *scene) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// after advances the clock at once. At the end of the scene its channel never fires.
func (s *scene) after(d time.Duration) <-chan time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := make(chan time.Time, 1)
	if s.now = s.now.Add(d); s.now.After(s.until) {
		s.stop()
		return done
	}
	done <- s.now
	return done
}

// take publishes a backup as a store would. Its content is the name of the file.
func (s *scene) take(ctx context.Context, file string, now time.Time) (m Manifest, err error) {
	s.tries = append(s.tries, now)
	if err := s.fails(now); err != nil {
		return m, err
	}
	folder, err := OpenFolder(ctx, filepath.Dir(file))
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if err := folder.Free(filepath.Base(file)); err != nil {
		return m, err
	}
	name := filepath.Base(file)
	if err := errors.Join(folder.Create(name), os.WriteFile(folder.Draft(name), []byte(file), 0o600)); err != nil {
		return m, err
	}
	return folder.Publish(Manifest{
		File: name, TakenAt: now, Damage: s.damage, Contents: Contents{Schema: 1, Entries: int64(len(s.tries)), Head: journal.Hash{}.String(), Origin: s.origin, Counts: map[string]int64{"trades": 1}},
	})
}

// run runs a Keeper for a time of its clock.
func (s *scene) run(k *Keeper, during time.Duration) {
	s.t.Helper()
	ctx, stop := context.WithCancel(s.t.Context())
	s.stop, s.until = stop, s.clock().Add(during)
	k.Run(ctx)
	stop()
}

// offsets returns the times of the attempts to take a backup, since the start.
func (s *scene) offsets() (since []time.Duration) {
	for _, at := range s.tries {
		since = append(since, at.Sub(start))
	}
	return since
}

func (s *scene) files() (names []string) {
	s.t.Helper()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != lockName {
			names = append(names, entry.Name())
		}
	}
	return names
}

func hours(h ...int) (d []time.Duration) {
	for _, h := range h {
		d = append(d, time.Duration(h)*time.Hour)
	}
	return d
}

// TestTheKeeperKeepsItsTimes: a backup is taken at each interval after the newest one, also after a
// restart of the program.
func TestTheKeeperKeepsItsTimes(t *testing.T) {
	s := newScene(t)
	s.run(NewKeeper(s.config(24*time.Hour)), 73*time.Hour)
	if got, want := s.offsets(), hours(0, 24, 48, 72); !slices.Equal(got, want) {
		t.Errorf("got backups at %v, want %v", got, want)
	}
	// A program that starts again continues with the times of the last one.
	s.tries, s.now = nil, start.Add(80*time.Hour)
	k := NewKeeper(s.config(24 * time.Hour))
	if got := k.Status(); !got.Newest.TakenAt.Equal(start.Add(72*time.Hour)) || got.Problem != "" {
		t.Errorf("got %+v, want the newest backup known before the first new one", got)
	}
	s.run(k, 20*time.Hour)
	if got, want := s.offsets(), hours(96); !slices.Equal(got, want) {
		t.Errorf("after a start: got backups at %v, want %v", got, want)
	}
	// If the last backup is long ago, a program takes one at its start.
	s.tries, s.now = nil, start.Add(500*time.Hour)
	s.run(NewKeeper(s.config(24*time.Hour)), time.Hour)
	if got, want := s.offsets(), hours(500); !slices.Equal(got, want) {
		t.Errorf("after a long time: got backups at %v, want %v", got, want)
	}
	// A backup from a clock that was wrong does not delay the next one.
	s.tries, s.now = nil, start.Add(-9000*time.Hour)
	s.run(NewKeeper(s.config(24*time.Hour)), 25*time.Hour)
	if got, want := s.offsets(), hours(-9000, -8976); !slices.Equal(got, want) {
		t.Errorf("before the newest: got backups at %v, want %v", got, want)
	}
}

// TestTheKeeperTriesAgainSooner: after a failure the keeper tries again after pauses that grow, and the
// status has the failure until a backup succeeds.
func TestTheKeeperTriesAgainSooner(t *testing.T) {
	s := newScene(t)
	s.fails = func(now time.Time) error {
		if now.Sub(start) < 50*time.Minute {
			return fault.New(fault.Unavailable, "the disk is full")
		}
		return nil
	}
	k := NewKeeper(s.config(time.Hour))
	s.run(k, 10*time.Minute)
	if got := k.Status(); got.Problem != "the disk is full" || !got.FailedAt.Equal(start.Add(7*time.Minute)) || got.Newest.File != "" {
		t.Errorf("got %+v, want the failure", got)
	}
	s.tries, s.now = nil, start
	s.run(k, 4*time.Hour)
	minutes := time.Minute
	want := []time.Duration{0, minutes, 3 * minutes, 7 * minutes, 15 * minutes, 31 * minutes, 63 * minutes, 123 * minutes, 183 * minutes}
	if got := s.offsets(); !slices.Equal(got, want) {
		t.Errorf("got attempts at %v, want %v", got, want)
	}
	if got := k.Status(); got.Problem != "" || !got.FailedAt.IsZero() || !got.Newest.TakenAt.Equal(start.Add(183*minutes)) {
		t.Errorf("got %+v, want no failure after a success", got)
	}
	if got := strings.Count(s.log.String(), "no backup was taken"); got != 4+6 {
		t.Errorf("got %d lines logged, want one for each failure: %s", got, s.log.String())
	}
	// The pause between attempts is at most as long as the interval.
	s.fails = func(time.Time) error { return errors.New("never") }
	s.tries, s.now = nil, start.Add(1000*time.Hour)
	s.run(k, 100*time.Hour)
	if got := len(s.tries); got < 100 || got > 110 {
		t.Errorf("got %d attempts in 100 hours, want about one an hour", got)
	}
}

// TestOneBackupAtATime: while a backup runs, a second one is refused.
func TestOneBackupAtATime(t *testing.T) {
	s := newScene(t)
	c := s.config(0)
	begun, finish := make(chan struct{}), make(chan struct{})
	c.Take = func(ctx context.Context, file string, now time.Time) (Manifest, error) {
		close(begun)
		<-finish
		return s.take(ctx, file, now)
	}
	k := NewKeeper(c)
	var first sync.WaitGroup
	first.Go(func() {
		if _, err := k.Take(t.Context()); err != nil {
			t.Errorf("the first: got %v, want no error", err)
		}
	})
	<-begun
	if !k.Status().Running {
		t.Error("got no backup running, want one")
	}
	if _, err := k.Take(t.Context()); err == nil || fault.KindOf(err) != fault.Unavailable {
		t.Errorf("the second: got %v, want unavailable", err)
	}
	close(finish)
	first.Wait()
	if got := k.Status(); got.Running || got.Newest.File != "app-20260101-120000.db" || got.Problem != "" {
		t.Errorf("got %+v, want the first to have succeeded", got)
	}
}

// TestTwoBackupsInASecond: backups of one second get different names. None has a time in the future.
func TestTwoBackupsInASecond(t *testing.T) {
	s := newScene(t)
	k := NewKeeper(s.config(0))
	for _, want := range []string{"app-20260101-120000.db", "app-20260101-120001.db"} {
		if m, err := k.Take(t.Context()); err != nil || m.File != want || !m.TakenAt.Equal(start) {
			t.Errorf("got %s, taken at %v, %v, want %s, taken now", m.File, m.TakenAt, err, want)
		}
	}
	s.run(k, 48*time.Hour)
	if len(s.tries) != 2 {
		t.Errorf("got %d backups taken, want 2, because none is scheduled", len(s.tries))
	}
}

// TestTheKeeperLeavesTheRestAlone: retention removes only backups that have the database's name and a
// manifest that describes them.
func TestTheKeeperLeavesTheRestAlone(t *testing.T) {
	s := newScene(t)
	s.run(NewKeeper(s.config(24*time.Hour)), 30*24*time.Hour)
	ours := s.files()
	strange := []string{
		"app-20250101-000000.db", // without a manifest
		"app-20250101-000000.txt", "app.db", "app-2025.db", "notes.json",
		"other-20250101-000000.db", "other-20250101-000000.db.json",
		"app-20250102-000000.db", "app-20250102-000000.db.json", // of another size than its manifest says
		"app-20250103-000000.db", "app-20250103-000000.db.json", // with the manifest of another
	}
	manifest, err := os.ReadFile(filepath.Join(s.dir, ours[1]))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strange {
		content := []byte("mine")
		if strings.HasSuffix(name, "2-000000.db.json") {
			content = []byte(strings.Replace(string(manifest), ours[0], "app-20250102-000000.db", 1))
		} else if strings.HasSuffix(name, "3-000000.db.json") {
			content = manifest
		}
		if err := os.WriteFile(filepath.Join(s.dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(s.dir, "app-20250104-000000.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.run(NewKeeper(s.config(24*time.Hour)), 60*24*time.Hour)
	got := s.files()
	for _, name := range append(strange, "app-20250104-000000.db") {
		if !slices.Contains(got, name) {
			t.Errorf("got %s removed, want it kept, because it is no backup of the keeper", name)
		}
	}
	if left := (len(got) - len(strange) - 1) / 2; left < 10 || left > most {
		t.Errorf("got %d backups after three months, want 10 to %d", left, most)
	}
	if slices.Contains(got, ours[2]) {
		t.Errorf("got %s kept, want it removed", ours[2])
	}
}

// TestTheKeeperLeavesABackupThatWasChanged: a backup that differs from its manifest may be the only copy
// of its content, for example if somebody works in it. It stays, and the log says so. As a control, an
// unchanged backup is removed.
func TestTheKeeperLeavesABackupThatWasChanged(t *testing.T) {
	s := newScene(t)
	s.run(NewKeeper(s.config(24*time.Hour)), 3*24*time.Hour)
	const changed = "app-20260102-120000.db"
	path := filepath.Join(s.dir, changed)
	if err := os.WriteFile(path, []byte(strings.Repeat("x", len(path))), 0o600); err != nil { // as many bytes as before
		t.Fatal(err)
	}
	s.run(NewKeeper(s.config(24*time.Hour)), 60*24*time.Hour)
	got := s.files()
	for _, name := range []string{changed, ManifestOf(changed)} {
		if !slices.Contains(got, name) {
			t.Errorf("got %s removed, want it kept", name)
		}
	}
	if control := "app-20260103-120000.db"; slices.Contains(got, control) {
		t.Errorf("as a control: got %s kept, want it removed", control)
	}
	if want := path + " is not the file that its manifest describes, so it is not removed"; !strings.Contains(s.log.String(), want) {
		t.Errorf("got no line in the log with %q, want one", want)
	}
}

// TestTwoDatabasesOfOneName: two databases with the same name may use one folder. Neither removes or
// counts the backups of the other.
func TestTwoDatabasesOfOneName(t *testing.T) {
	s := newScene(t)
	s.origin = "one"
	s.run(NewKeeper(s.config(24*time.Hour)), 20*24*time.Hour)
	one := s.files()
	s.origin, s.now = "another", start.Add(time.Minute)
	k := NewKeeper(s.config(24 * time.Hour))
	if got := k.Status(); got.Newest.File != "" || got.Problem != "" {
		t.Errorf("got %+v, want no backup of the other database", got)
	}
	s.run(k, 40*24*time.Hour)
	got := s.files()
	for _, name := range one {
		if !slices.Contains(got, name) {
			t.Errorf("got %s removed, want it kept, because it is of the other database", name)
		}
	}
	if others := (len(got) - len(one)) / 2; others < 8 || others > 12 {
		t.Errorf("got %d backups after 40 days, want 8 to 12", others)
	}
	s.origin = "one"
	if got, want := NewKeeper(s.config(24*time.Hour)).Status().Newest.File, one[len(one)-2]; got != want {
		t.Errorf("got %s as the newest, want %s", got, want)
	}
	c := s.config(time.Hour)
	c.Lineages = func(context.Context, []Manifest) ([]Lineage, error) { return nil, errors.New("no such thing") }
	if got := NewKeeper(c).Status(); !strings.Contains(got.Problem, "cannot read the backups") || got.Newest.File != "" {
		t.Errorf("got %+v, want a problem that the backups cannot be read", got)
	}
}

// TestAnotherDatabaseTakesNoRoom: backups on request of another database with the same name and folder
// do not count against the limit of this one. As a control, the other one has reached its limit.
func TestAnotherDatabaseTakesNoRoom(t *testing.T) {
	s := newScene(t)
	s.origin = "of the other"
	k := NewKeeper(s.config(0))
	for range mostAsked {
		if _, err := k.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := k.Take(t.Context()); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("the other: got %v, want an error", err)
	}
	s.origin = "of this one"
	if _, err := k.Take(t.Context()); err != nil {
		t.Errorf("this one: got %v, want a backup", err)
	}
}

// TestTheKeeperKeepsWhatWasAskedFor: backups on request stay, and do not count for retention. At the
// limit further ones are refused until one is removed. Scheduled backups go on.
func TestTheKeeperKeepsWhatWasAskedFor(t *testing.T) {
	s := newScene(t)
	k := NewKeeper(s.config(24 * time.Hour))
	var asked []string
	for day := range 40 {
		s.run(k, 25*time.Hour)
		s.now = start.Add(time.Duration(day)*24*time.Hour + 20*time.Hour) // later than the scheduled one of that day
		m, err := k.Take(t.Context())
		if len(asked) == mostAsked {
			if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "holds 24 that were taken on request, the oldest "+asked[0]) {
				t.Fatalf("got %+v, %v, want an error", m, err)
			}
			if status := k.Status(); status.Problem != "" || !status.Newest.Scheduled {
				t.Fatalf("got %+v, want that no backup failed", status)
			}
			continue
		}
		if err != nil || m.Scheduled {
			t.Fatalf("got %+v, %v, want a backup on request", m, err)
		}
		asked = append(asked, m.File)
	}
	oldest := filepath.Join(s.dir, asked[0])
	if err := errors.Join(os.Remove(oldest), os.Remove(ManifestOf(oldest))); err != nil {
		t.Fatal(err)
	}
	m, err := k.Take(t.Context())
	if err != nil {
		t.Fatalf("with one removed: got %v, want a backup", err)
	}
	asked = append(asked[1:], m.File)
	found, err := list(s.dir, "app.db")
	if err != nil {
		t.Fatal(err)
	}
	var stay, clocks []string
	for _, m := range found {
		if m.Scheduled {
			clocks = append(clocks, m.File)
		} else {
			stay = append(stay, m.File)
		}
	}
	if !slices.Equal(stay, asked) {
		t.Errorf("got %v, want all of %v", stay, asked)
	}
	if len(clocks) < 10 || len(clocks) > most {
		t.Errorf("got the scheduled backups %v, want 10 to %d", clocks, most)
	}
}

// TestTheKeeperOfADamagedDatabase: while the newest backups are damaged, no good one is removed.
// Retention removes old damaged ones.
func TestTheKeeperOfADamagedDatabase(t *testing.T) {
	s := newScene(t)
	k := NewKeeper(s.config(24 * time.Hour))
	s.run(k, 5*24*time.Hour)
	whole := s.files()
	s.damage = "trades 1: is not what the journal says"
	s.run(NewKeeper(s.config(6*time.Hour)), 60*24*time.Hour)
	damaged := 0
	for _, name := range s.files() {
		if strings.HasSuffix(name, ".db") && !slices.Contains(whole, name) {
			damaged++
		}
	}
	for _, name := range whole {
		if !slices.Contains(s.files(), name) {
			t.Errorf("got %s removed, want it kept, because every later backup is damaged", name)
		}
	}
	if damaged < 7 || damaged > 7+4+12 {
		t.Errorf("got %d backups of the damaged database, four a day for 60 days, want those of 7 days, 4 weeks and 12 months", damaged)
	}
}

// TestTheKeeperAfterAClockThatWasWrong: backups from a wrong clock stay, and replace none with the right
// time. The newest backup is never removed.
func TestTheKeeperAfterAClockThatWasWrong(t *testing.T) {
	s := newScene(t)
	s.now = start.AddDate(4, 0, 0)
	s.run(NewKeeper(s.config(24*time.Hour)), 9*24*time.Hour)
	wrong := s.files()
	s.now, s.tries = start, nil
	k := NewKeeper(s.config(24 * time.Hour))
	for day := range 8 {
		s.run(k, 24*time.Hour)
		name := Name("app.db", start.AddDate(0, 0, day))
		if _, err := os.Stat(filepath.Join(s.dir, name)); err != nil {
			t.Errorf("day %d: got %v, want the backup just taken", day, err)
		}
	}
	got := s.files()
	for _, name := range wrong {
		if !slices.Contains(got, name) {
			t.Errorf("got %s removed, want it kept, because its time is not before the newest", name)
		}
	}
	if newest := NewKeeper(s.config(24 * time.Hour)).Status().Newest.TakenAt; newest.After(s.now) || newest.IsZero() {
		t.Errorf("got %v as the newest at %v, want a time that is not in the future", newest, s.now)
	}
}

// asleep returns a time after the machine slept: the wall clock went on, the monotonic clock did not.
func asleep(t *testing.T, at time.Time, d time.Duration) time.Time {
	t.Helper()
	later := at
	*(*uint64)(unsafe.Pointer(&later)) += uint64(d/time.Second) << 30 //nolint:gosec // no other way to set only the wall clock: these are its seconds
	if got := later.Round(0).Sub(at.Round(0)); got != d || later.Sub(at) != 0 {
		t.Fatalf("got %v by the wall clock and %v by the monotonic clock, want %v and 0", got, later.Sub(at), d)
	}
	return later
}

// TestTheKeeperAfterASleep: a backup that was due while the machine slept is taken when it wakes.
func TestTheKeeperAfterASleep(t *testing.T) {
	s := newScene(t)
	s.now = time.Now()
	began := s.now.Round(0).UTC().Truncate(time.Second)
	c := s.config(24 * time.Hour)
	slept := false
	c.After = func(d time.Duration) <-chan time.Time {
		if !slept {
			slept, s.now = true, asleep(t, s.now, 30*time.Hour)
		}
		return s.after(d)
	}
	k := NewKeeper(c)
	ctx, stop := context.WithCancel(t.Context())
	s.stop, s.until = stop, asleep(t, s.now, 40*time.Hour).Round(0)
	k.Run(ctx)
	var got []time.Duration
	for _, at := range s.tries {
		got = append(got, at.Sub(began))
	}
	if want := []time.Duration{0, 30*time.Hour + longestNap}; !slices.Equal(got, want) {
		t.Errorf("got backups after %v, want %v", got, want)
	}
}

// TestTheKeeperSeesWhatOthersDo: a backup that another process takes into the folder is the newest, and ends
// a failure, within ten minutes, also where none are scheduled. When it is removed, the one before is.
func TestTheKeeperSeesWhatOthersDo(t *testing.T) {
	for _, every := range []time.Duration{0, 24 * time.Hour} {
		s := newScene(t)
		k := NewKeeper(s.config(every))
		first, err := k.Take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.fails = func(time.Time) error { return errors.New("the disk is full") }
		if _, err := k.Take(t.Context()); err == nil {
			t.Fatal("got a backup, want the failure")
		}
		s.fails, s.now = func(time.Time) error { return nil }, start.Add(time.Minute)
		file := filepath.Join(s.dir, Name("/somewhere/app.db", s.now))
		if _, err := s.take(t.Context(), file, s.now); err != nil {
			t.Fatal(err)
		}
		s.run(k, longestNap)
		if got := k.Status(); got.Newest.File != filepath.Base(file) || got.Problem != "" {
			t.Errorf("every %v: got %+v, want %s and no problem", every, got, file)
		}
		if err := errors.Join(os.Remove(file), os.Remove(ManifestOf(file))); err != nil {
			t.Fatal(err)
		}
		s.run(k, longestNap)
		if got := k.Status(); got.Newest.File != first.File {
			t.Errorf("every %v: got %+v, want %s", every, got, first.File)
		}
		if len(s.tries) != 3 {
			t.Errorf("every %v: got %d backups taken, want 3", every, len(s.tries))
		}
	}
}

// TestARemovalThatWasKilled: the next backup removes the files that a kill during a removal left.
func TestARemovalThatWasKilled(t *testing.T) {
	s := newScene(t)
	k := NewKeeper(s.config(24 * time.Hour))
	if err := k.takeScheduled(t.Context()); err != nil {
		t.Fatal(err)
	}
	const removed = "app-20260101-120000.db"
	if err := os.Rename(filepath.Join(s.dir, removed), (&Folder{path: s.dir}).Draft(removed)); err != nil {
		t.Fatal(err)
	}
	s.now = start.Add(time.Hour)
	if err := k.takeScheduled(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := s.files(), []string{"app-20260101-130000.db", "app-20260101-130000.db.json"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestAFolderThatIsGone: if the folder does not exist, the status names it. When it exists again, a
// backup is taken.
func TestAFolderThatIsGone(t *testing.T) {
	s := newScene(t)
	c := s.config(time.Hour)
	c.Dir = filepath.Join(s.dir, "nowhere")
	k := NewKeeper(c)
	if got := k.Status(); !strings.Contains(got.Problem, "nowhere") {
		t.Errorf("got %+v, want the folder named", got)
	}
	s.run(k, 30*time.Minute)
	if got := k.Status(); !strings.Contains(got.Problem, "there is no directory") {
		t.Errorf("got %+v, want the folder named", got)
	}
	if err := os.Mkdir(c.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s.run(k, 30*time.Minute)
	if got := k.Status(); got.Problem != "" || got.Newest.File == "" {
		t.Errorf("got %+v, want a backup after the folder was made", got)
	}
}

// TestNames: a backup has the name of the database and the time in UTC. Only such a name is read as
// that of a backup.
func TestNames(t *testing.T) {
	for _, c := range []struct{ database, want string }{
		{"app.db", "app-20260101-120000.db"},
		{"/a/b/books.sqlite", "books-20260101-120000.db"},
		{"plain", "plain-20260101-120000.db"},
		{".db", ".db-20260101-120000.db"},
		{"my data.v2.db", "my data.v2-20260101-120000.db"},
	} {
		got := Name(c.database, start.In(time.FixedZone("east", 3600)))
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.database, got, c.want)
		}
		if at, ours := takenAt(c.database, got); !ours || !at.Equal(start) {
			t.Errorf("%s: got %v, %t, want %v", got, at, ours, start)
		}
	}
	for _, name := range []string{"app.db", "app-.db", "app-20260101-120000", "app-20260101-120000.db.json", "app-20261301-120000.db", "app-20260101-1200.db", "xapp-20260101-120000.db"} {
		if _, ours := takenAt("app.db", name); ours {
			t.Errorf("got %s accepted as the name of a backup of app.db, want it refused", name)
		}
	}
}

// TestParseRefuses: a manifest that is incomplete or cut off is refused. Fields of newer programs are
// ignored, and those that older programs lack may be missing.
func TestParseRefuses(t *testing.T) {
	m := Manifest{
		File: "a.db", Bytes: 1, SHA256: strings.Repeat("0", 64), TakenAt: start,
		Contents: Contents{Schema: 1, Head: "x", Origin: "y", Counts: map[string]int64{"t": 0}},
	}
	text, err := m.Format()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Parse(text); err != nil || fmt.Sprint(got) != fmt.Sprint(m) {
		t.Errorf("got %+v, %v, want %+v", got, err, m)
	}
	if _, err := Parse([]byte(strings.Replace(string(text), "{", `{"later": 1,`, 1))); err != nil {
		t.Errorf("a field of a newer program: got %v, want no error", err)
	}
	for i := range text[:len(text)-2] {
		if _, err := Parse(text[:i]); err == nil {
			t.Errorf("cut to %d bytes: got no error, want one", i)
		}
	}
	if got, err := Parse([]byte(strings.Replace(string(text), `"chain_origin"`, `"not_chain_origin"`, 1))); err != nil || got.Differs(m.Contents) != "" {
		t.Errorf("a manifest of an older program: got %+v, %v, want its contents", got, err)
	}
	for _, lacking := range []string{"file", "bytes", "sha256", "taken_at", "schema", "counts"} {
		if _, err := Parse([]byte(strings.Replace(string(text), `"`+lacking+`"`, `"not_`+lacking+`"`, 1))); err == nil {
			t.Errorf("without %s: got no error, want one", lacking)
		}
	}
}

// TestAFailedBackupTellsItsReason: the client gets each reason, but no folder of the machine.
func TestAFailedBackupTellsItsReason(t *testing.T) {
	s := newScene(t)
	inside := filepath.Join(s.dir, "draft")
	for want, cause := range map[string]error{
		"cannot back up app.db to b.db: the disk has no room for a backup": fault.New(fault.Unavailable, "the disk has no room for a backup"),
		"cannot back up app.db to b.db: the copy draft cannot be written: no space left on device": fault.Wrap(
			fault.Unavailable, &fs.PathError{Op: "open", Path: "/elsewhere/draft", Err: syscall.ENOSPC}, "the copy %s cannot be written", inside),
		"cannot back up app.db to b.db": errors.New("the driver names /elsewhere/draft"),
	} {
		s.fails = func(time.Time) error {
			return errors.Join(fault.Wrap(fault.Unavailable, cause, "cannot back up /somewhere/app.db to %s", filepath.Join(s.dir, "b.db")))
		}
		_, err := NewKeeper(s.config(0)).Take(t.Context())
		told, is := errors.AsType[*fault.Error](err)
		if !is || told.Message != want || told.Kind != fault.Unavailable || !errors.Is(err, cause) {
			t.Errorf("got %+v, want the message %q, and the cause kept", told, want)
		}
	}
}
