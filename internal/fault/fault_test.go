package fault_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"daybook/internal/fault"
)

func TestKindOf(t *testing.T) {
	refused := fault.New(fault.NotFound, "no trade %d", 7)
	for _, c := range []struct {
		name string
		err  error
		want fault.Kind
	}{
		{"none", nil, fault.Internal},
		{"a stranger", io.EOF, fault.Internal},
		{"a fault", refused, fault.NotFound},
		{"a wrapped fault", fmt.Errorf("reading: %w", refused), fault.NotFound},
		{"a joined fault", errors.Join(io.EOF, refused), fault.NotFound},
		{"the outer of two", fault.Wrap(fault.Unavailable, refused, "busy"), fault.Unavailable},
	} {
		if got := fault.KindOf(c.err); got != c.want {
			t.Errorf("%s: got kind %q, want %q", c.name, got, c.want)
		}
	}
}

func TestWrapKeepsItsCause(t *testing.T) {
	err := fault.Wrap(fault.Unavailable, io.ErrUnexpectedEOF, "cannot read %q", "app.db")
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want an error with its cause", err)
	}
	if got, want := err.Message, `cannot read "app.db"`; got != want {
		t.Errorf("got message %q, want %q without the cause, which is only for the log", got, want)
	}
	if got, want := err.Error(), `cannot read "app.db": unexpected EOF`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExistsNamesTheRecord(t *testing.T) {
	err := fault.Exists(12, "currency %s exists", "USD")
	if err.Kind != fault.AlreadyExists || err.ExistingID != 12 || err.Error() != "currency USD exists" {
		t.Errorf("got %+v, want already_exists with the id 12", err)
	}
}

func TestFields(t *testing.T) {
	var none fault.Fields
	none.Check("amount", nil)
	if err := none.Err(); err != nil {
		t.Errorf("without a wrong field: got %v, want no error", err)
	}
	var fields fault.Fields
	fields.Add("fiscal_period", "must be 1 to 12, got %d", 13)
	fields.Check("amount", errors.New("must be a number"))
	err := fields.Err()
	got, ok := errors.AsType[*fault.Error](err)
	if !ok || got.Kind != fault.Invalid {
		t.Fatalf("got %v, want kind %q", err, fault.Invalid)
	}
	want := []fault.Detail{
		{Field: "fiscal_period", Message: "must be 1 to 12, got 13"},
		{Field: "amount", Message: "must be a number"},
	}
	if !reflect.DeepEqual(got.Details, want) {
		t.Errorf("got details %v, want %v", got.Details, want)
	}
	if got, want := err.Error(), "fiscal_period must be 1 to 12, got 13; amount must be a number"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := fault.KindOf(fields.As(fault.UnknownReference)), fault.UnknownReference; got != want {
		t.Errorf("got kind %q, want %q", got, want)
	}
}
