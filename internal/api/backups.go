package api

import (
	"context"

	"github.com/gin-gonic/gin"

	"daybook/internal/backup"
)

// Backups takes backups, and knows how it stands with them.
type Backups interface {
	// Take takes a backup now. Unavailable: one is being taken, there are as many as may
	// be, or the disk has no room or refuses. The error's message names no folder.
	Take(ctx context.Context) (backup.Manifest, error)
	Status() backup.Status
}

// takeBackup answers when the backup is whole on the disk. A client that hangs up does
// not end it.
func (a *api) takeBackup(c *gin.Context) error {
	if err := labelled(c); err != nil {
		return err
	}
	manifest, err := a.Backups.Take(context.WithoutCancel(c.Request.Context()))
	return created(c, manifest, err)
}
