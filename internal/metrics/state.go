package metrics

import "github.com/prometheus/client_golang/prometheus"

// stateCollector makes series of a state.
type stateCollector func() State

func described(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("daybook_"+name, help, labels, nil)
}

var (
	ready           = described("ready", "1 if /ready answers 200, else 0.")
	sequence        = described("journal_sequence", "The number of the newest journal entry.")
	connections     = described("connections", "Connections of clients that are open.")
	streams         = described("event_streams", "Streams of events that are open.")
	databaseBytes   = described("database_size_bytes", "The size of the database file.")
	walBytes        = described("wal_size_bytes", "The size of the write-ahead log.")
	checkpoints     = described("checkpoints_total", "Checkpoints of the write-ahead log: done, failed, or held up by readers.", "result")
	databaseOpen    = described("database_connections", "Connections to the database file.", "state")
	held            = described("held_bytes", "Bytes that large bodies, large responses and exports hold.", "purpose")
	backupEvery     = described("backup_interval_seconds", "The time between scheduled backups. 0 if none is scheduled.")
	backupTime      = described("backup_last_success_timestamp_seconds", "When the last good backup was taken. Absent if there is none.")
	backupBytes     = described("backup_last_success_size_bytes", "The size of the last good backup. Absent if there is none.")
	backupFailed    = described("backup_failed", "1 if the last attempt at a backup failed, else 0.")
	allDescriptions = []*prometheus.Desc{
		ready, sequence, connections, streams, databaseBytes, walBytes, checkpoints, databaseOpen, held,
		backupEvery, backupTime, backupBytes, backupFailed,
	}
)

// Describe implements prometheus.Collector.
func (c stateCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range allDescriptions {
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
	gauge(ready, flag(s.Ready))
	if s.Sequence >= 0 {
		gauge(sequence, float64(s.Sequence))
	}
	gauge(connections, float64(s.Connections))
	gauge(streams, float64(s.Streams))
	gauge(databaseBytes, float64(s.DatabaseBytes))
	gauge(walBytes, float64(s.WALBytes))
	counter(checkpoints, s.Checkpoints.Done, "done")
	counter(checkpoints, s.Checkpoints.Failed, "failed")
	counter(checkpoints, s.Checkpoints.HeldUp, "held_up")
	gauge(databaseOpen, float64(s.ReadersInUse), "in_use")
	gauge(databaseOpen, float64(s.ReadersIdle), "idle")
	gauge(held, float64(s.BodyBytes), "bodies")
	gauge(held, float64(s.ResponseBytes), "responses")
	gauge(held, float64(s.ExportBytes), "exports")
	gauge(backupEvery, s.BackupEvery.Seconds())
	gauge(backupFailed, flag(s.BackupFailed))
	if !s.LastBackup.IsZero() {
		gauge(backupTime, float64(s.LastBackup.Unix()))
		gauge(backupBytes, float64(s.LastBackupBytes))
	}
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
