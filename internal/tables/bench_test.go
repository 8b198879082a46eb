//go:build !race

package tables_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"daybook/internal/tables"
)

// benchRows is how many records of eight cells the benchmarks read and write.
const benchRows = 20_000

func benchFiles(b *testing.B) map[tables.Format][]byte {
	var csv, ndjson strings.Builder
	var xlsx bytes.Buffer
	w, err := tables.NewXLSXWriter(&xlsx, strings.Fields("a b c d e f g h"), tables.XLSXOptions{Sheet: "S"})
	if err != nil {
		b.Fatal(err)
	}
	csv.WriteString("department,gl_code,fiscal_year,fiscal_period,version,amount,currency,notes\r\n")
	for i := range benchRows {
		fmt.Fprintf(&csv, "D%03d,%d,2027,%d,original,%d.%02d,EUR,\"some, text\"\r\n", i%100, 4000+i%900, i%12+1, i, i%100)
		fmt.Fprintf(&ndjson, `{"department":"D%03d","gl_code":"%d","fiscal_year":2027,"fiscal_period":%d,"version":"original","amount":%d.%02d,"currency":"EUR","notes":"some, text"}`+"\n", i%100, 4000+i%900, i%12+1, i, i%100)
		if err := w.Write(benchRecord); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return map[tables.Format][]byte{tables.CSV: []byte(csv.String()), tables.NDJSON: []byte(ndjson.String()), tables.XLSX: xlsx.Bytes()}
}

var benchRecord = []tables.Cell{
	{Type: tables.TextCell, Value: "D001"}, {Type: tables.TextCell, Value: "6100"}, {Type: tables.NumberCell, Value: "2027"}, {Type: tables.NumberCell, Value: "1"},
	{Type: tables.TextCell, Value: "original"}, {Type: tables.NumberCell, Value: "1234.56"}, {Type: tables.TextCell, Value: "EUR"}, {Type: tables.TextCell, Value: "some, text"},
}

func BenchmarkRead(b *testing.B) {
	for format, content := range benchFiles(b) {
		b.Run(string(format), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				n, err := read(bytes.NewReader(content), int64(len(content)), tables.Options{})
				if err != nil || n < benchRows {
					b.Fatal(n, err)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	b.Run("csv", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w := tables.NewCSVWriter(io.Discard, tables.CSVOptions{})
			for range benchRows {
				if err := w.Write(benchRecord); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("xlsx", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w, err := tables.NewXLSXWriter(io.Discard, strings.Fields("a b c d e f g h"), tables.XLSXOptions{Sheet: "S"})
			for range benchRows {
				err = errors.Join(err, w.Write(benchRecord))
			}
			if err := errors.Join(err, w.Close()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.Run("number", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := tables.ParseNumber("(1,234,567.89)", tables.Point); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("plain number", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := tables.ParseNumber("1234.56", tables.Point); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("mark", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if proof, _, _ := tables.ProofOf("1234.56"); proof != tables.ProvesPoint {
				b.Fatal(proof)
			}
		}
	})
	b.Run("date", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := tables.ParseDate("2026-01-31T15:30:00Z", tables.DateRules{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
