package timeline

import (
	"errors"
	"strings"
	"testing"

	"engram/memory"
)

func TestAsked(t *testing.T) {
	t.Parallel()
	s, err := ParseSchema(strings.NewReader("asked Lives-In flat 公寓 # where\n"), BuiltinSchema())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Asked("lives in"); !strings.HasSuffix(got, " flat 公寓") || !strings.Contains(got, "住") {
		t.Errorf("lives_in is asked by %q", got)
	}
	if s.Cardinality("lives_in") != One {
		t.Error("words change the cardinality")
	}
	if got := s.Asked("nonsense"); got != "" {
		t.Errorf("an unknown predicate is asked by %q", got)
	}
	if _, err := ParseSchema(strings.NewReader("asked"), Schema{}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("no predicate gives %v", err)
	}
}
