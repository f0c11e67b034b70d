package spec

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// newRand is a fixed source: a failure repeats.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x51ec)) }

// scaled returns full, or short under -short.
func scaled(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// ratOf expands a dyadic of moderate exponent.
func ratOf(d real.Dyadic) *big.Rat {
	m, e := d.Parts()
	r := new(big.Rat).SetInt(m)
	p := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e))))
	if e < 0 {
		return r.Quo(r, p)
	}
	return r.Mul(r, p)
}

// dy is m·2^e.
func dy(m, e int64) real.Dyadic { return real.NewDyadic(big.NewInt(m), e) }

// num is the datum m·2^e.
func num(m, e int64) Value { return FromDyadic(dy(m, e)) }

// finiteData lists the finite numbers of a tiny format in ascending order, by
// counting: significands 0..2^(p-1)-1 at the lowest exponent, then a full set
// per binade. Zero appears once, as 0.
func finiteData(f Format) []*big.Rat {
	var pos []*big.Rat
	full := int64(1) << f.Precision
	for e := f.EMin; e <= f.EMax; e++ {
		first := full / 2
		if e == f.EMin {
			first = 1
		}
		for m := first; m < full; m++ {
			pos = append(pos, ratOf(dy(m, e-int64(f.Precision)+1)))
		}
	}
	var all []*big.Rat
	for i := len(pos) - 1; i >= 0; i-- {
		all = append(all, new(big.Rat).Neg(pos[i]))
	}
	all = append(all, new(big.Rat))
	return append(all, pos...)
}

// tinyFormats is a spread of formats small enough to list, with few exponents too.
var tinyFormats = []Format{
	Small(2, 0, 0), Small(2, -1, 2), Small(3, 0, 1), Small(3, -2, 3), Small(4, -6, 7), Small(5, -3, 0), Small(6, 0, 3),
}
