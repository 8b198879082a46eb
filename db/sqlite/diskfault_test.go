//go:build !race

package sqlite

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/faultdisk"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/internal/fault"
)

// Whatever fails on the disk, and whenever: each answer is true, reads go on, the same store writes
// again afterwards, and every acknowledged write is there, even after a power cut.
func TestDiskFaults(t *testing.T) {
	t.Parallel()
	var sum places
	for _, c := range []struct {
		name   string
		fault  faultdisk.Fault
		stride int // from one place to the next in the short form
	}{
		{"write", faultdisk.Fault{Kind: faultdisk.Write, Code: sqlite3.SQLITE_IOERR_WRITE}, 53},
		{"every write", faultdisk.Fault{Kind: faultdisk.Write, Code: sqlite3.SQLITE_IOERR_WRITE, Lasts: true}, 113},
		{"sync", faultdisk.Fault{Kind: faultdisk.Sync, Code: sqlite3.SQLITE_IOERR_FSYNC}, 6},
		{"sync that drops", faultdisk.Fault{Kind: faultdisk.Sync, Code: sqlite3.SQLITE_IOERR_FSYNC, Leaves: faultdisk.Drop}, 4},
		{"sync that cleans", faultdisk.Fault{Kind: faultdisk.Sync, Code: sqlite3.SQLITE_IOERR_FSYNC, Leaves: faultdisk.Clean}, 4},
		{"every sync", faultdisk.Fault{Kind: faultdisk.Sync, Code: sqlite3.SQLITE_IOERR_FSYNC, Leaves: faultdisk.Drop, Lasts: true}, 9},
		{"truncate", faultdisk.Fault{Kind: faultdisk.Truncate, Code: sqlite3.SQLITE_IOERR_TRUNCATE}, 2},
		{"open", faultdisk.Fault{Kind: faultdisk.Open, Code: sqlite3.SQLITE_CANTOPEN}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			struck := everywhere(t, c.fault, c.stride, func(e ending) error {
				if c.fault.Kind == faultdisk.Open && fault.KindOf(e.read) == fault.Unavailable {
					e.read = nil // it was a reader that could not open the file
				}
				return e.honest()
			})
			if struck.naive == 0 && (c.fault.Kind == faultdisk.Write || c.fault.Kind == faultdisk.Sync) {
				t.Error("a store that acknowledges before the commit would not be found out")
			}
			if c.fault.Kind == faultdisk.Sync && (struck.unknown == 0 || struck.held == 0 || struck.refused == 0) {
				t.Errorf("got %d outcomes unknown, %d of them stored by a power cut, %d that a refusal would have denied; want some of each",
					struck.unknown, struck.held, struck.refused)
			}
			sum.add(struck)
		})
	}
	weak := lostWithoutFull(t)
	report(t, "disk that fails", "at every place: true answers, 0 lost, goes on without a restart",
		fmt.Sprintf("%d places, %d outcomes unknown, at %d of them stored after all, 0 lost, goes on", sum.struck, sum.unknown, sum.held),
		fmt.Sprintf("acknowledged before the commit: lost at %d; a failed sync called a refusal: stored at %d; synchronous=NORMAL: lost at %d of %d",
			sum.naive, sum.refused, weak.naive, weak.struck))
}

// On a full disk every write is refused and may be repeated. When there is space again the same store
// writes.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	full := faultdisk.Fault{Kind: faultdisk.Write, Code: sqlite3.SQLITE_FULL, Lasts: true}
	struck := everywhere(t, full, 37, func(e ending) error {
		if e.unknown() > 0 {
			return errors.New("an outcome is unknown")
		}
		return e.honest()
	})
	if struck.naive == 0 {
		t.Error("a store that acknowledges before the commit would not be found out")
	}
	report(t, "full disk", "from every place on: refused, nothing stored, reads go on; writes again without a restart",
		fmt.Sprintf("from %d places on: as promised", struck.struck),
		fmt.Sprintf("acknowledged before the commit: lost at %d", struck.naive))
}

