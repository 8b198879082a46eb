package sqlite

import (
	"cmp"
	"iter"
	"slices"

	"daybook/internal/fault"
)

// wholePage yields all records of a page without a limit. Of a list that is read along its key, at most so many records
// are held that wait for their turn.
func wholePage[Row, T any](s *scanner, p page, held int, record func(Row) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		p.limit = 0
		p, places, err := s.alongKey(p, held)
		var q query
		if err == nil {
			q, err = p.query()
		}
		if err != nil {
			failed[T](err)(yield)
			return
		}
		list := ahead(allOf(s, q.text, record, q.bound...), readAhead)
		if places != nil {
			list = inOrder(list, places)
		}
		list(yield)
	}
}

// A list is put in the order of its ids while it is read along the key, if it has no more records than mostPlaces, which
// take 12 bytes each, and if it never holds more than mostHeld that wait for their turn.
const (
	mostPlaces = 1 << 22
	mostHeld   = 1 << 15
)

// alongKey makes a whole list by id one along the key of its table: to look up each record by its id would take twice
// to four times as long. It returns the places along the key in the order of the ids; nil if the list comes in this
// order. Where more than most records would wait for their turn, SQLite sorts the list.
func (s *scanner) alongKey(p page, most int) (page, []int32, error) {
	if p.list.key == "" || !p.alongIDs() || p.filters(p.list.indexed) {
		return p, nil, nil
	}
	only := *p.list
	only.columns = only.columns[:1]
	ids := p
	ids.list, ids.along = &only, p.list.clustered
	places, err := s.places(ids)
	if err != nil {
		return p, nil, err
	}
	if places == nil || waiting(places) > most {
		p.along = []string{"+id"}
		return p, nil, nil
	}
	p.along = p.list.clustered
	return p, places, nil
}

// places returns the places of a list of ids, in the order of the ids; nil if the list has more than mostPlaces.
func (s *scanner) places(p page) ([]int32, error) {
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	ids, places := []int64{}, []int32{}
	for id, err := range allOf(s, q.text, func(id int64) int64 { return id }, q.bound...) {
		if err != nil || len(ids) == mostPlaces {
			return nil, err
		}
		ids, places = append(ids, id), append(places, int32(len(ids)))
	}
	slices.SortFunc(places, func(a, b int32) int {
		if p.down {
			a, b = b, a
		}
		return cmp.Compare(ids[a], ids[b])
	})
	return places, nil
}

// waiting returns how many records wait at most for their turn.
func waiting(places []int32) (most int) {
	next := 0
	for came := range places {
		for next < len(places) && int(places[next]) <= came {
			next++
		}
		most = max(most, came+1-next)
	}
	return most
}

// inOrder yields the records of a list in the order of their places in it.
func inOrder[T any](list iter.Seq2[T, error], places []int32) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		held, place, next := map[int32]T{}, int32(-1), 0
		for record, err := range list {
			place++
			if err == nil && place != places[next] {
				held[place] = record
				continue
			}
			if !yield(record, err) || err != nil {
				return
			}
			for next++; next < len(places) && places[next] < place; next++ {
				if !yield(held[places[next]], nil) {
					return
				}
				delete(held, places[next])
			}
		}
	}
}

// readAhead is how many records one goroutine passes to another at a time.
const readAhead = 512

// ahead yields what a list yields. Until the loop ends, it reads the list on another goroutine, some parts of so many
// records ahead.
func ahead[T any](list iter.Seq2[T, error], records int) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		pages, end := make(chan readPart[T], 2), make(chan struct{})
		go readParts(list, records, pages, end)
		defer func() {
			close(end)
			for range pages { // until the list is read no more
			}
		}()
		for p := range pages {
			for _, record := range p.records {
				if !yield(record, nil) {
					return
				}
			}
			if p.err != nil {
				failed[T](p.err)(yield)
				return
			}
		}
	}
}

// readPart is a part of a list, and why no other follows.
type readPart[T any] struct {
	records []T
	err     error
}

// readParts passes a list on in parts, until end is closed. A panic of the list becomes its error.
func readParts[T any](list iter.Seq2[T, error], records int, parts chan<- readPart[T], end <-chan struct{}) {
	var next readPart[T]
	pass := func() bool {
		select {
		case parts <- next:
			next.records = make([]T, 0, records)
			return true
		case <-end:
			return false
		}
	}
	defer close(parts)
	defer func() {
		if p := recover(); p != nil {
			next.err = fault.Panicked(p)
		}
		pass()
	}()
	for record, err := range list {
		if next.err = err; err != nil {
			return
		}
		if next.records = append(next.records, record); len(next.records) >= records && !pass() {
			return
		}
	}
}
