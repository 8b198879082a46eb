package money

import (
	"math/big"
	"math/bits"
)

// int128 is a two's complement integer of 128 bits.
type int128 struct {
	hi int64
	lo uint64
}

func wide(v int64) int128 { return int128{hi: v >> 63, lo: uint64(v)} }

func (a int128) plus(b int128) int128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return int128{hi: a.hi + b.hi + int64(carry), lo: lo}
}

func (a int128) negated() int128 { return int128{hi: ^a.hi, lo: ^a.lo}.plus(wide(1)) }

// product returns a b, which must be below 2^127.
func product(a, b uint64) int128 {
	hi, lo := bits.Mul64(a, b)
	return int128{hi: int64(hi), lo: lo}
}

// times returns n b, whose magnitude must be below 2^127.
func times(n int64, b uint64) int128 {
	v := product(magnitude(n), b)
	if n < 0 {
		return v.negated()
	}
	return v
}

// magnitude returns |v|, of the one v that has none among int64 too.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// over returns a / d and what is left, where a >= 0, d > 0 and the quotient has 64 bits;
// elsewhere some figures.
func (a int128) over(d uint64) (quotient, left uint64) {
	if uint64(a.hi) >= d {
		return a.lo, 0
	}
	return bits.Div64(uint64(a.hi), a.lo, d)
}

func (a int128) sign() int {
	switch {
	case a.hi < 0:
		return -1
	case a.hi == 0 && a.lo == 0:
		return 0
	}
	return 1
}

// narrow returns a as an int64 where it is one.
func (a int128) narrow() (int64, bool) {
	return int64(a.lo), a.hi == int64(a.lo)>>63
}

func (a int128) big() *big.Int {
	v := big.NewInt(a.hi)
	v.Lsh(v, 64)
	return v.Add(v, new(big.Int).SetUint64(a.lo))
}

// fromBig takes the low 128 bits of v.
func fromBig(v *big.Int) int128 {
	low := new(big.Int).And(v, new(big.Int).SetUint64(^uint64(0)))
	return int128{hi: new(big.Int).Rsh(v, 64).Int64(), lo: low.Uint64()}
}

func (a int128) appendScaled(b []byte, units uint64) []byte {
	if v, ok := a.narrow(); ok {
		return appendScaled(b, v, units)
	}
	return appendBig(b, a.big(), units)
}
