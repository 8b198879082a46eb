package backup

import (
	"context"
	"fmt"
	"slices"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

const (
	// mostReserve is the space in bytes that a backup leaves free on its disk: about the largest size
	// of the write-ahead log. On a disk of less than 1.3 GB it is the smallShare-th part of the disk.
	mostReserve = 64 << 20
	smallShare  = 20
)

// Fits refuses a backup of that many bytes if the folder has no room, or if less than the reserve would
// stay free. Unavailable.
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

// mostAsked is how many backups on request of one database a folder may hold. Only a person removes
// them.
const mostAsked = 24

// room refuses another backup on request if the folder has mostAsked.
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
		if lineages[i] != Foreign { // a foreign one is of another database with this name
			asked = append(asked, m)
		}
	}
	if len(asked) < mostAsked {
		return nil
	}
	return fault.New(fault.Unavailable, "the folder for backups holds %d that were taken on request, the oldest %s; remove or move some of them, with their manifests", len(asked), asked[0].File)
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }
