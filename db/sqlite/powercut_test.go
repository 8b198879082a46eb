//go:build !race

package sqlite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/faultdisk"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/internal/trading"
)

// TestPowerCut: a power cut loses no acknowledged write, and leaves no write in part. As controls, the
// same check finds losses with synchronous=NORMAL, and damage on a disk that only pretends to sync.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	images, controls := times(300, 10_000), times(40, 1000)
	full, normal := recordRun(t, "FULL"), recordRun(t, "NORMAL")
	got := full.cut(t, images, false)
	weak := normal.cut(t, controls, false)
	lied := full.cut(t, controls, true)
	for _, problem := range got.problems {
		t.Error(problem)
	}
	if weak.lost == 0 {
		t.Error("the control, synchronous=NORMAL: got no loss, want some, or the test could not find a loss")
	}
	if lied.corrupt == 0 {
		t.Error("the control, a disk that does not sync: got no damage, want some, or the test could not find damage")
	}
	report(t, "power cut", fmt.Sprintf("%d images, 0 lost, 0 torn, 0 corrupt", images), got.String(),
		fmt.Sprintf("synchronous=NORMAL: %v; a disk that does not sync: %v", weak, lied))
}

// recording is the requests that a testClient sent, and everything that happened on the disk meanwhile.
type recording struct {
	disk     *faultdisk.Disk
	requests []*sentRequest
	notes    []noted
}

// noted is what the lock file says from a moment on. It lies on another disk than the database.
type noted struct {
	moment int
	text   []byte
}

// recordRun makes a database, lets a testClient send requests, runs every kind of checkpoint, and closes
// and opens the database between. It records all this.
func recordRun(t *testing.T, synchronous string) recording {
	t.Helper()
	disk := faultdisk.New()
	t.Cleanup(disk.Close)
	f := file.File{Path: filepath.Join(t.TempDir(), "app.db"), VFS: disk.Name, Synchronous: synchronous, Schema: schema.Released}
	var notes []noted
	f.SyncFolder = func(string) error { // it follows the sync of each note
		text, err := os.ReadFile(f.Path + file.LockFile)
		notes = append(notes, noted{disk.Moment(), text})
		return err
	}
	c := &testClient{t: t, disk: disk}
	rounds := [][]string{{"PASSIVE", "", "FULL"}, {"RESTART", "", "TRUNCATE", ""}}
	n := 0
	for _, checkpoints := range rounds {
		c.open(f)
		if n == 0 {
			c.parents()
		}
		for _, mode := range checkpoints {
			c.round(n)
			n++
			if mode == "" {
				continue
			}
			if err := c.checkpoint(mode); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range c.sent {
		if (d.err == nil) != (d.entries > 0) {
			t.Fatalf("%s: %v", d.name, d.err)
		}
	}
	return recording{disk, c.sent, notes}
}

// cutResults counts what the power cuts did.
type cutResults struct {
	images, lost, torn, corrupt int
	problems                    []string
}

func (y cutResults) String() string {
	return fmt.Sprintf("%d images, %d lost, %d torn, %d corrupt", y.images, y.lost, y.torn, y.corrupt)
}

// image is the files that a power cut left.
type image struct {
	number, moment int
	files          map[string][]byte
}

// cut simulates power cuts at that many moments, evenly spread over the recording. It opens the files
// that each cut left as the program does, and checks them.
func (r recording) cut(t *testing.T, images int, lies bool) cutResults {
	t.Helper()
	replay := r.disk.Replay()
	replay.Lies = lies
	cuts := make(chan image)
	go func() {
		defer close(cuts)
		for i := range images {
			moment := r.disk.Moment() * (i + 1) / images
			survival := []faultdisk.Survival{faultdisk.Sectors, faultdisk.None, faultdisk.Sectors, faultdisk.All}[i%4]
			files := replay.At(moment, survival, rand.New(rand.NewPCG(1, uint64(i))))
			for _, note := range r.notes {
				if note.moment <= moment {
					files["app.db"+file.LockFile] = note.text
				}
			}
			cuts <- image{i, moment, files}
		}
	}()
	sum, mu, wg := cutResults{images: images}, sync.Mutex{}, sync.WaitGroup{}
	for range runtime.NumCPU() {
		wg.Go(func() {
			for cut := range cuts {
				a, err := restart(t, cut.files, r.requests, cut.moment)
				mu.Lock()
				sum.count(cut, a, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return sum
}

func (y *cutResults) count(cut image, a requestCheck, err error) {
	switch {
	case err != nil:
		y.corrupt++
	case len(a.lost) > 0:
		y.lost++
	case len(a.torn) > 0:
		y.torn++
	default:
		return
	}
	if err == nil {
		err = a.err()
	}
	y.problems = append(y.problems, fmt.Sprintf("image %d, power cut at moment %d: %v", cut.number, cut.moment, err))
}

// restart opens the files that a power cut left, checks the requests, and writes once more. An error
// means that the database is damaged.
func restart(t *testing.T, files map[string][]byte, requests []*sentRequest, moment int) (a requestCheck, err error) {
	dir, err := os.MkdirTemp("", "daybook-image-") //nolint:usetesting // TempDir would keep thousands of folders until the end
	if err != nil {
		return a, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // if this fails, the system removes it later
	if err := faultdisk.WriteTo(dir, files); err != nil {
		return a, err
	}
	return reopen(t, filepath.Join(dir, "app.db"), requests, moment)
}

// reopen opens a file as the program does, checks the requests, writes once more, and verifies the file.
func reopen(t *testing.T, path string, requests []*sentRequest, moment int) (a requestCheck, err error) {
	s, err := Open(t.Context(), path, noon)
	if err != nil {
		return a, err
	}
	a, err = checkRequests(t.Context(), s, requests, moment)
	if err == nil {
		_, err = s.AddCurrency(t.Context(), trading.Currency{Code: "NEXT", Name: "Written after it was opened again"})
	}
	if closing := s.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return a, err
	}
	return a, sqlitetest.Verified(t.Context(), path)
}
