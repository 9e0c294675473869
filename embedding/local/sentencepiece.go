package local

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Types of pieces in a SentencePiece model.
const (
	pieceNormal      = 1
	pieceUserDefined = 4
)

// userDefinedScore lets a piece that the user of SentencePiece has defined win
// over all others in its place: theirs are negative, and much lower.
const userDefinedScore = -0.1

// convertTokenizer reads a SentencePiece model, which is a protocol buffer, and
// adds what the tokenizer needs as tensors.
func convertTokenizer(model []byte, w *tensorWriter) error {
	var (
		keys        []trieKey
		scores      []float32
		charsmap    []byte
		worst       = float32(math.Inf(1))
		userDefined []trieKey
	)
	err := eachField(model, func(number protowire.Number, value []byte, _ uint64) error {
		const pieces, normalizer, table = 1, 3, 2
		switch number {
		case pieces:
			p, err := readPiece(value)
			if err != nil {
				return err
			}
			key := trieKey{p.text, int32(len(scores))}
			switch p.kind {
			case pieceNormal:
				keys = append(keys, key)
				worst = min(worst, p.score)
			case pieceUserDefined:
				userDefined = append(userDefined, key)
			}
			scores = append(scores, p.score)
		case normalizer:
			return eachField(value, func(number protowire.Number, value []byte, _ uint64) error {
				if number == table {
					charsmap = value
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the tokenizer: %w", err)
	}
	if len(scores) != vocabulary {
		return fmt.Errorf("the tokenizer has %d pieces instead of %d", len(scores), vocabulary)
	}
	for _, key := range userDefined {
		scores[key.piece] = userDefinedScore
	}
	t := newTrie(append(keys, userDefined...))
	w.add("tokenizer.charsmap", typeU8, charsmap, len(charsmap))
	w.add("tokenizer.pieces.label", typeU8, t.label, len(t.label))
	w.ints("tokenizer.pieces.first", t.first)
	w.ints("tokenizer.pieces.piece", t.piece)
	w.floats("tokenizer.scores", scores)
	w.floats("tokenizer.unknown", []float32{worst - unknownPenalty})
	return nil
}

type piece struct {
	text  string
	score float32
	kind  uint64
}

func readPiece(data []byte) (piece, error) {
	const text, score, kind = 1, 2, 3
	p := piece{kind: pieceNormal}
	err := eachField(data, func(number protowire.Number, value []byte, n uint64) error {
		switch number {
		case text:
			p.text = string(value)
		case score:
			p.score = math.Float32frombits(uint32(n))
		case kind:
			p.kind = n
		}
		return nil
	})
	if err == nil && (p.text == "" || p.kind < pieceNormal || p.kind > pieceUserDefined) {
		err = fmt.Errorf("the piece %q is of a kind (%d) that is not known here", p.text, p.kind)
	}
	return p, err
}

// eachField calls do with each field of a message: its bytes or its number.
func eachField(data []byte, do func(number protowire.Number, value []byte, n uint64) error) error {
	for len(data) > 0 {
		number, kind, length := protowire.ConsumeTag(data)
		if length < 0 {
			return protowire.ParseError(length)
		}
		data = data[length:]
		var (
			value []byte
			n     uint64
			short uint32
		)
		switch kind {
		case protowire.BytesType:
			value, length = protowire.ConsumeBytes(data)
		case protowire.VarintType:
			n, length = protowire.ConsumeVarint(data)
		case protowire.Fixed32Type:
			short, length = protowire.ConsumeFixed32(data)
			n = uint64(short)
		case protowire.Fixed64Type:
			n, length = protowire.ConsumeFixed64(data)
		default:
			return errors.New("a field has a type that is not used any more")
		}
		if length < 0 {
			return protowire.ParseError(length)
		}
		data = data[length:]
		if err := do(number, value, n); err != nil {
			return err
		}
	}
	return nil
}
