package memory

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func drawID(t *rapid.T, micros int64) ID {
	id, err := NewID(micros, rand.NewChaCha8([32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "random"))))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestNewID(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.Int64Range(0, 253402300799999999).Draw(t, "time") // to the end of 9999
		id := drawID(t, micros)
		if id[6]>>4 != 7 || id[8]>>6 != 0b10 {
			t.Fatalf("%s: version %d, variant %b", id, id[6]>>4, id[8]>>6)
		}
		ms := int64(0)
		for _, b := range id[:6] {
			ms = ms<<8 | int64(b)
		}
		if ms != micros/1000 {
			t.Fatalf("%s: %d ms, want %d", id, ms, micros/1000)
		}
		later := drawID(t, micros+1000)
		if bytes.Compare(id[:], later[:]) >= 0 || id.String() >= later.String() {
			t.Fatalf("%s, made 1 ms later, does not sort after %s", later, id)
		}
		var read ID
		text, err := id.MarshalText()
		if err := errors.Join(err, read.UnmarshalText(text)); err != nil || read != id {
			t.Fatalf("%s reads as %s, %v", text, read, err)
		}
	})
}

func TestNewIDIsRandom(t *testing.T) {
	t.Parallel()
	random := rand.NewChaCha8([32]byte{})
	var ids []ID
	for range 1000 {
		id, err := NewID(1, random)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b ID) int { return bytes.Compare(a[:], b[:]) })
	if n := len(slices.Compact(ids)); n != 1000 {
		t.Errorf("%d of 1000 ids of one moment differ", n)
	}
	for _, r := range []io.Reader{iotest.ErrReader(io.ErrClosedPipe), bytes.NewReader(make([]byte, 9))} {
		if id, err := NewID(1, r); err == nil || !id.IsZero() {
			t.Errorf("without randomness: %s, %v", id, err)
		}
	}
}

func TestParseID(t *testing.T) {
	t.Parallel()
	const text = "0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02"
	for in, want := range map[string]string{
		text:                                   text,
		"0190A6E4-93B6-7C3E-8A40-5D3C7B1E9F02": text,
		"00000000-0000-0000-0000-000000000000": "",
	} {
		if got, err := ParseID(in); err != nil || got.String() != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{
		"", "0190a6e4", "0190a6e493b67c3e8a405d3c7b1e9f02", text + "0", text[:35],
		"0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f0g", "0190a6e4-93b6-7c3e-8a4-05d3c7b1e9f02", "{0190a6e4-93b6-7c3e-8a40-5d3c7b1e9}",
		"0190a6e4-93b6-7c3e-8a40-5d3c7b1e9中", "------------------------------------",
	} {
		if got, err := ParseID(in); !errors.Is(err, ErrInvalid) || !got.IsZero() {
			t.Errorf("%q: %q, %v; want ErrInvalid", in, got, err)
		}
	}
	id := ID{1}
	if err := id.UnmarshalText(nil); err != nil || !id.IsZero() {
		t.Errorf("an empty text gives %q, %v", id, err)
	}
}
