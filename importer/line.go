package importer

import (
	"bytes"
	"encoding/json"
	"fmt"

	"engram/memory"
	"engram/store"
)

// Line gives a record as a line of an export, without its end: one flat JSON
// object with "v", "type", "id", "seq" and "recorded", then the fields of the
// body, "id_key", and the fields of r.Raw that this program does not know. A
// record whose body could not be decoded gives memory.ErrCorrupt.
func Line(r memory.Record) ([]byte, error) {
	if r.Body == nil {
		return nil, fmt.Errorf("record %s at %d cannot be exported, %s: %w", r.ID, r.Seq, r.Damage, memory.ErrCorrupt)
	}
	line, err := flatten(
		struct {
			V        int               `json:"v"`
			Type     memory.RecordType `json:"type"`
			ID       memory.ID         `json:"id,omitzero"`
			Seq      memory.Seq        `json:"seq,omitempty"`
			Recorded memory.Time       `json:"recorded,omitzero"`
		}{store.FormatVersion, r.Body.Type(), r.ID, r.Seq, recorded(r)},
		r.Body,
		struct {
			IDKey string `json:"id_key,omitempty"`
		}{r.IDKey},
	)
	if err != nil {
		return nil, fmt.Errorf("export record %s: %w", r.ID, err)
	}
	if len(r.Raw) == 0 {
		return line, nil
	}
	return appendUnknown(line, r)
}

func recorded(r memory.Record) memory.Time {
	if r.Recorded == 0 {
		return memory.Time{}
	}
	return memory.Micros(r.Recorded)
}

// flatten joins the fields of several values into one object.
func flatten(values ...any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // lines read as they were said
	line := []byte("{")
	for _, v := range values {
		buf.Reset()
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
		members := bytes.TrimSpace(buf.Bytes())
		members = members[1 : len(members)-1]
		if len(members) > 0 && len(line) > 1 {
			line = append(line, ',')
		}
		line = append(line, members...)
	}
	return append(line, '}'), nil
}

// appendUnknown adds the fields of r.Raw that no type of this program has.
func appendUnknown(line []byte, r memory.Record) ([]byte, error) {
	raw, err := topLevel(r.Raw)
	if err != nil {
		return nil, fmt.Errorf("export record %s: its stored body: %w", r.ID, err)
	}
	known := fieldNames(r.Body)
	line = line[:len(line)-1]
	for _, f := range raw {
		if !headerFields[f.name] && !known[f.name] {
			line = f.appendTo(line)
		}
	}
	return append(line, '}'), nil
}