// lostWithoutFull counts the places where a failed sync loses acknowledged writes, because
// synchronous=NORMAL does not sync every commit. It shows that TestDiskFaults can find a loss.
func lostWithoutFull(t *testing.T) (p places) {
	t.Helper()
	f := furnish(t)
	drop := faultdisk.Fault{Kind: faultdisk.Sync, Code: sqlite3.SQLITE_IOERR_FSYNC, Leaves: faultdisk.Drop}
	p.struck = f.play(t, "NORMAL", faultdisk.Fault{}, twoRounds).counts[faultdisk.Sync]
	for drop.Nth = 1; drop.Nth <= p.struck; drop.Nth++ {
		if f.play(t, "NORMAL", drop, twoRounds).reopened != nil {
			p.naive++
		}
	}
	if p.naive == 0 {
		t.Errorf("synchronous=NORMAL lost nothing at %d places", p.struck)
	}
	return p
}

// A failed checkpoint is counted, loses nothing, and a later one replaces it.
func TestAFailedCheckpointTakesNothing(t *testing.T) {
	t.Parallel()
	start := furnish(t)
	grow := func(c *clerk) {
		c.bulk(3, 550) // beyond walComfort
		c.bulk(4, 150) // beyond walStep
		c.round(0)
	}
	faults := []faultdisk.Fault{
		{}, // the control
		{Kind: faultdisk.Write, Nth: 1, Code: sqlite3.SQLITE_FULL},
		{Kind: faultdisk.Write, Nth: 300, Code: sqlite3.SQLITE_IOERR_WRITE},
		{Kind: faultdisk.Sync, Nth: 1, Code: sqlite3.SQLITE_IOERR_FSYNC, Leaves: faultdisk.Drop},
		{Kind: faultdisk.Sync, Nth: 1, Code: sqlite3.SQLITE_IOERR_FSYNC, Leaves: faultdisk.Clean},
	}
	for _, f := range faults {
		f.File = "app.db"
		e := start.play(t, "FULL", f, grow)
		if err := e.honest(); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
		want := int64(min(f.Nth, 1))
		if n := e.unknown(); n > 0 || e.failed != want || e.copied == 0 {
			t.Errorf("%+v: got %d outcomes unknown, %d checkpoints failed, %d done; want 0, %d, some", f, n, e.failed, e.copied, want)
		}
	}
	report(t, "checkpoint that fails", "counted, 0 lost, made up for", fmt.Sprintf("%d faults: as promised", len(faults)-1), "no fault: none counted")
}

