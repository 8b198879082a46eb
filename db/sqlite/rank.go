package sqlite

import (
	"cmp"
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"strings"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/fault"
	"daybook/internal/listing"
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

// rank is where a record stands in an order.
type rank struct {
	number int64
	text   string
	id     int64
}

// placeOf writes a rank for the page that follows it: by id, the id; otherwise also the order
// and what the record is sorted by, since the record may change before that page is asked for.
func (p page) placeOf(at rank) listing.Place {
	id := strconv.FormatInt(at.id, 10)
	if p.sort.by == "" {
		return listing.Place(id)
	}
	parts := []string{p.order(), id, strconv.FormatInt(at.number, 10), at.text}
	return listing.Place(base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, "\n"))))
}

// rankAt reads what placeOf wrote. Invalid: after, is no place in the order of the page.
func (p page) rankAt(place listing.Place) (at rank, err error) {
	if place == "" {
		return p.start(), nil
	}
	if p.sort.by == "" {
		at.id, err = strconv.ParseInt(string(place), 10, 64)
	} else {
		at, err = p.decoded(place)
	}
	if err != nil {
		var fields fault.Fields
		fields.Add("after", "must be the `next` of a page in the same order; begin the list anew")
		return at, fields.Err()
	}
	return at, nil
}

func (p page) decoded(place listing.Place) (at rank, err error) {
	letters, err := base64.RawURLEncoding.DecodeString(string(place))
	if err != nil {
		return at, err
	}
	parts := strings.SplitN(string(letters), "\n", 4) // a text may have a line end, the others have none
	if len(parts) != 4 || parts[0] != p.order() {
		return at, errors.New("of another order")
	}
	at.text = parts[3]
	if at.id, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
		return at, err
	}
	if at.number, err = strconv.ParseInt(parts[2], 10, 64); err != nil {
		return at, err
	}
	// One of these is nothing in every rank. Where it is not, the place is made up, and stands
	// elsewhere for SQLite, which sorts by the other alone, than for compare.
	if at.id < 1 || p.sort.kind == byNumber && at.text != "" || p.sort.kind != byNumber && at.number != 0 {
		return at, errors.New("made up")
	}
	return at, nil
}

// order names the order of the page.
func (p page) order() string { return p.sort.by + p.direction() }

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
