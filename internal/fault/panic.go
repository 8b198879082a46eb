package fault

import (
	"errors"
	"runtime/debug"
)

// Panicked makes an Internal error of the value of a panic. Its cause says where the panic was.
func Panicked(value any) *Error {
	return Wrap(Internal, errors.New(string(debug.Stack())), "panic: %v", value)
}
