// Package index searches the words of one space. It is derived from the log
// and can be rebuilt from it at any time: postings in order of the log, so that
// a search as of an earlier position uses the statistics of that prefix, and
// what the ranker needs to know of each part of a text. It imports memory and
// text only.
package index

import (
	"math"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"engram/memory"
	"engram/text"
)

// MaxWords is the length of a part: long answers are searched in parts,
// because as a whole they drown the evidence (docs/evaluation.md).
const MaxWords = 120

// None is the ordinal of no document.
const None = -1

// Index holds the documents of one space in the order of its log. A document
// is an episode or a part of a long one. Add must not run beside any other
// method; all others may be called at once.
type Index struct {
	analyzer text.Analyzer
	tokens   []text.Token

	terms map[string]int32
	posts []posting

	docs     []Doc
	lengths  []int32 // words of each document, apart from docs since every match reads it
	forward  []Word  // terms of all documents with their speakers, one after the other
	cumWords []int64 // words of documents [0, i)

	sessions names
	members  [][]int32 // documents of each session
	speakers names
	firsts   []int32 // first document of each speaker
	standing []int32 // documents that hold standing instructions

	costs []costs

	scratch sync.Pool
}

// posting lists the documents that hold a term, ascending, and how often.
type posting struct {
	docs []int32
	tfs  []uint8
}

// Doc is what the index knows of one document.
type Doc struct {
	Episode    int32 // ordinal of its episode
	Start, End int32 // bytes of the episode's text
	Part       int32 // 0-based place in its episode
	Parts      int32
	Words      int32
	Session    int32
	Speaker    int32
	Prev, Next int32  // neighbours in the session, None at its ends
	Place      int32  // 0-based place in the session
	Print      uint64 // fingerprint of its words: equal for SameWords
	Signals    Signals
	fwd        int64 // first of its words in forward
}

// names gives small numbers to strings in order of appearance.
type names struct {
	ids  map[string]int32
	list []string
}

func (n *names) id(s string) (id int32, fresh bool) {
	if id, ok := n.ids[s]; ok {
		return id, false
	}
	if n.ids == nil {
		n.ids = map[string]int32{}
	}
	id = int32(len(n.list))
	n.ids[s] = id
	n.list = append(n.list, s)
	return id, true
}

// New gives an empty index.
func New() *Index {
	x := &Index{terms: map[string]int32{}, cumWords: []int64{0}}
	x.scratch.New = func() any { return new(accumulator) }
	return x
}

// Add appends the episode with the given ordinal; ordinals ascend.
func (x *Index) Add(episode int, e *memory.Episode) {
	session, fresh := x.sessions.id(e.Session)
	if fresh {
		x.members = append(x.members, nil)
	}
	speaker, fresh := x.speakers.id(e.Speaker)
	if fresh {
		x.firsts = append(x.firsts, int32(len(x.docs)))
	}
	parts := Parts(e)
	for i, span := range parts {
		x.addDoc(Doc{
			Episode: int32(episode), Start: int32(span.Start), End: int32(span.End),
			Part: int32(i), Parts: int32(len(parts)), Session: session, Speaker: speaker,
		}, e)
	}
}

// Parts gives the documents of an episode, as bytes of its text: at least one.
// What is made of them elsewhere is of part 0, 1, … like those of the index.
func Parts(e *memory.Episode) []text.Span {
	parts := text.Parts(e.Text, MaxWords)
	if len(parts) == 0 { // nothing but characters that cannot be searched
		parts = []text.Span{{Start: 0, End: len(e.Text)}}
	}
	return parts
}

func (x *Index) addDoc(d Doc, e *memory.Episode) {
	self := int32(len(x.docs))
	words := e.Text[d.Start:d.End]

	d.Prev, d.Next = None, None
	d.Place = int32(len(x.members[d.Session]))
	if d.Place > 0 {
		d.Prev = x.members[d.Session][d.Place-1]
		x.docs[d.Prev].Next = self
	}
	x.members[d.Session] = append(x.members[d.Session], self)
	d.Signals = read(words, e)
	d.fwd = int64(len(x.forward))
	d.Print = uint64(d.Speaker) + fnvOffset

	// The speaker's name is searched with the words: "what did Anna say" should
	// find Anna's turns.
	x.tokens = x.analyzer.Terms(x.tokens[:0], e.Speaker)
	named := len(x.tokens)
	x.tokens = x.analyzer.Terms(x.tokens, words)
	for i, t := range x.tokens {
		if !t.Alt {
			d.Words++
		}
		term := x.term(t.Term)
		x.post(term, self)
		d.Print = (d.Print ^ uint64(term)) * fnvPrime
		x.forward = append(x.forward, pack(term, i >= named && startsUpper(words[t.Start:])))
	}
	if d.Signals.Standing {
		x.standing = append(x.standing, self)
	}
	x.docs = append(x.docs, d)
	x.lengths = append(x.lengths, d.Words)
	x.costs = append(x.costs, costs{})
	x.cumWords = append(x.cumWords, x.cumWords[self]+int64(d.Words))
}

