package gen

import _ "embed"

// HardLn is the list of hard-to-round inputs of ln, made by tools/lnsearch; its
// header explains the columns.
//
//go:embed hardln.txt
var HardLn string
