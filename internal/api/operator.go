package api

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/backup"
	"daybook/internal/journal"
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

// count counts each request when it ends, and logs it if that is wanted.
func (a *api) count(g *gin.Context) {
	began := time.Now()
	defer func() {
		took := time.Since(began)
		a.metrics.Count(g.FullPath(), g.Request.Method, g.Writer.Status())
		if g.FullPath() != eventsPath {
			a.metrics.Time(g.FullPath(), took)
		}
		if a.AccessLog {
			a.logAccess(g, took)
		}
	}()
	g.Next()
}

// logAccess logs a request that ended. It names the template of its path, because a path or a query can have what
// is in the books.
func (a *api) logAccess(g *gin.Context, took time.Duration) {
	origin := journal.OriginOf(g.Request.Context())
	if a.RequireToken && origin.Actor == localActor {
		origin.Actor = "" // nobody said who
	}
	a.Log.LogAttrs(g.Request.Context(), slog.LevelInfo, "request",
		slog.String("id", origin.Request), slog.String("principal", origin.Actor), slog.String("method", metrics.Method(g.Request.Method)),
		slog.String("route", metrics.Route(g.FullPath())), slog.Int("status", g.Writer.Status()),
		slog.Float64("ms", math.Round(took.Seconds()*1e6)/1e3))
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

// state is the state for a scrape. It waits for the disk for at most longestPing.
func (a *api) state() metrics.State {
	s := metrics.State{
		Disk:          a.disk(),
		Streams:       a.watch.count(),
		BodyBytes:     a.bodies.Held(),
		ResponseBytes: a.responses.Held(),
		ExportBytes:   a.files.Held(),
	}
	if a.Connections != nil {
		s.Connections = a.Connections()
	}
	_, s.ReadersInUse, s.ReadersIdle = a.Database.Connections()
	s.Checkpoints.Done, s.Checkpoints.Failed, s.Checkpoints.HeldUp = a.Database.Checkpoints()
	backups := a.Backups.Status()
	s.Backup = metrics.Backup{Every: backups.Every, Failed: backups.Problem != ""}
	if newest := backups.Newest; newest.File != "" {
		s.Backup.Last, s.Backup.Bytes, s.Backup.Took = newest.TakenAt, newest.Bytes, backups.Took
	}
	return s
}

// disk asks the disk and the database. It is nil if they do not answer within longestPing. Scrapes share one
// look, so that those of a disk that never answers leave one goroutine behind.
func (a *api) disk() *metrics.Disk {
	looked := a.pings.DoChan("disk", func() (any, error) { return a.look(), nil })
	select {
	case found := <-looked:
		d, _ := found.Val.(*metrics.Disk) // nothing else is returned
		return d
	case <-time.After(longestPing):
		return nil
	}
}

func (a *api) look() *metrics.Disk {
	d := &metrics.Disk{Ready: a.readiness() == nil}
	d.Sequence, d.HeadAt = a.head()
	_, d.DatabaseBytes, d.WALBytes = a.Database.File()
	d.FreeBytes = a.Database.Free()
	return d
}

// head is the number of the newest journal entry and its time: -1 if the database does not answer, 0 if
// there is none.
func (a *api) head() (int64, time.Time) {
	ctx, cancel := context.WithTimeout(context.Background(), longestPing)
	defer cancel()
	head, err := a.Journal.JournalHead(ctx)
	if err != nil {
		return -1, time.Time{}
	}
	newest, err := a.Journal.JournalPage(ctx, journal.Filter{After: head.Seq - 1, Limit: 1})
	if err != nil || len(newest) == 0 {
		return int64(head.Seq), time.Time{}
	}
	return int64(head.Seq), newest[0].At
}
