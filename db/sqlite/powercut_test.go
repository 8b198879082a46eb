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

// A power cut loses no acknowledged write, and leaves none half done. As controls, a weaker setting and
// a disk that lies lose writes here too; otherwise the test could not find a loss.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	images, controls := times(300, 10_000), times(40, 1000)
	full, normal := rehearse(t, "FULL"), rehearse(t, "NORMAL")
	got := full.cut(t, images, false)
	weak := normal.cut(t, controls, false)
	lied := full.cut(t, controls, true)
	for _, problem := range got.problems {
		t.Error(problem)
	}
	if weak.lost == 0 {
		t.Error("synchronous=NORMAL lost nothing: the test would not notice a loss")
	}
	if lied.corrupt == 0 {
		t.Error("a disk that does not sync left every image sound: the test would not notice damage")
	}
	report(t, "power cut", fmt.Sprintf("%d images, 0 lost, 0 torn, 0 corrupt", images), got.String(),
		fmt.Sprintf("synchronous=NORMAL: %v; a disk that does not sync: %v", weak, lied))
}

// recording is what a clerk did, and all that happened on the disk meanwhile.
type recording struct {
	disk  *faultdisk.Disk
	deeds []*deed
}

// rehearse lets a clerk work through the life of a database: it is created, filled, checkpointed in
// every way, closed and opened again.
func rehearse(t *testing.T, synchronous string) recording {
	t.Helper()
	disk := faultdisk.New()
	t.Cleanup(disk.Close)
	f := file.File{Path: filepath.Join(t.TempDir(), "app.db"), VFS: disk.Name, Synchronous: synchronous, Schema: schema.Released}
	c := &clerk{t: t, disk: disk}
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
	for _, d := range c.deeds {
		if (d.err == nil) != (d.entries > 0) {
			t.Fatalf("%s: %v", d.name, d.err)
		}
	}
	return recording{disk, c.deeds}
}

// tally is what power cuts did.
type tally struct {
	images, lost, torn, corrupt int
	problems                    []string
}

func (y tally) String() string {
	return fmt.Sprintf("%d images, %d lost, %d torn, %d corrupt", y.images, y.lost, y.torn, y.corrupt)
}

// image is what a power cut left.
type image struct {
	number, moment int
	files          map[string][]byte
}

// cut cuts the power at that many moments, evenly over the recording, and opens the rest as the product
// does.
func (r recording) cut(t *testing.T, images int, lies bool) tally {
	t.Helper()
	replay := r.disk.Replay()
	replay.Lies = lies
	cuts := make(chan image)
	go func() {
		defer close(cuts)
		for i := range images {
			moment := r.disk.Moment() * (i + 1) / images
			survival := []faultdisk.Survival{faultdisk.Sectors, faultdisk.None, faultdisk.Sectors, faultdisk.All}[i%4]
			cuts <- image{i, moment, replay.At(moment, survival, rand.New(rand.NewPCG(1, uint64(i))))}
		}
	}()
	sum, mu, wg := tally{images: images}, sync.Mutex{}, sync.WaitGroup{}
	for range runtime.NumCPU() {
		wg.Go(func() {
			for cut := range cuts {
				a, err := restart(t, cut.files, r.deeds, cut.moment)
				mu.Lock()
				sum.count(cut, a, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return sum
}

func (y *tally) count(cut image, a account, err error) {
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

// restart opens the files after a power cut, and writes once more. The error says how the database is
// damaged.
func restart(t *testing.T, files map[string][]byte, deeds []*deed, moment int) (a account, err error) {
	dir, err := os.MkdirTemp("", "daybook-image-") //nolint:usetesting // TempDir would pile thousands of them up
	if err != nil {
		return a, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system's to clean up otherwise
	if err := faultdisk.WriteTo(dir, files); err != nil {
		return a, err
	}
	return reopen(t, filepath.Join(dir, "app.db"), deeds, moment)
}

// reopen opens a file as the product does, accounts for the deeds, writes once more,
// and verifies the file.
func reopen(t *testing.T, path string, deeds []*deed, moment int) (a account, err error) {
	s, err := Open(t.Context(), path, noon)
	if err != nil {
		return a, err
	}
	a, err = accountFor(t.Context(), s, deeds, moment)
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
