package main

import (
	"cmp"
	"slices"
	"strings"
)

// nearest returns the few ids most like one that is unknown, most like it first:
// those within a third of its length in edits, and those it is a part of.
func nearest(unknown string, ids []string) []string {
	type candidate struct {
		id       string
		distance int
	}
	var near []candidate
	for _, id := range ids {
		d := edits(unknown, id)
		if d <= max(2, len(unknown)/3) || len(unknown) > 2 && strings.Contains(id, unknown) {
			near = append(near, candidate{id, d})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var out []string
	for _, c := range near[:min(3, len(near))] {
		out = append(out, c.id)
	}
	return out
}

// edits is the Levenshtein distance of a and b, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // distances of a's prefix to b's prefixes
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
