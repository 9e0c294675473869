package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"engram"
	"engram/memory"
)

// isUnsafe finds what a terminal could obey instead of show: control
// characters, and those that reorder a line.
func isUnsafe(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\u2028' || r == '\u2029'
}

// escape spells out what is unsafe, apart from what is to be kept.
func escape(s, keep string) string {
	if strings.IndexFunc(s, isUnsafe) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isUnsafe(r) && !strings.ContainsRune(keep, r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// printable makes stored text safe to print; its lines stay.
func printable(s string) string {
	return escape(strings.ReplaceAll(s, "\r\n", "\n"), "\n\t")
}

// oneLine makes stored text safe and puts it on one line.
func oneLine(s string) string {
	return strings.NewReplacer("\n", " ⏎ ", "\t", " ").Replace(strings.TrimSpace(printable(s)))
}

// printJSON writes v as a line. A terminal could obey what JSON may leave as it
// is, so that is escaped too.
func (a *app) printJSON(v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	return a.printLine(buf.Bytes())
}

func (a *app) printLine(line []byte) error {
	_, err := fmt.Fprintln(a.stdout, escape(strings.TrimRight(string(line), "\n"), ""))
	return err
}

// palette colours what goes to a terminal.
type palette struct{ on bool }

func (a *app) palette(w io.Writer) palette {
	return palette{a.isTerminal(w) && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"}
}

func (p palette) paint(code, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p palette) bold(s string) string { return p.paint("1", s) }
func (p palette) dim(s string) string  { return p.paint("2", s) }
func (p palette) good(s string) string { return p.paint("32", s) }
func (p palette) bad(s string) string  { return p.paint("31", s) }
func (p palette) head(s string) string { return p.paint("1;36", s) }

// width gives the columns of the terminal, 0 where lines may be of any length.
func (a *app) width(w io.Writer) int {
	if f, ok := w.(*os.File); ok && a.isTerminal(w) {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}

// cut shortens a line to so many columns; 0 leaves it.
func cut(s string, columns int) string {
	if columns <= 0 || uniseg.StringWidth(s) <= columns {
		return s
	}
	used, out := 0, strings.Builder{}
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if used += g.Width(); used >= columns {
			break
		}
		out.WriteString(g.Str())
	}
	return out.String() + "…"
}

// table prints rows in columns as wide as they need; the last one takes what is
// left of the terminal. Characters of two columns count as such.
func (a *app) table(header []string, rows [][]string) error {
	widths := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
		}
	}
	p, last, left := a.palette(a.stdout), len(header)-1, a.width(a.stdout)
	for _, w := range widths[:last] {
		left -= w + 2
	}
	var b strings.Builder
	for n, row := range append([][]string{header}, rows...) {
		var line strings.Builder
		for i, cell := range row[:last] {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell)+2))
		}
		if a.width(a.stdout) > 0 {
			line.WriteString(cut(row[last], max(left, 20)))
		} else {
			line.WriteString(row[last])
		}
		text := strings.TrimRight(line.String(), " ")
		if n == 0 {
			text = p.bold(text)
		}
		b.WriteString(text + "\n")
	}
	_, err := io.WriteString(a.stdout, b.String())
	return err
}

// when shows a time to the second, or as exactly as it is known.
func when(t memory.Time) string {
	if t.Gran == memory.Instant {
		return t.Std().Format(time.RFC3339)
	}
	return t.String()
}

// recordedIn gives the time at which a record was stored, in UTC or a zone.
func recordedIn(us int64, loc *time.Location) memory.Time {
	if loc == nil || us == 0 {
		return memory.Micros(us)
	}
	return memory.At(time.UnixMicro(us).In(loc))
}

// episodeJSON is the shape of an episode in lists: the fields of an import line
// with id, seq and recorded.
type episodeJSON struct {
	engram.Listed
	Recorded memory.Time `json:"recorded"`
}

// who names the one who said it, or where it comes from.
func who(e *memory.Episode) string {
	if e.Speaker != "" {
		return oneLine(e.Speaker)
	}
	return string(e.Source)
}

// printEpisodes writes a table of episodes.
func (a *app) printEpisodes(list []engram.Listed) error {
	rows := make([][]string, len(list))
	for i, e := range list {
		rows[i] = []string{
			fmt.Sprint(e.Seq), e.ID.String(), when(e.Occurred), oneLine(e.Session), string(e.Kind), who(&e.Episode), oneLine(e.Text),
		}
	}
	return a.table([]string{"SEQ", "ID", "OCCURRED", "SESSION", "KIND", "WHO", "TEXT"}, rows)
}

// noteIfEmpty says that a memory holds nothing that a read could show.
func (a *app) noteIfEmpty(n int, scope memory.Scope) {
	if n == 0 {
		a.note("Nothing in the memory %q can be seen from here.", scope.Space)
	}
}
