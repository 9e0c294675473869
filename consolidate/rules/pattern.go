package rules

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// node is one step of a pattern.
type node interface{}

type (
	literal string
	// set is a class of single words.
	set map[string]bool
	// choice is one of several sequences; an empty one makes it optional.
	choice [][]node
	// capture takes a value.
	capture struct {
		name string // in the assertion: $name
		kind string // capture.go
		max  int    // words; 0: that of the kind
	}
	// subject takes who or what a fact is about.
	subject struct {
		kind       string // S, I, P, X (reference.go)
		possessive bool
	}
)

// classes are the named parts of patterns of one language.
type classes map[string][]node

// parsePattern reads one line of the pattern language (README.md).
func parsePattern(line string, c classes) ([]node, error) {
	p := patternParser{lex: lexPattern(line), classes: c}
	seq, err := p.alternatives(false)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", line, err)
	}
	if ch, ok := seq.(choice); ok {
		if len(ch) == 1 {
			return ch[0], nil
		}
		return []node{ch}, nil
	}
	return []node{seq}, nil
}

type patternParser struct {
	lex     []string
	pos     int
	classes classes
}

// lexPattern cuts at white space and at ( ) | ?.
func lexPattern(s string) []string {
	var out []string
	for f := range strings.FieldsSeq(s) {
		start := 0
		inside := false
		for i := range len(f) {
			switch c := f[i]; {
			case c == '<' || c == '{':
				inside = true
			case c == '>' || c == '}':
				inside = false
			case !inside && len(f) > 1 && strings.IndexByte("()|?", c) >= 0:
				if i > start {
					out = append(out, f[start:i])
				}
				out = append(out, f[i:i+1])
				start = i + 1
			}
		}
		if start < len(f) {
			out = append(out, f[start:])
		}
	}
	return out
}

func (p *patternParser) alternatives(inGroup bool) (node, error) {
	var all choice
	var seq []node
	for p.pos < len(p.lex) {
		switch t := p.lex[p.pos]; t {
		case ")":
			if !inGroup {
				return nil, errors.New("a ) too many")
			}
			p.pos++
			return simplify(append(all, seq)), nil
		case "|":
			p.pos++
			all, seq = append(all, seq), nil
		case "?":
			p.pos++
			if len(seq) == 0 {
				return nil, errors.New("a ? after nothing")
			}
			last := seq[len(seq)-1]
			seq[len(seq)-1] = choice{{last}, {}}
		default:
			items, err := p.item(t)
			if err != nil {
				return nil, err
			}
			if len(items) > 1 && p.pos < len(p.lex) && p.lex[p.pos] == "?" {
				items = []node{choice{items}} // all of a word of several characters may be left out
			}
			seq = append(seq, items...)
		}
	}
	if inGroup {
		return nil, errors.New("a ( is not closed")
	}
	return simplify(append(all, seq)), nil
}

func (p *patternParser) item(t string) ([]node, error) {
	p.pos++
	switch {
	case t == "(":
		n, err := p.alternatives(true)
		return []node{n}, err
	case strings.HasPrefix(t, "%") && len(t) > 1:
		c, ok := p.classes[t[1:]]
		if !ok {
			return nil, fmt.Errorf("there is no class %s", t)
		}
		return []node{asOne(c)}, nil
	case strings.HasPrefix(t, "{"):
		body := strings.Trim(t, "{}")
		k, poss := strings.CutSuffix(body, "'s")
		if !slices.Contains([]string{"S", "I", "P", "X", "E"}, k) {
			return nil, fmt.Errorf("there is no subject %s", t)
		}
		return []node{subject{k, poss}}, nil
	case strings.HasPrefix(t, "<") && len(t) > 1:
		return p.capture(t)
	}
	return literals(t), nil
}

func (p *patternParser) capture(t string) ([]node, error) {
	name, k, ok := strings.Cut(strings.Trim(t, "<>"), ":")
	if !ok {
		k = name
	}
	k, limit, _ := strings.Cut(k, "/")
	base, class, of := strings.Cut(k, "@")
	if of && p.classes[class] == nil {
		return nil, fmt.Errorf("there is no class %q", class)
	}
	if captures[base] == nil && !strings.HasPrefix(k, "%") {
		return nil, fmt.Errorf("there is no kind of capture %q", k)
	}
	n := 0
	if limit != "" {
		var err error
		if n, err = strconv.Atoi(limit); err != nil {
			return nil, fmt.Errorf("the limit of %s: %w", t, err)
		}
	}
	if class, ok := strings.CutPrefix(k, "%"); ok && p.classes[class] == nil {
		return nil, fmt.Errorf("there is no class %q", class)
	}
	return []node{capture{name, k, n}}, nil
}

// literals are the words of t: several for a contraction, or in Han script.
func literals(t string) []node {
	if strings.HasPrefix(t, "'") {
		return []node{literal(t)}
	}
	var out []node
	for _, tok := range tokenize(nil, t, 0, nil) {
		out = append(out, literal(tok.word))
	}
	return out
}

// asOne makes one node of a sequence.
func asOne(seq []node) node {
	if len(seq) == 1 {
		return seq[0]
	}
	return choice{seq}
}

// simplify makes a set of a choice of single words.
func simplify(c choice) node {
	// The longer alternative first: what is longer says more.
	slices.SortStableFunc(c, func(a, b []node) int { return len(b) - len(a) })
	words := set{}
	for _, seq := range c {
		if len(seq) != 1 {
			return c
		}
		switch n := seq[0].(type) {
		case literal:
			words[string(n)] = true
		case set:
			for w := range n {
				words[w] = true
			}
		default:
			return c
		}
	}
	if len(words) < 2 {
		return c
	}
	return words
}

// anchors gives the words of which one must be in a sentence that matches: of
// all sets of words that the sequence requires the rarest, by common, which
// holds the frequent words. No words: any sentence may match.
func anchors(seq []node, common map[string]bool) ([]string, int) {
	var best []string
	cost := int(^uint(0) >> 1)
	for _, n := range seq {
		words, c := nodeAnchors(n, common)
		if len(words) > 0 && c < cost {
			best, cost = words, c
		}
	}
	return best, cost
}

func nodeAnchors(n node, common map[string]bool) ([]string, int) {
	cost := func(w string) int {
		if common[w] {
			return 100
		}
		return 1
	}
	switch n := n.(type) {
	case literal:
		return []string{string(n)}, cost(string(n))
	case set:
		var words []string
		sum := 0
		for w := range n {
			words = append(words, w)
			sum += cost(w)
		}
		slices.Sort(words)
		return words, sum
	case choice:
		var words []string
		sum := 0
		for _, seq := range n {
			w, c := anchors(seq, common)
			if len(w) == 0 {
				return nil, 0
			}
			words, sum = append(words, w...), sum+c
		}
		return words, sum
	}
	return nil, 0
}
