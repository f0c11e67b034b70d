// Package hook lets the derandomised entry points reach the core of a
// production mechanism without the production package exporting it.
package hook

import "github.com/dp-crosscheck/crosscheck/impl/internal/snap"

// Core returns the core of an *impl.Snapping, or false for a nil or zero one.
// Package impl sets it when it is initialised.
var Core func(snapping any) (snap.Mechanism, bool)
