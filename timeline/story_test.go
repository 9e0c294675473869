package timeline

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"engram/memory"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the stories give into testdata/stories")

// TestFactStories tells each story of testdata/stories and compares what can be
// read afterwards: every slot's rectangles, and the facts that the story asks for.
//
//	-- log --         one record a line, numbered from 1
//	2026-05-03 change Ann lives_in Berlin from=2026-03
//	-- ask --         one question a line
//	Ann lives_in at=2026-04-01 known=2026-02-01
//	-- rectangles --  valid × known (by record), written by -update
//	-- facts --       the answers, written by -update
//
// A section "schema" replaces the builtin one. Dates without an offset are UTC.
func TestFactStories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/stories/*.txtar")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d stories, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := story{T: t}
			s.tell(archive)
			told := &txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if f.Name != "rectangles" && f.Name != "facts" {
					told.Files = append(told.Files, f)
				}
			}
			told.Files = append(told.Files,
				txtar.File{Name: "rectangles", Data: []byte(s.rectangles())},
				txtar.File{Name: "facts", Data: []byte(s.facts(section(archive, "ask")))})
			got := txtar.Format(told)
			if *update {
				if err := os.WriteFile(file, got, 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := txtar.Format(archive); string(got) != string(want) {
				t.Errorf("the story ends otherwise (go test ./timeline -run Stories -update shows how):\n%s", got)
			}
		})
	}
}

func section(a *txtar.Archive, name string) []string {
	for _, f := range a.Files {
		if f.Name == name {
			return strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		}
	}
	return nil
}

// story is a log with the names that its lines use for its records.
type story struct {
	*testing.T
	fold *Fold
	log  []memory.Record
}

func (s *story) tell(a *txtar.Archive) {
	schema := BuiltinSchema()
	if rules := section(a, "schema"); rules != nil {
		var err error
		if schema, err = ParseSchema(strings.NewReader(strings.Join(rules, "\n")), Schema{}); err != nil {
			s.Fatal(err)
		}
	}
	s.fold = New(schema)
	for _, line := range section(a, "log") {
		words, options := s.words(line)
		n := len(s.log) + 1
		r := memory.Record{Seq: memory.Seq(n), ID: id(n), Recorded: s.time(words[0]).Micros, Body: s.body(words[1], words[2:], options)}
		if err := r.Body.Validate(); err != nil {
			s.Fatalf("%s: %v", line, err)
		}
		s.log = append(s.log, r)
		s.fold.Apply(r)
	}
}

// words splits a line at its spaces, outside of quotes; key=value are options.
func (s *story) words(line string) (words []string, options map[string]string) {
	options = map[string]string{}
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimSpace(rest) {
		var word string
		if rest[0] == '"' {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				s.Fatalf("%s: %v", line, err)
			}
			word, _ = strconv.Unquote(quoted)
			rest = rest[len(quoted):]
		} else {
			word, rest, _ = strings.Cut(rest, " ")
			if key, value, ok := strings.Cut(word, "="); ok {
				options[key] = value
				continue
			}
		}
		words = append(words, word)
	}
	return words, options
}

func (s *story) time(text string) memory.Time {
	at, err := memory.ParseTime(text, jan1.Location())
	if err != nil {
		s.Fatal(err)
	}
	return at
}

func (s *story) ids(list string) []memory.ID {
	var out []memory.ID
	for _, n := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		number, err := strconv.Atoi(n)
		if err != nil {
			s.Fatal(err)
		}
		out = append(out, id(number))
	}
	return out
}

func (s *story) body(kind string, words []string, options map[string]string) memory.Body {
	switch kind {
	case "episode":
		e := episode(words[0])
		if at := options["occurred"]; at != "" {
			e.Occurred = s.time(at)
		}
		return e
	case "retract":
		return &memory.Retract{Targets: s.ids(words[0]), Always: slices.Contains(words, "always")}
	case "settle":
		v := &memory.Settlement{Losers: s.ids(options["losers"])}
		for _, winner := range s.ids(options["winner"]) {
			v.Winner = winner
		}
		return v
	case "alias":
		return &memory.Association{Rel: memory.SameAs, Name: words[0], Entity: words[1]}
	case "apart":
		return &memory.Association{Rel: memory.Apart, Name: words[0]}
	case "erased":
		return &memory.Erased{Reopened: s.ids(options["reopened"])}
	}
	return s.assertion(kind, words, options)
}

func (s *story) assertion(kind string, words []string, options map[string]string) memory.Body {
	a := &memory.Assertion{News: memory.News(kind), Subject: words[0], Predicate: words[1]}
	if len(words) > 2 {
		a.Object = words[2]
	}
	for key, value := range options {
		switch key {
		case "from":
			a.Valid.From = s.time(value)
		case "to":
			a.Valid.To = s.time(value)
		case "said":
			a.Said = s.time(value)
		case "source":
			a.Source = memory.Source(value)
		case "by":
			a.Extractor = value
		case "confidence":
			a.Confidence, _ = strconv.ParseFloat(value, 64)
		case "words":
			for _, e := range s.ids(value) {
				a.Provenance = append(a.Provenance, memory.Span{Episode: e})
			}
		case "needs":
			a.Depends = s.ids(value)
		case "corrects":
			a.Corrects = s.ids(value)[0]
		case "replaces":
			a.Replaces = value
		default:
			s.Fatalf("option %q", key)
		}
	}
	return a
}

// rectangles renders every slot.
func (s *story) rectangles() string {
	var b strings.Builder
	v := s.fold.View(memory.Known{})
	for name := range v.slotNames("", "") {
		fmt.Fprintf(&b, "%s %s\n", name.subject, name.predicate)
		for _, r := range v.Rectangles(name.subject, name.predicate) {
			until := ".."
			if r.Until != 0 {
				until = fmt.Sprint(r.Until)
			}
			mark := ""
			if r.Disputed {
				mark = " disputed"
			}
			fmt.Fprintf(&b, "  [%s, %s) × [%d, %s) %s%s\n", date(r.From), date(r.To), r.Known, until, r.Value, mark)
		}
	}
	return b.String()
}

// date renders a moment, midnight as its date.
func date(us int64) string {
	if us == forever {
		return ".."
	}
	text := memory.Micros(us).String()
	return strings.TrimSuffix(strings.TrimSuffix(text, "Z"), "T00:00:00")
}

// facts renders the answers to the questions.
func (s *story) facts(questions []string) string {
	var b strings.Builder
	for _, q := range questions {
		words, options := s.words(q)
		fmt.Fprintf(&b, "%s\n", q)
		query := FactQuery{Subject: words[0], At: s.time(options["at"]).Micros, All: slices.Contains(words, "all")}
		if len(words) > 1 && words[1] != "all" {
			query.Predicate = words[1]
		}
		var known memory.Known
		if at := options["known"]; strings.HasPrefix(at, "#") {
			n, _ := strconv.Atoi(at[1:])
			known.Seq = memory.Seq(n)
		} else if at != "" {
			known.Time = s.time(at)
		}
		facts := s.fold.View(known).Facts(query)
		for i := range facts {
			fmt.Fprintf(&b, "  %s\n", factText(&facts[i]))
		}
		if len(facts) == 0 {
			fmt.Fprintf(&b, "  nothing\n")
		}
	}
	return b.String()
}

// factText renders a fact in a line.
func factText(f *memory.Fact) string {
	short := func(t memory.Time, basis memory.Basis) string {
		switch {
		case t.IsZero():
			return ".."
		case t.Gran == memory.Instant:
			return date(t.Micros) + " " + string(basis)
		}
		return strings.TrimSuffix(t.String(), "Z") + " " + string(basis)
	}
	words := []string{string(f.State), f.Subject, f.Predicate, f.Object, "[" + short(f.ValidFrom, f.FromBasis) + ", " + short(f.ValidTo, f.ToBasis) + ")"}
	if f.Boundary {
		words = append(words, "boundary")
	}
	var said []string
	for _, a := range f.Assertions {
		said = append(said, fmt.Sprint(int(a[14])<<8|int(a[15])))
	}
	words = append(words, "said in "+strings.Join(said, ","))
	if f.Source != memory.User {
		words = append(words, "by "+string(f.Source))
	}
	for _, link := range []struct {
		word string
		id   memory.ID
	}{{"after", f.Predecessor}, {"before", f.Successor}} {
		if !link.id.IsZero() {
			words = append(words, fmt.Sprintf("%s %d", link.word, int(link.id[14])<<8|int(link.id[15])))
		}
	}
	if f.Stale != "" {
		words = append(words, "stale: "+f.Stale)
	}
	return strings.Join(words, " ")
}
