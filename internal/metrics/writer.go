package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Writer counts what the one writer of a database does.
type Writer struct {
	queue           prometheus.GaugeFunc
	requests        prometheus.Histogram
	took, commit    prometheus.Histogram
	refused         *prometheus.CounterVec
	tooMany, unable prometheus.Counter
}

// seconds are the buckets of a transaction, whose commit takes a tenth of a millisecond on a fast disk and
// some hundred on a memory card.
var seconds = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 10}

// NewWriter returns the counts of a writer, and asks it how many requests wait.
func NewWriter(waiting func() int) *Writer {
	w := &Writer{
		queue: prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "daybook_writer_queue_requests", Help: "Writes that wait for the writer.",
		}, func() float64 { return float64(waiting()) }),
		requests: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "daybook_writer_batch_requests", Help: "Writes that one transaction stored together.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 10),
		}),
		took: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "daybook_writer_batch_duration_seconds", Help: "The time of a transaction, from its beginning to the end of its commit.",
			Buckets: seconds,
		}),
		commit: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "daybook_writer_commit_duration_seconds", Help: "The time of a commit alone, which waits for the disk.",
			Buckets: seconds,
		}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "daybook_writer_refused_total", Help: "Writes that were refused: too many were waiting (queue_full), or their transaction failed (failed).",
		}, []string{"reason"}),
	}
	w.tooMany, w.unable = w.refused.WithLabelValues("queue_full"), w.refused.WithLabelValues("failed")
	return w
}

// Transaction notes a transaction of so many requests, the time that it took, and that of its commit; 0 if it did
// not come to that.
func (w *Writer) Transaction(requests int, took, commit time.Duration) {
	w.requests.Observe(float64(requests))
	w.took.Observe(took.Seconds())
	if commit > 0 {
		w.commit.Observe(commit.Seconds())
	}
}

// TooMany counts a request that was refused because too many waited.
func (w *Writer) TooMany() { w.tooMany.Inc() }

// Failed counts requests whose transaction failed.
func (w *Writer) Failed(requests int) { w.unable.Add(float64(requests)) }
