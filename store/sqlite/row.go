package sqlite

import (
	"encoding/binary"
	"hash/crc32"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
	"engram/store"
)

// row is a stored record.
type row struct {
	scope    memory.Scope
	seq      memory.Seq
	kind     memory.RecordType
	id       memory.ID
	recorded int64
	sum      int64
	body     []byte
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers the key too, so that a row that was swapped with another is
// found like a flipped byte.
func (r *row) checksum() int64 {
	buf := make([]byte, 0, 256)
	for _, s := range []string{r.scope.Tenant, r.scope.Space, string(r.kind)} {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	buf = binary.BigEndian.AppendUint64(buf, uint64(r.seq))
	buf = binary.BigEndian.AppendUint64(buf, uint64(r.recorded))
	buf = append(buf, r.id[:]...)
	return int64(crc32.Update(crc32.Checksum(buf, castagnoli), castagnoli, r.body))
}

// columns are those that scan reads.
const columns = `seq, type, id, recorded, sum, body`

func scan(s memory.Scope, st *sqlite3.Stmt) row {
	r := row{
		scope:    s,
		seq:      memory.Seq(st.ColumnInt64(0)),
		kind:     memory.RecordType(st.ColumnRawText(1)),
		recorded: st.ColumnInt64(3),
		sum:      st.ColumnInt64(4),
		body:     append([]byte(nil), st.ColumnRawText(5)...),
	}
	copy(r.id[:], st.ColumnRawBlob(2))
	return r
}

// record decodes a row. What is wrong with it stands in Damage.
func (r *row) record() memory.Record {
	rec := memory.Record{Seq: r.seq, Recorded: r.recorded, ID: r.id}
	if r.checksum() != r.sum {
		rec.Raw, rec.Damage = r.body, "the stored bytes do not match their checksum"
		return rec
	}
	_ = store.Decode(&rec, r.body) // its error is in Damage
	return rec
}
