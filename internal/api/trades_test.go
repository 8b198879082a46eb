package api

import (
	"bytes"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"daybook/internal/money"
	"daybook/internal/trading"
)

// TestATradeIsAppendedAsItIsMarshalled: the two encoders of a trade write the same bytes.
func TestATradeIsAppendedAsItIsMarshalled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		record := listedTrade{
			Symbol:       trading.Symbol(rapid.String().Draw(t, "symbol")),
			CurrencyCode: money.Currency(rapid.String().Draw(t, "currency")),
			Shares:       rapid.Int64().Draw(t, "shares"),
			Product:      trading.Product(rapid.Int8Range(0, 4).Draw(t, "product")),
			Type:         rapid.Bool().Draw(t, "type"),
			Price:        money.Price(rapid.Int64().Draw(t, "price")),
			Date:         time.Unix(rapid.Int64Range(-2_208_988_800, 7_289_654_399).Draw(t, "date"), rapid.Int64Range(0, 999_999_999).Draw(t, "fraction")).UTC(),
		}
		want, wantErr := json.Marshal(record)
		got, gotErr := record.appendTo(nil)
		if (gotErr == nil) != (wantErr == nil) || gotErr == nil && !bytes.Equal(got, want) {
			t.Errorf("got %s, %v, want %s, %v", got, gotErr, want, wantErr)
		}
	})
}

// BenchmarkTrade encodes a trade of the list.
func BenchmarkTrade(b *testing.B) {
	trade := trading.Trade{
		ID: 1, Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Shares: 100, Side: trading.Buy,
		Price: 4_125_310_000, Date: time.Date(2026, 1, 2, 10, 20, 30, 0, time.UTC),
	}
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		var err error
		if out, err = listedTradeOf(trade).appendTo(out[:0]); err != nil {
			b.Fatal(err)
		}
	}
}
