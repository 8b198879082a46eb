package exchange

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"daybook/internal/money"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// keyed is what a file has under one key that comes more than once.
type keyed struct {
	first, last, count int          // the lines of the first and the last, and how many there are
	given              int          // how many of them have a result
	byID               int          // of the count: trades that are known by their external ids
	amount             money.Amount // the last
	sum                money.Sum
	currency           string
	differs, mixed     bool // the amounts differ, and the currencies
}

// stage says what a reading of the rows is for. Only keys that come more than once are kept with what is under them:
// of all others, a hash of eight bytes is enough to know that they come once.
type stage int

const (
	hashing  stage = iota // the hashes of all keys are collected
	grouping              // what is under the repeated keys
	giving                // the records get their results
)

// read reads the rows to find the keys that come more than once, then what is under them, and then for the results.
func (k *check) read() error {
	k.keys, k.repeated, k.named = map[[2]uint64]keyed{}, map[uint64]bool{}, map[uint64]namedTrade{}
	filled := k.suggested()
	for k.stage = hashing; ; k.stage++ {
		if k.stage == grouping && (len(k.repeated) == 0 || len(k.s.key) == 0) {
			k.passed += int64(k.survey.rows)
			continue
		}
		k.filler = filled.Filler(k.survey.merged)
		k.totals, k.rounding, k.order, k.found, k.result, k.others, k.given = totals{}, rounding{}, order{}, findings{}, Preview{}, nil, 0
		err := k.above()
		if err == nil {
			err = k.rows(k.row)
		}
		if err != nil || k.stage == giving {
			return err
		}
		if k.stage == hashing {
			k.repeat()
		}
	}
}

// above skips the rows above the header.
func (k *check) above() error {
	for _, record := range k.survey.head {
		if record.Line >= k.h.line {
			break
		}
		if err := k.skip(record.Line, "above_header"); err != nil {
			return err
		}
	}
	return nil
}

// repeat finds the hashes that come more than once.
func (k *check) repeat() {
	slices.SortStableFunc(k.ids, func(a, b namedID) int { return cmp.Compare(a.id, b.id) })
	slices.Sort(k.hashes)
	for i := 1; i < len(k.hashes); i++ {
		if k.hashes[i] == k.hashes[i-1] {
			k.repeated[k.hashes[i]] = true
		}
	}
	k.hashes = nil
}

// gather adds a record to those of its key.
func (k *check) gather(line int, v values) {
	if !k.hasKey(v) {
		return
	}
	hash := k.hash(v)
	if k.stage == hashing {
		k.hashes = append(k.hashes, hash[0])
		return
	}
	if !k.repeated[hash[0]] {
		return
	}
	entry := k.keys[hash]
	amount, currency := money.Amount(0), ""
	if _, has := k.places[colAmount]; has {
		amount, _ = money.ParseAmount(v.get(colAmount))
		currency = v.get(k.s.currency)
	}
	if entry.count == 0 {
		entry = keyed{first: line, amount: amount, currency: currency}
	} else {
		entry.differs = entry.differs || entry.amount != amount
		entry.mixed = entry.mixed || entry.currency != currency
		entry.amount = amount
	}
	entry.sum.Add(amount)
	entry.last = line
	entry.count++
	k.keys[hash] = entry
}

// occurrence is which of the equal records of a file one is, of a kind without a key, from 1.
func (k *check) occurrence(v values) int {
	if len(k.s.key) > 0 {
		return 1
	}
	hash := k.hash(v)
	if !k.repeated[hash[0]] {
		return 1
	}
	entry := k.keys[hash]
	entry.count++
	k.keys[hash] = entry
	return entry.count
}

// known tells of the trades that are stored and equal to one of the file, which is the nth of its content. One with an
// external id is compared with the trades that no id names, so those are not counted that are known by their ids.
func (k *check) known(external string, v values) (known Known, nth int, err error) {
	nth = k.occurrence(v)
	hash := k.hash(v)
	if external != "" {
		nth -= k.keys[hash].byID
	}
	known, err = k.Store.Known(k.ctx, k.m.Source, external, v.Record, nth)
	if entry, repeated := k.keys[hash]; known.ByID && repeated {
		entry.byID++
		k.keys[hash] = entry
	}
	return known, nth, err
}

// gatherExternal adds the external id of a row to the hashes.
func (r *reading) gatherExternal() {
	if r.stage != hashing || r.s.kind != "trades" {
		return
	}
	if external, _, _ := r.text(fieldExternal); external != "" {
		r.hashes = append(r.hashes, maphash.String(r.seed[0], external))
	}
}

