package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Table writes the comparison for a terminal: each system's measures before and
// after, the answers that turned, and the questions that changed.
func (c *Comparison) Table(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d rows differ apart from latencies and commit, %d contexts changed\n", clean(c.Benchmark), c.Differing, c.Rows+c.missing(), c.Contexts)
	if len(c.Unlike) > 0 {
		fmt.Fprintf(&b, "not the same in both runs: %s\n", strings.Join(c.Unlike, ", "))
	}
	for _, x := range []struct {
		run, commit, incomplete string
		systems                 []string
	}{{"first", c.A.Commit, c.IncompleteA, c.OnlyA}, {"second", c.B.Commit, c.IncompleteB, c.OnlyB}} {
		fmt.Fprintf(&b, "%s run: commit %s", x.run, clean(x.commit))
		if x.incomplete != "" {
			fmt.Fprintf(&b, " – %s", x.incomplete)
		}
		b.WriteString("\n")
		if len(x.systems) > 0 {
			fmt.Fprintf(&b, "only in the %s run: %s\n", x.run, clean(strings.Join(x.systems, ", ")))
		}
	}
	for _, name := range c.order {
		if err := c.Systems[name].write(&b, clean(name)); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Comparison) missing() int {
	n := 0
	for _, s := range c.Systems {
		n += len(s.Missing)
	}
	return n
}

func (c *Changes) write(b *strings.Builder, system string) error {
	fmt.Fprintf(b, "\n%s: %d of %d rows differ\n", system, c.Differing, c.Rows+len(c.Missing))
	if len(c.Missing) > 0 {
		fmt.Fprintf(b, "in one run alone: %s\n", clean(some(c.Missing)))
	}
	t := table{Header: []string{"measure", "before", "after", "gain", "95 %", "rose", "fell", "same", "p"}}
	for _, metric := range slices.Sorted(maps.Keys(c.Metrics)) {
		s := c.Metrics[metric]
		t.Rows = append(t.Rows, []string{
			clean(metric), percent(s.A), percent(s.B), points(s.Gain), pointsInterval(s.Interval),
			strconv.Itoa(s.Rose), strconv.Itoa(s.Fell), strconv.Itoa(s.Same), probability(s.SignP),
		})
	}
	for _, r := range c.Readers {
		t.Rows = append(t.Rows, []string{
			"answers of " + clean(r.Reader), percent(r.A), percent(r.B), points(r.B - r.A), "", strconv.Itoa(len(r.Right)), strconv.Itoa(len(r.Wrong)), "", probability(r.McNemarP),
		})
	}
	if err := t.plain(b); err != nil {
		return err
	}
	for i := range c.Questions {
		q := &c.Questions[i]
		var moved []string
		for _, metric := range slices.Sorted(maps.Keys(q.Metrics)) {
			v := q.Metrics[metric]
			moved = append(moved, fmt.Sprintf("%s %.3g → %.3g", metric, v[0], v[1]))
		}
		fmt.Fprintf(b, "  %s (%s): %s\n", clean(q.Question), clean(q.Category), clean(strings.Join(moved, ", ")))
	}
	return nil
}
