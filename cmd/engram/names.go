package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"engram"
	"engram/memory"
)

const namesHelp = `Records are named by id, or by the position that contexts show: 75 or [75].`

// resolve gives the ids of records that are named by id or position.
func resolve(ctx context.Context, s *engram.Space, names []string) ([]memory.ID, error) {
	var ids []memory.ID
	for _, n := range names {
		id, err := resolveOne(ctx, s, n)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func resolveOne(ctx context.Context, s *engram.Space, n string) (memory.ID, error) {
	seq, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(n, "["), "]"), 10, 63)
	if err != nil || seq == 0 {
		id, err := memory.ParseID(n)
		if err != nil {
			return id, fmt.Errorf("%q is neither an id nor a position such as 75: %w", n, memory.ErrInvalid)
		}
		return id, nil
	}
	for r, err := range s.Log(ctx, memory.Seq(seq-1)) {
		if err != nil {
			return memory.ID{}, err
		}
		if r.Seq == memory.Seq(seq) {
			return r.ID, nil
		}
		break
	}
	return memory.ID{}, fmt.Errorf("%s has nothing at position %d: %w", s.Scope().Space, seq, memory.ErrNotFound)
}
