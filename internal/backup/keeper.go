package backup

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Config is what a Keeper needs.
type Config struct {
	Database string // the path of the database that is backed up
	Dir      string // where to
	// Every is the time from one backup to the next; 0 takes them only when asked to,
	// and then removes none.
	Every time.Duration
	// Standings are how the backups of manifests stand to the database, one for each. With
	// none, each backup is taken for one of the database.
	Standings func(ctx context.Context, of []Manifest) ([]Standing, error)
	// Holds reports whether the chain of a backup, which lies in a file, has a link. It is
	// needed where Standings is: a backup of a branch that was given up is removed only when
	// another one continues it.
	Holds func(ctx context.Context, file string, link journal.Head) (bool, error)
	// Take backs the database up to a file that it creates, whole or not at all.
	Take  func(ctx context.Context, file string, now time.Time) (Manifest, error)
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time // time.After
	Log   *slog.Logger
}

// Keeper takes backups of one database into one folder, by the clock and on request,
// one at a time, and removes those that the clock took and that are no longer kept.
type Keeper struct {
	config Config
	taking sync.Mutex // held while a backup is taken

	mu     sync.Mutex
	status Status
}

// Status is how it stands with the backups.
type Status struct {
	Dir     string
	Every   time.Duration // 0 when only taken on request
	Running bool
	Newest  Manifest // the last that succeeded, also before this start; zero when there is none
	// The last attempt, when it failed; zero and "" when it succeeded.
	FailedAt time.Time
	Problem  string
	Strays   Strays // as of the last backup, or of the start
}

// Warning says what a person must look into, "" where there is nothing.
func (s Status) Warning() string {
	said := []string{s.Newest.Warning(s.Newest.File), s.Strays.Warning()}
	return strings.Join(slices.DeleteFunc(said, func(w string) bool { return w == "" }), "; ")
}

// NewKeeper returns a Keeper, which knows the backups that are in its folder already.
func NewKeeper(c Config) *Keeper {
	if c.Standings == nil {
		c.Standings = func(_ context.Context, of []Manifest) ([]Standing, error) {
			return slices.Repeat([]Standing{Own}, len(of)), nil
		}
	}
	k := &Keeper{config: c, status: Status{Dir: c.Dir, Every: c.Every}}
	ctx := context.Background() // a few rows, read before anything is served
	if err := k.findNewest(ctx); err != nil {
		k.note(Manifest{}, fault.Wrap(fault.Unavailable, err, "cannot read the backups in %s", c.Dir))
	}
	k.findStrays(ctx)
	return k
}

// findNewest finds the last backup that was taken of the database before this start,
// one that is not later than now where there is one.
func (k *Keeper) findNewest(ctx context.Context) error {
	found, err := list(k.config.Dir, k.config.Database)
	if err != nil {
		return err
	}
	if found, err = k.own(ctx, found); err != nil {
		return err
	}
	if len(found) == 0 {
		return nil
	}
	now := k.now()
	k.status.Newest = found[len(found)-1]
	for _, m := range slices.Backward(found) {
		if !m.TakenAt.After(now) {
			k.status.Newest = m
			break
		}
	}
	return nil
}

// own returns the backups that are of the database as it is.
func (k *Keeper) own(ctx context.Context, found []Manifest) (own []Manifest, err error) {
	if len(found) == 0 { // as often at a start; the database is not opened for that
		return nil, nil
	}
	standings, err := k.config.Standings(ctx, found)
	if err != nil {
		return nil, err
	}
	for i, m := range found {
		if standings[i] == Own {
			own = append(own, m)
		}
	}
	return own, nil
}

