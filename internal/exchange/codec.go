package exchange

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/trading"
)

// Codec turns records R of a kind into the texts of a file, and back.
type Codec[R any] struct {
	kind   *Kind
	fields field.List[R]
	id     func(*R) *int64
	write  []func(b []byte, record *R) []byte // by column
	read   map[string]reader                  // by field of R; nil for one that no column gives
}

// reader returns the text of a field of a record from its columns.
type reader func(Record) string

// texts append the columns that are no fields of a record.
type texts[R any] map[string]func(b []byte, record *R) []byte

// newCodec takes the columns that are fields of R as they are. own writes the others, and given reads fields from them.
func newCodec[R any](kind string, fields field.List[R], id func(*R) *int64, own texts[R], given map[string]reader) Codec[R] {
	c := Codec[R]{kind: kindOf(kind), fields: fields, id: id, read: given}
	if c.read == nil {
		c.read = map[string]reader{}
	}
	c.write = make([]func([]byte, *R) []byte, len(c.kind.Columns))
	for i, column := range c.kind.Columns {
		c.write[i] = own[column.Name]
		if c.write[i] == nil {
			c.write[i] = fields.Select(column.Name)[0].AppendText
		}
		if own[column.Name] == nil && c.read[column.Name] == nil {
			c.read[column.Name] = func(r Record) string { return r[i] }
		}
	}
	return c
}

// Record returns the texts of a record.
func (c *Codec[R]) Record(record *R) Record {
	line, ends := make([]byte, 0, 128), make([]int, len(c.write))
	for i, write := range c.write {
		line = write(line, record)
		ends[i] = len(line)
	}
	return cut(string(line), ends, make(Record, len(ends)))
}

// cut cuts the texts of a record out of one.
func cut(all string, ends []int, into Record) Record {
	start := 0
	for i, end := range ends {
		into[i], start = all[start:end], end
	}
	return into
}

// ID returns the id of a record.
func (c *Codec[R]) ID(record *R) int64 { return *c.id(record) }

// Read reads the texts of a record with an id, 0 for none. A field that its text does not give is Invalid.
func (c *Codec[R]) Read(id int64, record Record) (R, error) {
	var wrong fault.Fields
	read := c.fields.Read(recordRead[R]{c, record}, &wrong)
	*c.id(&read) = id
	return read, wrong.Err()
}

// Append appends a record as the journal has it.
func (c *Codec[R]) Append(b []byte, record *R) ([]byte, error) { return c.fields.Append(b, record) }

// Scan reads what Append wrote.
func (c *Codec[R]) Scan(written []byte, record *R) bool { return c.fields.Scan(written, record) }

// Fields is a record that is written as a JSON object of its texts.
func (c *Codec[R]) Fields(record *R) *Fields { return &Fields{shapes[c.kind.Name], c.Record(record)} }

// key is Read of a record that may lack what is not in its key.
func (c *Codec[R]) key(record Record) R {
	var ignored fault.Fields
	return c.fields.Read(recordRead[R]{c, record}, &ignored)
}

// recordRead is a record whose fields are read.
type recordRead[R any] struct {
	codec  *Codec[R]
	record Record
}

// Get implements field.Values.
func (r recordRead[R]) Get(name string) (field.Value, bool) {
	read := r.codec.read[name]
	if read == nil {
		return field.Value{}, false
	}
	s := read(r.record)
	return field.Value{Kind: field.Untyped, Text: s}, s != ""
}

// Codecs has the codecs of all kinds, for one state of the records that others refer to.
type Codecs struct {
	departments, accounts, currencies called
	companies                         map[string][]int64 // by name, in the order of their ids
	companyNames                      map[int64]string
	lists                             map[string][]Reference
}

// called is the codes of records by their ids, and the ids by the codes.
type called struct {
	codes map[int64]string
	ids   map[string]int64
}

