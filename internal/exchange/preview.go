package exchange

import (
	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/money"
)

// Preview is what a file would do under a map.
type Preview struct {
	Kind          string         `json:"kind"`
	State         string         `json:"state"` // questions or ready
	Seq           int64          `json:"seq"`   // of the newest entry of the journal when the check began
	File          File           `json:"file"`
	Map           Map            `json:"map"` // with what was found in the file
	Columns       []Shown        `json:"columns"`
	Questions     []Question     `json:"questions"`
	Counts        Counts         `json:"counts"`
	Skipped       map[string]int `json:"skipped,omitzero"` // rows by reason
	Sums          []Sum          `json:"sums"`
	Findings      []Finding      `json:"findings"` // the first 100, the wrong ones first
	FindingsTotal int            `json:"findings_total"`
	Sample        []Sample       `json:"sample"` // the first 100 records, the wrong ones first
}

// File says what the file is. Its name, size and hash are for those to say who took it in.
type File struct {
	Name   string  `json:"name"`
	Bytes  int64   `json:"bytes"`
	SHA256 string  `json:"sha256"`
	Rows   int     `json:"rows"` // filled, with the header
	Sheets []Sheet `json:"sheets"`
}

// Sheet is a sheet of a workbook.
type Sheet struct {
	Name   string `json:"name"`
	Hidden bool   `json:"hidden,omitzero"`
}

// Shown is a column of the file.
type Shown struct {
	Position int      `json:"position"`
	Header   string   `json:"header"`
	Field    string   `json:"field,omitzero"`
	Period   int      `json:"period,omitzero"`
	Samples  []string `json:"samples"`
}

// Counts are of records, but Skipped is of rows. Doubtful counts beside the results.
type Counts struct {
	New       int `json:"new"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Already   int `json:"already"`
	Cleared   int `json:"cleared"`
	Skipped   int `json:"skipped"`
	Wrong     int `json:"wrong"`
	Doubtful  int `json:"doubtful"`
}

// Sum is the sum of the amounts of the file's records in one currency, as they are stored and as the file has them.
type Sum struct {
	Currency string    `json:"currency"`
	Before   money.Sum `json:"before"`
	After    money.Sum `json:"after"`
}

// Sample is a record of the file, and the stored one that is the same.
type Sample struct {
	Line   int     `json:"line"`
	Result string  `json:"result"`
	Before *Fields `json:"before"`
	After  *Fields `json:"after"`
	Voided bool    `json:"voided,omitzero"` // of a trade that is there already: it was voided
}

// Fields are a record that is written as a JSON object.
type Fields struct {
	shape  *shape
	Record Record
}

// FieldsOf is a record of a kind that is written as a JSON object, or nil where there is none.
func FieldsOf(kind string, record Record) *Fields {
	if record == nil {
		return nil
	}
	return &Fields{shapes[kind], record}
}

// MarshalJSONTo implements json.MarshalerTo.
func (f *Fields) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for i, column := range f.shape.columns {
		if err := e.WriteToken(jsontext.String(column)); err != nil {
			return err
		}
		var err error
		if f.shape.bare(column) && f.Record[i] != "" {
			err = e.WriteValue(jsontext.Value(f.Record[i]))
		} else {
			err = e.WriteToken(jsontext.String(f.Record[i]))
		}
		if err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

// bare reports whether the values of a column are numbers or flags.
func (s *shape) bare(column string) bool {
	value := s.holds[column]
	return value == Decimal || value == Integer || value == Flag
}
