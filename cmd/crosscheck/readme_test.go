package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
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

// go test ./cmd/crosscheck -run Readme -update writes what is shown anew.
var update = flag.Bool("update", false, "rewrite the output that README.md shows")

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
		if *update && plain(want) != plain(out.String()) {
			text = bytes.Replace(text, []byte(command+"\n"+want), []byte(command+"\n"+strings.TrimLeft(out.String(), "\n")), 1)
			continue
		}
		assert.Equal(t, plain(want), plain(out.String()), command)
	}
	if *update {
		require.NoError(t, os.WriteFile("README.md", text, 0o644))
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

// The picture the README links to is the one that its command draws. (Elsewhere the
// compiler may fuse a product and a sum, which moves a point by less than can be seen.)
func TestPictureIsCurrent(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("drawn on amd64")
	}
	have, err := os.ReadFile("../../docs/loss.svg")
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "loss.svg")
	root := newRoot()
	root.SetArgs(strings.Fields("loss --scale epsilon --value 0.7 --lo -100 --hi 100 --f -98.9 --f2 -97.9 --plot " + name))
	root.SetOut(&bytes.Buffer{})
	require.NoError(t, root.Execute())
	drawn, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(have, drawn), "draw docs/loss.svg again")
}
