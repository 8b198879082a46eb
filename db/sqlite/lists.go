package sqlite

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/listing"
)

// byIDAtOnce is how many rows one short read of a list by id takes. A row may have a text of 16,000
// bytes, and the server holds the rows while a slow client reads: at most 400 KB, within the memory
// that a list counts against the limit for answers.
const byIDAtOnce = 25

// byID yields rows in the order of their ids, up to the newest row at the start. Each read waits for
// its turn.
func byID[Row, T any](
	ctx context.Context,
	newest func(context.Context) (int64, error),
	list func(ctx context.Context, after, through, most int64) ([]Row, error),
	domain func(Row) T,
	id func(T) int64,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var through int64
		rows.Pages(byIDAtOnce, func(a, b *T) int { return cmp.Compare(id(*a), id(*b)) }, func(last *T, most int64) ([]T, error) {
			var found []Row
			err := listing.InTurn(ctx, func() (err error) {
				var after int64
				if last != nil {
					after = id(*last)
				} else if through, err = newest(ctx); err != nil {
					return err
				}
				found, err = list(ctx, after, through, most)
				return err
			})
			return rows.Map(found, domain), err
		})(yield)
	}
}

// eachOf maps the rows of a query, and classifies its error.
func eachOf[A, B any](f func(A) B, found []A, err error) ([]B, error) {
	return rows.Map(found, f), sqlerr.Classify(err)
}

// atOnce is how many pages of a long list are read ahead of the caller.
const atOnce = 2

// prefetch yields the records with ids from 1 through newest. It reads ahead, in short reads of a range
// of ids each. read appends the records after an id, up to another, to a page that the caller no longer
// uses, so that a million records leave no garbage. read also returns reached: there are no other
// records up to that id, so that a gap in the ids costs nothing. A panic in read becomes its error.
func prefetch[T any](newest int64, read func(page []T, after, through int64) (_ []T, reached int64, err error)) iter.Seq2[T, error] {
	type page struct {
		records []T
		reached int64
		err     error
	}
	return func(yield func(T, error) bool) {
		var planned int64
		var coming []chan page
		plan := func(into []T) {
			after, through := planned, newest
			if after >= newest {
				return
			}
			if newest-after > rows.PageSize {
				through = after + rows.PageSize
			}
			planned = through
			if into == nil {
				into = make([]T, 0, through-after) // one that grows leaves as much garbage again
			}
			next := make(chan page, 1) // room for a page that the caller does not take
			coming = append(coming, next)
			go func() {
				var got page
				defer func() {
					if p := recover(); p != nil {
						got.err = fault.Panicked(p)
					}
					next <- got
				}()
				got.records, got.reached, got.err = read(into[:0], after, through)
			}()
		}
		for range atOnce {
			plan(nil)
		}
		var seen []T
		for len(coming) > 0 {
			got := <-coming[0]
			coming = coming[1:]
			if got.err != nil {
				var none T
				yield(none, got.err)
				return
			}
			planned = max(planned, got.reached)
			plan(seen)
			for i := range got.records {
				if !yield(got.records[i], nil) {
					return
				}
			}
			seen = got.records
		}
	}
}

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