// findStrays notes and logs the backups in the folder that are of no journal that the
// database knows of.
func (k *Keeper) findStrays(ctx context.Context) {
	strays, err := FindStrays(ctx, k.config.Dir, k.config.Standings)
	if err != nil {
		k.config.Log.Warn("the backups could not be held against the database", "dir", k.config.Dir, "error", err)
		return
	}
	if len(strays) > 0 {
		k.config.Log.Warn(strays.Warning(), "dir", k.config.Dir)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.status.Strays = strays
}

// Status returns how it stands.
func (k *Keeper) Status() Status {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.status
}

// Take takes a backup now, because somebody asks for it; it stays until somebody removes
// it. Unavailable: one is being taken, there are as many on request as may be, the disk
// has no room or refuses; what was there before is there still. What the error says is
// for clients.
func (k *Keeper) Take(ctx context.Context) (Manifest, error) {
	m, err := k.take(ctx, func() error { return k.room(ctx) })
	return m, k.told(err)
}

// take takes a backup now, if check does not refuse it.
func (k *Keeper) take(ctx context.Context, check func() error) (Manifest, error) {
	if !k.taking.TryLock() {
		return Manifest{}, fault.New(fault.Unavailable, "a backup is being taken already; try again when it is done")
	}
	defer k.taking.Unlock()
	if err := check(); err != nil {
		return Manifest{}, err
	}
	k.running(true)
	defer k.running(false)
	file, at := k.next()
	m, err := k.config.Take(ctx, file, at)
	k.note(m, err)
	if err != nil {
		return Manifest{}, err
	}
	if m.Damage != "" {
		k.config.Log.Error("the backup cannot be restored, as the database is damaged; no older one is removed", "dir", k.config.Dir, "file", m.File, "damage", m.Damage)
	}
	k.findStrays(ctx)
	return m, nil
}

// takeScheduled takes a backup because it is due, and removes those of its kind that are
// no longer kept.
func (k *Keeper) takeScheduled(ctx context.Context) error {
	m, err := k.take(scheduled(ctx), func() error { return nil })
	if err != nil {
		return err
	}
	if m.Damage != "" { // the older ones may be all that can be restored
		return nil
	}
	if err := k.retain(ctx, m); err != nil {
		k.config.Log.Warn("old backups could not be removed", "dir", k.config.Dir, "error", err)
	}
	return nil
}

// next is the file of the next backup, and the time that it is taken at. Where the name of that
// second is taken, the file has the name of the next second that is free. Its time is not later than
// now: a branch that a restore gives up has no backups of a later time.
func (k *Keeper) next() (string, time.Time) {
	now := k.now().UTC().Truncate(time.Second)
	for at := now; ; at = at.Add(time.Second) {
		file := filepath.Join(k.config.Dir, Name(k.config.Database, at))
		if !exists(file) && !exists(ManifestOf(file)) && !exists(SignatureOf(file)) {
			return file, now
		}
	}
}

// retain removes the backups that are no longer kept now that one more was taken, and
// what a kill left of others.
func (k *Keeper) retain(ctx context.Context, newest Manifest) (err error) {
	folder, err := OpenFolder(ctx, k.config.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	found, err := folder.Backups(k.config.Database)
	if err != nil {
		return err
	}
	standings, err := k.config.Standings(ctx, found)
	if err != nil {
		return err
	}
	old, err := k.superseded(ctx, found, standings, newest.TakenAt)
	for _, m := range old {
		err = errors.Join(err, folder.Remove(m))
	}
	return err
}

// superseded is the function superseded, in which a backup whose bytes are not those of its
// manifest any more takes no place. Only those that others would give way to are read.
func (k *Keeper) superseded(ctx context.Context, found []Manifest, standings []Standing, now time.Time) (old []Manifest, err error) {
	read := map[string]bool{}
	for changed := true; changed; {
		old, err = superseded(found, standings, now, func(later, earlier Manifest) (bool, error) {
			return k.holds(ctx, later, earlier)
		})
		changed = false
		for _, i := range successors(found, standings, now, old) {
			m := &found[i]
			if !read[m.File] && !m.tellsOf(filepath.Join(k.config.Dir, m.File)) {
				k.config.Log.Warn("a backup is not what its manifest says, so that an older one stays instead", "dir", k.config.Dir, "file", m.File)
				m.Damage, changed = "its bytes are not those of its manifest", true
			}
			read[m.File] = true
		}
	}
	return old, err
}

// holds reports whether a backup has the newest link of another one, and is whole.
func (k *Keeper) holds(ctx context.Context, later, earlier Manifest) (bool, error) {
	link, err := earlier.ChainHead()
	if err != nil {
		return false, err
	}
	file := filepath.Join(k.config.Dir, later.File)
	held, err := k.config.Holds(ctx, file, link)
	return held && later.tellsOf(file), err
}

func (k *Keeper) running(is bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.status.Running = is
}

// now is the time of day, without the monotonic reading, which stands still while a
// machine is asleep and does not know that its clock was set.
func (k *Keeper) now() time.Time { return k.config.Now().Round(0) }

// told is an error as clients are told it: what its faults say, and the reason of the
// operating system, without the folders of this machine. The whole error, for the log, has
// them.
func (k *Keeper) told(err error) error {
	e, is := errors.AsType[*fault.Error](err)
	if !is {
		return err
	}
	var said []string
	for cause, more := e, true; more; cause, more = errors.AsType[*fault.Error](cause.Unwrap()) {
		said = append(said, cause.Message)
	}
	if reason, is := errors.AsType[syscall.Errno](err); is {
		said = append(said, reason.Error())
	}
	return fault.Wrap(e.Kind, err, "%s", k.withoutFolders(strings.Join(said, ": ")))
}

// withoutFolders leaves of each path in a text the name of the file.
func (k *Keeper) withoutFolders(said string) string {
	var folders []string
	database := k.config.Database
	if target, err := filepath.EvalSymlinks(database); err == nil { // it may be a link itself
		database = target
	}
	for _, dir := range []string{k.config.Dir, filepath.Dir(k.config.Database), filepath.Dir(database)} {
		if abs, err := filepath.Abs(dir); err == nil {
			folders = append(folders, abs)
		}
		if target, err := filepath.EvalSymlinks(dir); err == nil {
			if abs, err := filepath.Abs(target); err == nil {
				folders = append(folders, abs)
			}
		}
	}
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) }) // one may lie in another
	for _, dir := range folders {
		if dir != string(filepath.Separator) {
			said = strings.ReplaceAll(said, dir+string(filepath.Separator), "")
			said = strings.ReplaceAll(said, dir, "the folder "+filepath.Base(dir))
		}
	}
	return said
}

