// Package importer reads histories kept elsewhere as records that are ready to
// append: engram's own JSON lines, and the LoCoMo and BEAM conversations with
// the dates of their data. It writes export lines too. It may import memory,
// store (for the format of bodies) and the standard library only.
package importer

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"engram/memory"
)

// History is one conversation read as a whole, in the order in which it was
// held. Its records have no Seq and no ID; each has an IDKey of its own, so
// that importing it twice writes it once.
type History struct {
	Name    string
	Records []memory.Record
}

// add appends e under the key, which becomes "key#2" if the source uses it
// twice. An episode without text is passed over.
func (h *History) add(seen map[string]int, key string, e memory.Episode) error {
	if strings.TrimSpace(e.Text) == "" {
		return nil
	}
	seen[key]++
	if n := seen[key]; n > 1 {
		key += "#" + strconv.Itoa(n)
	}
	e.IDKey = key
	if err := e.Validate(); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	h.Records = append(h.Records, memory.Record{IDKey: key, Body: &e})
	return nil
}

// dated reads a date written in the given layout as UTC. The turns of a
// conversation share the date of their session; their order is that of the log.
func dated(layout, date string, gran memory.Granularity) (memory.Time, error) {
	t, err := time.Parse(layout, date)
	if err != nil {
		return memory.Time{}, fmt.Errorf("%q is no date such as %q: %w", date, layout, memory.ErrInvalid)
	}
	at := memory.At(t)
	at.Gran = gran
	return at, nil
}
