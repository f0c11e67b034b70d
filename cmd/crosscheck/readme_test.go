package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	session = regexp.MustCompile("(?ms)^ *```\n *\\$ (.*?)^ *```$")
	times   = regexp.MustCompile(`[0-9]+\.[0-9]+s\b`)
	spaces  = regexp.MustCompile(` +`)
	piped   = regexp.MustCompile(`^echo '(.*)' \| `)
)

// What the README shows as the output of crosscheck is its output, but for times.
func TestReadmeIsTrue(t *testing.T) {
	t.Chdir("../..") // where a reader of the README is
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	shown := 0
	for _, m := range session.FindAllStringSubmatch(string(text), -1) {
		command, want, _ := strings.Cut(m[1], "\n")
		stdin := ""
		if p := piped.FindStringSubmatch(command); p != nil {
			stdin = p[1] + "\n"
			command = strings.TrimPrefix(command, p[0])
		}
		args, ok := strings.CutPrefix(command, "go run ./cmd/crosscheck ")
		if !ok {
			continue
		}
		shown++
		root := newRoot()
		var out bytes.Buffer
		root.SetArgs(strings.Fields(strings.ReplaceAll(args, "'", "")))
		root.SetIn(strings.NewReader(stdin))
		root.SetOut(&out)
		root.SetErr(&out)
		_ = root.Execute() // its status is part of what scripts test
		assert.Equal(t, plain(want), plain(out.String()), command)
	}
	assert.GreaterOrEqual(t, shown, 3)
}

// plain drops what may vary: times, and the spaces that align them.
func plain(s string) string {
	lines := strings.Split(strings.TrimSpace(spaces.ReplaceAllString(times.ReplaceAllString(s, "TIME"), " ")), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}
