package real

import (
	"math/big"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// 300 decimals of ln 2, ln 10 and e, as any table prints them (computed with
// mpmath 1.3 at 1,100 bits; the last digit is rounded).
const (
	digitsLn2  = "0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641868754200148102057068573368552023575813055703267075163507596193072757082837143519030703862389167347112335011536449795523912047517268157493206515552473413952588295045300709532636664265410423915781495204374043"
	digitsLn10 = "2.3025850929940456840179914546843642076011014886287729760333279009675726096773524802359972050895982983419677840422862486334095254650828067566662873690987816894829072083255546808437998948262331985283935053089653777326288461633662222876982198867465436674744042432743651550489343149393914796194044002221051"
	digitsE    = "2.7182818284590452353602874713526624977572470936999595749669676277240766303535475945713821785251664274274663919320030599218174135966290435729003342952605956307381323286279434907632338298807531952510190115738341879307021540891499348841675092447614606680822648001684774118537423454424371075390777449920696"
)

// requireDigits checks that the enclosure lies within one unit of decimal 298:
// 1,000 bits are 301 digits.
func requireDigits(t *testing.T, digits string, got Interval) {
	t.Helper()
	r, ok := new(big.Rat).SetString(digits)
	require.True(t, ok)
	const places = 298
	unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(places), nil))
	lo := new(big.Rat).Sub(r, unit)
	hi := new(big.Rat).Add(r, unit)
	require.True(t, ratOf(got.Lo).Cmp(lo) > 0 && ratOf(got.Hi).Cmp(hi) < 0, "not %s", digits)
}

func TestKnownDigits(t *testing.T) {
	for _, prec := range []uint{1000, 1001, 1024, 1500, 2000} {
		l2, err := Ln(FromInt64(2), prec)
		require.NoError(t, err)
		requireDigits(t, digitsLn2, l2)
		l10, err := Ln(FromInt64(10), prec)
		require.NoError(t, err)
		requireDigits(t, digitsLn10, l10)
		e, err := Exp(One(), prec)
		require.NoError(t, err)
		requireDigits(t, digitsE, e)

		half, err := Ln(Pow2(-1), prec)
		require.NoError(t, err)
		requireDigits(t, digitsLn2, half.Neg())
		inverse, err := Exp(One().Neg(), prec)
		require.NoError(t, err)
		e2, err := Point(One()).Quo(inverse, prec)
		require.NoError(t, err)
		requireDigits(t, digitsE, e2)
	}
}

// A second source for the judges themselves.
func TestJudgesKnowTheDigits(t *testing.T) {
	requireDigits(t, digitsLn2, judgeLn(FromInt64(2), 1100))
	requireDigits(t, digitsLn10, judgeLn(FromInt64(10), 1100))
	requireDigits(t, digitsE, judgeExp(One(), 1100))
}

// atanhRational against the digits: 2 atanh(1/3) = ln 2, and odd in p.
func TestAtanhRational(t *testing.T) {
	for wp := uint(64); wp <= 960; wp += 64 {
		r, _ := new(big.Rat).SetString(digitsLn2)
		want := new(big.Rat).Mul(r, ratOf(Pow2(int64(wp))))
		off := new(big.Rat).Sub(want, new(big.Rat).SetInt(atanhRational(1, 3, wp)))
		require.LessOrEqual(t, off.Abs(off).Cmp(big.NewRat(1, 1)), 0, "wp = %d", wp)
		assert.Zero(t, new(big.Int).Neg(atanhRational(-1, 3, wp)).Cmp(atanhRational(1, 3, wp)))
	}
	assert.Zero(t, atanhRational(0, 256, 128).Sign())
}

// The caches are shared: results from many goroutines at fresh precisions equal
// those of one, and no caller can spoil a cached integer.
func TestConstantsAreSharedSafely(t *testing.T) {
	x := FromUint64(0x1b504f333f9de7, -52)
	want := make([]Interval, 8)
	got := make([][8]Interval, 8)
	var wg sync.WaitGroup
	for g := range got {
		wg.Go(func() {
			for i := range want {
				got[g][i], _ = Ln(x.Shift(int64(i)), 3000+uint(64*i))
			}
		})
	}
	wg.Wait()
	for i := range want {
		want[i], _ = Ln(x.Shift(int64(i)), 3000+uint(64*i))
		for g := range got {
			require.True(t, got[g][i].Lo.Equal(want[i].Lo) && got[g][i].Hi.Equal(want[i].Hi))
		}
	}
	before := new(big.Int).Set(ln2At(128))
	_, _ = Ln(FromInt64(6), 60)
	_, _ = Exp(FromInt64(-6), 60)
	assert.Zero(t, before.Cmp(ln2At(128)))
	assert.Zero(t, ln2At(128).Cmp(atanhRational(1, 3, 128)))
}
