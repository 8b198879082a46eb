package sqlite

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/journal"
)

// stretch is where the records of a list stand in an order, between two ranks of it.
// Finding the first few in an order that nothing is kept in looks at every record, and
// finds thousands as fast: so these are remembered, and follow the journal, and the pages
// that come after are read at once.
//
// It is shared, and changed by nobody.
type stretch struct {
	from, to rank // all that stand beyond from, up to and with to, are here
	ranks    []rank
}

const (
	// leastStretch is how many ranks are looked for at first; then as many again as
	// there are.
	leastStretch = 1 << 13
	// trialRows is after how many it is asked for no more than may be among the first.
	trialRows = 100_000
	// mostStretch is how many are remembered of one order, twice as many as are looked
	// for at once.
	mostStretch = 1 << 15
)

// size counts what ranks take, of which a text may be more than all else, in tallies of 80
// bytes.
func (st stretch) size() int {
	bytes := len(st.ranks) * int(unsafe.Sizeof(rank{}))
	for _, at := range st.ranks {
		bytes += len(at.text)
	}
	return bytes / 80
}

// next are the ranks of a page that begins after one, if they are here.
func (st stretch) next(p page, after rank) ([]rank, bool) {
	if !st.reaches(p, after) {
		return nil, false
	}
	ranks := st.beyond(p, after)
	if len(ranks) >= p.limit {
		return ranks[:p.limit], true
	}
	return ranks, st.to == p.finish()
}

// reaches reports whether a page that comes after the rank begins in the stretch.
func (st stretch) reaches(p page, after rank) bool {
	return p.compare(&st.from, &after) <= 0 && p.compare(&after, &st.to) <= 0
}

// beyond are the ranks after one.
func (st stretch) beyond(p page, after rank) []rank {
	i, found := slices.BinarySearchFunc(st.ranks, after, func(a, b rank) int { return p.compare(&a, &b) })
	if found {
		i++
	}
	return st.ranks[i:]
}

// knownStretch is what is remembered, brought forward to the view; nothing where it is not
// known how.
func (v *view) knownStretch(p page) (known stretch, err error) {
	kept := v.known[p.what()]
	known, found := kept.found.(stretch)
	if !found {
		return known, nil
	}
	changed, found, err := v.changedSince(kept.head, p.list.of)
	if err != nil || !found {
		return stretch{}, err
	}
	if known, err = v.amended(p, known, changed); err == nil {
		v.keepStretch(p, known)
	}
	return known, err
}

func (v *view) keepStretch(p page, st stretch) {
	v.memory.keep(recollection{what: p.what(), head: v.head, size: leastSize + st.size(), found: st})
}

// changedSince are the ids of an entity's records that entries since a head are of; false
// where these are too many to go through.
func (v *view) changedSince(head journal.Seq, of journal.Entity) (ids []int64, known bool, err error) {
	if head > v.head || v.head-head > mostBetween {
		return nil, false, nil
	}
	err = read(v.changed, func() { ids = append(ids, v.changed.Int(0)) }, int64(head), int64(v.head), string(of))
	return ids, true, err
}

// amended is a stretch with some records where they stand now, if they are of the list.
func (v *view) amended(p page, st stretch, ids []int64) (stretch, error) {
	if len(ids) == 0 {
		return st, nil
	}
	rankOf, err := v.ranker(p)
	if err != nil {
		return st, err
	}
	amended := slices.DeleteFunc(slices.Clone(st.ranks), func(at rank) bool {
		_, changed := slices.BinarySearch(ids, at.id)
		return changed
	})
	err = v.each(p.found(ids), func(row *cursor.Rows) bool {
		if at := rankOf(row); p.compare(&st.from, &at) < 0 && p.compare(&at, &st.to) <= 0 {
			amended = append(amended, at)
		}
		return true
	})
	st.ranks = p.sorted(amended)
	return st.cut(p), err
}

// and is a stretch with another that begins in it and ends beyond it; the other where it
// begins elsewhere.
func (st stretch) and(p page, rest stretch) stretch {
	if !st.reaches(p, rest.from) {
		return rest
	}
	before := st.ranks[:len(st.ranks)-len(st.beyond(p, rest.from))]
	return stretch{st.from, rest.to, append(slices.Clip(before), rest.ranks...)}
}

// cut keeps as much as may be remembered, the beginning going first: who reads a list
// comes from there.
func (st stretch) cut(p page) stretch {
	if n := len(st.ranks) - p.most; n > 0 {
		st.from, st.ranks = st.ranks[n-1], slices.Clone(st.ranks[n:])
	}
	return st
}

func (p page) sorted(ranks []rank) []rank {
	slices.SortFunc(ranks, func(a, b rank) int { return p.compare(&a, &b) })
	return ranks
}

// readStretch looks for the ranks of a page, and remembers them and those that follow. What
// is known goes on where the page reaches beyond its end.
func (v *view) readStretch(p page, known stretch, after rank) ([]rank, error) {
	if len(known.ranks) == 0 || !known.reaches(p, after) {
		known = stretch{from: after, to: after}
	}
	most := max(p.limit, min(max(p.least, len(known.ranks)), p.most/2))
	rest, err := v.search(p, known.to, most)
	if err != nil {
		return nil, err
	}
	known = known.and(p, rest)
	v.keepStretch(p, known.cut(p))
	ranks, found := known.next(p, after)
	if !found { // a page that is cut short would pass for the end of the list
		return nil, fmt.Errorf("%s: what was looked for ends before its page", p.what())
	}
	return ranks, nil
}

