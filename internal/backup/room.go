package backup

import (
	"context"
	"fmt"
	"slices"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

const (
	// mostReserve is what a backup leaves free on its disk, in bytes: about what the
	// write-ahead log of a database may grow to. On a disk of less than 1.3 GB it is
	// the smallShare-th part of that.
	mostReserve = 64 << 20
	smallShare  = 20
)

// Fits refuses a backup of that many bytes for which a folder has no room, or which
// would leave less than the reserve free. Unavailable.
func Fits(dir string, size int64) error {
	free, all, err := disk.Room(dir)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "cannot tell how much room the disk of %s has", dir)
	}
	return fits(size, free, all)
}

func fits(size, free, all int64) error {
	reserve := min(mostReserve, all/smallShare)
	if size <= free-reserve {
		return nil
	}
	return fault.New(fault.Unavailable, "the disk has no room for a backup: it takes %s and must leave %s free, and %s are free; remove old backups or make room", megabytes(size), megabytes(reserve), megabytes(free))
}

// mostAsked is how many backups that were taken on request a folder holds of a
// database, before more are refused. Nothing removes them but a person.
const mostAsked = 24

// room refuses a further backup on request where there are as many as may be.
func (k *Keeper) room(ctx context.Context) error {
	found, err := list(k.config.Dir, k.config.Database)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "cannot read the folder for backups")
	}
	found = slices.DeleteFunc(found, func(m Manifest) bool { return m.Scheduled })
	if len(found) < mostAsked {
		return nil
	}
	lineages, err := k.config.Lineages(ctx, found)
	if err != nil {
		return err
	}
	var asked []Manifest
	for i, m := range found {
		if lineages[i] != Foreign { // else it is of another database of this name
			asked = append(asked, m)
		}
	}
	if len(asked) < mostAsked {
		return nil
	}
	return fault.New(fault.Unavailable, "the folder for backups holds %d that were taken on request, the oldest %s; remove or move some of them, with their manifests", len(asked), asked[0].File)
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }
