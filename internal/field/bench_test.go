package field_test

import (
	"testing"
	"time"

	"daybook/internal/money"
)

// BenchmarkAppend writes a record.
func BenchmarkAppend(b *testing.B) {
	n := &note{ID: 7, Title: "Rent of the office", Length: 10, Fee: money.Units(1), Price: 4_125_310_000, Date: time.Date(2026, 1, 2, 10, 20, 30, 0, time.UTC)}
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		out, _ = noteFields.Append(out[:0], n)
	}
}

// BenchmarkScan reads it back.
func BenchmarkScan(b *testing.B) {
	written, _ := noteFields.Append(nil, &note{ID: 7, Title: "Rent of the office", Length: 10, Date: time.Date(2026, 1, 2, 10, 20, 30, 0, time.UTC)})
	b.ReportAllocs()
	var n note
	for b.Loop() {
		if !noteFields.Scan(written, &n) {
			b.Fatal("refused")
		}
	}
}
