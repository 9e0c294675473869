// Package rules reads assertions out of conversations without any model:
// precision first, in English and Chinese. The rules are tables (en/*.txt,
// zh/*.txt; README.md describes their language), each with its examples, which
// are its tests. The steps are a file each: split, gate, match and capture,
// reference, news, times, clean. It may import memory, text, when,
// timeline and consolidate.
package rules

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"sort"

	"engram/consolidate"
	"engram/memory"
	"engram/timeline"
)

// revision is part of the version; it goes up when the code changes what is found.
const revision = 1

// Rules is an extractor. It does not change and may be used by many goroutines.
type Rules struct {
	en, zh        *language
	abbreviations map[string]bool
	schema        timeline.Schema
	version       string
}

var _ consolidate.Extractor = (*Rules)(nil)

// New reads the tables. An error means that a table is wrong, which the tests
// of this package rule out.
func New() (*Rules, error) {
	en, err := readLanguage("en")
	if err != nil {
		return nil, fmt.Errorf("read the English rules: %w", err)
	}
	zh, err := readLanguage("zh")
	if err != nil {
		return nil, fmt.Errorf("read the Chinese rules: %w", err)
	}
	digest, err := digestTables()
	if err != nil {
		return nil, fmt.Errorf("digest the rules: %w", err)
	}
	for w := range zh.words["suffix"] {
		zh.suffixes = append(zh.suffixes, w)
	}
	sort.Strings(zh.suffixes)
	return &Rules{
		en: en, zh: zh, abbreviations: en.words["abbreviation"], schema: timeline.BuiltinSchema(),
		version: fmt.Sprintf("%d-%s", revision, digest),
	}, nil
}

// single reports whether a predicate has one value at a time.
func (r *Rules) single(predicate string) bool {
	return r.schema.Cardinality(predicate) == timeline.One
}

// digestTables hashes the tables, in the order of their names.
func digestTables() (string, error) {
	h := sha256.New()
	err := fs.WalkDir(tables, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := tables.ReadFile(name)
		fmt.Fprintf(h, "%s %d\n", name, len(b))
		h.Write(b)
		return err
	})
	return hex.EncodeToString(h.Sum(nil))[:12], err
}

// Name implements consolidate.Extractor.
func (*Rules) Name() string { return "rules" }

// Version implements consolidate.Extractor: it changes with every table.
func (r *Rules) Version() string { return r.version }

// Extract implements consolidate.Extractor.
func (r *Rules) Extract(ctx context.Context, w consolidate.Window) (consolidate.Findings, error) {
	if err := ctx.Err(); err != nil {
		return consolidate.Findings{}, fmt.Errorf("extract: %w", err)
	}
	if w.Turn.Episode == nil || w.Turn.Source == memory.Assistant || w.Turn.Speaker == "assistant" {
		return consolidate.Findings{}, nil
	}
	return newReader(r, w).read(), nil
}
