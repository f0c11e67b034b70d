// Package hook lets the derandomised entry points reach the core of a production
// mechanism without the production package exporting it.
package hook

import "github.com/dp-crosscheck/crosscheck/impl/wide/internal/core"

// Core returns the core of a *wide.Snapping, or false for a nil or zero one.
// Package wide sets it when it is initialised.
var Core func(snapping any) (core.Mechanism, bool)
