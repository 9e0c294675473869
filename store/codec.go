package store

import (
	"bytes"
	"encoding/json"
	"fmt"

	"engram/memory"
)

// FormatVersion is the version of the bodies that Encode writes. Decode reads
// this version and all earlier ones. docs/log-format.md describes them.
const FormatVersion = 1

// header is the first part of every body.
type header struct {
	V     int               `json:"v"`
	Type  memory.RecordType `json:"type"`
	ID    memory.ID         `json:"id"`
	IDKey string            `json:"id_key,omitempty"`
}

// Encode gives the body of a record: one flat JSON object, the header's fields
// before those of the payload.
func Encode(r *memory.Record) ([]byte, error) {
	h := header{V: FormatVersion, Type: r.Body.Type(), ID: r.ID, IDKey: r.IDKey}
	head, err := marshal(h)
	if err != nil {
		return nil, fmt.Errorf("encode record %s: %w", r.ID, err)
	}
	body, err := marshal(r.Body)
	if err != nil {
		return nil, fmt.Errorf("encode record %s: %w", r.ID, err)
	}
	if len(body) == len("{}") {
		return head, nil
	}
	head[len(head)-1] = ','
	return append(head, body[1:]...), nil
}

// marshal is json.Marshal without the escaping for HTML, so that bodies read
// as they were said.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Decode fills ID, IDKey, Body and Raw of r from a stored body. On an error it
// sets Damage and leaves Body nil, so that the rest of the log can be read.
func Decode(r *memory.Record, raw []byte) error {
	r.Raw = raw
	err := decode(r, raw)
	if err != nil {
		r.Body, r.Damage = nil, err.Error()
	}
	return err
}

func decode(r *memory.Record, raw []byte) error {
	// Most records are episodes: one pass reads the header and the episode.
	var first struct {
		header
		memory.Episode
	}
	h := &first.header
	whole := json.Unmarshal(raw, &first) == nil
	if !whole {
		if err := json.Unmarshal(raw, h); err != nil {
			return fmt.Errorf("the body is no JSON object of a record: %w", memory.ErrCorrupt)
		}
	}
	if h.V < 1 || h.ID.IsZero() {
		return fmt.Errorf("the body has no version or no id: %w", memory.ErrCorrupt)
	}
	r.ID, r.IDKey = h.ID, h.IDKey
	if h.V > FormatVersion {
		return fmt.Errorf("the body has version %d, this program reads up to %d: %w", h.V, FormatVersion, memory.ErrNewerFormat)
	}
	body := memory.NewBody(h.Type)
	if body == nil {
		return fmt.Errorf("unknown record type %q: %w", h.Type, memory.ErrCorrupt)
	}
	if e, ok := body.(*memory.Episode); ok && whole {
		*e = first.Episode
	} else if err := json.Unmarshal(raw, body); err != nil {
		return fmt.Errorf("the %s cannot be read: %w", h.Type, memory.ErrCorrupt)
	}
	r.Body = body
	r.ShareIDKey()
	return nil
}
