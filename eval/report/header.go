package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"engram/eval"
)

// facts is the table of how the numbers were made.
func (r *Report) facts() table {
	t := table{Title: "How it was made", Header: []string{"what", "value"}}
	add := func(what, value string) {
		row := []string{what, clean(value)}
		if value != "" && !slices.ContainsFunc(t.Rows, func(o []string) bool { return slices.Equal(o, row) }) {
			t.Rows = append(t.Rows, row) // runs say mostly the same
		}
	}
	add("benchmark", fmt.Sprintf("%s, %d questions", r.Benchmark, r.Questions))
	for i := range r.Runs {
		m := &r.Runs[i]
		for _, f := range m.Data {
			add("data", f.Name+" sha256:"+f.SHA256)
		}
		add("command", m.Command)
		add("commit", m.Commit)
		add("seed", strconv.FormatUint(m.Seed, 10))
		add("budget", strconv.Itoa(m.Budget)+" tokens")
		if m.Limit > 0 {
			add("limit", fmt.Sprintf("%d questions drawn by the seed", m.Limit))
		}
		for _, s := range m.Systems {
			add("options of "+clean(s), options(m.Options[s]))
		}
		add("readers", strings.Join(m.Readers, ", "))
		add("judges", strings.Join(m.Judges, ", "))
		if m.Prompts != "" {
			add("judge prompts", cmp.Or(m.PromptsBy, "unnamed")+" sha256:"+m.Prompts)
		}
		add("program", fmt.Sprintf("%s, %d processors", m.Go, m.Processors))
		add("started", m.Started)
	}
	return t
}

func options(of map[string]string) string {
	var list []string
	for k, v := range of {
		list = append(list, k+"="+v)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// title names the report.
func (r *Report) title() string { return clean(r.Benchmark) }

// commit names what was measured, in short.
func commit(runs []eval.Manifest) string {
	return strings.Join(eval.Distinct(runs, func(m eval.Manifest) string { return clean(m.Commit) }), ", ")
}
