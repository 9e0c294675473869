package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"engram/memory"
)

// field is a member of a JSON object.
type field struct {
	name  string
	value json.RawMessage
}

// fieldList are the members of an object in their order.
type fieldList []field

func (l fieldList) has(name string) bool {
	return slices.ContainsFunc(l, func(f field) bool { return f.name == name })
}

// topLevel lists the members of the one object that raw holds, and refuses a
// second value behind it and two members of one name, of which encoding/json
// would drop one in silence.
func topLevel(raw []byte) (fieldList, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	open, err := dec.Token()
	if err != nil {
		return nil, invalidJSON(err)
	}
	if open != json.Delim('{') {
		return nil, fmt.Errorf("one JSON object was expected: %w", memory.ErrInvalid)
	}
	var list fieldList
	seen := map[string]bool{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, invalidJSON(err)
		}
		f := field{name: name.(string)} //nolint:forcetypeassert // the decoder refuses other keys
		if err := dec.Decode(&f.value); err != nil {
			return nil, invalidJSON(err)
		}
		if seen[f.name] {
			return nil, fmt.Errorf("field %q is there twice: %w", f.name, memory.ErrInvalid)
		}
		seen[f.name] = true
		list = append(list, f)
	}
	if _, err := dec.Token(); err != nil { // the closing brace
		return nil, invalidJSON(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is something behind the object: %w", memory.ErrInvalid)
	}
	return list, nil
}

// appendTo adds the member to an object that lacks its closing brace.
func (f field) appendTo(object []byte) []byte {
	if object[len(object)-1] != '{' {
		object = append(object, ',')
	}
	name, _ := json.Marshal(f.name) //nolint:errchkjson // a string can always be written
	object = append(append(object, name...), ':')
	return append(object, f.value...)
}

// fieldNames gives the JSON names of a struct, or of the struct v points to.
func fieldNames(v any) map[string]bool {
	names := map[string]bool{}
	for f := range reflect.Indirect(reflect.ValueOf(v)).Type().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			names[name] = true
		}
	}
	return names
}

// checkEncoding refuses what encoding/json would replace in silence: bytes that
// are no UTF-8, and escapes of lone surrogates. It names their offset.
func checkEncoding(line []byte) error {
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return fmt.Errorf("the line is no valid UTF-8 at byte %d: %w", i, memory.ErrInvalid)
		case r == '\\':
			if size = escape(line[i:]); size == 0 {
				return fmt.Errorf("the line has a lone surrogate at byte %d: %w", i, memory.ErrInvalid)
			}
		}
		i += size
	}
	return nil
}

// escape gives the length of the escape at the start of s, 0 if it is half of a
// surrogate pair. What is no escape at all is left to the JSON decoder.
func escape(s []byte) int {
	first, ok := unicodeEscape(s)
	switch {
	case !ok:
		return min(2, len(s))
	case !utf16.IsSurrogate(first):
		return len(`\u0000`)
	}
	second, ok := unicodeEscape(s[len(`\u0000`):])
	if !ok || utf16.DecodeRune(first, second) == utf8.RuneError {
		return 0
	}
	return len(`\u0000\u0000`)
}

func unicodeEscape(s []byte) (rune, bool) {
	if len(s) < len(`\u0000`) || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(v), err == nil
}

// invalidJSON says of an error of encoding/json what a person can use.
func invalidJSON(err error) error {
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.Is(err, memory.ErrInvalid):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the object ends too early: %w", memory.ErrInvalid)
	case errors.As(err, &wrongType):
		kind, _, _ := strings.Cut(wrongType.Value, " ") // what follows is content
		what := strings.TrimSpace(wrongType.Field + " cannot be a JSON " + kind)
		return fmt.Errorf("%s: %w", what, memory.ErrInvalid)
	}
	return fmt.Errorf("%s: %w", strings.TrimPrefix(err.Error(), "json: "), memory.ErrInvalid)
}
