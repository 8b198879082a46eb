package tables

import "fmt"

// Reason says which kind of error an Error is.
type Reason string

// The reasons.
const (
	NotATable   Reason = "not a table"   // another format, such as .xls or a PDF
	Encrypted   Reason = "encrypted"     // a workbook with a password
	Malformed   Reason = "malformed"     // a table whose bytes break the rules of its format
	TooLarge    Reason = "too large"     // a limit of bytes, characters or columns
	TooManyRows Reason = "too many rows" // the limit of rows
)

// Error says why a file cannot be read as a table. Its message is a sentence that names the
// place and says what to do.
type Error struct {
	Reason  Reason
	Line    int    // the physical line, or the row of a sheet, from 1; 0 where there is none
	Sheet   string // the sheet, where the file has sheets
	Message string
}

func (e *Error) Error() string { return e.Message }

func refuse(reason Reason, format string, args ...any) *Error {
	return &Error{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

// at sets the line of an error.
func (e *Error) at(line int) *Error {
	e.Line = line
	return e
}
