package exchange

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Finding is something wrong or doubtful about a row.
type Finding struct {
	Line     int    `json:"line"`
	Column   string `json:"column,omitzero"` // its header
	Value    string `json:"value,omitzero"`
	Field    string `json:"field,omitzero"`
	Severity string `json:"severity"` // wrong or doubtful
	Code     string `json:"code"`
	Message  string `json:"message"`
	ReadsAs  Reads  `json:"reads_as,omitzero"`
	Accepted bool   `json:"accepted,omitzero"` // the map takes such doubts for good
}

// Reads is how a doubtful cell reads: a number, or a text.
type Reads string

// MarshalJSONTo implements json.MarshalerTo.
func (r Reads) MarshalJSONTo(e *jsontext.Encoder) error {
	if number := jsontext.Value(r); number.Kind() == '0' && number.IsValid() {
		return e.WriteValue(number)
	}
	return e.WriteToken(jsontext.String(string(r)))
}

// The severities.
const (
	wrong    = "wrong"
	doubtful = "doubtful"
)

// The codes of the findings.
const (
	codeMissing          = "missing"
	codeFieldCount       = "field_count"
	codeNotANumber       = "not_a_number"
	codePercent          = "percent"
	codeOtherMark        = "other_mark"
	codeScientific       = "scientific"
	codeOutOfRange       = "out_of_range"
	codeRound            = "round"
	codeNoValue          = "formula_without_value"
	codeNotADate         = "not_a_date"
	codeTwice            = "time_occurs_twice"
	codeUnknown          = "unknown_reference"
	codeAmbiguous        = "ambiguous_reference"
	codeMangled          = "mangled_code"
	codeUnknownWord      = "unknown_word"
	codeCurrency         = "currency_mismatch"
	codeMinorUnit        = "minor_unit"
	codeTooLong          = "too_long"
	codeNotAText         = "not_a_text"
	codeEncoding         = "bad_encoding"
	codeTotal            = "looks_like_total"
	codeTotalDiffers     = "total_differs"
	codeYearDiffers      = "year_differs"
	codeDuplicate        = "duplicate_in_file"
	codeKeyChanged       = "key_changed"
	codeExists           = "exists"
	codeGrossDiffers     = "gross_differs"
	codeEqualElsewhere   = "equal_elsewhere"
	codeNegativeSide     = "negative_buy"
	codeNoSign           = "unknown_sign"
	codeTwoValues        = "two_values"
	codeUnknownColumn    = "unknown_column"
	codeReplacesSum      = "replaces_sum"
	codeDiffersFromKnown = "differs_from_known"
)

const shownFindings = 100

// findings counts what was found, and keeps the first to show.
type findings struct {
	wrong, doubtful []Finding
	total           int
}

func (f *findings) add(found Finding) {
	f.total++
	switch {
	case found.Severity == wrong && len(f.wrong) < shownFindings:
		f.wrong = append(f.wrong, found)
	case found.Severity == doubtful && len(f.doubtful) < shownFindings:
		f.doubtful = append(f.doubtful, found)
	}
}

// shown are the first findings, the wrong ones first.
func (f *findings) shown() []Finding {
	all := slices.Concat(f.wrong, f.doubtful)
	return all[:min(len(all), shownFindings)]
}
