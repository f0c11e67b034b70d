package loss

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
)

// confidences of the radii shown.
var confidences = []string{"0.5", "0.95", "0.99", "0.999999"}

func errorsOf(d *oracle.Dist) (Error, error) {
	a, err := d.Accuracy()
	if err != nil {
		return Error{}, err
	}
	e := Error{Accuracy: a}
	for _, c := range confidences {
		r, _ := new(big.Rat).SetString(c)
		t, beyond, err := d.Radius(r)
		if err != nil {
			return e, err
		}
		e.Radii = append(e.Radii, Radius{c, t, beyond})
	}
	return e, nil
}
