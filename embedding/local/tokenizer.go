package local

import (
	"slices"
	"unicode/utf8"
)

// Ids of the pieces that stand for no text, and the number of all pieces.
const (
	unknownID  = 0
	beginID    = 1
	endID      = 2
	vocabulary = 128000
)

// unknownPenalty is how much worse an unknown character is than the worst
// piece, as SentencePiece has it.
const unknownPenalty = 10

// tokenizer is a SentencePiece unigram model. It cuts a text into those pieces
// whose scores, the logarithms of their probabilities, have the greatest sum.
type tokenizer struct {
	charsmap charsmap
	pieces   trie
	scores   []float32
	unknown  float32 // the score of a character without a piece
}

func newTokenizer(t *tensors) *tokenizer {
	table, err := newCharsmap(t.bytes("tokenizer.charsmap", 0))
	if err != nil {
		t.fail("%v", err)
	}
	return &tokenizer{
		charsmap: table,
		pieces:   t.trie("tokenizer.pieces"),
		scores:   t.floats("tokenizer.scores", vocabulary),
		unknown:  one(t.floats("tokenizer.unknown", 1)),
	}
}

// encode gives the ids of the pieces of a text, as the sentencepiece library
// does (a run of unknown characters is one), between the marks of beginning and
// end.
func (t *tokenizer) encode(text string) []int32 {
	normal := t.charsmap.normalize(text)
	ids := []int32{endID}
	best := t.paths(normal)
	for at := int32(len(normal)); at > 0; at = best[at].from {
		if id := best[at].piece; id != unknownID || ids[len(ids)-1] != unknownID {
			ids = append(ids, id)
		}
	}
	ids = append(ids, beginID)
	slices.Reverse(ids)
	return ids
}

// step is the last step of the best way to a place of a text.
type step struct {
	score float32 // of the whole way
	from  int32
	piece int32
	found bool
}

// paths gives the best way to each place where one ends. Of equal ways the one
// whose last piece is longer wins, since it is found first.
func (t *tokenizer) paths(text []byte) []step {
	best := make([]step, len(text)+1)
	for from := 0; from < len(text); {
		_, length := utf8.DecodeRune(text[from:])
		whole := false // a piece covers just this character
		node := int32(0)
		for end := from; end < len(text); {
			next, ok := t.pieces.step(node, text[end])
			if !ok {
				break
			}
			node, end = next, end+1
			if piece := t.pieces.piece[node]; piece != noPiece {
				best[end].better(t.scores[piece]+best[from].score, from, piece)
				whole = whole || end-from == length
			}
		}
		if !whole {
			best[from+length].better(t.unknown+best[from].score, from, unknownID)
		}
		from += length
	}
	return best
}

// better takes a way if it is the first or better than the one before. Scores
// are sums in 32 bits, as in the library: ties depend on it.
func (s *step) better(score float32, from int, piece int32) {
	if !s.found || score > s.score {
		*s = step{score, int32(from), piece, true}
	}
}