// After a failed sync, the next write opens another connection, which checks the end of the journal.
func TestAFailedSyncIsFollowedByAnotherConnection(t *testing.T) {
	t.Parallel()
	const noUpdate = "DROP TRIGGER journal_refuses_update"
	for name, damage := range map[string][]string{
		"whole":   nil,
		"damaged": {noUpdate, "UPDATE journal SET actor = 'another' WHERE seq = (SELECT max(seq) FROM journal)"},
	} {
		t.Run(name, func(t *testing.T) {
			disk := faultdisk.New()
			t.Cleanup(disk.Close)
			c := &clerk{t: t, disk: disk}
			c.open(file.File{Path: filepath.Join(t.TempDir(), "app.db"), VFS: disk.Name, Synchronous: "FULL", Schema: schema.Released})
			c.parents()
			disk.Fail(faultdisk.Fault{Kind: faultdisk.Sync, Nth: 1, Code: sqlite3.SQLITE_IOERR_FSYNC})
			if d := c.currency(1); fault.KindOf(d.err) != fault.OutcomeUnknown {
				t.Errorf("while the sync fails: got %v, want OutcomeUnknown", d.err)
			}
			disk.Lift()
			for _, statement := range damage {
				c.behind(statement)
			}
			disk.Lift() // counts from here
			d := c.currency(2)
			if opened := disk.Counts()[faultdisk.Open]; opened == 0 {
				t.Error("no file was opened for the next write")
			}
			if damage == nil && d.err != nil {
				t.Errorf("the next write: %v", d.err)
			} else if damage != nil && !sqlitetest.RefusesDamage(d.err) {
				t.Errorf("the next write: got %v, want Unavailable, and that the end of the journal is damaged", d.err)
			}
			if err := c.store.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// behind runs a statement as another process would.
func (c *clerk) behind(statement string) {
	c.t.Helper()
	db, err := c.store.file.Open(c.t.Context(), "rw", 1, c.store.file.WriterPragmas())
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(c.t.Context(), statement); err != nil {
		c.t.Fatal(err)
	}
}

// places are where a fault struck.
type places struct {
	struck  int
	unknown int // answers that left the outcome open
	naive   int // where an acknowledgment before the commit would have been a lie
	held    int // where a power cut just then stores what had an unknown outcome
	refused int // where a refusal would have been a lie then
}

func (p *places) add(more places) {
	p.struck += more.struck
	p.unknown += more.unknown
	p.naive += more.naive
	p.held += more.held
	p.refused += more.refused
}

// everywhere makes a fault strike the first, second, ... operation of its kind. The short form tries
// only some of them.
func everywhere(t *testing.T, f faultdisk.Fault, stride int, check func(ending) error) (p places) {
	t.Helper()
	start := furnish(t)
	all := start.play(t, "FULL", faultdisk.Fault{}, twoRounds).counts[f.Kind]
	if all == 0 {
		t.Fatal("nothing of the kind ever happens")
	}
	for f.Nth = 1; f.Nth <= all; f.Nth += times(stride, 1) {
		e := start.play(t, "FULL", f, twoRounds)
		if err := check(e); err != nil {
			t.Errorf("number %d of %d fails: %v", f.Nth, all, err)
		}
		p.struck++
		p.unknown += e.unknown()
		if len(e.naive.lost) > 0 {
			p.naive++
		}
		if len(e.struck.held) > 0 {
			p.held++
		}
		if len(e.refused.torn) > 0 {
			p.refused++
		}
	}
	return p
}

// furnished is a database with some records in it, to let faults strike.
type furnished struct {
	files map[string][]byte
	deeds []*deed
}

func furnish(t *testing.T) furnished {
	t.Helper()
	disk := faultdisk.New()
	defer disk.Close()
	c := &clerk{t: t, disk: disk}
	c.open(file.File{Path: filepath.Join(t.TempDir(), "app.db"), VFS: disk.Name, Synchronous: "FULL", Schema: schema.Released})
	c.parents()
	if err := c.store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, d := range c.deeds {
		d.asked, d.answered = -1, 0 // before all that happens to a play's disk
	}
	return furnished{disk.Image(faultdisk.All, nil), c.deeds}
}

// ending is how a play ended.
type ending struct {
	counts map[faultdisk.Kind]int // of what happened before the fault was lifted
	deeds  []*deed
	began  int   // the moment the fault was ordered
	lifted int   // the first deed after it was lifted
	read   error // what reading meanwhile met
	naive  account
	// After a power cut where the fault first struck, with all that was not synced: by
	// the answers, and by those of a store that calls an unknown outcome a refusal.
	struck, refused account
	// Checkpoints of the writer.
	copied, failed int64

	live, cut, reopened error // what is wrong before the store is closed, after a power cut then, after it is closed
}

// play lets a clerk work on a disk with a fault, and then on the same store without it.
func (f furnished) play(t *testing.T, synchronous string, order faultdisk.Fault, script func(*clerk)) (e ending) {
	t.Helper()
	disk := faultdisk.New()
	defer disk.Close()
	dir := t.TempDir()
	if err := faultdisk.WriteTo(dir, f.files); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "app.db")
	c := &clerk{t: t, disk: disk, deeds: slices.Clone(f.deeds)}
	c.open(file.File{Path: path, VFS: disk.Name, Synchronous: synchronous, Schema: schema.Released})
	var mu sync.Mutex
	c.after = func(*deed) {
		if err := c.read(); err != nil {
			mu.Lock()
			defer mu.Unlock()
			e.read = err
		}
	}
	e.began = disk.Moment()
	disk.Fail(order)
	script(c)
	e.counts = disk.Counts()
	disk.Lift()
	e.lifted = len(c.deeds)
	c.round(2)
	e.deeds = c.deeds
	e.copied, e.failed, _ = c.store.Checkpoints()
	e.end(t, c, path)
	return e
}

// twoRounds is a script with every kind of operation on the files.
func twoRounds(c *clerk) {
	for n, mode := range []string{"PASSIVE", "TRUNCATE"} {
		c.round(n)
		_ = c.checkpoint(mode) // the fault may strike here
	}
}

// end checks what is left, also after power cuts, and closes the store.
func (e *ending) end(t *testing.T, c *clerk, path string) {
	t.Helper()
	e.naive, _ = accountFor(t.Context(), c.store, allAcknowledged(c.deeds), math.MaxInt) // fails if the next does
	a, err := accountFor(t.Context(), c.store, c.deeds, math.MaxInt)
	e.live = errors.Join(a.err(), err)
	chance := rand.New(rand.NewPCG(1, uint64(c.disk.Moment())))
	a, err = restart(t, c.disk.Image(faultdisk.None, chance), c.deeds, math.MaxInt)
	e.cut = errors.Join(a.err(), err)
	moment := e.began + chance.IntN(c.disk.Moment()-e.began+1)
	a, err = restart(t, c.disk.Replay().At(moment, faultdisk.Sectors, chance), c.deeds, moment)
	e.cut = errors.Join(e.cut, a.err(), err)
	e.cutWhereStruck(t, c)
	closing := c.store.Close()
	a, err = reopen(t, path, c.deeds, math.MaxInt)
	e.reopened = errors.Join(closing, a.err(), err)
}

// cutWhereStruck cuts the power right after the first failure, when all unsynced data reaches the disk:
// the commit in progress is then there.
func (e *ending) cutWhereStruck(t *testing.T, c *clerk) {
	t.Helper()
	moment, is := c.disk.Struck()
	if !is {
		return
	}
	files := c.disk.Replay().At(moment, faultdisk.All, nil)
	var err error
	e.struck, err = restart(t, files, c.deeds, moment)
	e.cut = errors.Join(e.cut, e.struck.err(), err)
	if len(e.struck.held) > 0 {
		e.refused, err = restart(t, files, noneUnknown(c.deeds), moment)
		e.cut = errors.Join(e.cut, err)
	}
}

// noneUnknown returns the deeds with the answers of a store that reports every failure to store as a
// refusal.
func noneUnknown(deeds []*deed) []*deed {
	sure := make([]*deed, len(deeds))
	for i, d := range deeds {
		sure[i] = new(*d)
		if fault.KindOf(d.err) == fault.OutcomeUnknown {
			sure[i].err = fault.New(fault.Unavailable, "the disk does not answer; nothing was stored")
		}
	}
	return sure
}

// allAcknowledged returns the deeds with the answers of a store that does not wait for the commit.
func allAcknowledged(deeds []*deed) []*deed {
	naive := make([]*deed, len(deeds))
	for i, d := range deeds {
		naive[i] = new(*d)
		if d.entries > 0 {
			naive[i].err = nil
		}
	}
	return naive
}

// read reads a list as a client would.
func (c *clerk) read() error {
	for _, err := range c.store.Currencies(c.t.Context()) {
		if err != nil {
			return err
		}
	}
	return nil
}

// honest returns an error if the store broke a promise.
func (e ending) honest() error {
	var lies []error
	for i, d := range e.deeds {
		kind := fault.KindOf(d.err)
		switch {
		case d.err == nil:
		case kind == fault.AlreadyExists && d.entries == 0:
		case i >= e.lifted:
			lies = append(lies, fmt.Errorf("%s, after the fault: %w", d.name, d.err))
		case kind != fault.Unavailable && kind != fault.OutcomeUnknown:
			lies = append(lies, fmt.Errorf("%s: %w", d.name, d.err))
		}
	}
	for what, err := range map[string]error{
		"reading": e.read, "live": e.live, "after a power cut": e.cut, "reopened": e.reopened,
	} {
		if err != nil {
			lies = append(lies, fmt.Errorf("%s: %w", what, err))
		}
	}
	return errors.Join(lies...)
}

// unknown counts the answers that left the outcome open.
func (e ending) unknown() int {
	n := 0
	for _, d := range e.deeds {
		if fault.KindOf(d.err) == fault.OutcomeUnknown {
			n++
		}
	}
	return n
}
