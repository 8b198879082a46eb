package api

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/mapping"
	"daybook/internal/text"
)

// appendMap appends a saved map, with what it says as an object.
func appendMap(b []byte, m *mapping.Map) ([]byte, error) {
	b, err := mapHead.Append(b, m)
	b = append(append(b[:len(b)-1], `,"map":`...), m.Text...)
	return append(b, '}'), err
}

// mapHead are the fields of a saved map but what it says.
var mapHead = mapping.Fields.Select("id", "name", "kind", "at")

func (a *api) listMaps(c *request) error {
	if err := queryForm(c).err(); err != nil {
		return err
	}
	found, err := a.Maps.Maps(c.Request.Context())
	return page(c, found, len(found), mapHead.Append, func(m mapping.Map) mapping.ID { return m.ID }, err)
}

// mapName is the name in the path.
func mapName(c *request) (text.Code, error) {
	name, err := mapping.ParseName(c.Param("name"))
	var wrong fault.Fields
	wrong.Check("name", err)
	return name, wrong.Err()
}

func (a *api) getMap(c *request) error {
	name, err := mapName(c)
	if err != nil {
		return err
	}
	found, err := a.Maps.Map(c.Request.Context(), name)
	return answer(c, http.StatusOK, found, appendMap, err)
}

// putMap stores the map in the body under the name in the path.
func (a *api) putMap(c *request) error {
	name, err := mapName(c)
	if err != nil {
		return err
	}
	written, err := c.bytes()
	if err != nil {
		return err
	}
	m, err := readMap(written, name)
	if err != nil {
		return err
	}
	stored, err := a.Maps.PutMap(once(c, http.StatusOK, appendMap), m)
	return answer(c, http.StatusOK, stored, appendMap, err)
}

// readMap checks a map. The field kind of the map says which records it is for.
func readMap(written []byte, name text.Code) (m mapping.Map, err error) {
	var of struct {
		Kind string `json:"kind"`
	}
	_ = json.Unmarshal(written, &of) // ParseMap says what is wrong
	parsed, err := exchange.ParseMap(written, of.Kind)
	if err != nil {
		return m, err
	}
	if parsed.Name != "" && parsed.Name != string(name) {
		var wrong fault.Fields
		wrong.Add("name", "must be %s, as in the path, or left out", name)
		return m, wrong.Err()
	}
	parsed.Name = string(name)
	plain, err := json.Marshal(parsed, json.Deterministic(true))
	return mapping.Map{Name: name, Kind: parsed.Kind, Text: string(plain)}, err
}

func (a *api) deleteMap(c *request) error {
	name, err := mapName(c)
	if err != nil {
		return err
	}
	removed, err := a.Maps.DeleteMap(once(c, http.StatusOK, appendMap), name)
	return answer(c, http.StatusOK, removed, appendMap, err)
}
