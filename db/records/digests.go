package records

import (
	"hash/maphash"
	"maps"
	"slices"

	"daybook/internal/journal"
)

// Digests are a digest of each record by its id: of the rows in the tables, or of the records that the
// journal leaves.
type Digests map[journal.Entity]map[int64]uint64

// seed makes the digests unpredictable, so that nobody can construct a collision. They last no longer
// than the process.
var seed = maphash.MakeSeed()

func digest(record []byte) uint64 { return maphash.Bytes(seed, record) }

func newDigests(of []journal.Entity) Digests {
	d := Digests{}
	for _, entity := range of {
		d[entity] = map[int64]uint64{}
	}
	return d
}

// Compare finds each record on which the journal and the tables disagree.
func Compare(told, live Digests, found *Findings) {
	for _, entity := range journal.Kept() {
		wrong := map[int64]string{}
		for id, record := range live[entity] {
			switch said, known := told[entity][id]; {
			case !known:
				wrong[id] = "is not in the journal"
			case said != record:
				wrong[id] = "is not what the journal says"
			}
		}
		for id := range told[entity] {
			if _, is := live[entity][id]; !is {
				wrong[id] = "is in the journal, not in the table"
			}
		}
		for _, id := range slices.Sorted(maps.Keys(wrong)) {
			found.Add(string(entity), id, "%s", wrong[id])
		}
	}
}
