package proofs

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The text of a label is the paragraph, the list entry, or the formula with what
// is said before and after it.
func TestItems(t *testing.T) {
	p, err := readPage(`---
title: no text
---

# Head

Before
it.

$$a - b
- c \tag{x.1}$$

$$d \tag{x.2}$$

After **(x.3)** it.

Not this.

- **(x.4)** one
  and more;
- **(x.5)** two <!-- **(x.6)** -->.

` + "```\n**(x.7)** \\tag{x.8}\n```\n\n```check:n\n1\n```\n\n$$e \\tag{x.9}$$\n")
	require.NoError(t, err)
	both := "Before it.\n$$a - b - c \\tag{x.1}$$\n$$d \\tag{x.2}$$\nAfter **(x.3)** it."
	assert.Equal(t, map[string][]string{
		"x.1": {both}, "x.2": {both}, "x.3": {"After **(x.3)** it."},
		"x.4": {"- **(x.4)** one and more;"}, "x.5": {"- **(x.5)** two ."}, "x.9": {"$$e \\tag{x.9}$$"},
	}, p.items)
	assert.Equal(t, []string{"x.1", "x.2", "x.3", "x.4", "x.5", "x.9"}, p.labels)
	assert.Contains(t, p.prose, "``` **(x.7)** \\tag{x.8} ```")
	assert.NotContains(t, p.plain, "x.7")
	assert.NotContains(t, p.prose, "check:n")
	assert.NotContains(t, p.prose, "no text")
}

func TestComments(t *testing.T) {
	for text, want := range map[string]string{
		"a <!-- b --> c":        "a  c",
		"`<!--` a -->":          "`<!--` a -->",
		"a <b <!---->c ` d":     "a <b c ` d",
		"<!-- a --><!-- b -->c": "c",
	} {
		got, open := uncomment(text, false)
		assert.Equal(t, want, got)
		assert.False(t, open, text)
	}
	p, err := readPage("a <!-- b\n```\n# c\n--> d\n<!--\n\n# e\n-->\n")
	require.NoError(t, err)
	assert.Equal(t, "a d", p.prose)
	assert.Empty(t, p.anchors)
	_, err = readPage("a\n<!-- b\n")
	assert.ErrorContains(t, err, "line 2: the comment does not end")
}

func TestLinks(t *testing.T) {
	p, err := readPage("[a\nb](c) ![d](e.png \"title\") [`f`](g) `[no](h)`\n\n[i]: j\n<a href=\"k\">l</a>\n\n## [m](n) o\n")
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"c", "e.png", "g", "j", "k", "n"}, p.links)
	assert.True(t, p.anchors["m-o"])
}
