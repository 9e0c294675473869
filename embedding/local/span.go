package local

// The network looks at most reach tokens to each side of a token: two
// convolutions of order 5. A long text is cut into spans, each with the tokens
// that its ends look at, so that memory does not grow with the text.
const (
	reach       = 4
	spanTokens  = 256
	blockTokens = 96 // the best of 32 to 384 in BenchmarkEmbed, by some percent
)

// span is a part of a text: the tokens from and up to to of ids are its own,
// the others are those that they look at.
type span struct {
	ids      []int32
	from, to int
	sum      []float32 // over its own tokens, of their features
}

// divide cuts texts into spans, and puts these into blocks that are computed
// together: enough of them for each thread to have one. It gives the blocks,
// and for each text its spans, none if it has no tokens between the marks of
// beginning and end.
func divide(texts [][]int32, threads int) (blocks [][]*span, spans [][]*span) {
	spans = make([][]*span, len(texts))
	total := 0
	for _, ids := range texts {
		total += len(ids)
	}
	limit := min(blockTokens, (total+threads-1)/threads)
	var block []*span
	tokens := 0
	for i, ids := range texts {
		if len(ids) <= 2 {
			continue
		}
		for start := 0; start < len(ids); start += spanTokens {
			end := min(start+spanTokens, len(ids))
			low, high := max(start-reach, 0), min(end+reach, len(ids))
			s := &span{ids: ids[low:high], from: start - low, to: end - low, sum: make([]float32, featureDim)}
			if len(block) > 0 && tokens+len(s.ids) > limit {
				blocks, block, tokens = append(blocks, block), nil, 0
			}
			block, tokens = append(block, s), tokens+len(s.ids)
			spans[i] = append(spans[i], s)
		}
	}
	if len(block) > 0 {
		blocks = append(blocks, block)
	}
	return blocks, spans
}
