package third

import "github.com/dp-crosscheck/crosscheck/internal/wire"

// mechanism is Snap_F with its parameters (docs/theory.md 2).
type mechanism struct {
	value, unit, lo, hi float64
	byEpsilon           bool
}

// stages are the values on the way, in the order of the definition.
type stages struct {
	ln, y, z, x, w, rounded, r float64
}

// readMechanism checks what is `domain`: the parameters, f and the draw given,
// then `overflow`. The kind of the refusal is "" if all is well.
func readMechanism(in wire.Values, drawGiven bool) (mechanism, string) {
	k := mechanism{
		value: in["value"].Float(), lo: in["lo"].Float(), hi: in["hi"].Float(),
		byEpsilon: in["scale"].Text == "epsilon",
	}
	if f := in["f"].Float(); !positive(k.value) || !bounds(k.lo, k.hi) || f != f || !drawGiven {
		return k, domain
	}
	smallest := pow2Ceil
	if k.byEpsilon {
		smallest = pow2CeilInv
	}
	var ok bool
	if k.unit, ok = smallest(k.value); !ok {
		return k, overflow
	}
	return k, ""
}

// run computes the stages, or says why this voter abstains.
func (k mechanism) run(f float64, u draw, atOrBelow bool) (stages, string) {
	var t stages
	var why string
	if t.ln, why = lnDraw(u); why != "" {
		return t, why
	}
	t.x = clamp(f, k.lo, k.hi)
	// A product or quotient that underflows is a -0 in IEEE arithmetic; the
	// definition takes +0, and z follows from that.
	if k.byEpsilon {
		t.y = plus(div(t.ln, k.value))
	} else {
		t.y = plus(mul(k.value, t.ln))
	}
	t.z = t.y
	if !atOrBelow {
		t.z = -t.y
	}
	t.w = add(t.x, t.z)
	t.rounded = roundMultiple(t.w, k.unit, false)
	t.r = clamp(t.rounded, k.lo, k.hi)
	return t, ""
}

func answerSnap(in wire.Values) wire.Result {
	u, ok := readDraw(in["m"].Big(), in["e"].Big())
	k, refusal := readMechanism(in, ok)
	if refusal != "" {
		return wire.Rejected(refusal)
	}
	t, why := k.run(in["f"].Float(), u, in["s"].Text == "+1")
	if why != "" {
		return wire.Skipped("ln: %s", why)
	}
	return wire.Result{Out: wire.Values{
		"unit": wire.NewFloat(k.unit), "ln": wire.NewFloat(t.ln),
		"y": wire.NewFloat(t.y), "z": wire.NewFloat(t.z),
		"x": wire.NewFloat(t.x), "w": wire.NewFloat(t.w),
		"rounded": wire.NewFloat(t.rounded), "r": wire.NewFloat(t.r),
	}}
}

func answerRelease(in wire.Values) wire.Result {
	k, refusal := readMechanism(in, true)
	if refusal != "" {
		return wire.Rejected(refusal)
	}
	t := newTape(in["tape"].Bytes())
	sign, ok := t.take(1)
	if !ok {
		return wire.Rejected(noTape)
	}
	u, ok := t.draw(in["kind"].Text)
	if !ok {
		return wire.Rejected(noTape)
	}
	out, why := k.run(in["f"].Float(), u, sign == "0")
	if why != "" {
		return wire.Skipped("ln: %s", why)
	}
	return wire.Result{Out: wire.Values{
		"r": wire.NewFloat(out.r), "consumed": wire.NewInt(int64(t.consumed)),
	}}
}
