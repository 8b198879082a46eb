package money_test

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"daybook/internal/money"
)

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]string{
		"0":                           "0",
		"-0":                          "0",
		"-0.000":                      "0",
		"0e999999999999999999999":     "0",
		"+5":                          "5",
		"5.":                          "5",
		".5":                          "0.5",
		"-.5":                         "-0.5",
		" 12.5\n":                     "12.5",
		"007":                         "7",
		"373080":                      "373080",
		"0.0001":                      "0.0001",
		"-0.0001":                     "-0.0001",
		"1.50":                        "1.5",
		"1.500000000000000000000":     "1.5",
		"100":                         "100",
		"1e2":                         "100",
		"1E+2":                        "100",
		"1e-4":                        "0.0001",
		"0.00001e1":                   "0.0001",
		"12345e-4":                    "1.2345",
		"1e13":                        "10000000000000",
		"99999999999999.9999":         "99999999999999.9999",
		"-99999999999999.9999":        "-99999999999999.9999",
		"99999999999999.99990000":     "99999999999999.9999",
		"1." + zeros(100_000):         "1",
		zeros(100_000) + "1":          "1",
		zeros(100_000) + "e-99":       "0",
		"0." + zeros(4000) + "e4000":  "0",
		"0." + zeros(4000) + "1e4001": "1",
		"1" + zeros(4000) + "e-4000":  "1",
	} {
		for how, parse := range amountReaders {
			if got, err := parse(text); err != nil || got.String() != want {
				t.Errorf("%.60q, %s: got %s, %v, want %s", text, how, got, err, want)
			}
		}
	}
}

// amountReaders are the parsers of an amount in a string ("meant") and in a JSON number ("computed").
var amountReaders = map[string]func(string) (money.Amount, error){"meant": money.ParseAmount, "computed": money.ParseComputedAmount}

// TestParseComputedAmount: a JSON number with 15 or more significant digits is rounded to the scale. The
// same digits in a string are refused.
func TestParseComputedAmount(t *testing.T) {
	for text, want := range map[string]string{
		"20833.333333333332":             "20833.3333", // 250000/12
		"2.0833333333333332e4":           "20833.3333",
		"20833333333333332E-12":          "20833.3333",
		"0.30000000000000004":            "0.3",
		"-0.30000000000000004":           "-0.3",
		"0.7999999999999999":             "0.8",
		"434.99999999999994":             "435",
		"333333.3333333333":              "333333.3333",
		"66.66666666666667":              "66.6667",
		"1.1000000000000001":             "1.1",
		"0.1000000000000000055511":       "0.1",
		"9.9999999999999999":             "10",
		"12345678901234.45000001":        "12345678901234.45",
		"99999999999999.99994":           "99999999999999.9999",
		"0.000099999999999999999":        "0.0001",
		"0.000050000000000000001":        "0.0001",
		"0.0000499999999999999":          "0",
		"-0.0000499999999999999":         "0",
		"5.551115123125783e-17":          "0", // 0.1 + 0.2 - 0.3
		"-1.1102230246251565e-16":        "0",
		"1234567890123456e-999999999999": "0",
		"0.123456789012345":              "0.1235", // 15 digits
		"0.000123456789012345":           "0.0001", // zeros before them do not count
		"1.00005000000001":               "1.0001",
		"1.00004999999999":               "1",
		"-1.00005000000001":              "-1.0001", // half and more goes away from zero
		"0.0000500000000000000000000001": "0.0001",
	} {
		if got, err := money.ParseComputedAmount(text); err != nil || got.String() != want {
			t.Errorf("%s, computed: got %s, %v, want %s", text, got, err, want)
		}
		if got, err := money.ParseAmount(text); err == nil {
			t.Errorf("%s, meant: got %s, want an error", text, got)
		}
	}
	for _, text := range []string{
		"1234.56789", "0.00001", "20833.33333", "0.12345678901234", // of 14 digits or fewer
		"0.123450000000000", "0.00005000000000000000000", "1234567890000000e-12", // zeros after them do not count
		"99999999999999.99999", "99999999999999.99995000", "-99999999999999.99999999", // rounding would make one digit too many
		"123456789012345.6", "100000000000000.00001", "1234567890123456", "1.234567890123456e14", // too large
	} {
		if got, err := money.ParseComputedAmount(text); err == nil || got != 0 {
			t.Errorf("%s, computed: got %s, %v, want an error", text, got, err)
		}
	}
}

func TestParseAmountRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", ".", "-", "+", "-.", "--1", "+-1", "1-", "1_0", "1,5", "0x1", "0b1", "1f", "NaN", "nan", "Inf", "-inf", "Infinity",
		"e", "e5", ".e5", "1e", "1e+", "1e-", "1e1.5", "1e1e1", "1.2.3", "1 2", "1e 2", "١", "１", "½", "$1", "1%", "true", "null", "1\x00", "\xff",
		"0.00001", "-0.00001", "0.12345", "1e-5", "1e-999999999999", "1e-99999999999999999999999999", // too fine
		"1e400", "-1e400", "1e14", "1e999999999999", "1e99999999999999999999999999", "100000000000000", "-100000000000000", // too large
		"99999999999999.99999999",  // also if it is rounded
		"123456789012345.6",        // 15 digits before the point
		strings.Repeat("9", 1<<20), // a mebibyte
		"0." + strings.Repeat("9", 1<<20) + "x",
	} {
		for how, parse := range amountReaders {
			got, err := parse(text)
			switch {
			case err == nil:
				t.Errorf("%.60q, %s: got %s, want an error", text, how, got)
			case !strings.HasPrefix(err.Error(), "must "):
				t.Errorf("%.60q, %s: got error %q, want it to continue a field's name", text, how, err)
			case len(err.Error()) > 400 || !utf8.ValidString(err.Error()):
				t.Errorf("%.60q, %s: got an error of %d bytes, want a sentence", text, how, len(err.Error()))
			case got != 0:
				t.Errorf("%.60q, %s: got %s with an error, want 0", text, how, got)
			}
		}
	}
}

func TestParsePrice(t *testing.T) {
	for text, want := range map[string]string{
		"0":                     "0",
		"103":                   "103",
		"0.00000001":            "0.00000001",
		"1e-8":                  "0.00000001",
		"9999999999.99999999":   "9999999999.99999999",
		"-9999999999.99999999":  "-9999999999.99999999",
		"0.30000000000000004":   "",
		"101.66666666666667":    "",
		"9999999999.9999999999": "",
		"10000000000":           "",
		"0.000000001":           "",
		"1e-999999999999":       "",
		"1e10":                  "",
		"":                      "",
	} {
		got, err := money.ParsePrice(text)
		if want == "" {
			if err == nil {
				t.Errorf("%q: got %s, want an error", text, got)
			}
			continue
		}
		if err != nil || got.String() != want {
			t.Errorf("%q: got %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestParseComputedPrice(t *testing.T) {
	for text, want := range map[string]string{
		"101.66666666666667":    "101.66666667",
		"0.30000000000000004":   "0.3",
		"4.440892098500626e-16": "0",
		"0.00000000999999999":   "", // 9 digits
		"0.0000000512345678901": "", // 12
		"9999999999.999999":     "9999999999.999999",
		"9999999999.9999999999": "", // would be rounded to one digit too many
		"10000000000.333333333": "",
		"12.345678905":          "",
	} {
		got, err := money.ParseComputedPrice(text)
		if (err == nil) != (want != "") || err == nil && got.String() != want {
			t.Errorf("%s: got %s, %v, want %q", text, got, err, want)
		}
	}
}

// TestParseWhatFloatsLeave: a quotient that a client calculated as a float is read as the exact
// quotient, rounded to the scale.
func TestParseWhatFloatsLeave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, parts := rapid.Int64Range(-1e9, 1e9).Draw(t, "whole"), rapid.Int64Range(1, 1000).Draw(t, "parts")
		text := strconv.FormatFloat(float64(whole)/float64(parts), 'g', -1, 64)
		digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(strings.Split(text, "e")[0]), "0")
		got, err := money.ParseComputedAmount(text)
		if want := printed(big.NewRat(whole, parts), 4); len(digits) >= 15 && (err != nil || got.String() != want) {
			t.Fatalf("%d / %d, sent as %s: got %s, %v, want %s", whole, parts, text, got, err, want)
		}
	})
}

func TestRoundTrip(t *testing.T) {
	const most = 999_999_999_999_999_999
	check := func(t interface{ Fatalf(string, ...any) }, v int64) {
		a, p := money.Amount(v), money.Price(v)
		if got, err := money.ParseAmount(a.String()); err != nil || got != a || !isCanonical(a.String()) {
			t.Fatalf("amount %d printed as %s: got %d, %v, want the same amount", v, a, got, err)
		}
		if got, err := money.ParsePrice(p.String()); err != nil || got != p || !isCanonical(p.String()) {
			t.Fatalf("price %d printed as %s: got %d, %v, want the same price", v, p, got, err)
		}
		if got, want := rat(a.String()), big.NewRat(v, 10_000); got.Cmp(want) != 0 {
			t.Fatalf("amount %d: got %s, want %s", v, a, want)
		}
		if got, want := rat(p.String()), big.NewRat(v, 100_000_000); got.Cmp(want) != 0 {
			t.Fatalf("price %d: got %s, want %s", v, p, want)
		}
	}
	for power := int64(1); power <= most; power *= 10 {
		for _, v := range []int64{power - 1, power, power + 1, 5 * (power / 10)} {
			check(t, v)
			check(t, -v)
		}
	}
	check(t, most)
	check(t, -most)
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.Int64Range(-most, most).Draw(t, "units")) })
}

