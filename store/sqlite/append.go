package sqlite

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
	"engram/store"
)

// Append implements store.Store. Bodies are encoded here, by the caller's
// goroutine, so that the writer has the disk to wait for and nothing else.
func (s *Store) Append(ctx context.Context, b store.Batch) (store.Ack, error) {
	if s.writer == nil {
		return store.Ack{}, fmt.Errorf("append: %w", s.notWritable())
	}
	bodies, err := encode(b)
	if err != nil {
		return store.Ack{}, fmt.Errorf("append: %w", err)
	}
	// A caller that leaves may use its slices again while the writer reads them.
	b.Records = slices.Clone(b.Records)
	if b.Watermark != nil {
		b.Watermark = new(*b.Watermark)
	}
	out, err := s.queue.do(ctx, &request{batch: b, bodies: bodies})
	if err != nil {
		return store.Ack{}, fmt.Errorf("append: %w", err)
	}
	return out.ack, nil
}

// notWritable says why nothing is written to a store that was opened to be read.
func (s *Store) notWritable() error {
	select {
	case <-s.closing:
		return memory.ErrClosed
	default:
		return memory.ErrReadOnly
	}
}

// encode checks a batch as far as that can be done without the space.
func encode(b store.Batch) ([][]byte, error) {
	if err := b.Scope.Validate(); err != nil {
		return nil, err
	}
	if len(b.Records) == 0 && b.Watermark == nil {
		return nil, fmt.Errorf("the batch has no records and no watermark: %w", memory.ErrInvalid)
	}
	if w := b.Watermark; w != nil && !isName(w.Extractor) {
		return nil, fmt.Errorf("a watermark needs the name of its extractor, at most %d bytes of UTF-8: %w", memory.MaxName, memory.ErrInvalid)
	}
	bodies := make([][]byte, len(b.Records))
	for i := range b.Records {
		r := &b.Records[i]
		if err := validate(r); err != nil {
			return nil, fmt.Errorf("record %d: %w", i, err)
		}
		var err error
		if bodies[i], err = store.Encode(r); err != nil {
			return nil, err
		}
	}
	return bodies, nil
}

func validate(r *memory.Record) error {
	if r.ID.IsZero() {
		return fmt.Errorf("it has no id: %w", memory.ErrInvalid)
	}
	if r.IDKey != "" && !isName(r.IDKey) {
		return fmt.Errorf("its id_key is not 1 to %d bytes of UTF-8: %w", memory.MaxName, memory.ErrInvalid)
	}
	if r.Body == nil {
		return fmt.Errorf("it has no body: %w", memory.ErrInvalid)
	}
	return r.Body.Validate()
}

func isName(s string) bool {
	return s != "" && len(s) <= memory.MaxName && utf8.ValidString(s)
}

// head is the row of a space.
type head struct {
	store.Head
	records   int64
	digestKey []byte
	known     bool // the row exists
	changed   bool
}

const selectHead = `SELECT epoch, seq, belief, recorded, records, digest_key, vectors FROM space WHERE tenant=? AND space=?`

func (c *conn) head(s memory.Scope) (*head, error) {
	h := new(head)
	err := c.each(func(st *sqlite3.Stmt) error {
		h.known = true
		h.Epoch = uint64(st.ColumnInt64(0))
		h.Seq = memory.Seq(st.ColumnInt64(1))
		h.Belief = uint64(st.ColumnInt64(2))
		h.Recorded = st.ColumnInt64(3)
		h.records = st.ColumnInt64(4)
		h.digestKey = st.ColumnBlob(5, nil)
		h.Vectors = uint64(st.ColumnInt64(6))
		return nil
	}, selectHead, s.Tenant, s.Space)
	return h, err
}

const upsertHead = `INSERT INTO space (tenant, space, epoch, seq, belief, recorded, records, digest_key, vectors) VALUES (?,?,?,?,?,?,?,?,?)
	ON CONFLICT DO UPDATE SET epoch=excluded.epoch, seq=excluded.seq, belief=excluded.belief,
	recorded=excluded.recorded, records=excluded.records, digest_key=excluded.digest_key, vectors=excluded.vectors`

func (c *conn) putHead(s memory.Scope, h *head) error {
	return c.exec(upsertHead, s.Tenant, s.Space, int64(h.Epoch), int64(h.Seq), int64(h.Belief),
		h.Recorded, h.records, h.digestKey, int64(h.Vectors))
}

const insertRecord = `INSERT INTO record (tenant, space, seq, type, id, recorded, sum, body) VALUES (?,?,?,?,?,?,?,?)`

// put writes r at the end of the log whose head is h, and moves h.
func (c *conn) put(s memory.Scope, h *head, r *memory.Record, body []byte, recorded int64) (memory.Ref, error) {
	h.changed = true
	h.Seq++
	h.records++
	h.Recorded = recorded
	if r.Body.ChangesBelief() {
		h.Belief++
	}
	row := row{scope: s, seq: h.Seq, kind: r.Body.Type(), id: r.ID, recorded: h.Recorded, body: body}
	err := c.exec(insertRecord, s.Tenant, s.Space, int64(h.Seq), string(row.kind), r.ID[:], h.Recorded, row.checksum(), text(body))
	return memory.Ref{ID: r.ID, Seq: h.Seq, Recorded: h.Recorded}, err
}

