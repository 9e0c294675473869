package timeline

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"engram/memory"
)

func TestParseSchema(t *testing.T) {
	t.Parallel()
	base, err := ParseSchema(strings.NewReader("one Lives-In city # a note\n\n  # nothing else\nauthority tool city\n"), Schema{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSchema(strings.NewReader("many city\nevent met"), base)
	if err != nil {
		t.Fatal(err)
	}
	for predicate, want := range map[string]Cardinality{
		"lives in": One, "LIVES_IN": One, "city": Many, "met": Event, "never heard of": Many,
	} {
		if got := s.Cardinality(predicate); got != want {
			t.Errorf("%s: %v, want %v", predicate, got, want)
		}
	}
	if base.Cardinality("city") != One || base.Cardinality("met") != Many {
		t.Error("what was built on a schema changed it")
	}
	if s.rank("city", memory.Tool) != 0 {
		t.Error("another cardinality took the authority away")
	}
}

func TestParseSchemaErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"one a\ntwo b":             "line 2",
		"one a\n\n# note\nmany":    "line 4",
		"authority":                "line 1",
		"authority tool":           "line 1",
		"one a\nauthority cat b":   "line 2",
		"event":                    "line 1",
		strings.Repeat("x", 1e6):   "schema",
		"  none of the above  # x": "line 1",
	} {
		s, err := ParseSchema(strings.NewReader(text), BuiltinSchema())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want an error that says %q", text, err, want)
		}
		if len(text) < 1e5 && !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%.20q: %v is no ErrInvalid", text, err)
		}
		if s.rules != nil {
			t.Errorf("%.20q: a schema in spite of the error", text)
		}
	}
}

func TestBuiltinSchema(t *testing.T) {
	t.Parallel()
	s := BuiltinSchema()
	for predicate, want := range map[string]Cardinality{
		"lives_in": One, "works at": One, "likes": Many, "visited": Event, "住在": One, "喜欢": Many, "去过": Event, "unheard_of": Many,
	} {
		if got := s.Cardinality(predicate); got != want {
			t.Errorf("%s: %v, want %v", predicate, got, want)
		}
	}
	if s.rank("server_state", memory.Tool) != 0 || s.rank("lives_in", memory.Tool) == 0 {
		t.Error("the tool is the authority on a server's state and on nothing else")
	}
}

func TestRank(t *testing.T) {
	t.Parallel()
	s, err := ParseSchema(strings.NewReader("authority web weather\nauthority user name"), Schema{})
	if err != nil {
		t.Fatal(err)
	}
	order := []memory.Source{memory.User, memory.Tool, memory.Assistant, memory.Import, memory.Web}
	for i, source := range order {
		if got := int(s.rank("lives_in", source)); got != i+1 {
			t.Errorf("%s: %d, want %d", source, got, i+1)
		}
	}
	for _, c := range []struct {
		predicate string
		source    memory.Source
		want      uint8
	}{
		{"weather", memory.Web, 0}, {"weather", memory.User, 1}, {"name", memory.User, 0}, {"name", "", 0}, {"lives_in", "", 1},
	} {
		if got := s.rank(c.predicate, c.source); got != c.want {
			t.Errorf("%s by %q: %d, want %d", c.predicate, c.source, got, c.want)
		}
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"  New\t York \n City ": "new york city", "ÉCOLE": "école", "北京　市": "北京 市", "": "", " ": "", "a-b": "a-b",
		"Zoe\u0308": "zo\u00eb", "ZO\u00cb": "zo\u00eb", "Ａnn\u00a0Ｌee": "ann lee", "ﬁ": "fi", "㎞": "km", "ﾘﾝ": "リン", "\u1112\u1161\u11ab": "한",
		"J\u030c": "\u01f0", "ℝ": "r", "\u0130": "i",
	} {
		if got := Key(in); got != want {
			t.Errorf("Key(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"Lives In": "lives_in", "lives-in": "lives_in", " LIVES_in ": "lives_in", "住 在": "住_在",
	} {
		if got := PredicateKey(in); got != want {
			t.Errorf("PredicateKey(%q) = %q, want %q", in, got, want)
		}
	}
}

// What a key says is the same however often it is folded, and in whatever form
// its letters came.
func TestKeyIsOneForAllForms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		key := Key(s)
		if again := Key(key); again != key {
			t.Fatalf("Key(%q) = %q, and of that %q", s, key, again)
		}
		for _, form := range []norm.Form{norm.NFC, norm.NFD, norm.NFKC, norm.NFKD} {
			if got := Key(form.String(s)); got != key {
				t.Fatalf("Key(%q) = %q, want %q", form.String(s), got, key)
			}
		}
	})
}

func BenchmarkKey(b *testing.B) {
	for name, s := range map[string]string{"ascii": "Someone 17", "chinese": "李雷和韩梅梅", "accents": "Zoë Müller"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Key(s)
			}
		})
	}
}
