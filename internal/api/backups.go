package api

import (
	"context"

	"daybook/internal/backup"
)

// Backups takes backups and reports on them.
type Backups interface {
	// Take takes a backup now. Unavailable: another is being taken, there are as many as allowed, or
	// the disk is full or fails. The message names no folder.
	Take(ctx context.Context) (backup.Manifest, error)
	Status() backup.Status
}

// takeBackup responds when the backup is complete on the disk. It goes on if the client hangs up.
func (a *api) takeBackup(c *request) error {
	if err := labelled(c); err != nil {
		return err
	}
	manifest, err := a.Backups.Take(context.WithoutCancel(c.Request.Context()))
	return created(c, manifest, err)
}
