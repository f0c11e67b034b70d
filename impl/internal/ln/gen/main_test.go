package main

import (
	"math/big"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The checked-in table is what the program writes, byte for byte.
func TestTableIsGenerated(t *testing.T) {
	want, err := Generate()
	require.NoError(t, err)
	got, err := os.ReadFile("../table.go")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go generate in impl/internal/ln")
}

// An enclosure that does not decide the rounding is refused, not guessed.
func TestNearestRefuses(t *testing.T) {
	mid := new(big.Int).Lsh(big.NewInt(1), work-frac-1)
	_, err := nearest(new(big.Int).Sub(mid, big.NewInt(1)), mid)
	require.Error(t, err)
	n, err := nearest(mid, mid)
	require.NoError(t, err)
	require.Equal(t, int64(1), n.Int64())
}
