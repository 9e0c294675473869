package report

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes reports as tables in Markdown.
func Markdown(w io.Writer, reports ...*Report) error {
	var b strings.Builder
	for i, r := range reports {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "# %s\n", markdownText(r.title()))
		if r.Incomplete != "" {
			fmt.Fprintf(&b, "\n**%s** – no result yet.\n", r.Incomplete)
		}
		for _, t := range append(r.tables(), r.facts()) {
			t.markdown(&b)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *table) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n", markdownText(t.Title))
	if t.Note != "" {
		fmt.Fprintf(b, "%s\n\n", t.Note)
	}
	row := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + markdownText(c) + " ")
		}
		b.WriteString("|\n")
	}
	row(t.Header)
	right := "---:"
	if t.Header[0] == "what" { // text, no numbers
		right = "---"
	}
	b.WriteString("| --- " + strings.Repeat("| "+right+" ", len(t.Header)-1) + "|\n")
	for _, r := range t.Rows {
		row(r)
	}
}

// markdownText keeps a text from being read as Markdown or HTML.
func markdownText(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "`", "\\`", "_", `\_`).Replace(s)
}
