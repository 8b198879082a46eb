package api

import (
	"net/http"
	"runtime"
	"runtime/metrics"
	"time"

	"daybook/internal/backup"
	"daybook/internal/journal"
)

// statusBody is the state of the server for its operator.
type statusBody struct {
	Version       string            `json:"version"`
	SchemaVersion int64             `json:"schema_version"`
	Uptime        string            `json:"uptime"`
	OpenToAll     bool              `json:"open_to_all"`
	TokenRequired bool              `json:"token_required"`
	Addresses     []string          `json:"addresses"`
	Warnings      []string          `json:"warnings"`
	Connections   int               `json:"connections"`
	Goroutines    int               `json:"goroutines"`
	MemoryBytes   uint64            `json:"memory_bytes"`
	Database      fileStatus        `json:"database"`
	Journal       journalStatus     `json:"journal"`
	Checkpoints   checkpointsStatus `json:"checkpoints"`
	Backup        backupStatus      `json:"backup"`
}

type fileStatus struct {
	Path     string `json:"path"` // without its folder
	Bytes    int64  `json:"bytes"`
	LogBytes int64  `json:"log_bytes"`
}

type journalStatus struct {
	Seq  journal.Seq `json:"seq"`
	Hash string      `json:"hash"`
}

type checkpointsStatus struct {
	Done   int64 `json:"done"`
	Failed int64 `json:"failed"`
	HeldUp int64 `json:"held_up"`
}

type backupStatus struct {
	Every       *string          `json:"every"` // null if none is scheduled
	LastSuccess *backup.Manifest `json:"last_success"`
	LastFailure *backupFailure   `json:"last_failure"`
	Warning     *string          `json:"warning"` // null if each backup is of this database
}

type backupFailure struct {
	At    time.Time `json:"at"`
	Error string    `json:"error"`
}

func (a *api) status(c *request) error {
	head, err := a.Journal.JournalHead(c.Request.Context())
	if err != nil {
		return err
	}
	body := statusBody{
		Version: a.Version, SchemaVersion: a.Database.SchemaVersion(), Uptime: a.uptime(),
		OpenToAll: a.OpenToAll, TokenRequired: a.RequireToken,
		Addresses: a.Addresses, Warnings: append([]string{}, a.Warnings...), Goroutines: runtime.NumGoroutine(), MemoryBytes: held(),
		Journal: journalStatus{head.Seq, head.Hash.String()},
		Backup:  a.backupStatus(a.Backups.Status()),
	}
	if a.Connections != nil {
		body.Connections = a.Connections()
	}
	body.Database.Path, body.Database.Bytes, body.Database.LogBytes = a.Database.File()
	body.Checkpoints.Done, body.Checkpoints.Failed, body.Checkpoints.HeldUp = a.Database.Checkpoints()
	return write(c, http.StatusOK, body)
}

func (a *api) backupStatus(s backup.Status) (body backupStatus) {
	if s.Every > 0 {
		every := s.Every.String()
		body.Every = &every
	}
	if s.Newest.File != "" {
		body.LastSuccess = &s.Newest
	}
	if s.Problem != "" {
		body.LastFailure = &backupFailure{At: s.FailedAt, Error: a.Named(s.Problem)}
	}
	if warning := a.Named(s.Warning()); warning != "" {
		body.Warning = &warning
	}
	return body
}

// held is the memory that the runtime has from the system, in bytes.
func held() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// uptime is the time since the start, like "1h2m3s".
func (a *api) uptime() string { return time.Since(a.started).Round(time.Second).String() }
