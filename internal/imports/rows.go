package imports

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync"

	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/spool"
)

// Results are the results that a row can have.
var Results = []string{"new", "changed", "unchanged", "already", "cleared", "skipped", "wrong"}

// Doubtful stands for the rows with a doubt, whatever their result.
const Doubtful = "doubtful"

// Row is a record of a file with its result, or a row that is none, and its place among all rows, from 1.
type Row struct {
	N     int
	Cells []string // of a wrong row, as the file has them
	exchange.Row
}

// is reports whether a row has a result, "" for any.
func (r *Row) is(result string) bool {
	switch result {
	case "":
		return true
	case Doubtful:
		return r.Result != "wrong" && slices.ContainsFunc(r.Findings, func(f exchange.Finding) bool { return f.Severity == Doubtful })
	}
	return r.Result == result
}

// blockRows is how many rows are between two places of the file at which a reader may begin.
const blockRows = 1000

// block is a part of a rowFile.
type block struct {
	at  int64           // where it begins
	has map[string]bool // the results that its rows have
}

// rowFile has the rows of one revision, in the order of the file.
type rowFile struct {
	service *Service
	mu      sync.RWMutex // held for reading while the file is read
	file    *spool.File
	to      *bufio.Writer
	buffer  []byte
	size    int64
	counted int64 // of the size, what the service counts
	n       int
	doubts  int // rows with a doubt that the map does not accept
	beside  int // good records on the lines of these
	line    openLine
	blocks  []block
}

func newRowFile(s *Service) (*rowFile, error) {
	file, err := s.folder.New()
	if err != nil {
		return nil, unkeepable(err)
	}
	return &rowFile{service: s, file: file, to: bufio.NewWriterSize(file, 64<<10)}, nil
}

// close removes the file when nobody reads it.
func (f *rowFile) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return
	}
	_ = f.file.Close() // nothing of it is needed
	f.file = nil
	f.service.mu.Lock()
	f.service.size -= f.counted
	f.service.mu.Unlock()
}

// add adds a row. TooMany: the files of all imports have no more room. Unavailable: the disk refuses.
func (f *rowFile) add(row exchange.Row) error {
	if f.n%blockRows == 0 {
		if err := f.count(); err != nil {
			return err
		}
		f.blocks = append(f.blocks, block{at: f.size, has: map[string]bool{}})
	}
	f.n++
	one := Row{N: f.n, Row: row}
	last := f.blocks[len(f.blocks)-1]
	last.has[row.Result] = true
	if one.is(Doubtful) {
		last.has[Doubtful] = true
	}
	if one.open() {
		f.doubts++
	}
	f.beside += f.line.add(&one)
	f.buffer = appendRow(f.buffer[:0], &row)
	head := binary.AppendUvarint(nil, uint64(len(f.buffer)))
	f.size += int64(len(head) + len(f.buffer))
	_, err := f.to.Write(head)
	if err == nil {
		_, err = f.to.Write(f.buffer)
	}
	if err != nil {
		return unkeepable(err)
	}
	return nil
}

// openLine is the good records of the line that is being read.
type openLine struct {
	number, records int
	open            bool
}

// add adds a row, and returns how many more good records are on lines with an open doubt.
func (l *openLine) add(row *Row) (more int) {
	if l.number != row.Line {
		*l = openLine{number: row.Line}
	}
	good := 0
	if row.Result != exchange.ResultWrong && row.Result != exchange.ResultSkipped {
		good = 1
	}
	l.records += good
	switch {
	case l.open:
		return good
	case row.open():
		l.open = true
		return l.records
	}
	return 0
}

// count counts what was written to the bytes of all imports.
func (f *rowFile) count() error {
	f.service.mu.Lock()
	defer f.service.mu.Unlock()
	f.service.size += f.size - f.counted
	f.counted = f.size
	if f.service.size > MostKept {
		return fault.New(TooMany, "the files that are being imported fill the room for them; finish or delete one of them, or wait until one has not been used for an hour")
	}
	return nil
}

// finish ends the writing.
func (f *rowFile) finish() error {
	if err := f.to.Flush(); err != nil {
		return unkeepable(err)
	}
	f.to, f.buffer = nil, nil
	return f.count()
}

// each calls use with the rows of a result behind a place, until it returns false. NotFound: the import is gone.
func (f *rowFile) each(ctx context.Context, result string, after int, use func(*Row) (bool, error)) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.file == nil {
		return errGone
	}
	from := bufio.NewReaderSize(nil, 64<<10)
	for i := after / blockRows; i < len(f.blocks); i++ {
		if result != "" && !f.blocks[i].has[result] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		from.Reset(io.NewSectionReader(f.file, f.blocks[i].at, f.size-f.blocks[i].at))
		for n := i*blockRows + 1; n <= min(f.n, (i+1)*blockRows); n++ {
			row, err := readRow(from)
			if err != nil {
				return unkeepable(err)
			}
			row.N = n
			if n <= after || !row.is(result) {
				continue
			}
			if more, err := use(row); err != nil || !more {
				return err
			}
		}
	}
	return nil
}

