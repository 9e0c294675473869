package memory

import "testing"

func TestFilterMatch(t *testing.T) {
	t.Parallel()
	may := Interval{From: mustTime(t, "2023-05Z"), To: mustTime(t, "2023-06Z")}
	e := Episode{
		Text: "x", Session: "s1", Speaker: "Alice", Kind: Action, Source: Tool, Path: "a/b/c",
		Metadata: map[string]string{"lang": "zh", "empty": ""}, Occurred: mustTime(t, "2023-05-08+08:00"),
	}
	plain := Episode{Text: "x"} // no kind, no source, no date
	for name, c := range map[string]struct {
		f    Filter
		e    *Episode
		want bool
	}{
		"everything":             {Filter{}, &e, true},
		"session":                {Filter{Sessions: []string{"s0", "s1"}}, &e, true},
		"other session":          {Filter{Sessions: []string{"s"}}, &e, false},
		"speaker":                {Filter{Speakers: []string{"Alice"}}, &e, true},
		"speaker's case":         {Filter{Speakers: []string{"alice"}}, &e, false},
		"kind":                   {Filter{Kinds: []Kind{Message, Action}}, &e, true},
		"other kind":             {Filter{Kinds: []Kind{Message}}, &e, false},
		"default kind":           {Filter{Kinds: []Kind{Message}}, &plain, true},
		"source":                 {Filter{Sources: []Source{Tool}}, &e, true},
		"other source":           {Filter{Sources: []Source{User}}, &e, false},
		"default source":         {Filter{Sources: []Source{User}}, &plain, true},
		"path":                   {Filter{Path: "a/b/c"}, &e, true},
		"path above":             {Filter{Path: "a/b"}, &e, true},
		"path above with slash":  {Filter{Path: "a/b/"}, &e, true},
		"path below":             {Filter{Path: "a/b/c/d"}, &e, false},
		"half an element":        {Filter{Path: "a/b/"}, &Episode{Path: "a/bc"}, false},
		"half an element, plain": {Filter{Path: "a/b"}, &Episode{Path: "a/bc"}, false},
		"path of none":           {Filter{Path: "a"}, &plain, false},
		"root":                   {Filter{Path: "/"}, &e, true},
		"metadata":               {Filter{Metadata: map[string]string{"lang": "zh"}}, &e, true},
		"metadata all":           {Filter{Metadata: map[string]string{"lang": "zh", "x": "y"}}, &e, false},
		"metadata value":         {Filter{Metadata: map[string]string{"lang": "en"}}, &e, false},
		"metadata empty":         {Filter{Metadata: map[string]string{"empty": ""}}, &e, true},
		"metadata missing":       {Filter{Metadata: map[string]string{"other": ""}}, &e, false},
		"occurred":               {Filter{Occurred: may}, &e, true},
		"occurred later":         {Filter{Occurred: Interval{From: may.To}}, &e, false},
		"occurred never":         {Filter{Occurred: may}, &plain, false},
		"no date is not 1970":    {Filter{Occurred: Interval{To: may.To}}, &plain, false},
		"and":                    {Filter{Sessions: []string{"s1"}, Speakers: []string{"Bob"}}, &e, false},
	} {
		if got := c.f.Match(c.e); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if zero := name == "everything"; c.f.IsZero() != zero {
			t.Errorf("%s: IsZero is %v", name, !zero)
		}
	}
}

func TestFilterValidate(t *testing.T) {
	t.Parallel()
	may := mustTime(t, "2023-05Z")
	for name, c := range map[string]struct {
		f    Filter
		want []string
	}{
		"everything": {Filter{}, nil},
		"good":       {Filter{Kinds: []Kind{Document}, Sources: []Source{Import}, Occurred: Interval{From: may}}, nil},
		"kind":       {Filter{Kinds: []Kind{"x"}}, []string{`"x"`, "document"}},
		"no kind":    {Filter{Kinds: []Kind{""}}, []string{`""`}},
		"source":     {Filter{Sources: []Source{"x"}}, []string{`"x"`, "assistant"}},
		"range":      {Filter{Occurred: Interval{From: may, To: mustTime(t, "2023-04Z")}}, []string{"before it begins"}},
	} {
		refusal(t, name, c.f.Validate(), ErrInvalid, c.want...)
	}
}
