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

// A told is the journal of a database or a backup: its links, and the abandoned branches that it
// records.
type told struct {
	links    []journal.Hash // that of entry 1 first
	branches []Branch
}

func (c told) Origin() string     { return "origin" }
func (c told) Branches() []Branch { return c.branches }
func (c told) Has(h journal.Head) (bool, error) {
	return int(h.Seq) <= len(c.links) && c.links[h.Seq-1] == h.Hash, nil
}

func (c told) head() journal.Head {
	return journal.Head{Seq: journal.Seq(len(c.links)), Hash: c.links[len(c.links)-1]}
}

func (c told) copied() told { return told{slices.Clone(c.links), slices.Clone(c.branches)} }

// A history is a database that was written, backed up and restored at random, and the
// backups that are left.
type history struct {
	*rand.Rand
	told
	grown int
	now   time.Time
	files []Manifest
	in    map[string]told // what is in a file
	lost  string          // the first backup that was removed and that no other one continues
}

func newHistory(seed int64) *history {
	h := &history{Rand: rand.New(rand.NewSource(seed)), now: start, in: map[string]told{}}
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
			t.Fatalf("%s is a stray", m.File)
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
		held := func(in told) bool { is, _ := in.Has(head); return is }
		if h.lost == "" && !held(h.told) && !slices.ContainsFunc(h.files, func(left Manifest) bool { return held(h.in[left.File]) }) {
			h.lost = fmt.Sprintf("%s, which ends with entry %d", m.File, m.Entries)
		}
	}
}

// restore puts a backup in the place of the database, with what sqlite.Restore records.
func (h *history) restore() {
	from := h.files[h.Intn(len(h.files))]
	if h.Float64() < .5 && len(h.files) > 3 {
		from = h.files[len(h.files)-1-h.Intn(3)]
	}
	before := h.told
	h.told = h.in[from.File].copied()
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

// live lets some months pass.
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

// After any sequence of restores, the database or a kept backup continues each removed backup. No
// backup of a branch counts as a stray. In the control, all given-up branches count as strays.
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
			t.Errorf("seed %d: got %s removed, and no backup left that continues it", seed, h.lost)
		}
		control := newHistory(seed)
		control.live(t, func(Manifest, Manifest) (bool, error) { return true, nil })
		if control.lost != "" {
			lost++
		}
	}
	if lost == 0 {
		t.Errorf("the control: got no branch lost in %d histories, want some", histories)
	}
}
