// Package metrics counts requests, and writes the state of a server in Prometheus' text format.
//
// The number of series is bounded, whatever clients send: a label has only values that the program knows.
package metrics

import (
	"bytes"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"
)

// ContentType is that of Text.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// State is the state of a server at one moment.
type State struct {
	Disk          *Disk // nil while the disk or the database does not answer
	Connections   int
	Streams       int // of events
	Checkpoints   Checkpoints
	ReadersInUse  int
	ReadersIdle   int
	BodyBytes     int64 // of large bodies that are arriving
	ResponseBytes int64 // of large responses that are being sent
	ExportBytes   int64 // of exports on the disk
	Backup        Backup
}

// Disk is what only the disk and the database tell.
type Disk struct {
	Ready         bool
	Sequence      int64     // of the newest journal entry; negative if the database does not answer
	HeadAt        time.Time // when it was written; zero if there is none
	DatabaseBytes int64
	WALBytes      int64
	FreeBytes     int64 // negative if it is not known
}

// Backup is the state of the backups.
type Backup struct {
	Every  time.Duration
	Last   time.Time // zero for none
	Bytes  int64     // of the last
	Took   time.Duration
	Failed bool // the last attempt
}

// Checkpoints counts the checkpoints of the write-ahead log by their result.
type Checkpoints struct{ Done, Failed, HeldUp int64 }

// Metrics counts the requests of one server.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// New returns metrics of a version of the program and of its writer. Each Text calls state once.
func New(version string, writer *Writer, state func() State) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "daybook_http_requests_total", Help: "Requests that ended, by the template of their path.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "daybook_http_request_duration_seconds", Help: "The time from the headers of a request to the end of its response. Streams of events are left out.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 30},
		}, []string{"route"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "daybook_build_info", Help: "1, with the version of the program as a label.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.seconds, build, stateCollector(state), writer.queue, writer.requests, writer.took, writer.commit, writer.refused,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// methods are those with a label of their own.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// Count counts a request by the template of its path, "" for a path that does not exist.
func (m *Metrics) Count(route, method string, status int) {
	m.requests.WithLabelValues(Route(route), Method(method), strconv.Itoa(status/100)+"xx").Inc()
}

// Time notes how long a request took.
func (m *Metrics) Time(route string, took time.Duration) {
	m.seconds.WithLabelValues(Route(route)).Observe(took.Seconds())
}

// Route is the name of a route in a label, "other" for a path that does not exist.
func Route(route string) string {
	if route == "" {
		return "other"
	}
	return route
}

// Method is the name of a method in a label, "other" for one that is not served.
func Method(method string) string {
	if !slices.Contains(methods, method) {
		return "other"
	}
	return method
}

// Text is the state now, and all that was counted.
func (m *Metrics) Text() ([]byte, error) {
	families, err := m.registry.Gather()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encoder := expfmt.NewEncoder(&text, expfmt.NewFormat(expfmt.TypeTextPlain))
	for _, family := range families {
		if err := encoder.Encode(family); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}
