package loss

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// PlotFormat returns the format of a file name, svg or png, or an error.
func PlotFormat(name string) (string, error) {
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".svg", ".png":
		return ext[1:], nil
	}
	return "", fmt.Errorf("--plot %s: the name must end in .svg or .png", name)
}

// maxPoints bounds the points drawn of each curve; of more, every k-th is drawn, the
// worst always.
const maxPoints = 4000

var (
	blue   = color.RGBA{0x00, 0x53, 0x9b, 0xff}
	orange = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	green  = color.RGBA{0x00, 0x7a, 0x53, 0xff}
	purple = color.RGBA{0x8e, 0x3b, 0x8a, 0xff}
	grey   = color.RGBA{0x66, 0x66, 0x66, 0xff}
	red    = color.RGBA{0xb0, 0x00, 0x20, 0xff}
)

// Plot draws three panels one above the other: the loss of each output with D/lambda;
// the excess over D/lambda in units of eta, with what the bounds allow; and the
// probability of each output, its exponent being too large for a double's scale.
func (p *Report) Plot(w io.Writer, format string) error {
	panels := []func() (*plot.Plot, error){p.lossPanel, p.excessPanel, p.massPanel}
	const width, height = 9 * vg.Inch, 10.5 * vg.Inch
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	if format == "png" {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(110), vgimg.UseBackgroundColor(color.White))}
	} else {
		canvas = vgsvg.New(width, height)
	}
	plots := make([][]*plot.Plot, len(panels))
	for i, panel := range panels {
		q, err := panel()
		if err != nil {
			return err
		}
		plots[i] = []*plot.Plot{q}
	}
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadTop: 8, PadBottom: 8, PadLeft: 8, PadRight: 16, PadY: 14}
	for i, c := range plot.Align(plots, tiles, draw.New(canvas)) {
		plots[i][0].Draw(c[0])
	}
	_, err := canvas.WriteTo(w)
	return err
}

// drawn returns the rows that are drawn.
func (p *Report) drawn() []int {
	k := (len(p.Rows) + maxPoints - 1) / maxPoints
	var list []int
	for i := range p.Rows {
		if i%k == 0 || i == p.Worst || i == len(p.Rows)-1 {
			list = append(list, i)
		}
	}
	return list
}

// x is where a row stands.
func (r Row) x() float64 { return nearest(r.Output.Dyadic()) }

func (p *Report) newPanel(title, y string) *plot.Plot {
	q := plot.New()
	q.Title.Text, q.X.Label.Text, q.Y.Label.Text = title, "output", y
	q.Title.TextStyle.Font.Size, q.X.Label.TextStyle.Font.Size, q.Y.Label.TextStyle.Font.Size = 12, 11, 11
	q.Title.Padding = 4
	q.Legend.Top, q.Legend.TextStyle.Font.Size, q.Legend.Padding = true, 10, 2
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{0xdd}, color.Gray{0xdd}
	q.Add(grid)
	lo, hi := nearest(p.Params.Lo.Dyadic()), nearest(p.Params.Hi.Dyadic())
	pad := (hi-lo)*0.02 + math.SmallestNonzeroFloat64
	if lo == hi {
		pad = math.Max(1, math.Abs(lo)*0.1)
	}
	q.X.Min, q.X.Max = lo-pad, hi+pad
	return q
}

// dots adds points, with small glyphs when there are many.
func dots(q *plot.Plot, xy plotter.XYs, c color.Color, shape draw.GlyphDrawer, name string) error {
	if len(xy) == 0 {
		return nil
	}
	s, err := plotter.NewScatter(xy)
	if err != nil {
		return err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: c, Radius: 2.6, Shape: shape}
	if len(xy) > 300 {
		s.Radius = 1.3
	}
	q.Add(s)
	q.Legend.Add(name, s)
	return nil
}

// level adds a horizontal line.
func level(q *plot.Plot, y float64, c color.Color, dashes []vg.Length, name string) error {
	l, err := plotter.NewLine(plotter.XYs{{X: q.X.Min, Y: y}, {X: q.X.Max, Y: y}})
	if err != nil {
		return err
	}
	l.Color, l.Width, l.Dashes = c, 1.4, dashes
	q.Add(l)
	q.Legend.Add(name, l)
	return nil
}

