package importer

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"engram/memory"
	"engram/store"
)

// MaxLine is the longest line that JSONL reads, in bytes without its end.
const MaxLine = 8 << 20

// LineError is a line that could not be read. The lines after it can be.
type LineError struct {
	Line   int // counted from 1
	Reason error
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Reason) }

// Unwrap gives the reason, which is a memory.ErrInvalid, ErrTooLarge or
// ErrNewerFormat.
func (e *LineError) Unwrap() error { return e.Reason }

// JSONL reads engram's own format, one JSON object a line. An episode needs no
// more than a text:
//
//	{"text":"…","occurred":"2026-03-08T15:04+08:00","session":"…","speaker":"…","kind":"…","source":"…",
//	 "path":"…","key":"…","id_key":"…","metadata":{"k":"v"},"links":[{"rel":"reply_to","to":"<id>"}]}
//
// A line may also state its "type" (episode, assertion, retract, verdict, link,
// feedback, erased; then with the fields of that body), "id", "recorded" and
// "seq", which is ignored. A field that does not exist is an error of its line, but lines that
// carry "v", written by an export, keep what a newer program added to them in
// Record.Raw. A date without an offset is read in loc, and refused if loc is nil.
//
// A line that cannot be read yields a *LineError, and reading goes on. Any
// other error is one of r and ends the sequence. Blank lines are passed over.
func JSONL(r io.Reader, loc *time.Location) iter.Seq2[memory.Record, error] {
	return jsonLines(r, loc, memory.TypeEpisode)
}

// Assertions is JSONL for lines of which one that states no "type" is an
// assertion:
//
//	{"subject":"…","predicate":"…","object":"…","news":"…","valid":{"from":"2026-03Z","to":"…"},"said":"…","source":"…",
//	 "confidence":0.9,"provenance":[{"episode":"<id>","start":0,"end":9}],"depends":["<id>"],"corrects":"<id>","replaces":"…"}
func Assertions(r io.Reader, loc *time.Location) iter.Seq2[memory.Record, error] {
	return jsonLines(r, loc, memory.TypeAssertion)
}