// digest is what is kept of an idempotency key for ever.
func digest(key []byte, idKey string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(idKey))
	return mac.Sum(nil)
}

const (
	selectIdem = `SELECT seq, id, recorded FROM idem WHERE tenant=? AND space=? AND digest=?`
	insertIdem = `INSERT INTO idem (tenant, space, digest, seq, id, recorded) VALUES (?,?,?,?,?,?)`
	upsertMark = `INSERT INTO watermark (tenant, space, extractor, seq) VALUES (?,?,?,?)
		ON CONFLICT DO UPDATE SET seq=max(seq, excluded.seq)`
)

// acknowledged gives the first acknowledgement of a key, or a zero Ref.
func (c *conn) acknowledged(s memory.Scope, digest []byte) (ref memory.Ref, err error) {
	err = c.each(func(st *sqlite3.Stmt) error {
		ref = memory.Ref{Seq: memory.Seq(st.ColumnInt64(0)), Recorded: st.ColumnInt64(2), Duplicate: true}
		copy(ref.ID[:], st.ColumnRawBlob(1))
		return nil
	}, selectIdem, s.Tenant, s.Space, digest)
	return ref, err
}

// refusal is an error that leaves the transaction as it was: the other
// requests of the group go on.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

func refuse(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// append writes one batch inside the writer's transaction. It gives a refusal
// only before it has changed anything.
func (w *writer) append(r *request, heads map[memory.Scope]*head) (store.Ack, error) {
	s := r.batch.Scope
	h, err := w.headOf(s, heads)
	if err != nil {
		return store.Ack{}, err
	}
	plan, err := w.plan(&r.batch, h)
	if err != nil {
		return store.Ack{}, err
	}
	ack := store.Ack{Refs: plan.refs}
	for i := range r.batch.Records {
		if plan.refs[i].Duplicate {
			continue
		}
		if ack.Refs[i], err = w.conn.put(s, h, &r.batch.Records[i], r.bodies[i], plan.recorded[i]); err != nil {
			return store.Ack{}, err
		}
		if d := plan.digests[i]; d != nil {
			ref := ack.Refs[i]
			if err := w.conn.exec(insertIdem, s.Tenant, s.Space, d, int64(ref.Seq), ref.ID[:], ref.Recorded); err != nil {
				return store.Ack{}, err
			}
		}
	}
	for i, first := range plan.sameAs {
		ack.Refs[i] = ack.Refs[first]
		ack.Refs[i].Duplicate = true
	}
	if m := r.batch.Watermark; m != nil {
		h.changed = h.changed || !h.known
		if err := w.conn.exec(upsertMark, s.Tenant, s.Space, m.Extractor, int64(m.Seq)); err != nil {
			return store.Ack{}, err
		}
	}
	ack.Head = h.Head
	return ack, nil
}

// plan is what a batch comes to before anything is written.
type plan struct {
	refs     []memory.Ref // of the duplicates
	recorded []int64      // of the others
	digests  [][]byte     // of the keys of the others
	sameAs   map[int]int  // duplicates of a record of the same batch, by place
}

// plan decides which records of b are new, when they were recorded, and
// whether they may be written.
func (w *writer) plan(b *store.Batch, h *head) (plan, error) {
	n := len(b.Records)
	p := plan{refs: make([]memory.Ref, n), recorded: make([]int64, n), digests: make([][]byte, n), sameAs: make(map[int]int)}
	first := make(map[string]int)
	fresh, now, last := 0, w.now(), h.Recorded
	for i := range b.Records {
		rec := &b.Records[i]
		if rec.IDKey != "" {
			if at, ok := first[rec.IDKey]; ok {
				p.refs[i], p.sameAs[i] = memory.Ref{Duplicate: true}, at
				continue
			}
			first[rec.IDKey] = i
			p.digests[i] = digest(h.digestKey, rec.IDKey)
			ref, err := w.conn.acknowledged(b.Scope, p.digests[i])
			if err != nil {
				return plan{}, err
			}
			if p.refs[i] = ref; ref.Duplicate {
				continue
			}
		}
		fresh++
		switch {
		case rec.Recorded == 0:
			last = max(last, now)
		case rec.Recorded < last:
			return plan{}, refuse("record %d was recorded before the one in front of it: %w", i, memory.ErrInvalid)
		default:
			last = rec.Recorded
		}
		p.recorded[i] = last
	}
	// A batch of duplicates only is the retry of one that went through.
	retry := fresh == 0 && len(b.Records) > 0
	if !retry && !b.Expect.Holds(h.Belief) {
		return plan{}, refusal{memory.ErrConflict}
	}
	if m := b.Watermark; m != nil && m.Seq > h.Seq+memory.Seq(fresh) {
		return plan{}, refuse("the watermark is behind the end of the log: %w", memory.ErrInvalid)
	}
	return p, nil
}

func isRefusal(err error) bool {
	var r refusal
	return errors.As(err, &r)
}
