// Package mapping says what a saved map is: how a file is read, under a name.
//
// It must not know what a map says, nor where maps are kept.
package mapping

import (
	"context"
	"errors"
	"strings"
	"time"

	"daybook/internal/field"
	"daybook/internal/text"
)

// ID numbers the maps from 1.
type ID int64

// Map is a saved map.
type Map struct {
	ID   ID
	Name text.Code
	Kind string    // of the records that it reads
	Text string    // the map, as JSON
	At   time.Time // when it was stored last: UTC, to the microsecond
}

// Fields are the fields of a saved map, with the names of the table's columns.
var Fields = field.List[Map]{
	field.ID("id", func(m *Map) *ID { return &m.ID }).Assigned(),
	field.Text("name", ParseName, func(m *Map) *text.Code { return &m.Name }),
	field.Text("kind", nil, func(m *Map) *string { return &m.Kind }).Assigned(),
	field.Text("map", nil, func(m *Map) *string { return &m.Text }).Assigned(),
	field.Date("at", nil, func(m *Map) *time.Time { return &m.At }).Assigned(),
}

// ParseName reads the name of a map: 1 to 64 characters on one line, without a slash.
func ParseName(raw string) (text.Code, error) {
	name, err := text.ParseCode(raw)
	if err == nil && strings.Contains(string(name), "/") {
		err = errors.New("must not contain a slash")
	}
	return name, err
}

// Store keeps the saved maps.
type Store interface {
	// Maps returns the saved maps, the one that was stored last first. Unavailable.
	Maps(ctx context.Context) ([]Map, error)
	// Map returns a saved map. NotFound, Unavailable.
	Map(ctx context.Context, name text.Code) (Map, error)
	// PutMap stores a map under its name, in the place of the one that has the name. An equal map changes nothing.
	// Unavailable, OutcomeUnknown.
	PutMap(ctx context.Context, m Map) (Map, error)
	// DeleteMap deletes a saved map. NotFound, Unavailable, OutcomeUnknown.
	DeleteMap(ctx context.Context, name text.Code) (Map, error)
}
