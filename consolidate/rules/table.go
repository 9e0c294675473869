package rules

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"engram/memory"
)

//go:embed en/*.txt zh/*.txt
var tables embed.FS

// rule says what a pattern means.
type rule struct {
	name     string
	place    string // file and line, for errors
	patterns [][]node
	asserts  []template
	flags    map[string]bool
	tests    []example
	order    int
}

// template is what a match asserts.
type template struct {
	subject, predicate, object string
	alias                      bool // subject is another name of object
	news                       memory.News
}

// example is a test that stands with its rule.
type example struct {
	place string
	text  string // turns, separated by " || "
	want  []string
}

// gate is a pattern that silences its surroundings.
type gate struct {
	scope   string // turn, sentence, next, clause, after
	pattern []node
	always  bool // has no anchor
}

// language is what the tables say about one language.
type language struct {
	classes         classes
	rules           []*rule
	gates           []gate
	words           map[string]map[string]bool // the classes as sets of words, joined by spaces
	longest         map[string]int             // tokens of the longest word of a class
	firsts          map[string]map[string]bool // the first tokens of the words of a class
	index           map[string][]candidate     // the patterns by an anchor word
	always          []candidate
	gateIndex       map[string][]int // the gates by an anchor word
	relationClasses []string         // the X of the classes rel_X, sorted
	suffixes        []string         // what a value never ends in
}

type candidate struct {
	rule    *rule
	pattern []node
}

// flags that a rule may carry.
var knownFlags = []string{
	"past", "future", "end", "correction", "taking_back", "weak", "anywhere", "one", "undated", "tool", "event", "like", "final", "long", "short", "solo", "ended", "explicit", "aside",
}

// gateScopes say how far a gate silences.
var gateScopes = []string{"turn", "sentence", "next", "clause", "after", "pass"}

func readLanguage(dir string) (*language, error) {
	l := &language{classes: classes{}, words: map[string]map[string]bool{}, longest: map[string]int{}, firsts: map[string]map[string]bool{}, index: map[string][]candidate{}}
	names, err := fs.Glob(tables, dir+"/*.txt")
	if err != nil {
		return nil, fmt.Errorf("list the tables of %s: %w", dir, err)
	}
	slices.Sort(names)
	// Classes may be used in any file and before their line.
	lines := map[string][]line{}
	for _, name := range names {
		if lines[name], err = readLines(name); err != nil {
			return nil, err
		}
	}
	if err := l.readClasses(names, lines); err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := l.readRules(name, lines[name]); err != nil {
			return nil, err
		}
	}
	l.build()
	return l, nil
}

type line struct {
	n    int
	text string
}

// readLines joins lines that end in "|" or "\" with the next.
func readLines(name string) ([]line, error) {
	f, err := tables.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open table: %w", err)
	}
	defer f.Close() //nolint:errcheck // embedded
	var out []line
	more := false
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		t := strings.TrimSpace(s.Text())
		if t == "" || strings.HasPrefix(t, "#") {
			continue
		}
		if more {
			out[len(out)-1].text += " " + t
		} else {
			out = append(out, line{n, t})
		}
		last := &out[len(out)-1].text
		if more = strings.HasSuffix(*last, "|") || strings.HasSuffix(*last, "\\"); more {
			*last = strings.TrimSuffix(*last, "\\")
		}
	}
	return out, s.Err()
}

func (l *language) readClasses(names []string, lines map[string][]line) error {
	type def struct {
		name, text, place string
	}
	var defs []def
	for _, name := range names {
		for _, ln := range lines[name] {
			if !strings.HasPrefix(ln.text, "%") {
				continue
			}
			if k, v, ok := strings.Cut(ln.text[1:], " = "); ok {
				defs = append(defs, def{strings.TrimSpace(k), v, fmt.Sprintf("%s:%d", path.Base(name), ln.n)})
			}
		}
	}
	// A class may use others; those that fail are tried again after the rest.
	for len(defs) > 0 {
		var left []def
		var failed error
		for _, d := range defs {
			seq, err := parsePattern(d.text, l.classes)
			if err != nil {
				left, failed = append(left, d), fmt.Errorf("%s: %w", d.place, err)
				continue
			}
			l.classes[d.name] = seq
			l.words[d.name] = wordsOf(seq)
		}
		if len(left) == len(defs) {
			return failed
		}
		defs = left
	}
	return nil
}

// wordsOf gives the words of a class of words; of a longer one its first.
func wordsOf(seq []node) map[string]bool {
	out := map[string]bool{}
	var walk func(seq []node)
	walk = func(seq []node) {
		if len(seq) == 0 {
			return
		}
		switch n := seq[0].(type) {
		case literal:
			if len(seq) == 1 {
				out[string(n)] = true
				return
			}
			var b strings.Builder
			for i, x := range seq {
				w, ok := x.(literal)
				if !ok {
					return
				}
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(string(w))
			}
			out[b.String()] = true
		case set:
			if len(seq) == 1 {
				for w := range n {
					out[w] = true
				}
			}
		case choice:
			if len(seq) == 1 {
				for _, s := range n {
					walk(s)
				}
			}
		}
	}
	walk(seq)
	return out
}

