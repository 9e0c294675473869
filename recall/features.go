package recall

import (
	"math"

	"engram/index"
	"engram/memory"
)

// The features of the linear ranker, in the order of their values. The list and
// what each is worth: docs/evaluation.md. "÷ best" is relative to the best of
// the question, so that questions can be compared.
const (
	fWindow          = iota // BM25 of the turn with its two neighbours ÷ best
	fWords                  // BM25 of the turn ÷ best
	fMatched                // ln(1 + number of distinct question words that it has)
	fPairs                  // idf of neighbouring question words that stand side by side in it, ÷ 10, at most 2
	fNames                  // share of the question's capitalised words that it has capitalised
	fAnswers                // BM25 ÷ best of the turn before, if that is a person's question
	fPrevious               // BM25 ÷ best of the turn before
	fSibling                // BM25 ÷ best of the best other part of the same episode
	fBlock                  // mean of the best three BM25 ÷ best within three turns
	fSession                // mean of the best three BM25 of its session ÷ best session
	fSpeaker                // the question names its speaker and nobody else
	fAssistant              // a model said it
	fAssistantDigest        // … and a summary is asked for
	fParts                  // ln(number of parts, at most maxParts)
	fSymbols                // share of symbols: code, tables
	fDate                   // how well its time fits the question's dates, 0 to 2
	fWhenDated              // the question asks when, it has a date
	fNumber                 // the question asks how many, it has a number
	fName                   // the question asks who or where, it has a proper name
	fStanding               // it holds a standing instruction
	fStandingAdvice         // … and the question asks for advice
	fSessionStart           // it is one of the first two turns of its session
	fitted                  // the features before this one are fitted for words and for vectors

	fCosine           = iota - 1 // cosine of its vector and the question's, z over the candidates
	fNeighboursCosine = iota - 1 // mean of those of its two neighbours
	fBlockCosine      = iota - 1 // mean of the best three of those within three turns
	fittedVectors     = iota - 1 // those before this one are fitted for vectors, those after it are set by hand
	fSalience         = iota - 2
	featureCount      = iota - 2
)

// maxParts bounds fParts: the answers that it was fitted on had no more, and a
// book must not be outranked by whatever is short.
const maxParts = 20

// FeatureNames lists the features by their names in the weights file.
var FeatureNames = [featureCount]string{
	fWindow: "window", fWords: "words", fMatched: "matched", fPairs: "pairs", fNames: "names", fAnswers: "answers",
	fPrevious: "previous", fSibling: "sibling", fBlock: "block", fSession: "session", fSpeaker: "speaker",
	fAssistant: "assistant", fAssistantDigest: "assistant_digest", fParts: "parts",
	fSymbols: "symbols", fDate: "date", fWhenDated: "when_dated", fNumber: "number", fName: "name",
	fStanding: "standing", fStandingAdvice: "standing_advice", fSessionStart: "session_start",
	fCosine: "cosine", fNeighboursCosine: "neighbours_cosine", fBlockCosine: "block_cosine", fSalience: "salience",
}

// features fills in the features of all candidates.
func (se *search) features(pool []*candidate, s *index.Scores, sessions map[int32]float64) {
	if len(pool) == 0 {
		return
	}
	bestWindow := 0.0
	for _, c := range pool {
		d := se.space.Index.Doc(c.doc)
		f := &c.features
		f[fWords] = ratio(s.Of(int32(c.doc)), s.Max)
		f[fWindow] = se.space.Index.Window(&se.words, s, c.doc)
		bestWindow = max(bestWindow, f[fWindow])
		f[fSession] = sessions[d.Session]
		se.overlap(c)
		se.context(c, d, s)
		se.signals(c, d)
		f[fSalience] = se.salience(c.doc)
	}
	for _, c := range pool {
		c.features[fWindow] = ratio(c.features[fWindow], bestWindow)
	}
}

