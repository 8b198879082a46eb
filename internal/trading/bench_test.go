package trading_test

import (
	"testing"

	"daybook/internal/money"
	"daybook/internal/trading"
)

// BenchmarkFold folds a thousand trades that build up a position, reduce it and flip it.
func BenchmarkFold(b *testing.B) {
	trades := make([]trading.Trade, 1_000)
	for i := range trades {
		side := trading.SideOf(i%3 > 0 != (i/250%2 == 1))
		trades[i] = traded(side, int64(1+i%100), money.Price(4_100_000_000+i*7_000_003), i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := trading.Fold(trading.Position{}, sound(trades), nil); err != nil {
			b.Fatal(err)
		}
	}
}
