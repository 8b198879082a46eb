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

// TestDiskFaults: an operation on the disk fails, at each place of a run. Every answer is still true,
// reads work, and the same store writes again afterwards. Every acknowledged write is stored, even after
// a power cut. As controls, the same check finds the losses of a store that answers before the commit,
// and of synchronous=NORMAL.
func TestDiskFaults(t *testing.T) {
	t.Parallel()
	var sum faultCounts
	for _, c := range []struct {
		name   string
		fault  faultdisk.Fault
		stride int // the short form tries every stride-th place
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
			struck := failEach(t, c.fault, c.stride, func(e runResult) error {
				if c.fault.Kind == faultdisk.Open && fault.KindOf(e.read) == fault.Unavailable {
					e.read = nil // the fault hit a reader that opens the file
				}
				return e.broken()
			})
			if struck.naive == 0 && (c.fault.Kind == faultdisk.Write || c.fault.Kind == faultdisk.Sync) {
				t.Error("the control, a store that answers before the commit: got no loss, want some")
			}
			if c.fault.Kind == faultdisk.Sync && (struck.unknown == 0 || struck.held == 0 || struck.refused == 0) {
				t.Errorf("got %d unknown outcomes, at %d places stored after a power cut, at %d where Unavailable would be false; want some of each",
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

// TestFullDisk: on a full disk every write is refused, nothing of it is stored, and reads work. When the
// disk has room again, the same store writes.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	full := faultdisk.Fault{Kind: faultdisk.Write, Code: sqlite3.SQLITE_FULL, Lasts: true}
	struck := failEach(t, full, 37, func(e runResult) error {
		if e.unknown() > 0 {
			return errors.New("got OutcomeUnknown, want Unavailable")
		}
		return e.broken()
	})
	if struck.naive == 0 {
		t.Error("the control, a store that answers before the commit: got no loss, want some")
	}
	report(t, "full disk", "from every place on: refused, nothing stored, reads go on; writes again without a restart",
		fmt.Sprintf("from %d places on: as promised", struck.struck),
		fmt.Sprintf("acknowledged before the commit: lost at %d", struck.naive))
}

// lostWithoutFull counts the places where a failed sync loses acknowledged writes, because
// synchronous=NORMAL does not sync every commit. It shows that TestDiskFaults can find a loss.
func lostWithoutFull(t *testing.T) (p faultCounts) {
	t.Helper()
	f := fillDatabase(t)
	drop := faultdisk.Fault{Kind: faultdisk.Sync, Code: sqlite3.SQLITE_IOERR_FSYNC, Leaves: faultdisk.Drop}
	p.struck = f.run(t, "NORMAL", faultdisk.Fault{}, twoRounds).counts[faultdisk.Sync]
	for drop.Nth = 1; drop.Nth <= p.struck; drop.Nth++ {
		if f.run(t, "NORMAL", drop, twoRounds).reopened != nil {
			p.naive++
		}
	}
	if p.naive == 0 {
		t.Errorf("synchronous=NORMAL: got no loss at %d places, want some", p.struck)
	}
	return p
}

// TestAFailedCheckpointTakesNothing: a checkpoint that fails is counted and loses nothing, and a later
// checkpoint copies the log. As a control, without a fault none is counted.
func TestAFailedCheckpointTakesNothing(t *testing.T) {
	t.Parallel()
	start := fillDatabase(t)
	grow := func(c *testClient) {
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
		e := start.run(t, "FULL", f, grow)
		if err := e.broken(); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
		want := int64(min(f.Nth, 1))
		if n := e.unknown(); n > 0 || e.failed != want || e.copied == 0 {
			t.Errorf("%+v: got %d unknown outcomes, %d failed checkpoints, %d done; want 0, %d, some", f, n, e.failed, e.copied, want)
		}
	}
	report(t, "checkpoint that fails", "counted, 0 lost, made up for", fmt.Sprintf("%d faults: as promised", len(faults)-1), "no fault: none counted")
}

// TestAFailedSyncIsFollowedByAnotherConnection: after a failed sync, the next write opens a new
// connection and first checks the end of the journal. It is refused if that is damaged.
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
			c := &testClient{t: t, disk: disk}
			c.open(file.File{Path: filepath.Join(t.TempDir(), "app.db"), VFS: disk.Name, Synchronous: "FULL", Schema: schema.Released})
			c.parents()
			disk.Fail(faultdisk.Fault{Kind: faultdisk.Sync, Nth: 1, Code: sqlite3.SQLITE_IOERR_FSYNC})
			if d := c.currency(1); fault.KindOf(d.err) != fault.OutcomeUnknown {
				t.Errorf("while the sync fails: got %v, want OutcomeUnknown", d.err)
			}
			disk.Lift()
			for _, statement := range damage {
				c.execElsewhere(statement)
			}
			disk.Lift() // the disk counts its operations from here
			d := c.currency(2)
			if opened := disk.Counts()[faultdisk.Open]; opened == 0 {
				t.Error("got no file opened for the next write, want at least one")
			}
			if damage == nil && d.err != nil {
				t.Errorf("the next write: got %v, want no error", d.err)
			} else if damage != nil && !sqlitetest.RefusesDamage(d.err) {
				t.Errorf("the next write: got %v, want Unavailable because the end of the journal is damaged", d.err)
			}
			if err := c.store.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// execElsewhere runs a statement on a connection of its own, as another process would.
func (c *testClient) execElsewhere(statement string) {
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

// faultCounts counts the places where a fault struck. The last three count controls and power cuts.
type faultCounts struct {
	struck  int
	unknown int // answers of OutcomeUnknown
	naive   int // places where a store that answers before the commit loses an acknowledged write
	held    int // places where a write with an unknown outcome is stored after a power cut at once
	refused int // the same, if its answer had been Unavailable, which says that nothing was stored
}

func (p *faultCounts) add(more faultCounts) {
	p.struck += more.struck
	p.unknown += more.unknown
	p.naive += more.naive
	p.held += more.held
	p.refused += more.refused
}

// failEach repeats a run, and makes the first, second, ... operation of a kind fail in it. The short
// form tries only some of them. check returns an error if the result of a run is wrong.
func failEach(t *testing.T, f faultdisk.Fault, stride int, check func(runResult) error) (p faultCounts) {
	t.Helper()
	start := fillDatabase(t)
	all := start.run(t, "FULL", faultdisk.Fault{}, twoRounds).counts[f.Kind]
	if all == 0 {
		t.Fatal("got no operation of the kind in a run, want some")
	}
	for f.Nth = 1; f.Nth <= all; f.Nth += times(stride, 1) {
		e := start.run(t, "FULL", f, twoRounds)
		if err := check(e); err != nil {
			t.Errorf("when operation %d of %d fails: %v", f.Nth, all, err)
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

// filledDatabase is the files of a database with some records, from which each run begins.
type filledDatabase struct {
	files    map[string][]byte
	requests []*sentRequest
}

func fillDatabase(t *testing.T) filledDatabase {
	t.Helper()
	disk := faultdisk.New()
	defer disk.Close()
	c := &testClient{t: t, disk: disk}
	c.open(file.File{Path: filepath.Join(t.TempDir(), "app.db"), VFS: disk.Name, Synchronous: "FULL", Schema: schema.Released})
	c.parents()
	if err := c.store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, d := range c.sent {
		d.asked, d.answered = -1, 0 // before the first operation on the disk of a run
	}
	return filledDatabase{disk.Image(faultdisk.All, nil), c.sent}
}

// runResult is the result of a run.
type runResult struct {
	counts   map[faultdisk.Kind]int // operations before the fault was lifted
	requests []*sentRequest
	began    int   // the moment when the fault was set
	lifted   int   // the number of requests before the fault was lifted
	read     error // the last error of a read meanwhile
	naive    requestCheck
	// After a power cut where the fault first struck, when all unsynced data has reached the disk:
	// compared with the answers, and with those of a store that answers Unavailable in place of
	// OutcomeUnknown.
	struck, refused requestCheck
	// Checkpoints of the writer.
	copied, failed int64

	live, cut, reopened error // what is wrong before the store is closed, after a power cut, and after it is closed
}

// run opens a copy of the database on a disk with a fault, calls script, lifts the fault, and sends more
// requests to the same store.
func (f filledDatabase) run(t *testing.T, synchronous string, order faultdisk.Fault, script func(*testClient)) (e runResult) {
	t.Helper()
	disk := faultdisk.New()
	defer disk.Close()
	dir := t.TempDir()
	if err := faultdisk.WriteTo(dir, f.files); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "app.db")
	c := &testClient{t: t, disk: disk, sent: slices.Clone(f.requests)}
	c.open(file.File{Path: path, VFS: disk.Name, Synchronous: synchronous, Schema: schema.Released})
	var mu sync.Mutex
	c.after = func(*sentRequest) {
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
	e.lifted = len(c.sent)
	c.round(2)
	e.requests = c.sent
	e.copied, e.failed, _ = c.store.Checkpoints()
	e.end(t, c, path)
	return e
}

// twoRounds is a script with every kind of operation on the files.
func twoRounds(c *testClient) {
	for n, mode := range []string{"PASSIVE", "TRUNCATE"} {
		c.round(n)
		_ = c.checkpoint(mode) // the fault may strike here
	}
}

// end checks what is left, also after power cuts, and closes the store.
func (e *runResult) end(t *testing.T, c *testClient, path string) {
	t.Helper()
	e.naive, _ = checkRequests(t.Context(), c.store, allAcknowledged(c.sent), math.MaxInt) // the next call fails too if this one does
	a, err := checkRequests(t.Context(), c.store, c.sent, math.MaxInt)
	e.live = errors.Join(a.err(), err)
	chance := rand.New(rand.NewPCG(1, uint64(c.disk.Moment())))
	a, err = restart(t, c.disk.Image(faultdisk.None, chance), c.sent, math.MaxInt)
	e.cut = errors.Join(a.err(), err)
	moment := e.began + chance.IntN(c.disk.Moment()-e.began+1)
	a, err = restart(t, c.disk.Replay().At(moment, faultdisk.Sectors, chance), c.sent, moment)
	e.cut = errors.Join(e.cut, a.err(), err)
	e.cutWhereStruck(t, c)
	closing := c.store.Close()
	a, err = reopen(t, path, c.sent, math.MaxInt)
	e.reopened = errors.Join(closing, a.err(), err)
}

// cutWhereStruck simulates a power cut right after the first failure, when all unsynced data has reached
// the disk. So the commit in progress is stored.
func (e *runResult) cutWhereStruck(t *testing.T, c *testClient) {
	t.Helper()
	moment, is := c.disk.Struck()
	if !is {
		return
	}
	files := c.disk.Replay().At(moment, faultdisk.All, nil)
	var err error
	e.struck, err = restart(t, files, c.sent, moment)
	e.cut = errors.Join(e.cut, e.struck.err(), err)
	if len(e.struck.held) > 0 {
		e.refused, err = restart(t, files, noneUnknown(c.sent), moment)
		e.cut = errors.Join(e.cut, err)
	}
}

// noneUnknown returns the requests with the answers of a store that answers Unavailable in place of
// OutcomeUnknown.
func noneUnknown(requests []*sentRequest) []*sentRequest {
	sure := make([]*sentRequest, len(requests))
	for i, d := range requests {
		sure[i] = new(*d)
		if fault.KindOf(d.err) == fault.OutcomeUnknown {
			sure[i].err = fault.New(fault.Unavailable, "the disk does not answer; nothing was stored")
		}
	}
	return sure
}

// allAcknowledged returns the requests with the answers of a store that does not wait for the commit.
func allAcknowledged(requests []*sentRequest) []*sentRequest {
	naive := make([]*sentRequest, len(requests))
	for i, d := range requests {
		naive[i] = new(*d)
		if d.entries > 0 {
			naive[i].err = nil
		}
	}
	return naive
}

// read reads a list as a client would.
func (c *testClient) read() error {
	for _, err := range c.store.Currencies(c.t.Context()) {
		if err != nil {
			return err
		}
	}
	return nil
}

// broken returns an error if the store broke a promise.
func (e runResult) broken() error {
	var lies []error
	for i, d := range e.requests {
		kind := fault.KindOf(d.err)
		switch {
		case d.err == nil:
		case kind == fault.AlreadyExists && d.entries == 0:
		case i >= e.lifted:
			lies = append(lies, fmt.Errorf("%s, after the fault: got %w, want no error", d.name, d.err))
		case kind != fault.Unavailable && kind != fault.OutcomeUnknown:
			lies = append(lies, fmt.Errorf("%s: got %w, want Unavailable or OutcomeUnknown", d.name, d.err))
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

// unknown counts the answers of OutcomeUnknown.
func (e runResult) unknown() int {
	n := 0
	for _, d := range e.requests {
		if fault.KindOf(d.err) == fault.OutcomeUnknown {
			n++
		}
	}
	return n
}
