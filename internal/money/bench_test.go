package money_test

import (
	"testing"

	"daybook/internal/money"
)

func BenchmarkParseAmount(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := money.ParseAmount("1234567.89"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParsePrice(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := money.ParsePrice("41.25310001"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrintAmount(b *testing.B) {
	b.ReportAllocs()
	var out [32]byte
	for b.Loop() {
		if got := money.Amount(12345678900).AppendTo(out[:0]); len(got) != len("1234567.89") {
			b.Fatalf("got %s", got)
		}
	}
}

func BenchmarkPrintPrice(b *testing.B) {
	b.ReportAllocs()
	var out [32]byte
	for b.Loop() {
		if got := money.Price(4125310000).AppendTo(out[:0]); len(got) != len("41.2531") {
			b.Fatalf("got %s", got)
		}
	}
}

func BenchmarkBlendAverage(b *testing.B) {
	b.ReportAllocs()
	average, price := money.AverageAt(4_125_310_001), money.Price(4_200_000_003)
	for n := int64(100); b.Loop(); n = n%1_000_000 + 100 {
		average = average.Blend(n, price, 100)
		price = price%5_000_000_000 + 7_000_003
	}
}
