package proofs

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// page is what the checker reads out of a Markdown file.
type page struct {
	labels  []string            // numbered inequalities, in order
	items   map[string][]string // label -> the text it stands in, normalised; one for each place
	links   []string            // targets of links
	blocks  []block             // fenced blocks marked check:NAME
	rows    [][]string          // cells of the lines that begin with |
	anchors map[string]bool
	prose   string // the whole text, normalised, without generated blocks
	plain   string // the same without any fenced block
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
	linkPattern   = regexp.MustCompile(`\[([^\][]*)\]\(([^()\s]+)(?:\s+"[^"]*")?\)`)
	definePattern = regexp.MustCompile(`^ {0,3}\[[^\]]+\]:\s*(\S+)`)
	hrefPattern   = regexp.MustCompile(`<[a-z][^>]*\s(?:href|src)="([^"]+)"`)
	anchorPattern = regexp.MustCompile(`<a\s+(?:id|name)="([^"]+)"`)
	codeSpan      = regexp.MustCompile("`[^`]*`")
	headPattern   = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*\s*$`)
	listPattern   = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s`)
)

// readPage scans Markdown. Front matter and HTML comments are no text; a fenced
// block is text, but nothing in it is a heading, a label or a link. A label is a
// \tag{…} of a displayed formula or a **(…)** in the text.
func readPage(text string) (page, error) {
	p := page{items: map[string][]string{}, anchors: map[string]bool{}}
	parts, err := p.split(text)
	if err != nil {
		return p, err
	}
	slugs := map[string]int{}
	var prose, plain []string
	for i, q := range parts {
		words := normal(q.lines)
		if q.kind != generated {
			prose = append(prose, words)
		}
		if q.kind == generated || q.kind == fenced {
			continue
		}
		plain = append(plain, words)
		if q.kind == heading {
			p.addAnchor(slug(headPattern.FindStringSubmatch(q.lines[0])[1]), slugs)
		}
		for _, line := range q.lines {
			p.line(line, parts, i)
		}
		for _, m := range linkPattern.FindAllStringSubmatch(codeSpan.ReplaceAllString(words, ""), -1) {
			p.links = append(p.links, m[2])
		}
	}
	p.prose, p.plain = strings.Join(prose, "\n"), strings.Join(plain, "\n")
	return p, nil
}

// line enters what one line of the i-th part has.
func (p *page) line(line string, parts []part, i int) {
	if t := strings.TrimSpace(line); strings.HasPrefix(t, "|") {
		var cells []string
		for _, c := range strings.Split(strings.Trim(t, "|"), "|") {
			cells = append(cells, strings.TrimSpace(c))
		}
		p.rows = append(p.rows, cells)
	}
	line = codeSpan.ReplaceAllString(line, "")
	for _, m := range anchorPattern.FindAllStringSubmatch(line, -1) {
		p.anchors[m[1]] = true
	}
	for _, re := range []*regexp.Regexp{definePattern, hrefPattern} {
		for _, m := range re.FindAllStringSubmatch(line, -1) {
			p.links = append(p.links, m[1])
		}
	}
	for _, re := range []*regexp.Regexp{tagPattern, itemPattern} {
		for _, m := range re.FindAllStringSubmatch(line, -1) {
			p.labels = append(p.labels, m[1])
			p.items[m[1]] = append(p.items[m[1]], item(parts, i))
		}
	}
}

// item is the text that the label in the i-th part stands for: the paragraph or
// list entry; for a displayed formula, with the paragraphs before and after it,
// which say what its letters mean and when it holds.
func item(parts []part, i int) string {
	from, to := i, i+1
	if parts[i].display() {
		for from > 0 && parts[from].display() && parts[from-1].kind == paragraph {
			from--
		}
		for to < len(parts) && parts[to-1].display() && parts[to].kind == paragraph {
			to++
		}
	}
	var words []string
	for _, q := range parts[from:to] {
		words = append(words, normal(q.lines))
	}
	return strings.Join(words, "\n")
}

// part is a heading, a fenced block, or a paragraph (a list entry counts as one).
type part struct {
	kind  partKind
	lines []string
}

