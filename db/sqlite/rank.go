package sqlite

import (
	"cmp"
	"math"

	"daybook/db/sqlite/internal/cursor"
)

// order is what records are sorted by before their ids.
type order struct {
	by   string // the column, or what is a number of several; "" is by id alone
	kind orderKind
	// The table, or an index, is in the order of these columns: who goes along it has
	// found the first records before all are looked at. What they hold is told by a rank.
	along  []string
	values func(rank) []any
	// The table of the parents by whose codes it is sorted; by is what refers to them.
	parents string
}

type orderKind int

const (
	byNumber orderKind = iota
	byText
	byCode
)

func (o order) text() bool { return o.kind != byNumber }

// term is what a record is sorted by.
func (o order) term() string {
	switch {
	case o.by == "":
		return "0"
	case o.kind == byCode:
		return "(SELECT code_key FROM " + o.parents + " p WHERE p.id = " + o.by + ")"
	}
	return o.by
}

// rank is where a record stands in an order.
type rank struct {
	number int64
	text   string
	id     int64
}

// start is before all ranks in the order of the page.
func (p page) start() rank {
	if p.down {
		return rank{number: math.MaxInt64, id: math.MaxInt64}
	}
	return rank{number: math.MinInt64}
}

// finish is beyond all ranks.
func (p page) finish() rank {
	p.down = !p.down
	return p.start()
}

// compare orders ranks as the page does.
func (p page) compare(a, b *rank) int {
	if p.down {
		a, b = b, a
	}
	switch {
	case a.number != b.number:
		return cmp.Compare(a.number, b.number)
	case a.text != b.text:
		return cmp.Compare(a.text, b.text)
	}
	return cmp.Compare(a.id, b.id)
}

// ranker reads the ranks of records whose sort and id a query gives.
func (s *scanner) ranker(p page) (func(*cursor.Rows) rank, error) {
	switch p.sort.kind {
	case byText:
		return func(row *cursor.Rows) rank { return rank{text: s.text(row.Text(0)), id: row.Int(1)} }, nil
	case byCode:
		codes := map[int64]string{}
		q := query{text: "SELECT id, code_key FROM " + p.sort.parents}
		err := s.each(q, func(row *cursor.Rows) bool {
			codes[row.Int(0)] = string(row.Text(1))
			return true
		})
		return func(row *cursor.Rows) rank { return rank{text: codes[row.Int(0)], id: row.Int(1)} }, err
	default:
		return func(row *cursor.Rows) rank { return rank{number: row.Int(0), id: row.Int(1)} }, nil
	}
}

// ranked is what a ranker reads.
func (o order) ranked() string {
	if o.by == "" {
		return "0, id"
	}
	return o.by + ", id"
}
