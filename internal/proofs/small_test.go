package proofs

// A small checkout: one proved and one refuted document.
var smallTree = map[string]string{
	"docs/theory.md": "# Theory\n\n## 1 A rule\n\nFor all a:\n\n$$a \\le b \\tag{1.1}$$\n\nwhere b is 1.\n\n## Same\n\n## Same\n",
	"proofs/README.md": `# Proofs

| document | status | title |
|---|---|---|
| [one](one.md) | proved | One |
| [two](two.md) | refuted | Two |
`,
	"README.md": "[proofs](proofs/README.md#proofs), [a long\nlink](docs)\n",
	"proofs/one.md": `---
id: one
title: One
status: proved
source: somebody
properties: [p]
code:
  - {symbol: "pkg.F", hash: "0"}
  - {symbol: "pkg.(T).M", hash: "0"}
files: [trust/rules.go]
witnesses: [op/case]
mutants: [m]
---

# One

See [the rule](../docs/theory.md#1-a-rule), [again](../docs/theory.md#same-1), [here](#one).

- **(1.1)** listed from the theory.

Let x be positive. Then

$$x \le y \tag{one.1}$$

and nothing else.

` + "```check:numbers\n1 2 3\n```\n\n`[no](link.md)` and **(one.2)**\n",
	"proofs/two.md": `---
id: two
title: Two
status: refuted
source: somebody
properties: []
code: []
witnesses: []
mutants: []
---

**(two.1)** is false.
`,
	"pkg/f.go": `package pkg

// F does.
func F(a, b int) int {
	return a + b // sum
}

type T struct{ n int }

func (t *T) M() int { return F(t.n, 1) }

const (
	A = iota
	B
)
`,
	"pkg/f_test.go": "package pkg\n\nfunc G() {}\n",
	"trust/doc.go":  "// Package trust has rules.\n//\n// # What must be trusted\n//\n// rules*.go.\n//\n// # Others\n//\n// other.go\npackage trust\n",
	"trust/rules.go": `package trust

import "math"

func Rule(x float64) float64 { return math.Abs(x) }

func helper() {}
`,
	"trust/other.go":     "package trust\n\nfunc Other() {}\n\nfunc deeper() { Other() }\n",
	"vectors/v1/op.json": `{"op":"op","flags":{"x":{"why":"","section":"docs/theory.md#1-a-rule","proof":"proofs/one.md","risk":""}},"cases":[{"id":"op/case"}]}`,
	"internal/proofs/checks.go": `package proofs

func checks() []Check {
	local := func(x int) int { return x + 1 }
	return []Check{
		{Label: "1.1", Run: func(t *Trial) { t.use(local(1)) }},
		{Label: "one.1", Run: holds},
		{Label: "one.2", Run: holds},
		claim("two.1", 7),
	}
}

func holds(*Trial) { limit(2) }

func limit(n int) bool { return n < 3 }

func claim(label string, n int) Check { return Check{} }

func idle() int { return 4 }

func (Check) run() { _ = tight["one.1"] }

var tight = map[string]int{"one.1": 1, "one.2": 2}

type Trial struct{}

type Check struct{ Label string }

func (t *Trial) use(int) {}

type stranger struct{}

func (stranger) use(int) { idle() }
`,
}

// smallRegistry goes with it.
func smallRegistry() Registry {
	holds := func(t *Trial) { t.instance(); t.Le(intNum(1), intNum(2), "1 <= 2") }
	return Registry{
		Checks: []Check{
			{Label: "1.1", Run: holds}, {Label: "one.1", Run: holds}, {Label: "one.2", Run: holds},
			{Label: "two.1", Refutes: true, Run: holds},
		},
		Blocks:     map[string]func() (string, error){"numbers": func() (string, error) { return "1 2 3\n", nil }},
		Properties: []string{"p"},
		Mutants:    []string{"m"},
		Trusted:    "trust/doc.go",
	}
}
