package kernel

// A derivation may be millions of steps deep (WEAKEN upon WEAKEN), so nothing
// recurses over one.

// frame is a step on the way from the conclusion, its place among the premises of
// the step before, and the premise to go to next.
type frame struct {
	s           *step
	place, next int
}

// steps lists the distinct steps of the derivation, premises before conclusions.
// ok is false if there are more than limit.
func (j Judgment) steps(limit int) (order []*step, ok bool) {
	seen := map[*step]bool{j.s: true}
	for path := []frame{{s: j.s}}; len(path) > 0; {
		top := &path[len(path)-1]
		if top.next == len(top.s.premises) {
			order = append(order, top.s)
			path = path[:len(path)-1]
			continue
		}
		p := top.s.premises[top.next].s
		top.next++
		if seen[p] {
			continue
		}
		if len(seen) == limit {
			return nil, false
		}
		seen[p] = true
		path = append(path, frame{s: p})
	}
	return order, true
}

// visit walks the derivation as a tree: before sees a judgment before its premises,
// after sees it after them. A judgment used twice is visited twice. place counts
// the premises of one rule from 0.
func (j Judgment) visit(before, after func(j Judgment, depth, place int)) {
	path := []frame{{s: j.s}}
	before(j, 0, 0)
	for len(path) > 0 {
		depth := len(path) - 1
		top := &path[depth]
		if i := top.next; i < len(top.s.premises) {
			top.next++
			p := top.s.premises[i]
			before(p, depth+1, i)
			path = append(path, frame{s: p.s, place: i})
			continue
		}
		after(Judgment{top.s}, depth, top.place)
		path = path[:depth]
	}
}

// nodes counts the tree up to a limit, so that a derivation that shares its
// judgments is not drawn exponentially large.
func (j Judgment) nodes(limit int) int {
	n := 0
	for todo := []Judgment{j}; len(todo) > 0 && n < limit; n++ {
		last := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], last.step().premises...)
	}
	return n
}
