package exchange

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"time"

	"daybook/internal/fault"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// Source is a file that is checked, and what it is checked with.
type Source struct {
	File  *tables.File
	Kind  string
	Map   Map // may be empty: then it is suggested
	Store Store
	Now   time.Time
	Each  func(Row) error       // is called with every record that no question hides, and every row that is none; may be nil
	Told  func(done, all int64) // is called while rows are read; may be nil
}

// Row is a record of a file with its result, or a row that is no record.
type Row struct {
	Line          int
	Reason        string // why a row is no record; then it is skipped
	Order         int    // trades get their ids in this order, because the average cost depends on it
	Result        string
	ID            int64  // of the stored record, 0 if there is none
	Before, After Record // Before is the stored record, where there is one; a wrong record and a cleared one have no After
	Nth           int    // which of the equal records of the file it is, of a kind without a key, from 1
	ExternalID    string // of a trade
	Voided        bool   // of a trade that is there already: it was voided
	ByID          bool   // the file names the stored record by its id
	Findings      []Finding
}

// check reads a file under a map.
type check struct {
	Source
	ctx  context.Context
	file *tables.File
	s    *shape
	m    *Map
	h    headed
	c    columns
	rules
	dialect   tables.Dialect
	survey    *survey
	questions []Question
	exact     bool        // the file is read by Read
	unknown   map[int]int // then, by the position of each column without a field, the line that names it
	current   reading     // then, of the row
	keyOnly   Record      // then, the key of the row

	registers map[string]*register // by kind
	words     map[string]map[string]*string
	memo      map[string]map[string]string // by column and value, what the rule makes of it
	places    map[string]int               // of the columns in a Record
	filler    *tables.Filler               // repeats merged cells in one reading of the rows

	passed   int64 // rows, of all readings
	stage    stage
	seed     [2]maphash.Seed
	buffer   []byte
	hashes   []uint64              // of the keys of all records, and of the external ids of trades
	repeated map[uint64]bool       // the hashes that come more than once
	ids      []namedID             // under match: id, those of the rows; sorted once all are there
	keys     map[[2]uint64]keyed   // what is under the repeated keys
	named    map[uint64]namedTrade // by the hash of a repeated external id
	totals   totals
	result   Preview
	given    int      // how many records have a result
	others   []Sample // those of the preview that are not wrong
	found    findings
	rounding
	order   order
	doubles doubles
}

// Check reads a whole file under a map, and tells what each row would do. The error is that of a file that cannot be
// read as a table (*tables.Error), of a map that is wrong (fault.Invalid), or of the store.
func Check(ctx context.Context, source Source) (*Preview, error) {
	s, known := shapes[source.Kind]
	if !known {
		return nil, unknownKind(source.Kind)
	}
	m := source.Map
	m.Kind = source.Kind
	s = s.matched(&m)
	if err := m.check(s); err != nil {
		return nil, err
	}
	k := &check{Source: source, ctx: ctx, file: source.File, s: s, m: &m}
	for _, step := range []func() error{k.open, k.decide, k.prepare, k.read} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return k.preview(), nil
}

func unknownKind(kind string) error {
	return fault.New(fault.Invalid, "There are no files of the kind %s.", text.Printable(text.Shorten(kind)))
}

// open finds the header, and gives the columns their fields.
func (k *check) open() (err error) {
	names := k.s.names()
	k.dialect, k.questions, err = names.dialect(k.file, k.m.dialect())
	if err != nil {
		return err
	}
	k.survey, err = surveyed(k.file, k.dialect)
	if err != nil {
		return err
	}
	k.survey.spread()
	switch row := k.m.Read.HeaderRow; {
	case k.survey.names != nil:
		named := tables.Record{}
		for _, name := range k.survey.names {
			named.Cells = append(named.Cells, tables.Cell{Type: tables.TextCell, Value: name})
		}
		k.h = names.header(named)
		k.h.named = true
	case row != nil && *row > 0:
		for _, record := range k.survey.head {
			if record.Line == *row {
				k.h = names.header(record)
			}
		}
		if k.h.line == 0 {
			var wrong fault.Fields
			wrong.Add("read.header_row", "must be one of the first %d filled rows of the file, got %d", headRows, *row)
			return wrong.Err()
		}
	case row != nil && *row == 0:
		k.h.headers = make([]header, k.survey.width())
	default:
		var q *Question
		if k.h, q = names.find(k.survey.head); q != nil {
			k.questions = append(k.questions, *q)
		}
	}
	k.c = k.s.assign(k.m, k.h, k.survey.head)
	if k.c.wide && k.matches() {
		var wrong fault.Fields
		wrong.Add("match", "must not be given for a file with a column for each period: its rows have several records")
		return wrong.Err()
	}
	if k.h.line > 0 || k.survey.names != nil || k.m.Read.HeaderRow != nil {
		k.questions = append(k.questions, k.c.questions...)
	}
	return nil
}