func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// sessionPriors gives each session that a match is in the mean of its best
// three matches, ÷ best.
func (se *search) sessionPriors(matches []hit) map[int32]float64 {
	top := map[int32]*[3]float64{}
	for _, m := range matches {
		id := se.space.Index.Doc(m.doc).Session
		if top[id] == nil {
			top[id] = new([3]float64)
		}
		push(top[id], m.score)
	}
	priors, best := make(map[int32]float64, len(top)), 0.0
	for id, t := range top {
		priors[id] = (t[0] + t[1] + t[2]) / 3
		best = max(best, priors[id])
	}
	for id := range priors {
		priors[id] = ratio(priors[id], best)
	}
	return priors
}

// push keeps the three largest values in descending order.
func push(top *[3]float64, v float64) {
	for i := range top {
		if v > top[i] {
			top[i], v = v, top[i]
		}
	}
}

// overlapWords is how many of the question's words are looked for one by one: the
// bits of a mask.
const overlapWords = 64

// overlap counts the question's words, word pairs and names in the document.
func (se *search) overlap(c *candidate) {
	words := se.words.Words
	var seen, upper uint64 // by word of the question
	last, pairs := -1, 0.0
	var paired uint64
	for _, w := range se.space.Index.Text(c.doc) {
		i := se.words.Place(w.Term())
		if i < 0 || i >= overlapWords {
			last = -1
			continue
		}
		seen |= 1 << i
		if w.Upper() {
			upper |= 1 << i
		}
		if last >= 0 && i == last+1 && paired&(1<<i) == 0 {
			paired |= 1 << i
			pairs += words[last].IDF + words[i].IDF
		}
		last = i
	}
	matched, names, found := 0, 0, 0
	for i, w := range words {
		if i < overlapWords && seen&(1<<i) != 0 {
			c.held += w.IDF
		}
		if i >= overlapWords || se.question.named[w.Text] {
			continue
		}
		if seen&(1<<i) != 0 {
			matched++
		}
		if w.Upper {
			names++
			if upper&(1<<i) != 0 {
				found++
			}
		}
	}
	c.features[fMatched] = math.Log1p(float64(matched))
	c.features[fPairs] = min(pairs/10, 2)
	c.features[fNames] = ratio(float64(found), float64(names))
}

// context looks at the turns around the document and the parts beside it.
func (se *search) context(c *candidate, d *index.Doc, s *index.Scores) {
	x, f := se.space.Index, &c.features
	prev := d.Prev
	f[fPrevious] = ratio(s.Of(prev), s.Max)
	if prev != index.None {
		if p := x.Doc(int(prev)); p.Signals.Question && p.Signals.Spoken() {
			f[fAnswers] = f[fPrevious]
		}
	}
	if d.Parts > 1 {
		for i := c.doc - int(d.Part); i < c.doc-int(d.Part)+int(d.Parts); i++ {
			if i != c.doc {
				f[fSibling] = max(f[fSibling], ratio(s.Of(int32(i)), s.Max))
			}
		}
	}
	var top [3]float64
	members := x.Session(d.Session)
	for i := max(0, int(d.Place)-3); i <= min(len(members)-1, int(d.Place)+3); i++ {
		if i != int(d.Place) && int(members[i]) < se.docs {
			push(&top, s.Of(members[i]))
		}
	}
	f[fBlock] = ratio((top[0]+top[1]+top[2])/3, s.Max)
}

// signals joins what the question asks for with what the document has.
func (se *search) signals(c *candidate, d *index.Doc) {
	f, q, g := &c.features, &se.question, &d.Signals
	f[fSpeaker] = is(q.speaker != index.None && d.Speaker == q.speaker)
	assistant := g.Source == memory.Assistant
	f[fAssistant] = is(assistant)
	f[fAssistantDigest] = is(assistant && q.wantsDigest)
	f[fParts] = math.Log(float64(min(d.Parts, maxParts)))
	f[fSymbols] = float64(g.Symbols)
	f[fDate] = se.dateMatch(c.doc)
	f[fWhenDated] = is(q.asksWhen && g.Dated)
	f[fNumber] = is(q.asksNumber && g.Number)
	f[fName] = is(q.asksName && g.Proper)
	f[fStanding] = is(g.Standing)
	f[fStandingAdvice] = is(g.Standing && q.asksAdvice)
	f[fSessionStart] = is(d.Place < 2)
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
