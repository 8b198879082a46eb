package cursor

import (
	"fmt"
	"reflect"
	"runtime/debug"

	"modernc.org/libc"
)

// Lend passes a connection of database/sql to a function, which must neither keep it nor use it otherwise.
// raw is the method Raw of the connection. The driver does not publish the handle of its connections, but
// has it in a field. If the function panics, Lend panics with its value and its stack.
func Lend(raw func(func(driver any) error) error, use func(*Conn) error) error {
	panicked := ""
	err := raw(func(driver any) error {
		defer func() {
			if p := recover(); p != nil { // Raw would close the connection
				panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
		}()
		of := reflect.Indirect(reflect.ValueOf(driver))
		db, tls := of.FieldByName("db"), of.FieldByName("tls")
		if !db.IsValid() || !tls.IsValid() || db.Kind() != reflect.Uintptr || tls.Type() != reflect.TypeFor[*libc.TLS]() {
			return fmt.Errorf("%T has no handle of SQLite", driver)
		}
		return use(&Conn{tls: (*libc.TLS)(tls.UnsafePointer()), db: uintptr(db.Uint())})
	})
	if panicked != "" {
		panic(panicked)
	}
	return err
}
