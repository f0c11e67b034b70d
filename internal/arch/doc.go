// Package arch holds no code, only the tests that keep the architecture: which
// package may import which, and that the exact half of the module does no
// floating-point arithmetic.
package arch