func (p *Report) lossPanel() (*plot.Plot, error) {
	q := p.newPanel("Privacy loss of each output, for the two inputs", "loss |ln(Pr[output | f]/Pr[output | f2])|")
	var xy, infinite plotter.XYs
	top := nearest(p.Ideal.Hi)
	for _, i := range p.drawn() {
		r := p.Rows[i]
		if r.Infinite {
			infinite = append(infinite, plotter.XY{X: r.x()})
			continue
		}
		y := nearest(r.Loss.Hi)
		top = math.Max(top, y)
		xy = append(xy, plotter.XY{X: r.x(), Y: y})
	}
	for i := range infinite {
		infinite[i].Y = top * 1.12
	}
	q.Y.Min, q.Y.Max = 0, top*1.45
	return q, firstError(
		dots(q, xy, blue, draw.CircleGlyph{}, "loss"),
		dots(q, infinite, red, draw.TriangleGlyph{}, "infinite"),
		level(q, nearest(p.Ideal.Hi), grey, nil, "D/lambda"),
	)
}

func (p *Report) excessPanel() (*plot.Plot, error) {
	q := p.newPanel("Where the rounding shows: loss above D/lambda", "(loss - D/lambda) / eta")
	eta := p.Params.Format.Eta()
	inEta := func(x real.Interval) float64 {
		d, err := x.Sub(p.Ideal, precision).Quo(real.Point(eta), 60)
		if err != nil {
			return 0
		}
		return nearest(d.Lo)
	}
	limit := 0.0
	for _, b := range p.Bounds {
		limit = math.Max(limit, inEta(b.Value))
	}
	low, high := -0.25*limit, limit
	var xy plotter.XYs
	outside := 0
	for _, i := range p.drawn() {
		r := p.Rows[i]
		if r.Infinite {
			outside++
			continue
		}
		y := inEta(r.Loss)
		if y < -limit || y > 3*limit { // the losses far below D/lambda would flatten the rest
			outside++
			continue
		}
		low, high = math.Min(low, y), math.Max(high, y)
		xy = append(xy, plotter.XY{X: r.x(), Y: y})
	}
	q.Y.Min, q.Y.Max = low*1.1, high*1.6+math.SmallestNonzeroFloat64
	if outside > 0 {
		q.Title.Text += fmt.Sprintf(" (outside the panel: %d of %d drawn)", outside, len(p.drawn()))
	}
	errs := []error{dots(q, xy, blue, draw.CircleGlyph{}, "output"), level(q, 0, grey, nil, "D/lambda")}
	colours := []color.Color{orange, green, purple}
	for i, b := range p.Bounds {
		errs = append(errs, level(q, inEta(b.Value), colours[i%len(colours)], []vg.Length{vg.Length(4 + 3*i), 3}, b.Claim.Name+" bound"))
	}
	return q, firstError(errs...)
}

func (p *Report) massPanel() (*plot.Plot, error) {
	q := p.newPanel("Probability of each output", "log10 of the probability")
	var a, b plotter.XYs
	low := 0.0
	for _, i := range p.drawn() {
		r := p.Rows[i]
		for _, s := range []struct {
			p  oracle.Prob
			to *plotter.XYs
		}{{r.P, &a}, {r.P2, &b}} {
			if s.p.IsZero() {
				continue
			}
			ln, err := s.p.Ln(60)
			if err != nil {
				return nil, err
			}
			y := nearest(ln.Lo) / math.Ln10
			low = math.Min(low, y)
			*s.to = append(*s.to, plotter.XY{X: r.x(), Y: y})
		}
	}
	q.Y.Min, q.Y.Max = low*1.05-0.2, -low*0.12+0.4
	return q, firstError(dots(q, a, blue, draw.CircleGlyph{}, "under f"), dots(q, b, orange, draw.CrossGlyph{}, "under f2"))
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
