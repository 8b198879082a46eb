package money_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/money"
)

func TestParseCurrency(t *testing.T) {
	for _, c := range []struct {
		raw   string
		want  money.Currency
		plain bool
	}{
		{"USD", "USD", true},
		{" eur ", "EUR", true},
		{"usdt2", "USDT2", true},
		{"123", "123", true},
		{"abcdefghij", "ABCDEFGHIJ", true},
		{"abcdefghijk", "ABCDEFGHIJK", false},
		{"us", "US", false},
		{"é", "É", false},
		{"écu", "ÉCU", false},
		{"us d", "US D", false},
		{"€", "€", false},
		{"a-b", "A-B", false},
		{"e\u0301cu", "ÉCU", false},
		{"ı\u0307", "İ", false},
	} {
		got, err := money.ParseCurrency(c.raw)
		if err != nil || got != c.want || got.Plain() != c.plain {
			t.Errorf("%q: got %q, plain %t, %v, want %q, plain %t", c.raw, got, got.Plain(), err, c.want, c.plain)
		}
	}
	for _, raw := range []string{"", "  ", "US\nD", strings.Repeat("A", 65), "\xff", "US\u200bD", "\u202eDSU", "USD\ufe0f", "uſd", "ıNR", "É-ſ"} {
		if got, err := money.ParseCurrency(raw); err == nil {
			t.Errorf("%q: got %q, want an error", raw, got)
		}
	}
}

// TestMinorUnitsAreRefused: GBp is a hundredth of GBP, so it is not read as GBP. Any other mixture of
// capitals and small letters is.
func TestMinorUnitsAreRefused(t *testing.T) {
	for raw, want := range map[string]string{
		"GBp":   "GBp is pence: send GBX, or pounds as GBP",
		" ZAc ": "ZAc is cents: send ZAC, or rand as ZAR",
		"ILa":   "ILa is agorot: send ILA, or shekels as ILS",
		"USd":   "send USD if you mean the currency",
		"XYz":   "convert the figure",
	} {
		if got, err := money.ParseCurrency(raw); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %q, %v, want an error with %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{"gbp", "Gbp", "gBp", "gbP", "GbP", "gBP", "GBX", "gbx", "GBPp", "GB1"} {
		if got, err := money.ParseCurrency(raw); err != nil || !strings.EqualFold(string(got), raw) {
			t.Errorf("%q: got %q, %v, want it in capitals", raw, got, err)
		}
	}
}

// TestCurrenciesInWhateverCaseAreOne: a code is the same currency in any case of its letters.
func TestCurrenciesInWhateverCaseAreOne(t *testing.T) {
	plain := regexp.MustCompile(`^[A-Z0-9]{3,10}$`)
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringMatching(`[a-zA-Z0-9éÉ€σς\x{301}\x{307} -]{1,12}`).Draw(t, "raw")
		got, err := money.ParseCurrency(raw)
		if err != nil {
			return
		}
		for _, again := range []string{string(got), strings.ToLower(raw), strings.ToUpper(raw), " " + raw + "\t"} {
			if other, err := money.ParseCurrency(again); err != nil || other != got {
				t.Errorf("%q: got %q, %v, want %q as of %q", again, other, err, got, raw)
			}
		}
		if got.Plain() != plain.MatchString(string(got)) {
			t.Errorf("%q: got plain %t, want %t", got, got.Plain(), !got.Plain())
		}
	})
}

// TestISO: ISO reports whether a code is a current one of ISO 4217.
func TestISO(t *testing.T) {
	for code, want := range map[money.Currency]bool{
		"EUR": true, "USD": true, "XAU": true, "AED": true, "ZWG": true,
		"": false, "usd": false, "EURO": false, "XYZ": false, "DEM": false, "EU": false,
	} {
		if got := code.ISO(); got != want {
			t.Errorf("%q: got %t, want %t", code, got, want)
		}
	}
}
