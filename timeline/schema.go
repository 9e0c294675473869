package timeline

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"engram/memory"
)

// Cardinality says how many values a predicate has at one time.
type Cardinality uint8

// The cardinalities. A predicate that no schema knows is Many: what is not known
// to be single is never retired by another value.
const (
	Many  Cardinality = iota // likes, owns, speaks
	One                      // lives_in, works_at
	Event                    // visited, bought: holds during its time, never contradicted
)

// ranks is the number of ranks of trust: an authority, then the sources.
const ranks = 6

// rule is what a schema says of a predicate.
type rule struct {
	cardinality Cardinality
	authority   memory.Source // trusted above all others here
	asked       string        // words that ask for it
}

// Schema knows predicates by their folded names. The zero value knows none.
type Schema struct{ rules map[string]rule }

//go:embed schema.txt
var builtinSchema string

// BuiltinSchema gives the schema that comes with the program.
func BuiltinSchema() Schema {
	s, err := ParseSchema(strings.NewReader(builtinSchema), Schema{})
	if err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	return s
}

// ParseSchema reads a table on top of another schema, one rule a line:
//
//	one lives_in works_at     # these have one value at a time
//	many likes owns
//	event visited bought
//	authority tool server_state   # on these the tool is believed above the user
//	asked lives_in live home 住    # questions with these words are about it
//
// "#" begins a comment. An unknown first word gives memory.ErrInvalid.
func ParseSchema(r io.Reader, base Schema) (Schema, error) {
	out := Schema{rules: map[string]rule{}}
	for k, v := range base.rules {
		out.rules[k] = v
	}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if err := out.add(words); err != nil {
			return Schema{}, fmt.Errorf("schema, line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return Schema{}, fmt.Errorf("read schema: %w", err)
	}
	return out, nil
}

func (s *Schema) add(words []string) error {
	kind, names := words[0], words[1:]
	var source memory.Source
	if kind == "authority" {
		if len(names) == 0 {
			return fmt.Errorf("authority needs a source: %w", memory.ErrInvalid)
		}
		var err error
		if source, err = memory.ParseSource(names[0]); err != nil {
			return err
		}
		names = names[1:]
	}
	if len(names) == 0 {
		return fmt.Errorf("%s names no predicate: %w", kind, memory.ErrInvalid)
	}
	if kind == "asked" {
		name := PredicateKey(names[0])
		r := s.rules[name]
		r.asked = strings.TrimSpace(r.asked + " " + strings.Join(names[1:], " "))
		s.rules[name] = r
		return nil
	}
	for _, name := range names {
		name = PredicateKey(name)
		r := s.rules[name]
		switch kind {
		case "one":
			r.cardinality = One
		case "many":
			r.cardinality = Many
		case "event":
			r.cardinality = Event
		case "authority":
			r.authority = source
		default:
			return fmt.Errorf("%q is none of one, many, event, authority, asked: %w", kind, memory.ErrInvalid)
		}
		s.rules[name] = r
	}
	return nil
}

// Cardinality gives that of a predicate.
func (s Schema) Cardinality(predicate string) Cardinality {
	return s.rules[PredicateKey(predicate)].cardinality
}

// Asked gives the words by which questions ask for a predicate, beside its own
// name; "" if none are known.
func (s Schema) Asked(predicate string) string { return s.rules[PredicateKey(predicate)].asked }

// rank gives how far a source is trusted on a predicate, 0 the most.
func (s Schema) rank(predicate string, source memory.Source) uint8 {
	source = cmp.Or(source, memory.User)
	if s.rules[predicate].authority == source {
		return 0
	}
	switch source {
	case memory.Tool:
		return 2
	case memory.Assistant:
		return 3
	case memory.Import:
		return 4
	case memory.Web:
		return 5
	default:
		return 1
	}
}

// Key folds a name or a value for comparison: NFKC, so that it does not matter
// how letters were typed, lower case, white space collapsed.
func Key(s string) string {
	if isASCII(s) {
		s = strings.ToLower(s)
	} else {
		s = norm.NFKC.String(strings.ToLower(norm.NFKC.String(s))) // some letters compose in lower case only: "J̌"
	}
	return strings.Join(strings.Fields(s), " ")
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// PredicateKey folds a predicate: like Key, with "_" between its words.
func PredicateKey(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(Key(s), " ", "_"), "-", "_")
}
