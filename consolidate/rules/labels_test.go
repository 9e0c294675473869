package rules_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"engram/memory"
)

// labelled is a turn with what a careful reader learns from it
// (testdata/README.md).
type labelled struct {
	ID       string    `json:"id"`
	Turn     string    `json:"turn"` // instead of id in locomo_labels.jsonl, which has no words
	Lang     string    `json:"lang"`
	Role     string    `json:"role"`
	Speaker  string    `json:"speaker"`
	Text     string    `json:"text"`
	Before   []earlier `json:"before"`
	Occurred time.Time `json:"occurred"`
	Facts    []label   `json:"facts"`
}

// earlier is a turn before the labelled one.
type earlier struct {
	Role    string `json:"role"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
}

// label is a fact that a turn says. An object of "*" stands for any.
type label struct {
	Subject      string      `json:"subject"`
	SubjectAlt   []string    `json:"subject_alt"`
	Predicate    string      `json:"predicate"`
	PredicateAlt []string    `json:"predicate_alt"`
	Object       string      `json:"object"`
	ObjectAlt    []string    `json:"object_alt"`
	News         memory.News `json:"news"`
	From         string      `json:"from"` // beginning of an ISO 8601 date
	To           string      `json:"to"`
	Optional     bool        `json:"optional"` // right if found, not missed if not
}

// loadSentences reads testdata/sentences.jsonl.
func loadSentences(t testing.TB) []labelled { return loadLabelled(t, "sentences.jsonl") }

// loadLoCoMoLabels reads testdata/locomo_labels.jsonl; ID is the turn.
func loadLoCoMoLabels(t testing.TB) []labelled {
	turns := loadLabelled(t, "locomo_labels.jsonl")
	for i := range turns {
		turns[i].ID = turns[i].Turn
	}
	return turns
}

func loadLabelled(t testing.TB, name string) []labelled {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	for {
		var l labelled
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatalf("%s, after %d turns: %v", name, len(out), err)
		}
		out = append(out, l)
	}
}

// score compares what was read in one turn with its labels. right and missed
// count the labels that are not optional; wrong counts the assertions that are
// no label's, so that saying a thing twice costs nothing.
func score(got []memory.Assertion, want []label) (right, wrong, missed int) {
	for _, w := range want {
		if w.Optional {
			continue
		}
		if slices.ContainsFunc(got, w.matches) {
			right++
		} else {
			missed++
		}
	}
	for _, g := range got {
		if !slices.ContainsFunc(want, func(w label) bool { return w.matches(g) }) {
			wrong++
		}
	}
	return right, wrong, missed
}

// matches reports whether g says what the label says. Of the kinds of news it
// compares only whether they state the value or deny it.
func (l label) matches(g memory.Assertion) bool {
	if denies(g.News) != denies(l.News) ||
		!isOneOf(g.Subject, l.Subject, l.SubjectAlt, sameTerm) ||
		!isOneOf(g.Predicate, l.Predicate, l.PredicateAlt, sameTerm) {
		return false
	}
	if l.Object == "*" || denies(g.News) && g.Object == "" && g.Replaces == "" {
		return true
	}
	if isOneOf(g.Object, l.Object, l.ObjectAlt, sameObject) {
		return true
	}
	return g.News == memory.TakingBack && isOneOf(g.Replaces, l.Object, l.ObjectAlt, sameObject)
}

func denies(n memory.News) bool { return n == memory.End || n == memory.TakingBack }

func isOneOf(got, want string, alt []string, same func(a, b string) bool) bool {
	return same(got, want) || slices.ContainsFunc(alt, func(a string) bool { return same(got, a) })
}

func sameTerm(a, b string) bool { return foldTerm(a) == foldTerm(b) }

// sameObject also takes an object that is contained in the other, at the ends
// of its words and numbers, and has at least half its length.
func sameObject(a, b string) bool {
	a, b = foldTerm(a), foldTerm(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b {
		return true
	}
	if a == "" || 2*utf8.RuneCountInString(a) < utf8.RuneCountInString(b) {
		return false
	}
	for i := 0; ; {
		j := strings.Index(b[i:], a)
		if j < 0 {
			return false
		}
		i += j
		if isWordEnd(b, i) && isWordEnd(b, i+len(a)) {
			return true
		}
		_, n := utf8.DecodeRuneInString(b[i:])
		i += n
	}
}

// isWordEnd reports whether no word or number goes on over s[:i] and s[i:]. In
// Chinese a word may end anywhere, but not within a number.
func isWordEnd(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i:])
	k := letterKind(before)
	return k == 0 || k != letterKind(after)
}

func letterKind(r rune) int {
	switch {
	case strings.ContainsRune("〇一二三四五六七八九十百千万亿两", r):
		return 2
	case r == utf8.RuneError, unicode.Is(unicode.Han, r):
		return 0
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return 1
	}
	return 0
}

// foldTerm gives s in lower case, without articles at its beginning and
// punctuation at its ends.
func foldTerm(s string) string {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(s, "’", "'")))
	for len(words) > 1 && slices.Contains([]string{"a", "an", "the"}, words[0]) {
		words = words[1:]
	}
	return strings.TrimFunc(strings.Join(words, " "), func(r rune) bool {
		return unicode.IsPunct(r) && !strings.ContainsRune("#%&@*", r)
	})
}

// The predicates of labels that are not optional: the canonical ones, and a
// few others that no canonical one comes near.
var labelPredicates = strings.Fields(`
	lives_in works_at job_title studies_at major name nickname age birthday birthplace nationality email
	phone_number address marital_status partner status owner lead deadline start_date launch_date meeting_time
	budget price salary rent weight height size amount framework database deployment hosting language_used
	version car phone_model laptop team manager diet
	from likes dislikes allergic_to speaks learning skill hobby plays owns has_pet sibling brother sister parent
	mother father child son daughter friend colleague roommate boss member_of uses requires feature instruction
	prefers plan condition remember
	visited bought sold attended met finished started graduated married born died moved promoted quit read
	watched won lost received gave joined adopted decided
	doctor habit model found username reviewer blood_type recipient`)

func TestLabelsAreWellFormed(t *testing.T) {
	for _, turns := range [][]labelled{loadSentences(t), loadLoCoMoLabels(t)} {
		ids := map[string]bool{}
		for _, l := range turns {
			if l.ID == "" || ids[l.ID] {
				t.Errorf("id %q is empty or not unique", l.ID)
			}
			ids[l.ID] = true
			for _, f := range l.Facts {
				if err := f.check(); err != nil {
					t.Errorf("%s: %v", l.ID, err)
				}
			}
		}
	}
}

func (l label) check() error {
	if l.Subject == "" || l.Predicate == "" || l.Object == "" || l.News == "" {
		return fmt.Errorf("%+v lacks a subject, predicate, object or kind of news", l)
	}
	if !l.Optional && !slices.Contains(labelPredicates, l.Predicate) && !strings.HasPrefix(l.Predicate, "favorite_") {
		return fmt.Errorf("predicate %q is none of the list", l.Predicate)
	}
	if _, err := memory.ParseNews(string(l.News)); err != nil {
		return err
	}
	if l.News == memory.Late && (l.From == "" || l.To == "") {
		return fmt.Errorf("late news %q lacks an end", l.Object)
	}
	for _, o := range append([]string{l.Object}, l.ObjectAlt...) {
		if n := utf8.RuneCountInString(o); n == 0 || n > 80 {
			return fmt.Errorf("object %q has %d characters", o, n)
		}
	}
	for _, d := range []string{l.From, l.To} {
		if d == "" {
			continue
		}
		if _, err := memory.ParseTime(d, time.UTC); err != nil {
			return err
		}
	}
	return nil
}

func TestSentencesAreSpread(t *testing.T) {
	sentences := loadSentences(t)
	texts, langs, news := map[string]bool{}, map[string]int{}, map[memory.News]int{}
	var none int
	for _, l := range sentences {
		if strings.TrimSpace(l.Text) == "" || texts[l.Text] {
			t.Errorf("%s: text %q is blank or not unique", l.ID, l.Text)
		}
		texts[l.Text] = true
		if !strings.HasPrefix(l.ID, l.Lang+"-") {
			t.Errorf("%s: lang %q", l.ID, l.Lang)
		}
		for _, e := range append([]earlier{{l.Role, l.Speaker, l.Text}}, l.Before...) {
			if !slices.Contains([]string{"user", "assistant", "tool"}, e.Role) || e.Text == "" {
				t.Errorf("%s: turn %+v", l.ID, e)
			}
		}
		if l.Occurred.IsZero() {
			t.Errorf("%s: not dated", l.ID)
		}
		langs[l.Lang]++
		for _, f := range l.Facts {
			news[f.News]++
		}
		if len(l.Facts) == 0 {
			none++
		}
	}
	n := len(sentences)
	if n < 500 {
		t.Errorf("%d sentences, want at least 500", n)
	}
	if share := float64(none) / float64(n); share < 0.38 {
		t.Errorf("%.1f%% of the sentences hold no fact, want at least 38%%", 100*share)
	}
	if langs["en"]+langs["zh"] != n || 2*langs["zh"] != n {
		t.Errorf("languages %v, want half en and half zh", langs)
	}
	for _, k := range []memory.News{memory.Change, memory.End, memory.Correction, memory.Late, memory.TakingBack} {
		if news[k] < 15 {
			t.Errorf("%d facts are news of kind %s, want at least 15", news[k], k)
		}
	}
}

// The counts of testdata/README.md.
func TestCountsOfLabels(t *testing.T) {
	sentences := loadSentences(t)
	for _, c := range []struct {
		name  string
		turns []labelled
	}{
		{"en", ofLang(sentences, "en")},
		{"zh", ofLang(sentences, "zh")},
		{"LoCoMo", loadLoCoMoLabels(t)},
	} {
		none, facts, optional := 0, map[memory.News]int{}, 0
		for _, l := range c.turns {
			if len(l.Facts) == 0 {
				none++
			}
			for _, f := range l.Facts {
				if f.Optional {
					optional++
				} else {
					facts[f.News]++
				}
			}
		}
		row := fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d | %d |", c.name, len(c.turns), none,
			facts[memory.Change], facts[memory.End], facts[memory.Correction], facts[memory.Late], facts[memory.TakingBack], optional)
		t.Log(row)
		if readme, err := os.ReadFile(filepath.Join("testdata", "README.md")); err != nil || !bytes.Contains(readme, []byte(row+"\n")) {
			t.Errorf("testdata/README.md lacks the row (error %v)", err)
		}
	}
}

func ofLang(turns []labelled, lang string) []labelled {
	return slices.DeleteFunc(slices.Clone(turns), func(l labelled) bool { return l.Lang != lang })
}

// The labelled turns are those that testdata/README.md says are drawn.
func TestLoCoMoLabelsAreTheDraw(t *testing.T) {
	var got []string
	for _, l := range loadLoCoMoLabels(t) {
		got = append(got, l.ID)
	}
	want := drawTurns(t, "engram rules labels 1", 200)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("labelled are the turns\n%v\ndrawn are\n%v", got, want)
	}
}

// drawTurns gives the n turns whose SHA-256 with the seed is least.
func drawTurns(t *testing.T, seed string, n int) []string {
	t.Helper()
	root := os.Getenv("ENGRAM_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(root, "data", "locomo-tune.json"))
	if err != nil {
		t.Skipf("the draw needs the data set: %v", err)
	}
	var samples []struct {
		ID           string                     `json:"sample_id"`
		Conversation map[string]json.RawMessage `json:"conversation"`
	}
	if err := json.Unmarshal(data, &samples); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range samples {
		for key, raw := range s.Conversation {
			if _, err := strconv.Atoi(strings.TrimPrefix(key, "session_")); err != nil {
				continue
			}
			var turns []struct {
				ID string `json:"dia_id"`
			}
			if err := json.Unmarshal(raw, &turns); err != nil {
				t.Fatalf("%s of %s: %v", key, s.ID, err)
			}
			for _, turn := range turns {
				ids = append(ids, s.ID+"/"+turn.ID)
			}
		}
	}
	digest := func(id string) string {
		d := sha256.Sum256([]byte(seed + "\n" + id))
		return string(d[:])
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(digest(a), digest(b)) })
	return ids[:n]
}

func TestScore(t *testing.T) {
	berlin := label{Subject: "user", Predicate: "lives_in", PredicateAlt: []string{"moved"}, Object: "Berlin", News: memory.Change}
	left := label{Subject: "Anna", Predicate: "works_at", Object: "Acme", News: memory.End}
	maybe := label{Subject: "user", Predicate: "likes", Object: "pottery", Optional: true}
	say := func(s, p, o string, n memory.News) memory.Assertion {
		return memory.Assertion{Subject: s, Predicate: p, Object: o, News: n}
	}
	for name, c := range map[string]struct {
		got                  []memory.Assertion
		want                 []label
		right, wrong, missed int
	}{
		"nothing":             {nil, nil, 0, 0, 0},
		"none of two":         {nil, []label{berlin, left}, 0, 0, 2},
		"where none is":       {[]memory.Assertion{say("user", "lives_in", "Berlin", "")}, nil, 0, 1, 0},
		"folded":              {[]memory.Assertion{say("User", "lives_in", "berlin.", "")}, []label{berlin}, 1, 0, 0},
		"other predicate":     {[]memory.Assertion{say("user", "moved", "Berlin", "")}, []label{berlin}, 1, 0, 0},
		"twice":               {[]memory.Assertion{say("user", "moved", "Berlin", ""), say("user", "lives_in", "Berlin", memory.Correction)}, []label{berlin}, 1, 0, 0},
		"other subject":       {[]memory.Assertion{say("Anna", "lives_in", "Berlin", "")}, []label{berlin}, 0, 1, 1},
		"other object":        {[]memory.Assertion{say("user", "lives_in", "Paris", "")}, []label{berlin}, 0, 1, 1},
		"end without object":  {[]memory.Assertion{say("Anna", "works_at", "", memory.End)}, []label{left}, 1, 0, 0},
		"end taken as change": {[]memory.Assertion{say("Anna", "works_at", "Acme", "")}, []label{left}, 0, 1, 1},
		"change taken as end": {[]memory.Assertion{say("user", "lives_in", "Berlin", memory.End)}, []label{berlin}, 0, 1, 1},
		"optional found":      {[]memory.Assertion{say("user", "likes", "pottery", "")}, []label{maybe}, 0, 0, 0},
		"optional not found":  {nil, []label{maybe}, 0, 0, 0},
		"any object":          {[]memory.Assertion{say("Leo", "died", "Tuesday", "")}, []label{{Subject: "Leo", Predicate: "died", Object: "*"}}, 1, 0, 0},
		"taken back by name": {
			[]memory.Assertion{{Subject: "user", Predicate: "lives_in", News: memory.TakingBack, Replaces: "Lyon"}},
			[]label{{Subject: "user", Predicate: "lives_in", Object: "Lyon", News: memory.TakingBack}},
			1, 0, 0,
		},
		"another taken back": {
			[]memory.Assertion{{Subject: "user", Predicate: "lives_in", News: memory.TakingBack, Replaces: "Oslo"}},
			[]label{{Subject: "user", Predicate: "lives_in", Object: "Lyon", News: memory.TakingBack}},
			0, 1, 1,
		},
	} {
		right, wrong, missed := score(c.got, c.want)
		if right != c.right || wrong != c.wrong || missed != c.missed {
			t.Errorf("%s: %d right, %d wrong, %d missed; want %d, %d, %d", name, right, wrong, missed, c.right, c.wrong, c.missed)
		}
	}
}

func TestSameObject(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"the pottery class", "Pottery class", true},
		{"pottery", "pottery class", true},
		{"class", "evening pottery class", false}, // less than half
		{"rat", "a rate", false},
		{"7", "70", false},
		{"二手小布", "小布", true},
		{"六", "六岁", true},
		{"六", "六十", false},
		{"《大话西游》", "大话西游", true},
		{"", "x", false},
	} {
		if got := sameObject(c.a, c.b); got != c.want {
			t.Errorf("%q and %q are the same: %v, want %v", c.a, c.b, got, c.want)
		}
		if got := sameObject(c.b, c.a); got != c.want {
			t.Errorf("%q and %q are the same: %v, want %v", c.b, c.a, got, c.want)
		}
	}
}
