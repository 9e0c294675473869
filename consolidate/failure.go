package consolidate

import (
	"strings"
	"unicode/utf8"

	"engram/memory"
)

// Unread is the predicate of the note that an extractor could not read a turn.
// The note is an assertion like any other, so it is kept, shown, exported, goes
// with its turn when that is erased, and is taken out by the next version. It is
// the end of something that never began, so no fact comes of it.
const Unread = "unread"

// maxReason is the longest reason that is kept, in bytes.
const maxReason = 512

func (w *Worker) failure(turn memory.ID, reason error) *memory.Assertion {
	text := strings.ToValidUTF8(reason.Error(), "\ufffd")
	for len(text) > maxReason {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return &memory.Assertion{
		Subject: turn.String(), Predicate: Unread, Object: text, News: memory.End,
		Extractor: w.extractor.Name(), Version: w.extractor.Version(), Provenance: []memory.Span{{Episode: turn}},
	}
}

// Failure gives the reason of such a note.
func Failure(a *memory.Assertion) (reason string, ok bool) {
	ok = a.Predicate == Unread && a.News == memory.End && a.Extractor != "" && len(a.Provenance) == 1 && a.Subject == a.Provenance[0].Episode.String()
	if !ok {
		return "", false
	}
	return a.Object, true
}
