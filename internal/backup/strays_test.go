package backup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/journal"
)

// TestTheKeeperKeepsStrays: strays are kept by their age, as if they were alone, and are reported.
func TestTheKeeperKeepsStrays(t *testing.T) {
	s := newScene(t)
	s.lineage = map[string]Lineage{"app-20260102-120000.db": Stray, "app-20260104-120000.db": Stray}
	k := NewKeeper(s.config(24 * time.Hour))
	s.run(k, 60*24*time.Hour)
	for name := range s.lineage {
		if !slices.Contains(s.files(), name) {
			t.Errorf("%s: got it removed, want it kept", name)
		}
	}
	const want = "the backups app-20260102-120000.db, app-20260104-120000.db hold entries that this database does not have"
	for when, k := range map[string]*Keeper{"after a backup": k, "at the start": NewKeeper(s.config(24 * time.Hour))} {
		if got := k.Status().Strays.Warning(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
	}
	if !strings.Contains(s.log.String(), want) {
		t.Error("got no line in the log, want the warning")
	}
	s.lineage = nil
	if _, err := k.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := k.Status().Strays.Warning(); got != "" {
		t.Errorf("without strays: got %q, want no warning", got)
	}
}

// overwrite changes the first byte of a backup.
func (s *scene) overwrite(name string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	content, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	content[0]++
	if err := os.WriteFile(path, content, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// TestABackupWithOtherBytesTakesNoPlace: a backup whose bytes were changed replaces no good one, and the
// log names it.
func TestABackupWithOtherBytesTakesNoPlace(t *testing.T) {
	s := newScene(t)
	const whole, changed = "app-20260130-120000.db", "app-20260131-120000.db"
	k := NewKeeper(s.config(24 * time.Hour))
	s.run(k, 31*24*time.Hour)
	s.overwrite(changed)
	s.run(k, 60*24*time.Hour)
	for _, name := range []string{whole, changed} {
		if !slices.Contains(s.files(), name) {
			t.Errorf("got %s removed, want both kept", name)
		}
	}
	if got := s.files(); slices.Contains(got, "app-20260129-120000.db") || !slices.Contains(got, "app-20260228-120000.db") {
		t.Errorf("got %v, want the newest good backup of January and of February", got)
	}
	if !strings.Contains(s.log.String(), "not what its manifest says") {
		t.Errorf("got the log %q, want it to name the backup", s.log.String())
	}
}

// TestTheKeeperTellsOfDamage: a damaged backup is reported until a good one is taken. Until then no
// older good backup is removed.
func TestTheKeeperTellsOfDamage(t *testing.T) {
	s := newScene(t)
	s.damage = "1 findings: currencies 1: is not what the journal says"
	k := NewKeeper(s.config(24 * time.Hour))
	if m, err := k.Take(t.Context()); err != nil || m.Damage != s.damage {
		t.Errorf("on request: got the damage %q, %v, want %q", m.Damage, err, s.damage)
	}
	s.run(k, 60*24*time.Hour)
	for _, k := range []*Keeper{k, NewKeeper(s.config(0))} { // also after a new start
		if got, want := k.Status().Warning(), "cannot be restored: "+s.damage; !strings.Contains(got, want) || !strings.Contains(s.log.String(), s.damage) {
			t.Errorf("got %q and %s, want %q in both", got, s.log.String(), want)
		}
	}
	s.damage = ""
	s.run(k, 2*24*time.Hour)
	if got := k.Status().Warning(); got != "" || len(s.files())/2 > most {
		t.Errorf("got %q and %d files, want no warning, and the old ones removed", got, len(s.files()))
	}
}

// TestStraysAreFoundByTheirManifests: a stray is found by its manifest even if the backup was moved or
// compressed. Other files are not strays.
func TestStraysAreFoundByTheirManifests(t *testing.T) {
	s := newScene(t)
	m, err := NewKeeper(s.config(0)).Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(s.dir, m.File), filepath.Join(s.dir, m.File+".gz")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.json", DraftPrefix + "draft.json"} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.lineage = map[string]Lineage{m.File: Stray}
	got, err := FindStrays(t.Context(), s.dir, s.lineages)
	if err != nil || !slices.Equal(got, Strays{m.File}) {
		t.Errorf("got %v, %v, want %s", got, err, m.File)
	}
}

// TestWarnings: the warning names at most three strays, in printable characters.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		strays Strays
		want   string
	}{
		{nil, ""},
		{Strays{"a"}, "the backup a holds"},
		{Strays{"a", "b", "c"}, "the backups a, b, c hold "},
		{Strays{"a\xff\x1b"}, `the backup a\xff\x1b holds`},
		{Strays{"a", "b", "c", "d", "e"}, "a, b, c and 2 more backups hold "},
	} {
		if got := c.strays.Warning(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%v: got %q, want %q", c.strays, got, c.want)
		}
	}
}

// line is a chain with one link for each entry up to end.
type line struct{ end journal.Seq }

func (l line) Origin() string                   { return "origin" }
func (l line) Has(h journal.Head) (bool, error) { return h == at(h.Seq, "") && h.Seq <= l.end, nil }

func at(seq journal.Seq, branch string) (h journal.Head) {
	h.Seq = seq
	copy(h.Hash[:], branch+"link")
	return h
}

// TestTheLineageOfABackup: a backup is of the database if the chain has its link.
func TestTheLineageOfABackup(t *testing.T) {
	chain := line{end: 60}
	for name, c := range map[string]struct {
		head journal.Head
		want Lineage
	}{
		"of the chain":              {at(40, ""), Own},
		"the end of the chain":      {at(60, ""), Own},
		"past the end of the chain": {at(61, ""), Stray},
		"on no chain":               {at(50, "lost"), Stray},
	} {
		m := Manifest{TakenAt: start, Contents: Contents{Entries: int64(c.head.Seq), Head: c.head.Hash.String(), Origin: "origin"}}
		if got, err := m.LineageIn(chain); err != nil || got != c.want {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, c.want)
		}
		m.Origin = "another"
		if got, err := m.LineageIn(chain); err != nil || got != Foreign {
			t.Errorf("%s, of another database: got %v, %v, want foreign", name, got, err)
		}
	}
	noLink := Manifest{TakenAt: start, Contents: Contents{Entries: 10, Head: "x", Origin: "origin"}}
	if got, err := noLink.LineageIn(chain); err != nil || got != Stray {
		t.Errorf("a head that is not a link: got %v, %v, want a stray", got, err)
	}
}
