package api

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/backup"
)

// statusBody is what an operator looks at.
type statusBody struct {
	Version       string            `json:"version"`
	SchemaVersion int64             `json:"schema_version"`
	Uptime        string            `json:"uptime"`
	OpenToAll     bool              `json:"open_to_all"`
	TokenRequired bool              `json:"token_required"`
	Checkpoints   checkpointsStatus `json:"checkpoints"`
	Backup        backupStatus      `json:"backup"`
}

type checkpointsStatus struct {
	Done   int64 `json:"done"`
	Failed int64 `json:"failed"`
}

type backupStatus struct {
	Every       *string          `json:"every"` // null where none is scheduled
	LastSuccess *backup.Manifest `json:"last_success"`
	LastFailure *backupFailure   `json:"last_failure"`
}

type backupFailure struct {
	At    time.Time `json:"at"`
	Error string    `json:"error"`
}

func (a *api) status(c *gin.Context) error {
	body := statusBody{
		Version: a.Version, SchemaVersion: a.Database.SchemaVersion(), Uptime: a.uptime(),
		OpenToAll: a.OpenToAll, TokenRequired: a.RequireToken,
		Backup: backupStatusOf(a.Backups.Status()),
	}
	body.Checkpoints.Done, body.Checkpoints.Failed = a.Database.Checkpoints()
	return write(c, http.StatusOK, body)
}

func backupStatusOf(s backup.Status) (body backupStatus) {
	if s.Every > 0 {
		every := s.Every.String()
		body.Every = &every
	}
	if s.Newest.File != "" {
		body.LastSuccess = &s.Newest
	}
	if s.Problem != "" {
		body.LastFailure = &backupFailure{At: s.FailedAt, Error: s.Problem}
	}
	return body
}

// uptime is since the start, like "1h2m3s".
func (a *api) uptime() string { return time.Since(a.started).Round(time.Second).String() }
