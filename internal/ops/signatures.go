package ops

import "github.com/dp-crosscheck/crosscheck/internal/wire"

func field(name string, t wire.Type, doc string) wire.Field {
	return wire.Field{Name: name, Type: t, Doc: doc}
}

// The parameters every operation on the snapping mechanism shares.
func snapFields(more ...wire.Field) []wire.Field {
	return append([]wire.Field{
		field("scale", wire.ScaleOf, "what value is"),
		field("value", wire.F64, "lambda or epsilon: finite, > 0"),
		field("lo", wire.F64, "lower bound, finite"),
		field("hi", wire.F64, "upper bound, finite, >= lo"),
	}, more...)
}

var (
	fieldF = field("f", wire.F64, "the true answer: any double but NaN; infinities clamp")
	fieldM = field("m", wire.Int, "significand bits of u, 0 <= m < 2^52")
	fieldE = field("e", wire.Int, "u = (1 + m 2^-52) 2^-e, 1 <= e < 2^62")
	fieldT = field("tape", wire.Tape, "fair bits, most significant bit of each byte first")
	fieldK = field("kind", wire.Kind, "which U*")
	fieldC = field("consumed", wire.Int, "bits taken from the tape")
	fieldX = field("x", wire.F64, "finite, > 0")
	fieldY = field("y", wire.F64, "")
)

// Signatures of the operations, in the order of their building.
var (
	sigLn = wire.Signature{
		Op: "ln", Doc: "LN(x), the correctly rounded natural logarithm",
		In: []wire.Field{fieldX}, Out: []wire.Field{fieldY},
	}
	sigLnPair = wire.Signature{
		Op: "ln_pair", Doc: "LN(u) of a draw u = (1 + m 2^-52) 2^-e",
		In: []wire.Field{fieldM, fieldE}, Out: []wire.Field{fieldY},
	}
	sigPow2Ceil = wire.Signature{
		Op: "pow2_ceil", Doc: "smallest power of two >= x",
		In: []wire.Field{fieldX}, Out: []wire.Field{fieldY},
	}
	sigPow2CeilInv = wire.Signature{
		Op: "pow2_ceil_inv", Doc: "smallest power of two >= 1/x, exactly",
		In: []wire.Field{fieldX}, Out: []wire.Field{fieldY},
	}
	sigRoundMultiple = wire.Signature{
		Op: "round_multiple", Doc: "nearest multiple of a power of two",
		In: []wire.Field{
			field("x", wire.F64, "finite"),
			field("unit", wire.F64, "a power of two"),
			field("ties", wire.Ties, "up: toward +inf; down: toward -inf"),
		},
		Out: []wire.Field{fieldY},
	}
	sigClamp = wire.Signature{
		Op: "clamp", Doc: "min(hi, max(lo, x))",
		In: []wire.Field{
			field("x", wire.F64, "not NaN"),
			field("lo", wire.F64, "finite"),
			field("hi", wire.F64, "finite, >= lo"),
		},
		Out: []wire.Field{fieldY},
	}
	sigUniform = wire.Signature{
		Op: "uniform", Doc: "the draw U* from a tape",
		In:  []wire.Field{fieldT, fieldK},
		Out: []wire.Field{fieldM, fieldE, fieldC},
	}
	sigSnap = wire.Signature{
		Op: "snap", Doc: "Snap_F(f; u, s), every stage",
		In: snapFields(fieldF, fieldM, fieldE, field("s", wire.Sign, "+1 puts the output at or below f")),
		Out: []wire.Field{
			field("unit", wire.F64, "Lambda"),
			field("ln", wire.F64, "LN(u)"),
			field("y", wire.F64, "lambda (x) ln, or ln (/) epsilon; a zero is +0"),
			field("z", wire.F64, "s y"),
			field("x", wire.F64, "clamp(f); a zero is +0"),
			field("w", wire.F64, "x (+) z"),
			field("rounded", wire.F64, "nearest multiple of Lambda, ties toward +inf; a zero is +0"),
			field("r", wire.F64, "clamp of that; a zero is +0"),
		},
	}
	sigSnapCalibrate = wire.Signature{
		Op: "snap_calibrate", Doc: "the scale for a privacy budget",
		In: []wire.Field{
			field("epsilon", wire.F64, "the budget: finite, > 0"),
			field("sensitivity", wire.F64, "D: finite, > 0"),
			field("lo", wire.F64, "lower bound, finite"),
			field("hi", wire.F64, "upper bound, finite, >= lo"),
			field("constant", wire.Int, "c, 0 <= c < 2^31"),
			field("additive", wire.Int, "a, 0 <= a < 2^31"),
			field("floor", wire.Int, "b, 0 <= b < 2^31"),
		},
		Out: []wire.Field{
			field("lambda", wire.F64, "smallest sufficient scale"),
			field("epsilon_prime", wire.F64, "the ideal mechanism's budget, rounded down"),
			field("achieved", wire.F64, "the accounted loss with that lambda, rounded up"),
			field("unit", wire.F64, "Lambda"),
		},
	}
	sigSnapRelease = wire.Signature{
		Op: "snap_release", Doc: "the mechanism on the bits of a tape: the sign, then U*",
		In:  snapFields(fieldF, fieldT, fieldK),
		Out: []wire.Field{field("r", wire.F64, "the output; a zero is +0"), fieldC},
	}
	sigSnapProb = wire.Signature{
		Op: "snap_prob", Doc: "the exact probability of an output",
		In:  snapFields(fieldK, fieldF, field("x", wire.F64, "any finite double; what cannot be an output has probability 0")),
		Out: []wire.Field{field("p", wire.Rat, "Pr[output = x]")},
	}
	sigSnapLoss = wire.Signature{
		Op: "snap_loss", Doc: "the largest privacy loss between two inputs",
		In: snapFields(fieldK, fieldF, field("f2", wire.F64, "the other true answer, as f")),
		Out: []wire.Field{
			field("worst", wire.F64, "the smallest output that attains the largest loss; a zero is +0"),
			field("p", wire.Rat, "its probability under f"),
			field("p2", wire.Rat, "its probability under f2"),
			field("loss_lo", wire.RatInf, "at most |ln(p/p2)|; inf when one of p, p2 is 0"),
			field("loss_hi", wire.RatInf, "at least |ln(p/p2)|, at most 2^-80 above loss_lo"),
		},
		Enclosures: []wire.Enclosure{lossEnclosure},
	}
)
