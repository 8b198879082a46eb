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
		"0.30000000000000004":         "0.3",
		"-0.30000000000000004":        "-0.3",
		"1.1000000000000001":          "1.1",
		"0.1000000000000000055511":    "0.1",
		"2.9999999999999996":          "3",
		"9.9999999999999999":          "10",
		"1234.5600000000000001":       "1234.56",
		"12345678901234.45000001":     "12345678901234.5",
		"0.99999999999999996":         "1",
		"0.000099999999999999999":     "0.0001",
		"1." + zeros(100_000):         "1",
		zeros(100_000) + "1":          "1",
		zeros(100_000) + "e-99":       "0",
		"0." + zeros(4000) + "e4000":  "0",
		"0." + zeros(4000) + "1e4001": "1",
		"1" + zeros(4000) + "e-4000":  "1",
	} {
		got, err := money.ParseAmount(text)
		if err != nil || got.String() != want {
			t.Errorf("%.60q: got %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestParseAmountRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", ".", "-", "+", "-.", "--1", "+-1", "1-", "1_0", "1,5", "0x1", "0b1", "1f", "NaN", "nan", "Inf", "-inf", "Infinity",
		"e", "e5", ".e5", "1e", "1e+", "1e-", "1e1.5", "1e1e1", "1.2.3", "1 2", "1e 2", "١", "１", "½", "$1", "1%", "true", "null", "1\x00", "\xff",
		"0.00001", "-0.00001", "0.12345", "1e-5", "1e-999999999999", "1e-99999999999999999999999999", // too fine
		"1e400", "-1e400", "1e14", "1e999999999999", "1e99999999999999999999999999", "100000000000000", "-100000000000000", // too large
		"0.000050000000000000001",  // noise, but its rounding does not fit
		"99999999999999.99999999",  // noise, rounding to one digit too many
		"123456789012345.6",        // 16 digits, 15 of them before the point
		"1.23456789012345678",      // 15 faithful digits are too fine as well
		strings.Repeat("9", 1<<20), // a mebibyte
		"0." + strings.Repeat("9", 1<<20) + "x",
	} {
		got, err := money.ParseAmount(text)
		switch {
		case err == nil:
			t.Errorf("%.60q: got %s, want an error", text, got)
		case !strings.HasPrefix(err.Error(), "must "):
			t.Errorf("%.60q: got error %q, want it to continue a field's name", text, err)
		case len(err.Error()) > 400 || !utf8.ValidString(err.Error()):
			t.Errorf("%.60q: got an error of %d bytes, want a sentence", text, len(err.Error()))
		case got != 0:
			t.Errorf("%.60q: got %s beside an error, want 0", text, got)
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
		"0.30000000000000004":   "0.3",
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

func TestRoundTrip(t *testing.T) {
	const most = 999_999_999_999_999_999
	check := func(t interface{ Fatalf(string, ...any) }, v int64) {
		a, p := money.Amount(v), money.Price(v)
		if got, err := money.ParseAmount(a.String()); err != nil || got != a || !isCanonical(a.String()) {
			t.Fatalf("amount %d printed as %s: got %d, %v", v, a, got, err)
		}
		if got, err := money.ParsePrice(p.String()); err != nil || got != p || !isCanonical(p.String()) {
			t.Fatalf("price %d printed as %s: got %d, %v", v, p, got, err)
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

// FuzzParse holds both readers against exact rational arithmetic.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "12.5", "1e400", "1e-999999999999", "0.30000000000000004", "99999999999999.9999", "", ".", "1_0", "0x1", "NaN",
		"9.9999999999999999", "12345678901234.45000001", "+.5E+3", "100000000000000", "-1.e-04", "\xff", "1e", "00000000000000000000.1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		amount, err := money.ParseAmount(text)
		agrees(t, text, amount.String(), err, 14, 4)
		price, err := money.ParsePrice(text)
		agrees(t, text, price.String(), err, 10, 8)
		_, _ = money.ParsePercent(text)
	})
}

func TestParseAgreesWithExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[+-]?[0-9]{0,20}\.?[09]{0,20}[0-9]{0,4}([eE][+-]?[0-9]{1,2})?`).Draw(t, "text")
		amount, err := money.ParseAmount(text)
		agrees(t, text, amount.String(), err, 14, 4)
		price, err := money.ParsePrice(text)
		agrees(t, text, price.String(), err, 10, 8)
	})
}

func agrees(t interface{ Fatalf(string, ...any) }, text, got string, err error, before, after int) {
	want, known := reference(strings.TrimSpace(text), before, after)
	switch {
	case !known:
	case (err == nil) != (want != ""):
		t.Fatalf("%q as %d.%d digits: got error %v, want %q", text, before, after, err, want)
	case err == nil && got != want:
		t.Fatalf("%q as %d.%d digits: got %s, want %s", text, before, after, got, want)
	}
}

// reference reads a number by the contract's words, "" when it is to be refused.
// It knows no number too long for it to be quick.
func reference(s string, before, after int) (want string, known bool) {
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
	if digits := strings.Trim(strings.ReplaceAll(strings.TrimLeft(mantissa, "+-"), ".", ""), "0"); !fits(value) && len(digits) >= 16 {
		value = faithful(value)
	}
	if !fits(value) {
		return "", true
	}
	return printed(value, after), true
}

// faithful rounds to 15 significant digits, half away from zero.
func faithful(r *big.Rat) *big.Rat {
	magnitude, scale := new(big.Rat).Abs(r), 0
	for magnitude.Cmp(pow10(15-scale)) >= 0 {
		scale--
	}
	for magnitude.Cmp(pow10(14-scale)) < 0 {
		scale++
	}
	rounded := rat(new(big.Rat).Mul(r, pow10(scale)).FloatString(0))
	return rounded.Mul(rounded, pow10(-scale))
}

func zeros(n int) string { return strings.Repeat("0", n) }
