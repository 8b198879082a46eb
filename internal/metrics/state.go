package metrics

import "github.com/prometheus/client_golang/prometheus"

// stateCollector makes series of a state.
type stateCollector func() State

func described(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("daybook_"+name, help, labels, nil)
}

var (
	ready         = described("ready", "1 if /ready answers 200, else 0.")
	sequence      = described("journal_sequence", "The number of the newest journal entry. Absent while the database does not answer.")
	headTime      = described("journal_head_timestamp_seconds", "When the newest journal entry was written. Absent if there is none, or the database does not answer.")
	connections   = described("connections", "Connections of clients that are open.")
	streams       = described("event_streams", "Streams of events that are open.")
	databaseBytes = described("database_size_bytes", "The size of the database file. Absent while the disk does not answer.")
	walBytes      = described("wal_size_bytes", "The size of the write-ahead log. Absent while the disk does not answer.")
	freeBytes     = described("disk_free_bytes", "What is free on the disk of the database. Absent while the disk does not answer.")
	checkpoints   = described("checkpoints_total", "Checkpoints of the write-ahead log: done, failed, or held up by readers.", "result")
	databaseOpen  = described("database_connections", "Connections to the database file.", "state")
	held          = described("held_bytes", "Bytes that large bodies, large responses and exports hold.", "purpose")
	backupEvery   = described("backup_interval_seconds", "The time between scheduled backups. 0 if none is scheduled.")
	backupTime    = described("backup_last_success_timestamp_seconds", "When the last good backup was taken. Absent if there is none.")
	backupBytes   = described("backup_last_success_size_bytes", "The size of the last good backup. Absent if there is none.")
	backupTook    = described("backup_last_success_duration_seconds", "How long the last good backup took. Absent if this process did not take it.")
	backupFailed  = described("backup_failed", "1 if the last attempt at a backup failed, else 0.")
)

// Describe implements prometheus.Collector.
func (c stateCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		ready, sequence, headTime, connections, streams, databaseBytes, walBytes, freeBytes, checkpoints, databaseOpen, held,
		backupEvery, backupTime, backupBytes, backupTook, backupFailed,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c stateCollector) Collect(to chan<- prometheus.Metric) {
	s := c()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	gauge(ready, flag(s.Disk != nil && s.Disk.Ready))
	if s.Disk != nil {
		s.Disk.collect(gauge)
	}
	gauge(connections, float64(s.Connections))
	gauge(streams, float64(s.Streams))
	counter(checkpoints, s.Checkpoints.Done, "done")
	counter(checkpoints, s.Checkpoints.Failed, "failed")
	counter(checkpoints, s.Checkpoints.HeldUp, "held_up")
	gauge(databaseOpen, float64(s.ReadersInUse), "in_use")
	gauge(databaseOpen, float64(s.ReadersIdle), "idle")
	gauge(held, float64(s.BodyBytes), "bodies")
	gauge(held, float64(s.ResponseBytes), "responses")
	gauge(held, float64(s.ExportBytes), "exports")
	s.Backup.collect(gauge)
}

type gauges func(d *prometheus.Desc, value float64, labels ...string)

func (d *Disk) collect(gauge gauges) {
	gauge(databaseBytes, float64(d.DatabaseBytes))
	gauge(walBytes, float64(d.WALBytes))
	if d.FreeBytes >= 0 {
		gauge(freeBytes, float64(d.FreeBytes))
	}
	if d.Sequence >= 0 {
		gauge(sequence, float64(d.Sequence))
	}
	if !d.HeadAt.IsZero() {
		gauge(headTime, float64(d.HeadAt.UnixMicro())/1e6)
	}
}

func (b Backup) collect(gauge gauges) {
	gauge(backupEvery, b.Every.Seconds())
	gauge(backupFailed, flag(b.Failed))
	if b.Last.IsZero() {
		return
	}
	gauge(backupTime, float64(b.Last.Unix()))
	gauge(backupBytes, float64(b.Bytes))
	if b.Took > 0 {
		gauge(backupTook, b.Took.Seconds())
	}
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
