package props

import (
	"errors"
	"fmt"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
)

// derivationProperties hold a voter's stages inside what the kernel derives.
var derivationProperties = []Property{
	{"snap-inside-derivation", []string{"snap"}, genSnap, insideDerivation},
}

// snapParams reads the parameters of the mechanism.
func snapParams(p Point) spec.SnapParams {
	return spec.SnapParams{Format: b64, Scale: spec.ScaleKind(p["scale"].Text), Value: datum(p["value"]), Lo: datum(p["lo"]), Hi: datum(p["hi"])}
}

func insideDerivation(v wire.Voter, p Point) error {
	out, err := value(v, "snap", question("snap", p, nil))
	if err != nil {
		return err
	}
	s := spec.Sign(1)
	if p["s"].Text == "-1" {
		s = -1
	}
	d, err := kernel.SnapDerivation(snapParams(p), datum(p["f"]), spec.U{M: p["m"].Big().Uint64(), E: p["e"].Big().Int64()}, s)
	var stopped *kernel.SnapError // an overflow, which no finite interval describes
	if err != nil && !errors.As(err, &stopped) {
		return fmt.Errorf("no derivation: %w", err)
	}
	for _, stage := range spec.SnapStages {
		j, ok := d.Stage(stage.ID)
		if !ok {
			continue
		}
		if x := datum(out[stage.ID]); !x.IsFinite() || !j.Interval().Contains(x.Dyadic()) {
			return fmt.Errorf("%s = %v lies outside [%v, %v], derived by %s", stage.ID, x, j.Interval().Lo, j.Interval().Hi, j.Rule())
		}
	}
	return nil
}
