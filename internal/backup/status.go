package backup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"daybook/internal/fault"
)

// Status is the state of the backups.
type Status struct {
	Dir     string
	Every   time.Duration // 0 when only taken on request
	Running bool
	Newest  Manifest      // the last that succeeded, also before this start; zero when there is none
	Took    time.Duration // how long it took; 0 if this process did not take it
	// The last attempt, if it failed; zero and "" if it succeeded.
	FailedAt time.Time
	Problem  string
	Strays   Strays
}

// Warning says what a person must check; "" for nothing.
func (s Status) Warning() string {
	said := []string{s.Newest.Warning(s.Newest.File), s.Strays.Warning()}
	return strings.Join(slices.DeleteFunc(said, func(w string) bool { return w == "" }), "; ")
}

// look finds the newest backup and the strays again if files came into the folder or went, because `app backup`
// takes backups too, and people move them.
func (k *Keeper) look(ctx context.Context) {
	k.folder.Lock() // a backup that is being taken is noted later than what is read now
	defer k.folder.Unlock()
	info, err := os.Stat(k.config.Dir)
	if err == nil && info.ModTime().Equal(k.looked) {
		return
	}
	if err == nil {
		err = k.findNewest(ctx)
	}
	if err != nil {
		k.config.Log.Warn("the backups could not be read", "dir", k.config.Dir, "error", err)
		return
	}
	k.findStrays(ctx)
	k.looked = info.ModTime()
}

// findNewest finds the newest backup of the database, one that is not later than now if there is one.
func (k *Keeper) findNewest(ctx context.Context) error {
	found, err := list(k.config.Dir, k.config.Database)
	if err != nil {
		return err
	}
	if found, err = k.own(ctx, found); err != nil {
		return err
	}
	var newest Manifest
	if len(found) > 0 {
		newest = found[len(found)-1]
	}
	now := k.now()
	for _, m := range slices.Backward(found) {
		if !m.TakenAt.After(now) {
			newest = m
			break
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if newest.File != k.status.Newest.File {
		k.status.Took = 0
	}
	k.status.Newest = newest
	if newest.TakenAt.After(k.status.FailedAt) {
		k.status.FailedAt, k.status.Problem = time.Time{}, ""
	}
	return nil
}

// own returns the backups whose lineage is Own.
func (k *Keeper) own(ctx context.Context, found []Manifest) (own []Manifest, err error) {
	if len(found) == 0 { // common at a start; then the database need not be opened
		return nil, nil
	}
	lineages, err := k.config.Lineages(ctx, found)
	if err != nil {
		return nil, err
	}
	for i, m := range found {
		if lineages[i] == Own {
			own = append(own, m)
		}
	}
	return own, nil
}

// findStrays stores and logs the backups in the folder whose lineage is Stray.
func (k *Keeper) findStrays(ctx context.Context) {
	strays, err := FindStrays(ctx, k.config.Dir, k.config.Lineages)
	if err != nil {
		k.config.Log.Warn("the backups could not be compared with the database", "dir", k.config.Dir, "error", err)
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(strays) > 0 && !slices.Equal(strays, k.status.Strays) {
		k.config.Log.Warn(strays.Warning(), "dir", k.config.Dir)
	}
	k.status.Strays = strays
}

// Status returns the state of the backups.
func (k *Keeper) Status() Status {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.status
}

func (k *Keeper) running(is bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.status.Running = is
}

// told is an error for clients: the messages of its faults, and the reason of the operating system,
// without the folders of this machine. The log has the whole error.
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

// withoutFolders replaces each path in a text by the name of its file.
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

// note stores the result of an attempt.
func (k *Keeper) note(m Manifest, took time.Duration, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.status.FailedAt, k.status.Problem = k.now().UTC(), k.withoutFolders(err.Error())
		if e, is := errors.AsType[*fault.Error](k.told(err)); is {
			k.status.Problem = e.Message
		}
		return
	}
	k.status.Newest, k.status.Took, k.status.FailedAt, k.status.Problem = m, took, time.Time{}, ""
}