type partKind int

const (
	paragraph partKind = iota
	heading
	fenced
	generated
)

// display reports that the part is a displayed formula.
func (q part) display() bool {
	return q.kind == paragraph && strings.HasPrefix(strings.TrimSpace(q.lines[0]), "$$")
}

// unclosed reports that a displayed formula goes on: a minus there is no list.
func (q part) unclosed() bool {
	return q.kind == paragraph && strings.Count(strings.Join(q.lines, ""), "$$")%2 == 1
}

// normal is text whose layout does not count.
func normal(lines []string) string {
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

// split divides a text into its parts.
func (p *page) split(text string) ([]part, error) {
	var parts []part
	lines := strings.Split(text, "\n")
	open := false // whether the last part may get another line
	comment := 0  // the line a comment began in
	for i := endOfFrontMatter(lines); i < len(lines); i++ {
		if fence, ok := fenceOf(lines[i]); ok && comment == 0 {
			end := i + 1
			for end < len(lines) && strings.TrimSpace(lines[end]) != fence {
				end++
			}
			if end == len(lines) {
				return nil, fmt.Errorf("line %d: the fenced block does not end", i+1)
			}
			info := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines[i]), fence))
			q := part{fenced, lines[i : end+1]}
			if name, ok := strings.CutPrefix(info, "check:"); ok {
				body := strings.Join(lines[i+1:end], "\n")
				if end > i+1 {
					body += "\n"
				}
				p.blocks = append(p.blocks, block{name, i + 1, end, body})
				q.kind = generated
			}
			parts, open, i = append(parts, q), false, end
			continue
		}
		line, inside := uncomment(lines[i], comment > 0)
		switch {
		case !inside:
			comment = 0
		case comment == 0:
			comment = i + 1
		}
		switch {
		case strings.TrimSpace(line) == "":
			open = open && line != lines[i] // a line with nothing but a comment parts no paragraph
		case headPattern.MatchString(line):
			parts, open = append(parts, part{heading, []string{line}}), false
		case open && (!listPattern.MatchString(line) || parts[len(parts)-1].unclosed()):
			last := &parts[len(parts)-1]
			last.lines = append(last.lines, line)
		default:
			parts, open = append(parts, part{paragraph, []string{line}}), true
		}
	}
	if comment > 0 {
		return nil, fmt.Errorf("line %d: the comment does not end", comment)
	}
	return parts, nil
}

// endOfFrontMatter is the number of the first line that is not front matter.
func endOfFrontMatter(lines []string) int {
	if lines[0] == "---" {
		for i, l := range lines[1:] {
			if l == "---" {
				return i + 2
			}
		}
	}
	return 0
}

// uncomment takes HTML comments out of a line, and says whether one is open at its
// end. Inside a code span <!-- is text.
func uncomment(line string, inside bool) (string, bool) {
	var b strings.Builder
	for line != "" {
		if inside {
			_, rest, ok := strings.Cut(line, "-->")
			if !ok {
				return b.String(), true
			}
			line, inside = rest, false
			continue
		}
		i := strings.IndexAny(line, "<`")
		if i < 0 {
			b.WriteString(line)
			break
		}
		b.WriteString(line[:i])
		line = line[i:]
		if rest, ok := strings.CutPrefix(line, "<!--"); ok {
			line, inside = rest, true
			continue
		}
		n := 1
		if line[0] == '`' {
			if end := strings.IndexByte(line[1:], '`'); end >= 0 {
				n = end + 2
			}
		}
		b.WriteString(line[:n])
		line = line[n:]
	}
	return b.String(), inside
}

// fenceOf returns the fence of a line that opens a block.
func fenceOf(line string) (string, bool) {
	t := strings.TrimSpace(line)
	n := len(t) - len(strings.TrimLeft(t, "`"))
	return strings.Repeat("`", n), n >= 3
}

// slug is the anchor GitHub makes of a heading: the text of links, lower case,
// letters, digits, underscores, hyphens and spaces only, spaces as hyphens.
func slug(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(linkPattern.ReplaceAllString(heading, "$1")) {
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
