package spec

import "fmt"

// The formats of the mechanism at p bits (Covington 2019, section 5) that the
// protocol knows: each contains every double.
const (
	MinWide = 53
	MaxWide = 4096
)

// Wide returns F(p, -2^20, 2^20). With parameters and scales of the size of doubles
// and p in [MinWide, MaxWide] no stage of the mechanism underflows or overflows.
func Wide(p uint) Format {
	return Format{fmt.Sprintf("wide%d", p), p, -MaxExponent, MaxExponent}
}