var errGone = fault.New(fault.NotFound, "the file was read under another map meanwhile, or the import has ended; ask again")

// Rows returns at most limit rows of a result behind a place, the wrong ones with their cells. NotFound; NotReady: the
// file is still being read.
func (s *Service) Rows(ctx context.Context, owner, id, result string, after, limit int) (list []Row, err error) {
	r, err := s.read(owner, id)
	if err != nil {
		return nil, err
	}
	err = r.rows.each(ctx, result, after, func(row *Row) (bool, error) {
		list = append(list, *row)
		return len(list) < limit, nil
	})
	if err != nil || result != "wrong" || len(list) == 0 {
		return list, err
	}
	s.mu.Lock()
	k, err := s.find(owner, id)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	w, err := mendedOf(k, r)
	if err != nil {
		return nil, faultOf(err)
	}
	defer func() { _ = w.file.Close() }() // nothing depends on it
	return list, faultOf(w.fill(list))
}

// NotReady is the kind of the fault that an import cannot do yet what is asked for.
const NotReady fault.Kind = "not ready"

var errReading = fault.New(NotReady, "the file is still being read; ask again in a moment")

// read returns the newest revision, which must have been read. NotFound, NotReady; errors as those of a reading.
func (s *Service) read(owner, id string) (*revision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(owner, id)
	switch {
	case err != nil:
		return nil, err
	case !k.newest.finished():
		return nil, errReading
	case k.newest.err != nil:
		return nil, k.newest.err
	}
	return k.newest, nil
}

// appendRow appends a row as bytes.
func appendRow(b []byte, row *exchange.Row) []byte {
	b = binary.AppendUvarint(b, uint64(row.Line))
	b = binary.AppendVarint(b, int64(row.Order))
	b = binary.AppendVarint(b, int64(row.Nth))
	b = binary.AppendVarint(b, row.ID)
	b = append(b, flag(row.Before != nil)|flag(row.After != nil)<<1|flag(row.Voided)<<2|flag(row.ByID)<<3)
	for _, s := range []string{row.Result, row.Reason, row.ExternalID} {
		b = appendText(b, s)
	}
	for _, record := range []exchange.Record{row.Before, row.After} {
		b = binary.AppendUvarint(b, uint64(len(record)))
		for _, s := range record {
			b = appendText(b, s)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(row.Findings)))
	for _, f := range row.Findings {
		b = append(b, flag(f.Accepted))
		for _, s := range []string{f.Column, f.Value, f.Field, f.Severity, f.Code, f.Message, string(f.ReadsAs)} {
			b = appendText(b, s)
		}
	}
	return b
}

func flag(is bool) byte {
	if is {
		return 1
	}
	return 0
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// readRow reads what appendRow wrote, with its length before it.
func readRow(from *bufio.Reader) (*Row, error) {
	size, err := binary.ReadUvarint(from)
	if err != nil {
		return nil, err
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(from, b); err != nil {
		return nil, err
	}
	p := &parser{rest: b}
	row := &Row{}
	row.Line, row.Order, row.Nth, row.ID = int(p.uvarint()), int(p.varint()), int(p.varint()), p.varint()
	flags := p.byte()
	row.Voided, row.ByID = flags&4 != 0, flags&8 != 0
	row.Result, row.Reason, row.ExternalID = p.text(), p.text(), p.text()
	row.Before, row.After = p.record(flags&1 != 0), p.record(flags&2 != 0)
	row.Findings = make([]exchange.Finding, p.uvarint())
	for i := range row.Findings {
		f := exchange.Finding{Line: row.Line, Accepted: p.byte() == 1}
		f.Column, f.Value, f.Field, f.Severity, f.Code, f.Message, f.ReadsAs = p.text(), p.text(), p.text(), p.text(), p.text(), p.text(), exchange.Reads(p.text())
		row.Findings[i] = f
	}
	return row, p.err
}

// parser reads the bytes of a row.
type parser struct {
	rest []byte
	err  error
}

var errShort = errors.New("a row of an import is not whole")

func (p *parser) uvarint() uint64 {
	v, n := binary.Uvarint(p.rest)
	p.skip(n)
	return v
}

func (p *parser) varint() int64 {
	v, n := binary.Varint(p.rest)
	p.skip(n)
	return v
}

func (p *parser) byte() byte {
	if len(p.rest) == 0 {
		p.err = errShort
		return 0
	}
	v := p.rest[0]
	p.skip(1)
	return v
}

func (p *parser) skip(n int) {
	if n <= 0 || n > len(p.rest) {
		p.rest, p.err = nil, errShort
		return
	}
	p.rest = p.rest[n:]
}

func (p *parser) text() string {
	n := p.uvarint()
	if n > uint64(len(p.rest)) {
		p.err = errShort
		return ""
	}
	s := string(p.rest[:n])
	p.rest = p.rest[n:]
	return s
}

func (p *parser) record(is bool) exchange.Record {
	n := p.uvarint()
	if !is || n > uint64(len(p.rest)) {
		return nil
	}
	record := make(exchange.Record, n)
	for i := range record {
		record[i] = p.text()
	}
	return record
}