// decide reads the evidence of all cells, and sets the rules.
func (k *check) decide() error {
	e := &evidence{currencies: map[string]bool{}}
	for _, record := range k.survey.head {
		if record.Line <= k.h.line {
			for _, cell := range record.Cells {
				e.above(cell.Text())
			}
		}
	}
	if currency := k.m.Set[colCurrency]; currency != "" {
		e.currencies[string(currency)] = true
	}
	err := k.rows(func(record tables.Record) error {
		e.collect(record, &k.c)
		return nil
	})
	var questions []Question
	k.rules, questions = e.decide(k.s, k.m, k.h, &k.c, k.delimiter(), k.Now)
	k.questions = append(k.questions, questions...)
	if k.m.Read.Encoding == "" {
		positions := make([]int, len(k.c.list))
		for i, column := range k.c.list {
			positions[i] = column.position
		}
		if q := k.survey.askForEncoding(k.h, positions); q != nil {
			k.questions = append(k.questions, *q)
		}
	}
	return err
}

// delimiter is the delimiter under which the file is read.
func (k *check) delimiter() byte {
	switch {
	case k.dialect.Delimiter != 0:
		return k.dialect.Delimiter
	case k.file.Separator != 0:
		return k.file.Separator
	case k.file.Format == tables.CSV:
		return ','
	}
	return 0
}

// prepare reads what rows are compared with.
func (k *check) prepare() error {
	k.registers = map[string]*register{}
	for _, kind := range append(slices.Collect(maps.Values(k.s.refs)), "currencies") {
		r, err := newRegister(k.ctx, k.Store, kind)
		if err != nil {
			return err
		}
		k.registers[kind] = r
	}
	k.words = map[string]map[string]*string{}
	for field, words := range k.m.Values {
		k.words[field] = map[string]*string{}
		for from, to := range words {
			k.words[field][folded(from)] = to
		}
	}
	k.places, k.memo = map[string]int{}, map[string]map[string]string{}
	for i, column := range k.s.columns {
		k.places[column] = i
	}
	k.seed = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
	k.askFillDown()
	return nil
}

// askFillDown asks what merged cells of the columns with a field mean. That of figures is no question: one that was
// repeated would count twice.
func (k *check) askFillDown() {
	for _, column := range k.c.list {
		merged := tables.Downward(k.survey.merged, column.position, k.h.line)
		if len(merged) == 0 || slices.Contains(numeric, column.Field) || k.m.FillDown != "" {
			continue
		}
		q := Question{
			Code: askFillDown, Field: column.Field, Choices: choices("repeat", "empty"),
			Message: "The column has merged cells. Say if a merged cell is repeated in all its rows, or filled in its first row only.",
		}
		for _, r := range merged[:min(len(merged), shownFindings)] {
			q.Cells = append(q.Cells, Place{Line: r.FirstRow, Column: k.h.label(column.position)})
		}
		k.questions = append(k.questions, q)
	}
}

// rows reads the rows below the header.
func (k *check) rows(use func(tables.Record) error) error {
	rows, err := k.file.Records(k.dialect)
	if err != nil {
		return err
	}
	return each(rows, func(record tables.Record) error {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		k.tell()
		if record.Line <= k.h.line {
			return nil
		}
		if names := rows.Names(); len(names) > len(k.h.headers) {
			k.name(record.Line, names)
		}
		return use(record)
	})
}

// tell tells now and then how many rows were passed. The rows are read once for the evidence and once for each stage.
func (k *check) tell() {
	const often, readings = 1000, int64(giving) + 2
	k.passed++
	if k.Told != nil && k.passed%often == 0 {
		k.Told(k.passed, readings*int64(k.survey.rows))
	}
}

// skip counts a row that is no record.
func (k *check) skip(line int, reason string) error {
	if k.stage != giving {
		return nil
	}
	if k.result.Skipped == nil {
		k.result.Skipped = map[string]int{}
	}
	k.result.Skipped[reason]++
	k.result.Counts.Skipped++
	if k.Each == nil {
		return nil
	}
	return k.Each(Row{Line: line, Result: ResultSkipped, Reason: reason})
}