func (x *Index) term(s string) int32 {
	id, ok := x.terms[s]
	if !ok {
		id = int32(len(x.posts))
		x.terms[string([]byte(s))] = id
		x.posts = append(x.posts, posting{})
	}
	return id
}

func (x *Index) post(term, doc int32) {
	p := &x.posts[term]
	if n := len(p.docs); n > 0 && p.docs[n-1] == doc {
		if p.tfs[n-1] < math.MaxUint8 {
			p.tfs[n-1]++
		}
		return
	}
	p.docs = append(p.docs, doc)
	p.tfs = append(p.tfs, 1)
}

// Word is one term in the order of a document's text.
type Word int32

func pack(term int32, upper bool) Word {
	w := Word(term << 1)
	if upper {
		w |= 1
	}
	return w
}

// Term is the word's term id.
func (w Word) Term() int32 { return int32(w >> 1) }

// Upper reports whether the word is written with a capital.
func (w Word) Upper() bool { return w&1 != 0 }

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// Doc gives what is known of document d.
func (x *Index) Doc(d int) *Doc { return &x.docs[d] }

// Len is the number of documents of the first n episodes.
func (x *Index) Len(episodes int) int {
	if len(x.docs) == 0 || int(x.docs[len(x.docs)-1].Episode) < episodes {
		return len(x.docs)
	}
	return sort.Search(len(x.docs), func(i int) bool { return int(x.docs[i].Episode) >= episodes })
}

// Text gives the terms of document d: those of its speaker, then those of its
// text in order.
func (x *Index) Text(d int) []Word {
	end := int64(len(x.forward))
	if d+1 < len(x.docs) {
		end = x.docs[d+1].fwd
	}
	return x.forward[x.docs[d].fwd:end]
}

// DocsOf lists the documents of an episode.
func (x *Index) DocsOf(episode int) (from, to int) {
	from = x.Len(episode)
	return from, x.Len(episode + 1)
}

// Standing lists the documents among the first n that hold standing instructions.
func (x *Index) Standing(n int) []int32 {
	k := sort.Search(len(x.standing), func(i int) bool { return int(x.standing[i]) >= n })
	return x.standing[:k]
}

// costs are the tokens of a document's line and of the heading above it, 0
// while not counted.
type costs struct{ line, heading int32 }

// LineCost gives what count gave for document d the first time: counting
// tokens is dear, and the line of a document never changes.
func (x *Index) LineCost(d int, count func() int) int { return once(&x.costs[d].line, count) }

// HeadingCost is LineCost of the heading above document d.
func (x *Index) HeadingCost(d int, count func() int) int { return once(&x.costs[d].heading, count) }

func once(known *int32, count func() int) int {
	n := atomic.LoadInt32(known)
	if n == 0 {
		n = int32(count())
		atomic.StoreInt32(known, n)
	}
	return int(n)
}

// Vocabulary is the number of distinct terms.
func (x *Index) Vocabulary() int { return len(x.terms) }

// Sessions is the number of sessions seen.
func (x *Index) Sessions() int { return len(x.members) }

// Session lists the documents of a session in order.
func (x *Index) Session(id int32) []int32 { return x.members[id] }

// SpeakerName gives the name of a speaker.
func (x *Index) SpeakerName(id int32) string { return x.speakers.list[id] }

// Speakers gives the speakers who had spoken within the first n documents.
func (x *Index) Speakers(n int) []int32 {
	var out []int32
	for id, first := range x.firsts {
		if int(first) < n && x.speakers.list[id] != "" {
			out = append(out, int32(id))
		}
	}
	return out
}

// The 64-bit parameters of the FNV-1a hash.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// SameWords reports whether two documents have the same terms in the same
// order and the same speaker. Numbers are terms, so "4 June" differs from
// "3 June".
func (x *Index) SameWords(a, b int) bool {
	return x.docs[a].Speaker == x.docs[b].Speaker && len(x.Text(a)) > 0 && slices.Equal(x.Text(a), x.Text(b))
}
