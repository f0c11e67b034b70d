package third

import (
	"math"
	"math/big"
	"testing"

	"github.com/ALTree/bigfloat"
	"github.com/stretchr/testify/assert"
)

// seriesBits is the number of bits after the point in which series computes.
const seriesBits = 1200

// series is ln z to about 1190 bits after the point: z = t 2^k with t in [2/3, 4/3),
// ln z = 2 atanh((t-1)/(t+1)) + k 2 atanh(1/3), summed in integers.
func series(z *big.Float) *big.Float {
	var t big.Float
	k := z.MantExp(&t)
	if t.Cmp(float(2.0/3)) < 0 {
		k--
		t.SetMantExp(&t, 1)
	}
	r, _ := t.Rat(nil)
	one := big.NewRat(1, 1)
	r = quo(minus(r, one), sum(r, one))
	s := atanh(r)
	s.Add(s, new(big.Int).Mul(big.NewInt(int64(k)), atanh(big.NewRat(1, 3))))
	return new(big.Float).SetMantExp(new(big.Float).SetInt(s), 1-seriesBits)
}

// atanh is r + r^3/3 + r^5/5 … in units of 2^-seriesBits.
func atanh(r *big.Rat) *big.Int {
	p := new(big.Int).Lsh(r.Num(), seriesBits)
	p.Quo(p, r.Denom())
	square := new(big.Int).Mul(p, p)
	square.Rsh(square, seriesBits)
	s, term := new(big.Int), new(big.Int)
	for i := int64(1); p.Sign() != 0; i += 2 {
		s.Add(s, term.Quo(p, big.NewInt(i)))
		p.Mul(p, square)
		// Quo, not Rsh: the floor of a negative power would never reach zero.
		p.Quo(p, new(big.Int).Lsh(big.NewInt(1), seriesBits))
	}
	return s
}

// lost is the binary logarithm of the relative error of bigfloat.Log at z, in
// units of 2^-prec: 0 is one unit in the last place.
func lost(z *big.Float, prec uint) float64 {
	want := series(z)
	d := bigfloat.Log(new(big.Float).SetPrec(prec).Set(z))
	wide := new(big.Float).SetPrec(2 * seriesBits)
	q := wide.Quo(wide.Sub(want, d), want)
	if q.Sign() == 0 {
		return math.Inf(-1)
	}
	var m big.Float
	e := q.MantExp(&m)
	f, _ := m.Float64()
	return math.Log2(math.Abs(f)) + float64(e) + float64(prec)
}

// nearOne is 1 + c 2^-j exactly.
func nearOne(c float64, j int) *big.Float {
	z := new(big.Float).SetPrec(1000).SetInt64(1)
	return z.Add(z, new(big.Float).SetMantExp(float(c), -j))
}

// The measurements behind the domain of trust.
func TestTrust(t *testing.T) {
	for _, prec := range []uint{trustedMinPrec, 128, coarse.prec, fine.prec, trustedMaxPrec} {
		worst := math.Inf(-1)
		try := func(z *big.Float) {
			r := ruler{prec: prec}
			_, why := r.log(z)
			assert.Empty(t, why)
			worst = max(worst, lost(z, prec))
		}
		for j := 2; j <= trustedNear; j++ {
			try(nearOne(1, j))
			try(nearOne(-1, j))
			try(nearOne(-0.625, j-1))
		}
		for _, x := range doubles(8, 30) {
			try(float(math.Abs(x)))
		}
		for e := 1 << 10; e < trustedExponent; e *= 2 {
			try(new(big.Float).SetMantExp(float(1.25), e))
			try(new(big.Float).SetMantExp(float(1.25), -e))
		}
		t.Logf("precision %d: worst error 2^%.2f units of 2^-p", prec, worst)
		assert.LessOrEqual(t, worst, 0.1)
	}
}

// Outside of it bigfloat is as wrong as the comment at trustedNear says, and the
// voter abstains.
func TestDistrust(t *testing.T) {
	assert.Greater(t, lost(nearOne(1, 110), 160), 8.0)
	assert.Greater(t, lost(nearOne(1, 150), 160), 40.0)
	refused := func(r ruler, z *big.Float) string {
		y, why := r.log(z)
		assert.Nil(t, y)
		return why
	}
	assert.Contains(t, refused(fine, nearOne(1, 61)), "near 1")
	assert.Contains(t, refused(fine, nearOne(-0.75, 60)), "near 1")
	assert.Contains(t, refused(fine, new(big.Float).SetMantExp(float(1), 1<<14)), "exponent")
	assert.Contains(t, refused(fine, new(big.Float).SetMantExp(float(1), -1<<20)), "exponent")
	assert.Contains(t, refused(ruler{prec: 1000}, float(3)), "precision")
	assert.Contains(t, refused(ruler{prec: 32}, float(3)), "precision")
	assert.NotEmpty(t, refused(fine, float(0)))
	assert.NotEmpty(t, refused(fine, float(inf)))
	_, why := decide(func(r ruler) (*big.Float, string) { return r.log(nearOne(1, 100)) })
	assert.NotEmpty(t, why)
}
