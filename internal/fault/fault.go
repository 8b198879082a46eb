// Package fault says what went wrong, in kinds that every caller can act on.
//
// It must not know transport or storage. A store classifies the errors of its driver, a domain
// states the violations of its rules, and the API maps each kind to a status.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says what a caller can do about an error. A package that has errors of its own kind
// declares more kinds.
type Kind string

// The kinds. Internal is the zero value, so that an error without a kind never reaches a client
// as anything else.
const (
	Internal               Kind = ""                        // a defect of this program; its cause belongs in the log only
	Invalid                Kind = "invalid"                 // a field or parameter breaks a rule; Details name each
	UnknownReference       Kind = "unknown reference"       // a field names a record that does not exist
	MissingIdentifier      Kind = "missing identifier"      // a lookup, update or delete that names nothing
	ConflictingIdentifiers Kind = "conflicting identifiers" // two identifiers where one is allowed
	AmbiguousIdentifier    Kind = "ambiguous identifier"    // an identifier that several records share
	NotFound               Kind = "not found"               // no such record or path
	AlreadyExists          Kind = "already exists"          // ExistingID is the record in the way
	ChangedSince           Kind = "changed since"           // a record has other values than the writer saw; Details have them, Since who wrote
	NotEmpty               Kind = "not empty"               // the operation needs an empty database
	InUse                  Kind = "in use"                  // a record that others refer to
	RowsRefused            Kind = "rows refused"            // rows of a file are wrong; nothing was stored
	TooManyRows            Kind = "too many rows"           // more than a file has room for
	NotUndoable            Kind = "not undoable"            // a change that cannot be taken back; Obstacles say why; nothing was done
	KeyReused              Kind = "key reused"              // another request with a used Idempotency-Key
	Unauthorized           Kind = "unauthorized"            // no valid token where one is needed
	Unavailable            Kind = "unavailable"             // nothing was stored, a retry is safe
	OutcomeUnknown         Kind = "outcome unknown"         // the disk failed while committing: stored or not
)

// Detail is one field at fault. Message continues the field's name into a
// sentence: "must be 1 to 12, got 13".
type Detail struct {
	Field    string
	Message  string
	Is       any       // with ChangedSince, the value that the field has
	Obstacle *Obstacle // with NotUndoable, the record, which stands in the place of a field
}

// Since is the newest change of a record in the journal.
type Since struct {
	Seq   int64
	At    time.Time
	Actor string
}

// Error is an error with a Kind and a sentence for a person.
type Error struct {
	Kind       Kind
	Message    string
	Details    []Detail
	ExistingID int64  // with AlreadyExists, the id of the record in the way
	Count      int    // with NotUndoable, how many records are in the way
	Since      *Since // with ChangedSince, the change that the writer has not seen, if the journal has one
	cause      error
}

// New returns an error of a kind whose message is the formatted sentence.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap is New with a cause, which is for the log and never for a client.
func Wrap(kind Kind, cause error, format string, args ...any) *Error {
	e := New(kind, format, args...)
	e.cause = cause
	return e
}

// Exists returns an AlreadyExists error that names the record in the way.
func Exists(id int64, format string, args ...any) *Error {
	e := New(AlreadyExists, format, args...)
	e.ExistingID = id
	return e
}

func (e *Error) Error() string {
	if e.cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.cause.Error()
}

func (e *Error) Unwrap() error { return e.cause }

// KindOf returns the kind of the first Error in err's chain, or Internal if there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Fields collects the wrong fields of a request, so that a client learns all of them at once.
type Fields []Detail

// Add adds a wrong field; the message continues the field's name.
func (f *Fields) Add(field, format string, args ...any) {
	*f = append(*f, Detail{Field: field, Message: fmt.Sprintf(format, args...)})
}

// Check adds a wrong field if err is not nil.
func (f *Fields) Check(field string, err error) {
	if err != nil {
		*f = append(*f, Detail{Field: field, Message: err.Error()})
	}
}

// As returns the wrong fields as one error of the given kind, or nil if there are none.
func (f Fields) As(kind Kind) error {
	if len(f) == 0 {
		return nil
	}
	sentences := make([]string, len(f))
	for i, d := range f {
		sentences[i] = d.Field + " " + d.Message
	}
	return &Error{Kind: kind, Message: strings.Join(sentences, "; "), Details: f}
}

// Err is As(Invalid).
func (f Fields) Err() error { return f.As(Invalid) }