func TestPrintBeyondTheLimits(t *testing.T) {
	for v, want := range map[int64]string{
		math.MinInt64: "-922337203685477.5808",
		math.MaxInt64: "922337203685477.5807",
	} {
		if got := money.Amount(v).String(); got != want {
			t.Errorf("%d: got %s, want %s", v, got, want)
		}
	}
	if got, want := money.Units(-12), money.Amount(-120_000); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

func TestJSON(t *testing.T) {
	for want, v := range map[string]interface{ MarshalJSON() ([]byte, error) }{
		"-12.5":      money.Amount(-125_000),
		"0.00000001": money.Price(1),
		"400855":     money.SumOf(money.Units(400_000), money.Units(855)),
		"-12.83":     money.PercentOf(money.SumOf(money.Units(-20_396)), money.SumOf(money.Units(158_940))),
		"10":         money.WholePercent(10),
	} {
		got, err := v.MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

// FuzzParse compares all parsers with exact rational arithmetic.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "12.5", "1e400", "1e-999999999999", "0.30000000000000004", "99999999999999.9999", "", ".", "1_0", "0x1", "NaN",
		"9.9999999999999999", "12345678901234.45000001", "20833.333333333332", "2.0833333333333332e4", "5.551115123125783e-17", "0.123456789012345", "+.5E+3", "100000000000000", "-1.e-04", "\xff", "1e", "00000000000000000000.1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { allAgree(t, text) })
}

func TestParseAgreesWithExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[+-]?[0-9]{0,20}\.?[09]{0,20}[0-9]{0,4}([eE][+-]?[0-9]{1,2})?`).Draw(t, "text")
		allAgree(t, text)
	})
}

// allAgree compares every parser of a decimal with the rules of the interface (reference).
func allAgree(t interface{ Fatalf(string, ...any) }, text string) {
	amount, err := money.ParseAmount(text)
	agrees(t, text, amount.String(), err, 14, 4, false)
	amount, err = money.ParseComputedAmount(text)
	agrees(t, text, amount.String(), err, 14, 4, true)
	price, err := money.ParsePrice(text)
	agrees(t, text, price.String(), err, 10, 8, false)
	price, err = money.ParseComputedPrice(text)
	agrees(t, text, price.String(), err, 10, 8, true)
	percent, err := money.ParsePercent(text)
	agrees(t, text, percent.String(), err, 14, 4, true)
}

func agrees(t interface{ Fatalf(string, ...any) }, text, got string, err error, before, after int, computed bool) {
	want, known := reference(strings.TrimSpace(text), before, after, computed)
	switch {
	case !known:
	case (err == nil) != (want != ""):
		t.Fatalf("%q as %d.%d digits: got error %v, want %q", text, before, after, err, want)
	case err == nil && got != want:
		t.Fatalf("%q as %d.%d digits: got %s, want %s", text, before, after, got, want)
	}
}

// reference parses a number by the rules of the interface, and returns "" if it must be refused. known
// is false for a number that is too long to be parsed quickly.
func reference(s string, before, after int, computed bool) (want string, known bool) {
	if !number.MatchString(s) {
		return "", true
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	if len(strings.Trim(exponent, "+-")) > 2 || len(mantissa) > 200 {
		return "", false
	}
	value := rat(mantissa)
	if e, err := strconv.Atoi(exponent); err == nil {
		value.Mul(value, pow10(e))
	}
	fits := func(r *big.Rat) bool {
		return new(big.Rat).Abs(r).Cmp(pow10(before)) < 0 && new(big.Rat).Mul(r, pow10(after)).IsInt()
	}
	digits := strings.Trim(strings.ReplaceAll(strings.TrimLeft(mantissa, "+-"), ".", ""), "0")
	if computed && len(digits) >= 15 && new(big.Rat).Abs(value).Cmp(pow10(before)) < 0 {
		value = rat(value.FloatString(after)) // half away from zero
	}
	if !fits(value) {
		return "", true
	}
	return printed(value, after), true
}

func zeros(n int) string { return strings.Repeat("0", n) }

// TestParseZeroOfAnyExponent: parsing a zero takes no longer with a large exponent. Otherwise this test
// would not end.
func TestParseZeroOfAnyExponent(t *testing.T) {
	for range 100_000 {
		for _, zero := range []string{"0e1073741824", "-0.00e9999999999", "0e-9999999999", "0e99999999999999999999999"} {
			if got, err := money.ParseInteger(zero); got != 0 || err != nil {
				t.Fatalf("%s: got %d, %v, want 0", zero, got, err)
			}
			if got, err := money.ParseAmount(zero); got != 0 || err != nil {
				t.Fatalf("%s: got %s, %v, want 0", zero, got, err)
			}
		}
	}
}
