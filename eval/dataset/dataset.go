// Package dataset holds what the readers of benchmarks share: cases made of
// imported histories, digests of files, and the loose JSON of data sets. It may
// import eval, importer, memory and the standard library.
package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"engram/eval"
	"engram/importer"
	"engram/memory"
)

// Case gives the case of a history, without questions.
func Case(h importer.History) eval.Case {
	c := eval.Case{Name: h.Name}
	for _, r := range h.Records {
		if e, ok := r.Body.(*memory.Episode); ok {
			c.Turns = append(c.Turns, eval.Turn{Episode: *e, Recorded: r.Recorded})
		}
	}
	return c
}

// File names a file by its content.
func File(name string, content []byte) eval.File {
	sum := sha256.Sum256(content)
	return eval.File{Name: name, SHA256: hex.EncodeToString(sum[:])}
}

// Plain gives a JSON string as it reads, and any other value as its JSON text;
// null and nothing are "".
func Plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}
