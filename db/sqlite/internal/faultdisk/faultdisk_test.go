package faultdisk

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// of returns n bytes of a letter.
func of(letter byte, n int) []byte { return bytes.Repeat([]byte{letter}, n) }

// after returns a volume after the operations.
func after(ops ...Op) *volume {
	v := newVolume()
	for _, op := range ops {
		v.apply(op)
	}
	return v
}

// TestWhatAPowerCutLeaves: the simulated disk has the right content after a power cut, both if nothing
// that was unsynced survives and if all of it does.
func TestWhatAPowerCutLeaves(t *testing.T) {
	found := Op{Kind: Found, File: "f", Data: of('a', Sector)}
	create := Op{Kind: Create, File: "f"}
	write := Op{Kind: Write, File: "f", Offset: 0, Data: of('b', Sector)}
	more := Op{Kind: Write, File: "f", Offset: Sector, Data: of('c', 3)}
	sync := Op{Kind: Sync, File: "f"}
	directory := Op{Kind: Sync, File: "f", Dir: true}
	cut := Op{Kind: Truncate, File: "f", Size: 1}
	drop, clean, remove := Op{Kind: Drop, File: "f"}, Op{Kind: Clean, File: "f"}, Op{Kind: Delete, File: "f"}
	all := append(of('b', Sector), "ccc"...)
	for name, c := range map[string]struct {
		ops       []Op
		none, all []byte // nil is no file
	}{
		"what was found":                   {[]Op{found}, of('a', Sector), of('a', Sector)},
		"a write":                          {[]Op{found, write}, of('a', Sector), of('b', Sector)},
		"a write and a sync":               {[]Op{found, write, sync}, of('b', Sector), of('b', Sector)},
		"a write after a sync":             {[]Op{found, write, sync, more}, of('b', Sector), all},
		"a file whose name was not synced": {[]Op{create, write, sync}, nil, of('b', Sector)},
		"a file whose name was synced":     {[]Op{create, write, directory}, of('b', Sector), of('b', Sector)},
		"a truncation":                     {[]Op{found, cut}, of('a', Sector), of('a', 1)},
		"a truncation and a sync":          {[]Op{found, cut, sync}, of('a', 1), of('a', 1)},
		"a removal":                        {[]Op{found, remove}, of('a', Sector), nil},
		"a sync that drops":                {[]Op{found, write, more, drop}, of('a', Sector), of('a', Sector)},
		"a sync that drops, and another":   {[]Op{found, write, drop, sync}, of('a', Sector), of('a', Sector)},
		"a sync that cleans, and another":  {[]Op{found, write, clean, sync}, of('a', Sector), of('a', Sector)},
		"a sector written again after a sync that cleaned": {
			[]Op{found, write, clean, {Kind: Write, File: "f", Offset: 1, Data: of('d', 1)}, sync},
			append([]byte("bd"), of('b', Sector-2)...), append([]byte("bd"), of('b', Sector-2)...),
		},
	} {
		v := after(c.ops...)
		for survival, want := range map[Survival][]byte{None: c.none, All: c.all} {
			got, there := v.image(survival, nil)["f"]
			if there != (want != nil) || !bytes.Equal(got, want) {
				t.Errorf("%s, survival %d: got %q (%t), want %q", name, survival, got, there, want)
			}
		}
	}
}

// TestSectorsSurviveAlone: after a power cut each sector has the content that it had at some time,
// independently of the others. A sector is never a mixture.
func TestSectorsSurviveAlone(t *testing.T) {
	v := after(
		Op{Kind: Found, File: "f", Data: of('a', 2*Sector)},
		Op{Kind: Write, File: "f", Offset: 0, Data: of('b', 2*Sector)},
		Op{Kind: Write, File: "f", Offset: 0, Data: of('c', 2*Sector)},
	)
	seen := map[string]bool{}
	for seed := range uint64(500) {
		image := v.image(Sectors, rand.New(rand.NewPCG(seed, 0)))["f"]
		first, second := image[:Sector], image[Sector:]
		if !bytes.Equal(first, of(first[0], Sector)) || !bytes.Equal(second, of(second[0], Sector)) {
			t.Fatalf("got a sector with a mixture of bytes: %q, want each sector whole", image)
		}
		seen[string([]byte{first[0], second[0]})] = true
	}
	if len(seen) != 9 {
		t.Errorf("got %d combinations of sectors, want all 9", len(seen))
	}
}
