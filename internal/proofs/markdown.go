package proofs

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// page is what the checker reads out of a Markdown file.
type page struct {
	labels  []string // numbered inequalities, in order
	links   []string // targets of [text](target)
	blocks  []block  // fenced blocks marked check:NAME
	anchors map[string]bool
}

// block is a fenced block whose text is generated: lines [from, to) of the file.
type block struct {
	name     string
	from, to int
	text     string
}

var (
	tagPattern    = regexp.MustCompile(`\\tag\{([^}]*)\}`)
	itemPattern   = regexp.MustCompile(`\*\*\(([^()\s]+)\)\*\*`)
	linkPattern   = regexp.MustCompile(`\[[^\][]*\]\(([^()\s]+)\)`)
	anchorPattern = regexp.MustCompile(`<a\s+(?:id|name)="([^"]+)"`)
	codeSpan      = regexp.MustCompile("`[^`]*`")
	headPattern   = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*\s*$`)
)

// readPage scans Markdown: fences first, then, outside them, headings, labels and
// links. A label is a \tag{…} of a displayed formula or a **(…)** in the text.
func readPage(text string) (page, error) {
	p := page{anchors: map[string]bool{}}
	slugs := map[string]int{}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if fence, ok := fenceOf(lines[i]); ok {
			end := i + 1
			for end < len(lines) && strings.TrimSpace(lines[end]) != fence {
				end++
			}
			if end == len(lines) {
				return p, fmt.Errorf("line %d: the fenced block does not end", i+1)
			}
			info := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines[i]), fence))
			if name, ok := strings.CutPrefix(info, "check:"); ok {
				body := strings.Join(lines[i+1:end], "\n")
				if end > i+1 {
					body += "\n"
				}
				p.blocks = append(p.blocks, block{name, i + 1, end, body})
			}
			i = end
			continue
		}
		line := lines[i]
		if m := headPattern.FindStringSubmatch(line); m != nil {
			p.addAnchor(slug(m[1]), slugs)
		}
		line = codeSpan.ReplaceAllString(line, "")
		for _, m := range anchorPattern.FindAllStringSubmatch(line, -1) {
			p.anchors[m[1]] = true
		}
		for _, re := range []*regexp.Regexp{tagPattern, itemPattern} {
			for _, m := range re.FindAllStringSubmatch(line, -1) {
				p.labels = append(p.labels, m[1])
			}
		}
		for _, m := range linkPattern.FindAllStringSubmatch(line, -1) {
			p.links = append(p.links, m[1])
		}
	}
	return p, nil
}

// fenceOf returns the fence of a line that opens a block.
func fenceOf(line string) (string, bool) {
	t := strings.TrimSpace(line)
	n := len(t) - len(strings.TrimLeft(t, "`"))
	return strings.Repeat("`", n), n >= 3
}

// slug is the anchor GitHub makes of a heading: lower case, letters, digits,
// underscores, hyphens and spaces only, spaces as hyphens.
func slug(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Pc, r) || unicode.IsMark(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// addAnchor numbers a repeated heading: -1, -2 and so on.
func (p *page) addAnchor(s string, seen map[string]int) {
	n := seen[s]
	seen[s]++
	if n > 0 {
		s = fmt.Sprintf("%s-%d", s, n)
	}
	p.anchors[s] = true
}
