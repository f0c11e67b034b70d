// Package ops is the registry: for every operation of the port protocol its
// signature, the voters that answer it, and the generator of its cases.
// Generation, verification, serving, mutants and properties are walks over it;
// adding an operation is adding its lines here.
package ops