// search goes through the records that the filters leave. Twice as many as are wanted are
// gathered before those are left out that are too many. When it is known how far the first
// of some reach, it begins again, and SQLite passes over what lies beyond: a row that is
// not looked at here costs half. Of those that a filter leaves there may be too few for that.
func (v *view) search(p page, from rank, most int) (stretch, error) {
	rankOf, err := v.ranker(p)
	if err != nil {
		return stretch{}, err
	}
	st, seen, again := stretch{from: from, to: p.finish()}, 0, false
	first := func() {
		if st.ranks = p.sorted(st.ranks); len(st.ranks) > most {
			st.ranks = st.ranks[:most]
			st.to = st.ranks[most-1]
		}
	}
	row := func(row *cursor.Rows) bool {
		seen++
		if seen == p.trial && len(p.where) == 0 && p.bounded() && st.to != p.finish() {
			again = true
			return false
		}
		at := rankOf(row)
		if p.compare(&at, &st.to) > 0 {
			return len(p.sort.along) == 0 || at.number == st.to.number && at.text == st.to.text
		}
		if p.compare(&at, &from) > 0 {
			if st.ranks = append(st.ranks, at); len(st.ranks) == 2*most {
				first()
			}
		}
		return true
	}
	err = v.each(p.searched(from, st.to), row)
	if again && err == nil {
		st.ranks = st.ranks[:0]
		err = v.each(p.searched(from, st.to), row)
	}
	first()
	st.ranks = slices.Clone(st.ranks) // not what was gathered beside them
	return st, err
}

// bounded reports whether SQLite can pass over records by where they stand.
func (p page) bounded() bool {
	return p.sort.by != "" && len(p.sort.along) == 0
}

// searched is the query for the ranks of all that the filters leave between two, found along
// the key as far as that is known. Those of an order that the table is in come in it; where it
// is in that of the ids, they come in the direction of the page, since the newest records are
// likely to be the latest. A plus keeps SQLite from going through them by id where each would
// have to be looked up.
func (p page) searched(from, to rank) query {
	key, conditions, bound := p.list.key, p.passed(), []any(nil)
	for _, c := range p.where {
		column := c.column
		if !p.keyed(column) && !p.names(key[len(key)-1].column) {
			column = "+" + column
		}
		conditions, bound = append(conditions, column+" "+c.holds), append(bound, c.value)
	}
	add := func(condition string, values ...any) {
		conditions, bound = append(conditions, condition), append(bound, values...)
	}
	along := p.sort.along
	if from != p.start() && len(along) > 0 {
		values := p.sort.values(from)
		add("("+strings.Join(along, ", ")+") "+p.past()+"= ("+strings.Repeat(", ?", len(values))[2:]+")", values...)
	}
	if len(along) == 0 && p.list.byID && !p.names(key[0].column) {
		along = []string{"id"}
	}
	order := ""
	if len(along) > 0 {
		order = " ORDER BY " + strings.Join(along, p.direction()+", ") + p.direction()
	}
	if p.bounded() && (from != p.start() || to != p.finish()) {
		if p.sort.kind == byCode {
			add("+"+p.sort.by+" IN (SELECT id FROM "+p.sort.parents+" WHERE code_key "+p.past()+"= ? AND ? "+p.past()+"= code_key)",
				p.code(from), p.code(to))
		} else {
			add(p.sort.by+" "+p.past()+"= ? AND ? "+p.past()+"= "+p.sort.by, from.number, to.number)
		}
	}
	add("+id > 0") // they count from 1
	return query{"SELECT " + p.sort.ranked() + " FROM " + p.list.table + " WHERE " + strings.Join(conditions, " AND ") + order, bound}
}

// code is that of a rank; before or beyond all ranks, one before or beyond all codes.
func (p page) code(at rank) string {
	if at.number == math.MaxInt64 {
		return "\xff" // is in no text
	}
	return at.text
}

// found is the query for the ranks of some records, as far as they are of the list: by
// their ids, and a plus keeps SQLite from anything else.
func (p page) found(ids []int64) query {
	conditions, bound := []string{"id IN (SELECT value FROM json_each(?) WHERE value > 0)"}, []any{listed(ids)}
	for _, c := range p.where {
		conditions, bound = append(conditions, "+"+c.column+" "+c.holds), append(bound, c.value)
	}
	return query{"SELECT " + p.sort.ranked() + " FROM " + p.list.table + " WHERE " + strings.Join(conditions, " AND "), bound}
}

// readAt reads the records that stand at the ranks, in their order; fewer where some are gone.
func readAt[T any](v *view, p page, ranks []rank, record func(*scanner, *cursor.Rows) T) (placed[T], error) {
	ids, at := make([]int64, len(ranks)), make(map[int64]int, len(ranks))
	for i, one := range ranks {
		ids[i], at[one.id] = one.id, i
	}
	records, there := make([]T, len(ranks)), 0
	q := "SELECT " + p.list.columns + " FROM " + p.list.table + " WHERE id IN (SELECT value FROM json_each(?))"
	err := v.each(query{q, []any{listed(ids)}}, func(row *cursor.Rows) bool {
		records[at[row.Int(0)]] = record(v.scanner, row)
		there++
		return true
	})
	return placed[T]{records[:there], ranks[:there]}, err
}

// listed are ids as SQLite takes them.
func listed(ids []int64) string {
	list := []byte("[")
	for i, id := range ids {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, id, 10)
	}
	return string(append(list, ']'))
}
