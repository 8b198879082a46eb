package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/backup"
	"daybook/internal/metrics"
	"daybook/internal/seed"
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

// demoBody counts the demo data.
type demoBody struct {
	Currencies  int `json:"currencies"`
	Companies   int `json:"companies"`
	Revenues    int `json:"revenues"`
	Trades      int `json:"trades"`
	Departments int `json:"departments"`
	Accounts    int `json:"gl_accounts"`
	Lines       int `json:"budget_lines"`
	Actuals     int `json:"actuals"`
}

// loadDemo fills an empty database with demo data, in one transaction: of two requests at once the
// second one finds data.
func (a *api) loadDemo(c *request) error {
	if err := labelled(c); err != nil {
		return err
	}
	s, err := seed.Run(c.Request.Context(), a.Atomically, a.Book, a.Ledger, a.Demo())
	return created(c, demoBody{
		Currencies: s.Currencies, Companies: s.Companies, Revenues: s.Revenues, Trades: s.Trades,
		Departments: s.Departments, Accounts: s.Accounts, Lines: s.Lines, Actuals: s.Actuals,
	}, err)
}

// eventsPath is the path whose responses have no end.
const eventsPath = "/api/v1/events"

// count counts each request when it ends.
func (a *api) count(g *gin.Context) {
	began := time.Now()
	defer func() {
		a.metrics.Count(g.FullPath(), g.Request.Method, g.Writer.Status())
		if g.FullPath() != eventsPath {
			a.metrics.Time(g.FullPath(), time.Since(began))
		}
	}()
	g.Next()
}

// scrape responds with the metrics, also while the database does not answer.
func (a *api) scrape(c *request) error {
	text, err := a.metrics.Text()
	if err != nil {
		return err
	}
	writeBytes(c, http.StatusOK, metrics.ContentType, text)
	return nil
}

// state is the state for a scrape. It waits for the database for at most twice longestPing.
func (a *api) state() metrics.State {
	backups := a.Backups.Status()
	s := metrics.State{
		Ready:         a.readiness() == nil,
		Sequence:      a.sequence(),
		Streams:       a.watch.count(),
		BodyBytes:     a.bodies.Held(),
		ResponseBytes: a.responses.Held(),
		ExportBytes:   a.files.Held(),
		BackupEvery:   backups.Every,
		BackupFailed:  backups.Problem != "",
	}
	if a.Connections != nil {
		s.Connections = a.Connections()
	}
	_, s.DatabaseBytes, s.WALBytes = a.Database.File()
	_, s.ReadersInUse, s.ReadersIdle = a.Database.Connections()
	s.Checkpoints.Done, s.Checkpoints.Failed, s.Checkpoints.HeldUp = a.Database.Checkpoints()
	if backups.Newest.File != "" {
		s.LastBackup, s.LastBackupBytes = backups.Newest.TakenAt, backups.Newest.Bytes
	}
	return s
}

// sequence is the number of the newest journal entry, or -1 if the database does not answer.
func (a *api) sequence() int64 {
	ctx, cancel := context.WithTimeout(context.Background(), longestPing)
	defer cancel()
	head, err := a.Journal.JournalHead(ctx)
	if err != nil {
		return -1
	}
	return int64(head.Seq)
}
