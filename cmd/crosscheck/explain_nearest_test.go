package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"abc", "abc", 0}, {"ab", "ba", 2}, {"a", "bcd", 3}} {
		assert.Equal(t, c.want, edits(c.a, c.b), "%s, %s", c.a, c.b)
		assert.Equal(t, c.want, edits(c.b, c.a), "%s, %s", c.b, c.a)
	}
}

func TestNearest(t *testing.T) {
	ids := []string{"ln/one", "snap/tie-positive", "snap/tie-negative", "snap_release/staged-tie-negative", "snap/any-001", "snap/any-002", "snap/any-003", "snap/any-004"}
	for unknown, want := range map[string][]string{
		"snap/tie-negativ": {"snap/tie-negative", "snap/tie-positive"},
		"tie-negative":     {"snap/tie-negative", "snap_release/staged-tie-negative"},
		"snap/any-0":       {"snap/any-001", "snap/any-002", "snap/any-003"}, // three at most, in order
		"ln/on":            {"ln/one"},
		"ne":               nil, // part of many
		"":                 nil,
		"mechanism":        nil,
	} {
		assert.Equal(t, want, nearest(unknown, ids), unknown)
	}
}
