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

// TestATradeIsAppendedAsItIsMarshalled: the fields of a listed trade, and the function for the long list, write
// what the JSON package would write.
func TestATradeIsAppendedAsItIsMarshalled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trade := trading.Trade{
			Instrument: trading.Instrument{
				Symbol:   trading.Symbol(rapid.String().Draw(t, "symbol")),
				Currency: money.Currency(rapid.String().Draw(t, "currency")),
				Product:  trading.Product(rapid.Int8Range(0, 4).Draw(t, "product")),
			},
			Shares: trading.Shares(rapid.Int64().Draw(t, "shares")),
			Side:   trading.SideOf(rapid.Bool().Draw(t, "type")),
			Price:  money.Price(rapid.Int64().Draw(t, "price")),
			Date:   time.Unix(rapid.Int64Range(-2_208_988_800, 7_289_654_399).Draw(t, "date"), rapid.Int64Range(0, 999_999_999).Draw(t, "fraction")).UTC(),
		}
		want, wantErr := json.Marshal(struct {
			Symbol       trading.Symbol
			CurrencyCode money.Currency
			Shares       trading.Shares
			Product      trading.Product
			Type         bool
			Price        money.Price
			Date         time.Time
		}{trade.Symbol, trade.Currency, trade.Shares, trade.Product, trade.Side.Flag(), trade.Price, trade.Date})
		for name, encode := range map[string]encoder[trading.Trade]{"fields": listedTrade.Append, "long list": appendListed} {
			got, gotErr := encode(nil, &trade)
			if (gotErr == nil) != (wantErr == nil) || gotErr == nil && !bytes.Equal(got, want) {
				t.Errorf("%s: got %s, %v, want %s, %v", name, got, gotErr, want, wantErr)
			}
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
		if out, err = appendListed(out[:0], &trade); err != nil {
			b.Fatal(err)
		}
	}
}