func (l *language) readRules(name string, lines []line) error {
	var r *rule
	closed := true
	for _, ln := range lines {
		place := fmt.Sprintf("%s:%d", name, ln.n)
		t := ln.text
		var err error
		switch {
		case strings.HasPrefix(t, "%") && strings.Contains(t, " = "):
		case strings.HasPrefix(t, "gate "):
			err = l.readGate(t[5:])
		case strings.HasPrefix(t, "rule "):
			r, err = newRule(t[5:], place)
			r.order = len(l.rules)
			l.rules = append(l.rules, r)
			closed = false
		case r == nil:
			err = fmt.Errorf("%q stands before a rule", t)
		case strings.HasPrefix(t, "=> "):
			closed = true
			err = r.addAsserts(t[3:])
		case strings.HasPrefix(t, "+ ") || strings.HasPrefix(t, "- "):
			err = r.addExample(t, place)
		default:
			if closed {
				err = fmt.Errorf("the pattern %q stands behind its =>", t)
				break
			}
			var seq []node
			seq, err = parsePattern(t, l.classes)
			r.patterns = append(r.patterns, seq)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
	}
	return nil
}

func (l *language) readGate(s string) error {
	scope, pattern, _ := strings.Cut(s, " ")
	if !slices.Contains(gateScopes, scope) {
		return fmt.Errorf("there is no gate %q", scope)
	}
	seq, err := parsePattern(pattern, l.classes)
	l.gates = append(l.gates, gate{scope: scope, pattern: seq})
	return err
}

func newRule(header, place string) (*rule, error) {
	f := strings.Fields(header)
	r := &rule{place: place, flags: map[string]bool{}}
	if len(f) == 0 {
		return r, fmt.Errorf("a rule without a name")
	}
	r.name = f[0]
	for _, flag := range f[1:] {
		if !slices.Contains(knownFlags, flag) {
			return r, fmt.Errorf("there is no flag %q", flag)
		}
		r.flags[flag] = true
	}
	return r, nil
}

// addAsserts reads "S predicate object; …", "alias $name = S"; a kind of news
// may stand before ("end S works_at $o").
func (r *rule) addAsserts(s string) error {
	for part := range strings.SplitSeq(s, ";") {
		part = strings.TrimSpace(part)
		if rest, ok := strings.CutPrefix(part, "alias "); ok {
			a, b, ok := strings.Cut(rest, "=")
			if !ok {
				return fmt.Errorf("an alias needs a =: %q", part)
			}
			r.asserts = append(r.asserts, template{subject: strings.TrimSpace(a), object: strings.TrimSpace(b), alias: true})
			continue
		}
		var t template
		if first, rest, _ := strings.Cut(part, " "); first == "end" || first == "change" || first == "correction" || first == "taking_back" {
			t.news, part = memory.News(first), rest
		}
		f := strings.SplitN(part, " ", 3)
		if len(f) < 2 {
			return fmt.Errorf("an assertion needs a subject and a predicate: %q", part)
		}
		t.subject, t.predicate = f[0], f[1]
		if len(f) == 3 {
			t.object = f[2]
		}
		r.asserts = append(r.asserts, t)
	}
	return nil
}

// addExample reads "+ text => subject | predicate | object; …" or "- text".
func (r *rule) addExample(s, place string) error {
	e := example{place: place}
	text, want, ok := strings.Cut(s[2:], " => ")
	e.text = strings.TrimSpace(text)
	if ok != (s[0] == '+') {
		return fmt.Errorf("a + example needs a =>, a - example has none: %q", s)
	}
	if ok {
		for w := range strings.SplitSeq(want, ";") {
			f := strings.Split(w, "|")
			for i := range f {
				f[i] = strings.TrimSpace(f[i])
			}
			e.want = append(e.want, strings.Join(f, " | "))
		}
	}
	r.tests = append(r.tests, e)
	return nil
}

// build makes the index.
func (l *language) build() {
	for name, words := range l.words {
		if p, ok := strings.CutPrefix(name, "rel_"); ok {
			l.relationClasses = append(l.relationClasses, p)
		}
		l.firsts[name] = map[string]bool{}
		for w := range words {
			first, rest, _ := strings.Cut(w, " ")
			l.firsts[name][first] = true
			l.longest[name] = max(l.longest[name], 1+len(strings.Fields(rest)))
		}
	}
	slices.Sort(l.relationClasses)
	common := l.words["common"]
	l.gateIndex = map[string][]int{}
	for i := range l.gates {
		words, _ := anchors(l.gates[i].pattern, common)
		l.gates[i].always = len(words) == 0
		for _, w := range words {
			l.gateIndex[w] = append(l.gateIndex[w], i)
		}
	}
	for _, r := range l.rules {
		for _, p := range r.patterns {
			words, _ := anchors(p, common)
			if len(words) == 0 {
				l.always = append(l.always, candidate{r, p})
				continue
			}
			for _, w := range words {
				l.index[w] = append(l.index[w], candidate{r, p})
			}
		}
	}
}
