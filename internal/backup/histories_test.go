package backup

import (
	"crypto/sha256"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"testing"
	"time"

	"daybook/internal/journal"
)

// A fakeChain is the journal of a database or of a backup: its links, and the abandoned branches that it
// records.
type fakeChain struct {
	links    []journal.Hash // of the entries 1, 2, 3 and so on
	branches []Branch
}

func (c fakeChain) Origin() string     { return "origin" }
func (c fakeChain) Branches() []Branch { return c.branches }
func (c fakeChain) Has(h journal.Head) (bool, error) {
	return int(h.Seq) <= len(c.links) && c.links[h.Seq-1] == h.Hash, nil
}

func (c fakeChain) head() journal.Head {
	return journal.Head{Seq: journal.Seq(len(c.links)), Hash: c.links[len(c.links)-1]}
}

func (c fakeChain) copied() fakeChain {
	return fakeChain{slices.Clone(c.links), slices.Clone(c.branches)}
}

// A history is a database that is written, backed up and restored at random, with the backups that are
// kept.
type history struct {
	*rand.Rand
	fakeChain
	grown int
	now   time.Time
	files []Manifest
	in    map[string]fakeChain // the chain in each backup, by its file
	lost  string               // the first backup that was removed and that no other one continues
}

func newHistory(seed int64) *history {
	h := &history{Rand: rand.New(rand.NewSource(seed)), now: start, in: map[string]fakeChain{}}
	h.grow(3)
	return h
}

// grow adds entries whose links no other branch has.
func (h *history) grow(entries int) {
	for range entries {
		h.grown++
		h.links = append(h.links, sha256.Sum256([]byte(strconv.Itoa(h.grown))))
	}
}

// backup takes a backup, mostly a scheduled one, and removes those that are no longer kept.
func (h *history) backup(t *testing.T, holds func(later, earlier Manifest) (bool, error)) {
	t.Helper()
	m := Manifest{File: strconv.Itoa(len(h.in)), TakenAt: h.now, Scheduled: h.Float64() < .9}
	m.Entries, m.Head, m.Origin = int64(len(h.links)), h.head().Hash.String(), h.Origin()
	h.files, h.in[m.File] = append(h.files, m), h.copied()
	if !m.Scheduled {
		return
	}
	lineages := make([]Lineage, len(h.files))
	for i, m := range h.files {
		lineages[i], _ = m.LineageIn(h)
		if lineages[i] == Stray {
			t.Fatalf("got %s counted as a stray, want no stray", m.File)
		}
	}
	old, err := superseded(h.files, lineages, h.now, holds)
	if err != nil {
		t.Fatal(err)
	}
	h.files = slices.DeleteFunc(h.files, func(m Manifest) bool {
		return slices.ContainsFunc(old, func(o Manifest) bool { return o.File == m.File })
	})
	for _, m := range old {
		head, _ := m.ChainHead()
		held := func(in fakeChain) bool { is, _ := in.Has(head); return is }
		if h.lost == "" && !held(h.fakeChain) && !slices.ContainsFunc(h.files, func(left Manifest) bool { return held(h.in[left.File]) }) {
			h.lost = fmt.Sprintf("%s, which ends with entry %d", m.File, m.Entries)
		}
	}
}

// restore replaces the database by a backup, and records the abandoned branch as sqlite.Restore does.
func (h *history) restore() {
	from := h.files[h.Intn(len(h.files))]
	if h.Float64() < .5 && len(h.files) > 3 {
		from = h.files[len(h.files)-1-h.Intn(3)]
	}
	before := h.fakeChain
	h.fakeChain = h.in[from.File].copied()
	fork := 0
	for fork < min(len(before.links), len(h.links)) && before.links[fork] == h.links[fork] {
		fork++
	}
	chain, recorded := h.copied(), slices.Clone(h.branches)
	gives := func(b Branch) {
		has, _ := chain.Has(b.Head)
		if has || slices.ContainsFunc(recorded, func(other Branch) bool { return other.Head == b.Head }) {
			return
		}
		h.branches = append(h.branches, b)
		h.grow(1)
	}
	for _, b := range before.branches {
		b.Fork = min(b.Fork, journal.Seq(fork))
		gives(b)
	}
	gives(Branch{Fork: journal.Seq(fork), Head: before.head(), Until: h.now})
}

// live writes, backs up and restores at random for some months.
func (h *history) live(t *testing.T, holds func(later, earlier Manifest) (bool, error)) {
	t.Helper()
	for range 500 {
		h.now = h.now.Add(time.Duration(h.Intn(30)+1) * time.Hour)
		h.grow(h.Intn(4))
		switch what := h.Float64(); {
		case what < .85:
			h.backup(t, holds)
		case what < .97 && len(h.files) > 0:
			h.restore()
			h.now = h.now.Add(time.Second)
		}
	}
}

// TestRetentionLosesNoBranch: after any sequence of restores, the database or a kept backup continues
// each removed backup. No backup of a branch counts as a stray. As a control, every later backup counts
// as a continuation of every earlier one; then some branches are lost.
func TestRetentionLosesNoBranch(t *testing.T) {
	const histories = 10
	lost := 0
	for seed := range int64(histories) {
		h := newHistory(seed)
		h.live(t, func(later, earlier Manifest) (bool, error) {
			head, err := earlier.ChainHead()
			if err != nil {
				return false, err
			}
			return h.in[later.File].Has(head)
		})
		if h.lost != "" {
			t.Errorf("seed %d: got %s removed and no backup that continues it, want one", seed, h.lost)
		}
		control := newHistory(seed)
		control.live(t, func(Manifest, Manifest) (bool, error) { return true, nil })
		if control.lost != "" {
			lost++
		}
	}
	if lost == 0 {
		t.Errorf("as a control: got no branch lost in %d histories, want some", histories)
	}
}