// jsonLines reads lines; one without a type has the given one.
func jsonLines(r io.Reader, loc *time.Location, untyped memory.RecordType) iter.Seq2[memory.Record, error] {
	return func(yield func(memory.Record, error) bool) {
		lines := lineReader{r: bufio.NewReaderSize(r, 64<<10)}
		for {
			var rec memory.Record
			line, err := lines.next()
			switch {
			case err == io.EOF:
				return
			case errors.Is(err, memory.ErrTooLarge):
			case err != nil:
				yield(rec, fmt.Errorf("read line %d: %w", lines.number, err))
				return
			case len(bytes.TrimSpace(line)) == 0:
				continue
			default:
				rec, err = parseLine(line, loc, untyped)
			}
			if err != nil {
				rec, err = memory.Record{}, &LineError{Line: lines.number, Reason: err}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// lineReader cuts a stream into lines.
type lineReader struct {
	r      *bufio.Reader
	buf    []byte // of the current line
	number int    // of the current line, from 1
}

// next gives the next line without its end, valid until the next call. A line
// above MaxLine is passed over and gives memory.ErrTooLarge.
func (l *lineReader) next() ([]byte, error) {
	l.buf = l.buf[:0]
	l.number++
	size := 0
	for {
		chunk, err := l.r.ReadSlice('\n')
		size += len(chunk)
		if size <= MaxLine+len("\r\n") {
			l.buf = append(l.buf, chunk...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && size == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		}
		line := bytes.TrimSuffix(bytes.TrimSuffix(l.buf, []byte("\n")), []byte("\r"))
		if l.number == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if len(l.buf) < size || len(line) > MaxLine {
			return nil, fmt.Errorf("the line is longer than %d bytes: %w", MaxLine, memory.ErrTooLarge)
		}
		return line, nil
	}
}

// parseLine reads one object. Nothing of the result shares memory with line.
func parseLine(line []byte, loc *time.Location, untyped memory.RecordType) (memory.Record, error) {
	if err := checkEncoding(line); err != nil {
		return memory.Record{}, err
	}
	fields, err := topLevel(line)
	if err != nil {
		return memory.Record{}, err
	}
	var h lineHeader
	if err := json.Unmarshal(line, &h); err != nil {
		return memory.Record{}, invalidJSON(err)
	}
	rec := memory.Record{ID: h.ID, IDKey: h.IDKey}
	if h.Recorded != "" {
		t, err := memory.ParseTime(h.Recorded, loc)
		if err != nil {
			return memory.Record{}, fmt.Errorf("recorded: %w", err)
		}
		rec.Recorded = t.Micros
	}
	if fields.has("v") {
		err = decodeExported(&rec, bytes.Clone(line))
	} else {
		err = decodeStated(&rec, fields, cmp.Or(h.Type, untyped), loc)
	}
	if err != nil {
		return memory.Record{}, err
	}
	return rec, rec.Body.Validate()
}

// lineHeader are the fields that a line may have besides those of its body.
type lineHeader struct {
	V        json.RawMessage   `json:"v"`
	Type     memory.RecordType `json:"type"`
	ID       memory.ID         `json:"id"`
	Seq      json.RawMessage   `json:"seq"`
	Recorded string            `json:"recorded"`
	IDKey    string            `json:"id_key"`
}

var headerFields = fieldNames(lineHeader{})

// decodeExported reads a line as a body of the log, so that lines of earlier
// versions are read as logs of earlier versions are.
func decodeExported(rec *memory.Record, line []byte) error {
	err := store.Decode(rec, line)
	if err != nil && !errors.Is(err, memory.ErrNewerFormat) {
		// Nothing is damaged but the line: only the store's own bytes are ErrCorrupt.
		reason := strings.TrimSuffix(err.Error(), ": "+memory.ErrCorrupt.Error())
		return fmt.Errorf("exported line: %s: %w", reason, memory.ErrInvalid)
	}
	return err
}

// decodeStated reads a line that a person or another program wrote: every field
// must be known, times may lack an offset and metadata may hold numbers.
func decodeStated(rec *memory.Record, fields fieldList, t memory.RecordType, loc *time.Location) error {
	body := memory.NewBody(t)
	if body == nil {
		return fmt.Errorf("type %q is none of episode, assertion, retract, verdict, link, feedback, erased: %w", t, memory.ErrInvalid)
	}
	known := fieldNames(body)
	object := []byte("{")
	for _, f := range fields {
		switch {
		case headerFields[f.name]:
			continue
		case !known[f.name]:
			return fmt.Errorf("unknown field %q: %w", f.name, memory.ErrInvalid)
		}
		if err := f.canonize(loc); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		object = f.appendTo(object)
	}
	dec := json.NewDecoder(bytes.NewReader(append(object, '}')))
	dec.DisallowUnknownFields() // of links, intervals and spans
	if err := dec.Decode(body); err != nil {
		return invalidJSON(err)
	}
	rec.Body = body
	rec.ShareIDKey()
	return nil
}

// canonize turns what only a line may say into what a body says: a time without
// an offset, metadata that is no string.
func (f *field) canonize(loc *time.Location) (err error) {
	var said any // null for no time at all
	switch f.name {
	case "occurred", "due", "said":
		said, err = canonicalTime(f.value, loc)
	case "valid":
		said, err = canonicalInterval(f.value, loc)
	case "metadata":
		var m map[string]scalar
		err = json.Unmarshal(f.value, &m)
		said = m
	default:
		return nil
	}
	if err != nil {
		return invalidJSON(err)
	}
	f.value, err = json.Marshal(said)
	return err
}

// canonicalTime gives the time that a line states, nil for none.
func canonicalTime(raw json.RawMessage, loc *time.Location) (any, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil || s == "" {
		return nil, err
	}
	return memory.ParseTime(s, loc)
}

// canonicalInterval gives the members of an interval with their times read.
func canonicalInterval(raw json.RawMessage, loc *time.Location) (any, error) {
	var ends map[string]json.RawMessage
	if err := json.Unmarshal(raw, &ends); err != nil {
		return nil, err
	}
	out := make(map[string]any, len(ends))
	for _, end := range slices.Sorted(maps.Keys(ends)) {
		var err error
		if end != "from" && end != "to" {
			return nil, fmt.Errorf("unknown field %q: %w", end, memory.ErrInvalid)
		}
		if out[end], err = canonicalTime(ends[end], loc); err != nil {
			return nil, fmt.Errorf("%s: %w", end, invalidJSON(err))
		}
	}
	return out, nil
}

// scalar is a value of metadata: a string, or the JSON text of a number or boolean.
type scalar string

// UnmarshalJSON implements json.Unmarshaler.
func (s *scalar) UnmarshalJSON(raw []byte) error {
	switch raw[0] {
	case '"':
		return json.Unmarshal(raw, (*string)(s))
	case '{', '[', 'n':
		return fmt.Errorf("strings, numbers and booleans only: %w", memory.ErrInvalid)
	}
	*s = scalar(raw)
	return nil
}
