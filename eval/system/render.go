package system

import (
	"strings"

	"engram/eval"
	"engram/memory"
)

// headingOf gives the line above the turns of one day of a session. The plain
// systems date their turns as engram does, so that no reader knows more.
func headingOf(t *eval.Turn) string {
	at := t.Occurred
	switch {
	case at.IsZero() && t.Session == "":
		return "## undated\n"
	case at.IsZero():
		return "## " + t.Session + "\n"
	case at.Gran == memory.Year:
		return "## " + at.Std().Format("2006") + "\n"
	case at.Gran == memory.Month:
		return "## " + at.Std().Format("2006-01") + "\n"
	default:
		return "## " + at.Std().Format("2006-01-02 Mon") + "\n"
	}
}

// said gives "speaker: text", which is what is shown and what is searched.
func said(t *eval.Turn) string {
	who := t.Speaker
	if who == "" {
		who = string(sourceOf(t))
	}
	return who + ": " + strings.TrimSpace(t.Text)
}

// sourceOf gives who a turn comes from; the zero value is the user.
func sourceOf(t *eval.Turn) memory.Source {
	if t.Source == "" {
		return memory.User
	}
	return t.Source
}

func lineOf(t *eval.Turn) string { return said(t) + "\n" }

// render writes turns, named by their places in rising order, under headings.
func (h *history) render(turns []int) string {
	var b strings.Builder
	last := -1
	for _, at := range turns {
		if last < 0 || !h.sameHeading(last, at) {
			b.WriteString(headingOf(&h.turns[at]))
		}
		b.WriteString(lineOf(&h.turns[at]))
		last = at
	}
	return b.String()
}

// sameHeading reports whether two turns stand under one heading: they are of
// one day and session.
func (h *history) sameHeading(a, b int) bool { return h.heading(a) == h.heading(b) }