// otherTrade is the line of the first trade of the file with the same external id, if it has other content, or 0.
func (r *reading) otherTrade(external string, v values) int {
	of := maphash.String(r.seed[0], external)
	if external == "" || !r.repeated[of] {
		return 0
	}
	content := r.hash(v)
	first, is := r.named[of]
	if !is {
		r.named[of] = namedTrade{content, r.record.Line}
		return 0
	}
	if first.content == content {
		return 0
	}
	return first.line
}

// namedTrade is the first trade of a file with an external id.
type namedTrade struct {
	content [2]uint64
	line    int
}

// hash is the hash of what makes a record the same as another. Its seeds are random, so no file can have two with one
// hash but by chance.
func (k *check) hash(v values) (h [2]uint64) {
	b := k.buffer[:0]
	for _, column := range k.s.same {
		value := v.get(column)
		if column == colCode {
			value = text.Code(value).Fold()
		}
		b = append(append(b, value...), 0)
	}
	k.buffer = b
	for i := range h {
		h[i] = maphash.Bytes(k.seed[i], b)
	}
	return h
}

// unique reports whether a record is the one of its key. Where several become one, it is the last, with their sum.
func (k *check) unique(r *reading, v values) (bool, error) {
	line, hash := r.record.Line, k.hash(v)
	entry := k.keys[hash]
	if len(k.s.key) == 0 || entry.count <= 1 || !k.hasKey(v) {
		return true, nil
	}
	entry.given++
	k.keys[hash] = entry
	last := entry.given == entry.count // not the line: several records of JSON may be on one
	switch duplicates := k.m.Duplicates; {
	case entry.mixed && duplicates == "sum":
		r.add(wrong, codeCurrency, "", 0, tables.Cell{}, "Lines %d to %d have the same key in several currencies, so they have no sum.", entry.first, entry.last)
	case (duplicates == "last" || duplicates == "sum") && !last:
		return false, k.skip(line, "same_key")
	case duplicates == "sum":
		v.set(colAmount, r.ruled(colAmount, entry.sum.String(), 0, tables.Cell{}))
		return !r.isWrong(), nil
	case duplicates == "last":
		return true, nil
	case duplicates == "" && entry.differs && k.s.kind == "actuals":
		k.doubles.add(line, last, v)
		return false, nil
	default:
		r.add(wrong, codeDuplicate, "", 0, tables.Cell{}, "The same key comes %d times in the file, first on line %d and last on line %d. Keep one of them%s.", entry.count, entry.first, entry.last, r.inMap(", or say in the map which counts"))
	}
	return false, nil
}

// doubles are the records of one key with different amounts.
type doubles struct {
	cells     []Place
	sum, last map[string]money.Sum // by currency
}

func (d *doubles) add(line int, last bool, v values) {
	if d.sum == nil {
		d.sum, d.last = map[string]money.Sum{}, map[string]money.Sum{}
	}
	if len(d.cells) < shownFindings {
		d.cells = append(d.cells, Place{Line: line, Column: colAmount, Value: v.get(colAmount)})
	}
	amount, _ := money.ParseAmount(v.get(colAmount))
	currency := v.get(colCurrency)
	d.sum[currency] = d.sum[currency].Plus(money.SumOf(amount))
	if last {
		d.last[currency] = d.last[currency].Plus(money.SumOf(amount))
	}
}

// ask asks which of them counts.
func (d *doubles) ask() Question {
	return Question{
		Code: askDuplicates, Field: colAmount, Cells: d.cells, Choices: choices("sum", "last", "refuse"),
		Message: fmt.Sprintf("Several lines have the same department, account and period with different amounts. Say if their sum counts (%s in all), the last of them (%s in all), or if they are refused.", inAll(d.sum), inAll(d.last)),
	}
}

func inAll(sums map[string]money.Sum) string {
	list := make([]string, 0, len(sums))
	for currency, sum := range sums {
		list = append(list, strings.TrimSpace(sum.String()+" "+currency))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// order is in which order the trades of a file are.
type order struct {
	before       time.Time
	line         int
	rises, falls bool
	equal        []Place // trades of one instant
}

func (o *order) add(line int, date time.Time, written string) {
	switch {
	case o.line == 0:
	case date.After(o.before):
		o.rises = true
	case date.Before(o.before):
		o.falls = true
	default:
		if len(o.equal) < shownFindings {
			o.equal = append(o.equal, Place{Line: line, Column: colDate, Value: written})
		}
	}
	o.before, o.line = date, line
}

// asks reports whether the order of the trades of one instant is open: the dates fall and never rise.
func (o *order) asks() bool { return o.falls && !o.rises && len(o.equal) > 0 }

func (o *order) ask() Question {
	return Question{
		Code: askRowOrder, Cells: o.equal, Proposed: "newest_first", Choices: choices("newest_first", "as_written"),
		Message: "The file begins with the newest trades, and some have the same time. Their order counts for the average cost. Say if those of one time are newest first too, or in the order in which they happened.",
	}
}
