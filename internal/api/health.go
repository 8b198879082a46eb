package api

import (
	"context"
	"errors"
	"math"
	"net/http"
	"runtime"
	"runtime/metrics"
	"time"
)

// longestPing is how long health waits for the database.
const longestPing = time.Second

// healthBody is the health of the server (interface.md, "Health"). Durations are texts like
// "1h2m3s" and "85µs"; memory is in units of 2^20 bytes.
type healthBody struct {
	Status     string         `json:"status"`
	Uptime     string         `json:"uptime"`
	Database   databaseHealth `json:"database"`
	Memory     memoryHealth   `json:"memory"`
	GoVersion  string         `json:"go_version"`
	Goroutines int            `json:"goroutines"`
}

type databaseHealth struct {
	Status          string `json:"status"`
	Latency         string `json:"latency"`
	OpenConnections int    `json:"open_connections"`
	InUse           int    `json:"in_use"`
	Idle            int    `json:"idle"`
}

type memoryHealth struct {
	AllocMB float64 `json:"alloc_mb"`
	SysMB   float64 `json:"sys_mb"`
	NumGC   uint64  `json:"num_gc"`
}

// ping reads from the database and returns how long that took. Concurrent requests share one read, so
// that many of them do not slow the database down.
func (a *api) ping() (time.Duration, error) {
	took, err, _ := a.pings.Do("health", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.Background(), longestPing)
		defer cancel()
		began := time.Now()
		err := a.Database.Ping(ctx)
		return time.Since(began), err
	})
	latency, _ := took.(time.Duration) // nothing else is returned
	return latency, err
}

// health responds 200 if the database answers a read within a second, else 503.
func (a *api) health(c *request) error {
	latency, err := a.ping()
	open, inUse, idle := a.Database.Connections()
	body := healthBody{
		Status: "ok",
		Uptime: a.uptime(),
		Database: databaseHealth{
			Status: "ok", Latency: latency.Round(time.Microsecond).String(),
			OpenConnections: open, InUse: inUse, Idle: idle,
		},
		Memory:     memory(),
		GoVersion:  runtime.Version(),
		Goroutines: runtime.NumGoroutine(),
	}
	status := http.StatusOK
	if err != nil {
		a.unavailable.Do(func() { a.Log.Warn("the database does not answer", "err", err) })
		status, body.Status, body.Database.Status = http.StatusServiceUnavailable, "degraded", "unreachable"
	}
	return write(c, status, body)
}

// readyBody says whether the server takes requests, and if not, why.
type readyBody struct {
	Status string `json:"status"`
	Reason string `json:"reason"`
}

// errEnding is why a server that shuts down is not ready.
var errEnding = errors.New("the server is shutting down")

// readiness is why the server does not take requests: errEnding, or the reason of the database; nil if it takes
// them. Concurrent requests share one check.
func (a *api) readiness() error {
	select {
	case <-a.Ending:
		return errEnding
	default:
	}
	_, err, _ := a.pings.Do("ready", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.Background(), longestPing)
		defer cancel()
		return nil, a.Database.Ready(ctx)
	})
	return err
}

// ready responds 200 if health does and writes are likely to succeed, else 503.
func (a *api) ready(c *request) error {
	err := a.readiness()
	if errors.Is(err, errEnding) {
		return write(c, http.StatusServiceUnavailable, readyBody{"not_ready", err.Error()})
	}
	if err != nil {
		a.unavailable.Do(func() { a.Log.Warn("the database is not ready", "err", err) })
		_, body := errorResponseOf(err)
		return write(c, http.StatusServiceUnavailable, readyBody{"not_ready", a.Named(body.Error)})
	}
	return write(c, http.StatusOK, readyBody{Status: "ok"})
}

// memory reads counters of the runtime, which does not stop the program.
func memory() memoryHealth {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"},
	}
	metrics.Read(samples)
	return memoryHealth{
		AllocMB: megabytes(samples[0].Value.Uint64()),
		SysMB:   megabytes(samples[1].Value.Uint64()),
		NumGC:   samples[2].Value.Uint64(),
	}
}

func megabytes(bytes uint64) float64 { return math.Round(float64(bytes)/(1<<20)*100) / 100 }