// NewCodecs reads the records that those of a kind refer to.
func NewCodecs(one Lists, kind string) (*Codecs, error) {
	c := &Codecs{lists: map[string][]Reference{}}
	for _, column := range kindOf(kind).Columns {
		if column.Of == "" {
			continue
		}
		if _, err := c.list(one, column.Of); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// list reads the records of a kind that others refer to, once.
func (c *Codecs) list(one Lists, kind string) (list []Reference, err error) {
	if list, read := c.lists[kind]; read {
		return list, nil
	}
	switch kind {
	case "departments":
		list, err = references(one.Departments(), func(d budget.Department) Reference {
			return Reference{ID: int64(d.ID), Code: string(d.Code), Name: string(d.Name)}
		})
		c.departments = calledBy(list)
	case "accounts":
		list, err = references(one.Accounts(), func(a budget.Account) Reference {
			return Reference{ID: int64(a.ID), Code: string(a.Code), Name: string(a.Description), Type: string(a.Type)}
		})
		c.accounts = calledBy(list)
	case "currencies":
		list, err = references(one.Currencies(), func(k trading.Currency) Reference {
			return Reference{ID: int64(k.ID), Code: string(k.Code), Name: string(k.Name)}
		})
		c.currencies = calledBy(list)
	case "companies":
		list, err = references(one.Companies(), func(k trading.Company) Reference { return Reference{ID: int64(k.ID), Name: string(k.Name)} })
		c.companies, c.companyNames = map[string][]int64{}, map[int64]string{}
		for _, company := range list {
			c.companies[company.Name] = append(c.companies[company.Name], company.ID)
			c.companyNames[company.ID] = company.Name
		}
	}
	c.lists[kind] = list
	return list, err
}

func references[T any](list iter.Seq2[T, error], of func(T) Reference) (found []Reference, err error) {
	for record, err := range list {
		if err != nil {
			return nil, err
		}
		found = append(found, of(record))
	}
	return found, nil
}

func calledBy(list []Reference) called {
	c := called{make(map[int64]string, len(list)), make(map[string]int64, len(list))}
	for _, r := range list {
		c.codes[r.ID], c.ids[r.Code] = r.Code, r.ID
	}
	return c
}

// id returns the text of the id that has a code, "" if none has.
func (c called) id(code string) string { return idText(c.ids[code]) }

func idText(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

// textOf returns the text of a column of a kind.
func textOf(kind, name string) reader {
	i := slices.IndexFunc(kindOf(kind).Columns, func(f Field) bool { return f.Name == name })
	return func(r Record) string { return r[i] }
}

// Currencies is the codec of currencies.
func (c *Codecs) Currencies() Codec[trading.Currency] {
	return newCodec("currencies", trading.CurrencyFields, func(r *trading.Currency) *int64 { return (*int64)(&r.ID) }, nil, nil)
}

// Departments is the codec of departments.
func (c *Codecs) Departments() Codec[budget.Department] {
	return newCodec("departments", budget.DepartmentFields, func(r *budget.Department) *int64 { return (*int64)(&r.ID) }, nil, nil)
}

// Accounts is the codec of accounts.
func (c *Codecs) Accounts() Codec[budget.Account] {
	return newCodec("accounts", budget.AccountFields, func(r *budget.Account) *int64 { return (*int64)(&r.ID) }, nil, nil)
}

// Companies is the codec of companies.
func (c *Codecs) Companies() Codec[trading.Company] {
	code := textOf("companies", colTraded)
	return newCodec("companies", trading.CompanyFields, func(r *trading.Company) *int64 { return (*int64)(&r.ID) }, texts[trading.Company]{
		colTraded: func(b []byte, r *trading.Company) []byte {
			return append(b, c.currencies.codes[int64(r.CurrencyID)]...)
		},
	}, map[string]reader{"currency_id": func(r Record) string { return c.currencies.id(code(r)) }})
}

// Revenues is the codec of revenues. It counts companies with one name.
func (c *Codecs) Revenues() Codec[trading.Revenue] {
	name, nth := textOf("revenue", colCompany), textOf("revenue", colNth)
	return newCodec("revenue", trading.RevenueFields, func(r *trading.Revenue) *int64 { return (*int64)(&r.ID) }, texts[trading.Revenue]{
		colCompany: func(b []byte, r *trading.Revenue) []byte { return append(b, c.companyNames[int64(r.CompanyID)]...) },
		colNth: func(b []byte, r *trading.Revenue) []byte {
			same := c.companies[c.companyNames[int64(r.CompanyID)]]
			if len(same) < 2 {
				return b
			}
			return strconv.AppendInt(b, int64(slices.Index(same, int64(r.CompanyID))+1), 10)
		},
	}, map[string]reader{"company_id": func(r Record) string {
		same, n := c.companies[name(r)], 1
		if written := nth(r); written != "" {
			n, _ = strconv.Atoi(written)
		}
		if n < 1 || n > len(same) {
			return ""
		}
		return idText(same[n-1])
	}})
}

// Lines is the codec of budget lines.
func (c *Codecs) Lines() Codec[budget.Line] {
	return newCodec("budgets", budget.LineFields, func(r *budget.Line) *int64 { return (*int64)(&r.ID) }, keyTexts(c, func(l *budget.Line) *budget.Key { return &l.Key }), c.keyReaders("budgets"))
}

// Actuals is the codec of actuals.
func (c *Codecs) Actuals() Codec[budget.Actual] {
	return newCodec("actuals", budget.ActualFields, func(r *budget.Actual) *int64 { return (*int64)(&r.ID) }, keyTexts(c, func(a *budget.Actual) *budget.Key { return &a.Key }), c.keyReaders("actuals"))
}

func keyTexts[R any](c *Codecs, key func(*R) *budget.Key) texts[R] {
	return texts[R]{
		colDepartment: func(b []byte, r *R) []byte { return append(b, c.departments.codes[int64(key(r).DepartmentID)]...) },
		colAccount:    func(b []byte, r *R) []byte { return append(b, c.accounts.codes[int64(key(r).AccountID)]...) },
	}
}

func (c *Codecs) keyReaders(kind string) map[string]reader {
	department, account := textOf(kind, colDepartment), textOf(kind, colAccount)
	return map[string]reader{
		"department_id": func(r Record) string { return c.departments.id(department(r)) },
		"gl_account_id": func(r Record) string { return c.accounts.id(account(r)) },
	}
}

// Trades is the codec of trades.
func (c *Codecs) Trades() Codec[trading.Trade] {
	side, product := textOf("trades", colSide), textOf("trades", colProduct)
	return newCodec("trades", trading.TradeFields, func(r *trading.Trade) *int64 { return (*int64)(&r.ID) }, texts[trading.Trade]{
		colSide:    func(b []byte, t *trading.Trade) []byte { return append(b, sideNames[t.Side.Flag()]...) },
		colProduct: func(b []byte, t *trading.Trade) []byte { return append(b, productNames[t.Product]...) },
	}, map[string]reader{
		"type":    func(r Record) string { return fmt.Sprint(side(r) == sideNames[true]) },
		"product": func(r Record) string { return strconv.Itoa(slices.Index(productNames, product(r))) },
	})
}
