package exchange_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"daybook/internal/exchange"
	"daybook/internal/tables"
)

// BenchmarkCheck checks a file of a hundred thousand actuals.
func BenchmarkCheck(b *testing.B) {
	const rows = 100_000
	content, db := manyActuals(rows), manyReferences()
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := tables.Open(bytes.NewReader(content), int64(len(content)), tables.Options{})
		if err != nil {
			b.Fatal(err)
		}
		p, err := exchange.Check(b.Context(), exchange.Source{File: f, Kind: "actuals", Store: db})
		if err != nil || p.Counts.New != rows {
			b.Fatal(err, p.Counts, p.Questions)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/(1<<20), "MiB-heap")
}

// BenchmarkRead reads the same file at once.
func BenchmarkRead(b *testing.B) {
	const rows = 100_000
	content, db := manyActuals(rows), manyReferences()
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := tables.Open(bytes.NewReader(content), int64(len(content)), tables.Options{})
		if err != nil {
			b.Fatal(err)
		}
		read := 0
		err = exchange.Read(b.Context(), exchange.Source{File: f, Kind: "actuals", Store: db, Each: func(row exchange.Row) error {
			if row.Result == exchange.ResultNew {
				read++
			}
			return nil
		}})
		if err != nil || read != rows {
			b.Fatal(err, read)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}

func manyReferences() *known {
	db := &known{references: map[string][]exchange.Reference{}}
	for i := range 100 {
		db.references["departments"] = append(db.references["departments"], exchange.Reference{ID: int64(i), Code: fmt.Sprintf("D%02d", i)})
		db.references["accounts"] = append(db.references["accounts"], exchange.Reference{ID: int64(i), Code: fmt.Sprintf("6%03d", i), Type: "opex"})
	}
	return db
}

func manyActuals(rows int) []byte {
	var b bytes.Buffer
	b.WriteString("department,gl_code,fiscal_year,fiscal_period,amount,currency,source\n")
	for i := range rows {
		fmt.Fprintf(&b, "D%02d,6%03d,%d,%d,%d.%02d,EUR,erp\n", i%100, i/100%100, 2000+i/120000, i/10000%12+1, i, i%100)
	}
	return b.Bytes()
}
