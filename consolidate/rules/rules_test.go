package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/consolidate"
	"engram/memory"
)

// anchor is the moment at which the examples of the tables are said: a Saturday.
const anchor = "2025-05-03T12:00:00Z"

// conversation extracts turn after turn, as the worker does.
type conversation struct {
	rules  *Rules
	before []consolidate.Turn
	recent []memory.Assertion
	found  consolidate.Findings
}

func (c *conversation) say(t *testing.T, e *memory.Episode) consolidate.Findings {
	t.Helper()
	turn := consolidate.Turn{ID: memory.ID{15: byte(len(c.before) + 1)}, Seq: memory.Seq(len(c.before) + 1), Episode: e}
	f, err := c.rules.Extract(t.Context(), consolidate.Window{
		Turn: turn, Before: c.before[max(0, len(c.before)-consolidate.MaxBefore):],
		Recent: c.recent[max(0, len(c.recent)-consolidate.MaxRecent):],
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Assertions {
		a := f.Assertions[i]
		if err := a.Validate(); err != nil {
			t.Errorf("%q: %v", e.Text, err)
		}
	}
	c.before = append(c.before, turn)
	c.recent = append(c.recent, f.Assertions...)
	c.found.Assertions = append(c.found.Assertions, f.Assertions...)
	c.found.Aliases = append(c.found.Aliases, f.Aliases...)
	return f
}

// show writes findings as the examples do.
func show(f consolidate.Findings) []string {
	var out []string
	for _, a := range f.Assertions {
		s := a.Subject + " | " + a.Predicate + " | " + a.Object
		if a.News != memory.Change {
			s += " | " + string(a.News)
		}
		if a.Replaces != "" {
			s += " | not " + a.Replaces
		}
		if !a.Valid.From.IsZero() {
			s += " | from " + strings.TrimSuffix(a.Valid.From.String(), "Z")
		}
		if !a.Valid.To.IsZero() {
			s += " | to " + strings.TrimSuffix(a.Valid.To.String(), "Z")
		}
		out = append(out, s)
	}
	for _, a := range f.Aliases {
		out = append(out, fmt.Sprintf("%s = %s", a.Name, a.Entity))
	}
	return out
}

func newRules(t testing.TB) *Rules {
	t.Helper()
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The examples of the tables. "A: text" is said by A, "tool: text" by a tool.
func TestTables(t *testing.T) {
	t.Parallel()
	r := newRules(t)
	when, err := memory.ParseTime(anchor, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*language{r.en, r.zh} {
		for _, rule := range l.rules {
			if len(rule.tests) == 0 {
				t.Errorf("%s: the rule %s has no example", rule.place, rule.name)
			}
			for _, e := range rule.tests {
				c := conversation{rules: r}
				for text := range strings.SplitSeq(e.text, " || ") {
					c.say(t, exampleTurn(text, when))
				}
				if got := show(c.found); !slices.Equal(got, e.want) {
					t.Errorf("%s: %s\n got %s\nwant %s", e.place, e.text, strings.Join(got, "; "), strings.Join(e.want, "; "))
				}
			}
		}
	}
}

func exampleTurn(text string, when memory.Time) *memory.Episode {
	e := &memory.Episode{Text: text, Occurred: when, Session: "s"}
	if who, rest, ok := strings.Cut(text, ": "); ok && (who == "tool" || who == "assistant") {
		e.Text, e.Source = rest, memory.Source(who)
	} else if ok && strings.HasPrefix(who, "@") {
		e.Text, e.Speaker = rest, who[1:]
	}
	return e
}

// What one speaker says ends, corrects and names what is the speaker's own.
func TestOthersKeepWhatIsTheirs(t *testing.T) {
	t.Parallel()
	r := newRules(t)
	for _, tt := range []struct{ first, then, mine string }{
		{"I work at Acme.", "I quit Acme.", "Ann | works_at | Acme | end"},
		{"I live in Paris.", "I meant Lyon, not Paris.", ""},
		{"我住在北京。", "不对,我是说上海。", ""},
		{"I own a Tesla.", "I sold the Tesla.", "Ann | sold | Tesla; Ann | owns | Tesla | end"},
		{"My brother's name is Carl.", "My brother's name is Tom.", "Ann's brother | name | Tom; Ann | brother | Tom; Ann's brother = Tom"},
	} {
		c := &conversation{rules: r}
		for _, said := range []struct{ who, text string }{{"Bo", tt.first}, {"Ann", tt.then}} {
			e := exampleTurn(said.text, memory.At(time.Date(2025, 5, 3, 10, 0, 0, 0, time.UTC)))
			e.Speaker = said.who
			found := c.say(t, e)
			if said.who == "Ann" {
				if got := strings.Join(show(found), "; "); got != tt.mine {
					t.Errorf("%q, then %q: %s, want %s", tt.first, tt.then, got, tt.mine)
				}
			}
		}
	}
}