// note keeps what came of an attempt.
func (k *Keeper) note(m Manifest, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.status.FailedAt, k.status.Problem = k.now().UTC(), k.withoutFolders(err.Error())
		return
	}
	k.status.Newest, k.status.FailedAt, k.status.Problem = m, time.Time{}, ""
}

const (
	// firstPause follows a failed backup; each further one doubles it, up to Every.
	firstPause = time.Minute
	// longestNap is how long Run sleeps at most before it looks at the clock again: a
	// machine that was asleep has not counted.
	longestNap = 10 * time.Minute
)

// Run takes a backup whenever one is due, at once when the newest is old, until ctx ends.
// A failure is logged, and tried again sooner than the next backup would be due.
func (k *Keeper) Run(ctx context.Context) {
	if k.config.Every <= 0 {
		return
	}
	for due, pause := k.firstDue(), firstPause; ; {
		if !k.sleepUntil(ctx, due) {
			return
		}
		began := k.now()
		err := k.takeScheduled(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			pause = min(pause, k.config.Every)
			k.config.Log.Error("no backup was taken", "dir", k.config.Dir, "error", err, "again_in", pause)
			due, pause = k.now().Add(pause), 2*pause
		default:
			due, pause = began.Add(k.config.Every), firstPause
		}
	}
}

// firstDue is when the newest backup that was found will be old enough, no later than
// a backup that is taken now would be: a clock may have been wrong.
func (k *Keeper) firstDue() time.Time {
	now, newest := k.now(), k.Status().Newest.TakenAt
	if newest.IsZero() || newest.After(now) {
		return now
	}
	return newest.Add(k.config.Every)
}

// sleepUntil returns false when ctx has ended.
func (k *Keeper) sleepUntil(ctx context.Context, due time.Time) bool {
	for {
		left := due.Sub(k.now())
		if left <= 0 || left > k.config.Every { // or the clock was set back
			return ctx.Err() == nil
		}
		select {
		case <-ctx.Done():
			return false
		case <-k.config.After(min(left, longestNap)):
		}
	}
}
