package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows a bar on a terminal for work that takes more than a second, and
// nothing when the output is piped.
type progress struct {
	w     io.Writer
	label string
	start time.Time
	bar   *progressbar.ProgressBar
}

func newProgress(w io.Writer, label string) *progress {
	p := &progress{label: label, start: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.w = w
	}
	return p
}

// step is called with what is done and what there is to do.
func (p *progress) step(done, total int) {
	if p.w == nil || p.bar == nil && time.Since(p.start) < time.Second {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription(p.label),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetPredictTime(true))
	}
	_ = p.bar.Set(done) // a bar that cannot be drawn is not worth an error
}

// done removes the bar.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
		_ = p.bar.Clear()
	}
}
