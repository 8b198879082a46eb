package backup

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"daybook/internal/fault"
)

// Config is what a Keeper needs.
type Config struct {
	Database string // the path of the database that is backed up
	Dir      string // where to
	// Every is the time between scheduled backups; 0 schedules none, and removes none.
	Every time.Duration
	// Lineages returns the lineage of each manifest's backup in the database. If it is
	// nil, each backup counts as one of the database.
	Lineages func(ctx context.Context, of []Manifest) ([]Lineage, error)
	// Take backs the database up to a new file, whole or not at all.
	Take  func(ctx context.Context, file string, now time.Time) (Manifest, error)
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time // time.After
	Log   *slog.Logger
}

// Keeper takes backups of one database into one folder, scheduled and on request, one at a time. It removes
// scheduled ones that retention no longer keeps.
type Keeper struct {
	config Config
	taking sync.Mutex // held while a backup is taken
	folder sync.Mutex // held while one is taken, and while the folder is read
	looked time.Time  // under folder: when the folder had last changed as it was read

	mu     sync.Mutex
	status Status
}

// NewKeeper returns a Keeper, which has read the backups in its folder.
func NewKeeper(c Config) *Keeper {
	if c.Lineages == nil {
		c.Lineages = func(_ context.Context, of []Manifest) ([]Lineage, error) {
			return slices.Repeat([]Lineage{Own}, len(of)), nil
		}
	}
	k := &Keeper{config: c, status: Status{Dir: c.Dir, Every: c.Every}}
	ctx := context.Background() // a few rows, read before anything is served
	if err := k.findNewest(ctx); err != nil {
		k.note(Manifest{}, 0, fault.Wrap(fault.Unavailable, err, "cannot read the backups in %s", c.Dir))
	}
	k.findStrays(ctx)
	return k
}

// Take takes a backup on request, which stays until somebody removes it. Unavailable: another is being
// taken, there are as many on request as allowed, or the disk is full or fails; no backup was removed.
// The error message is for clients.
func (k *Keeper) Take(ctx context.Context) (Manifest, error) {
	m, err := k.take(ctx, func() error { return k.room(ctx) })
	return m, k.told(err)
}

// take takes a backup if check returns no error.
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
	k.folder.Lock()
	defer k.folder.Unlock()
	file, at := k.next()
	began := k.config.Now()
	m, err := k.config.Take(ctx, file, at)
	k.note(m, k.config.Now().Sub(began), err)
	if err != nil {
		return Manifest{}, err
	}
	if m.Damage != "" {
		k.config.Log.Error("the backup cannot be restored, as the database is damaged; no older one is removed", "dir", k.config.Dir, "file", m.File, "damage", m.Damage)
	}
	k.findStrays(ctx)
	return m, nil
}

// takeScheduled takes a scheduled backup, and removes scheduled ones that retention no longer keeps.
func (k *Keeper) takeScheduled(ctx context.Context) error {
	m, err := k.take(scheduled(ctx), func() error { return nil })
	if err != nil {
		return err
	}
	if err := k.retain(ctx, m); err != nil {
		k.config.Log.Warn("old backups could not be removed", "dir", k.config.Dir, "error", err)
	}
	return nil
}

// next is the file and the time of the next backup. Where a file has the name of this second, the
// backup has that of the next free second. Its time is not later than now.
func (k *Keeper) next() (string, time.Time) {
	now := k.now().UTC().Truncate(time.Second)
	for at := now; ; at = at.Add(time.Second) {
		file := filepath.Join(k.config.Dir, Name(k.config.Database, at))
		if !exists(file) && !exists(ManifestOf(file)) && !exists(SignatureOf(file)) {
			return file, now
		}
	}
}

// retain removes the backups that retention no longer keeps after a new one, and files that a kill left.
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
	if newest.Damage != "" { // the others may be all that can be restored
		found = slices.DeleteFunc(found, func(m Manifest) bool { return m.Damage == "" })
	}
	lineages, err := k.config.Lineages(ctx, found)
	if err != nil {
		return err
	}
	for _, m := range k.superseded(found, lineages, newest.TakenAt) {
		err = errors.Join(err, folder.Remove(m))
	}
	return err
}

// superseded is the function superseded, except that a backup whose bytes no longer match its manifest
// replaces no other. Only backups that would replace others are read.
func (k *Keeper) superseded(found []Manifest, lineages []Lineage, now time.Time) (old []Manifest) {
	read := map[string]bool{}
	for changed := true; changed; {
		old = superseded(found, lineages, now)
		changed = false
		for _, i := range successors(found, lineages, now, old) {
			m := &found[i]
			if !read[m.File] && !m.tellsOf(filepath.Join(k.config.Dir, m.File)) {
				k.config.Log.Warn("a backup is not what its manifest says, so that an older one stays instead", "dir", k.config.Dir, "file", m.File)
				m.Damage, changed = "its bytes are not those of its manifest", true
			}
			read[m.File] = true
		}
	}
	return old
}

// now is the time of day without the monotonic reading, which stops while a machine sleeps and ignores
// changes of its clock.
func (k *Keeper) now() time.Time { return k.config.Now().Round(0) }

const (
	// firstPause follows a failed backup; each further failure doubles it, up to Every.
	firstPause = time.Minute
	// longestNap is how long Run sleeps at most before it reads the folder and the clock again: timers stop
	// while a machine sleeps.
	longestNap = 10 * time.Minute
)

// Run takes a backup when one is due, at once if the newest is old, until ctx ends. After a failure, which
// is logged, it tries again sooner than the next backup is due. Every ten minutes it looks for backups that
// others took or removed, also where none are scheduled.
func (k *Keeper) Run(ctx context.Context) {
	for k.config.Every <= 0 {
		if !k.nap(ctx, longestNap) {
			return
		}
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

// firstDue is when the newest backup will be old enough, but at most Every from now, because a clock may
// have been wrong.
func (k *Keeper) firstDue() time.Time {
	now, newest := k.now(), k.Status().Newest.TakenAt
	if newest.IsZero() || newest.After(now) {
		return now
	}
	return newest.Add(k.config.Every)
}

// sleepUntil returns false if ctx has ended.
func (k *Keeper) sleepUntil(ctx context.Context, due time.Time) bool {
	for {
		left := due.Sub(k.now())
		if left <= 0 || left > k.config.Every { // or the clock was set back
			return ctx.Err() == nil
		}
		if !k.nap(ctx, min(left, longestNap)) {
			return false
		}
	}
}

// nap sleeps, and then looks into the folder. It returns false if ctx has ended.
func (k *Keeper) nap(ctx context.Context, long time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-k.config.After(long):
		k.look(ctx)
		return ctx.Err() == nil
	}
}
