// Package fault names what can go wrong in words every caller can act on.
//
// It knows no transport and no storage: a store classifies its driver's errors
// into a Kind, a domain package states its rules' violations as one, and the API
// alone decides which status a Kind becomes.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Kind says what a caller can do about an error.
type Kind uint8

// The kinds. Internal is the zero value, so that an error nobody classified never
// reaches a client as anything else.
const (
	Internal               Kind = iota // a defect here; its cause belongs in the log only
	InvalidJSON                        // the body is not one JSON value of the wanted type
	Invalid                            // a field or parameter breaks a rule; Details name each
	UnknownReference                   // a field names a record that does not exist
	MissingIdentifier                  // a lookup, update or delete that names nothing
	Unauthorized                       // no token where one is needed, or one that is not good
	Forbidden                          // a token that does not reach, a request from a foreign web page
	NotFound                           // no such record or path
	MethodNotAllowed                   // the path exists, not with this method
	ConflictingIdentifiers             // two identifiers where one is allowed
	AmbiguousIdentifier                // an identifier that several records share
	AlreadyExists                      // ExistingID holds what is in the way
	NotEmpty                           // what goes into an empty database, for one that is not
	InUse                              // a parent that still has children
	TooLarge                           // a body beyond its limit
	TooSlow                            // a body that did not arrive in its time
	TooMany                            // attempts beyond a rate
	UnsupportedMedia                   // a body that is not labelled as JSON
	HostNotAllowed                     // a Host name that could be a rebinding
	KeyReused                          // another request under a used Idempotency-Key
	Unavailable                        // nothing was stored, a retry is safe
	OutcomeUnknown                     // the disk failed while committing: stored or not
)

// Detail is one field at fault. Message continues the field's name into a
// sentence: "must be 1 to 12, got 13".
type Detail struct {
	Field   string
	Message string
}

// Error is an error with a Kind and a sentence for a person.
type Error struct {
	Kind       Kind
	Message    string
	Details    []Detail
	ExistingID int64 // with AlreadyExists, the id of the record in the way
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

// KindOf returns the kind of the first Error in err's chain, Internal when there
// is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Fields collects the fields at fault, so that a client learns all of them at once.
type Fields []Detail

// Add complains about a field; the message continues the field's name.
func (f *Fields) Add(field, format string, args ...any) {
	*f = append(*f, Detail{Field: field, Message: fmt.Sprintf(format, args...)})
}

// Check complains about a field when err is not nil.
func (f *Fields) Check(field string, err error) {
	if err != nil {
		*f = append(*f, Detail{Field: field, Message: err.Error()})
	}
}

// As returns the complaints as one error of the given kind, nil when there are none.
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
