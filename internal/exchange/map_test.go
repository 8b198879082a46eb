package exchange_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"daybook/internal/exchange"
	"daybook/internal/fault"
)

// TestParseMap: a map is read strictly, and the error names each place.
func TestParseMap(t *testing.T) {
	for _, c := range []struct{ written, wants string }{
		{`{"kind":"actuals"}`, ""},
		{`{"kind":"actuals","read":{"sheet":null,"header_row":0},"numbers":{"round":null,"decimal":","},"dates":{"order":null,"timezone":"Europe/Madrid"},"set":{"fiscal_year":2022,"source":"erp"}}`, ""},
		{`{"kind":"actuals","columns":[{"field":"gl_code","header":"","position":1,"by":"name"},{"field":"period","period":1,"header":"July 31"}],"values":{"gl_code":{"TRAN":null}}}`, ""},
		{`{"kind":"budgets"}`, "kind must be actuals"},
		{`{"kind":"actuals","colour":"red"}`, "colour is no member of a map"},
		{`{"kind":"actuals","numbers":{"decimal":"x"}}`, "numbers.decimal must be . or , got x"},
		{`{"kind":"actuals","numbers":{"decimals":"."}}`, "numbers.decimals is no member of a map"},
		{`{"kind":"actuals","numbers":{"scale":7}}`, "numbers.scale must be 1, 1000"},
		{`{"kind":"actuals","numbers":{"round":3}}`, "numbers.round must be 2 or 4 or 8 or refuse, got 3"},
		{`{"kind":"actuals","read":{"header_row":-1}}`, "read.header_row must be a line"},
		{`{"kind":"actuals","read":{"header_row":"two"}}`, "read.header_row"},
		{`{"kind":"actuals","read":{"delimiter":"::"}}`, "read.delimiter must be one character"},
		{`{"kind":"actuals","dates":{"timezone":"Mars/Olympus"}}`, "dates.timezone must be the name of a time zone"},
		{`{"kind":"actuals","dates":{"year_starts":13}}`, "dates.year_starts must be a month"},
		{`{"kind":"actuals","dates":{"century":50}}`, "dates.century must be the first of a hundred years"},
		{`{"kind":"actuals","columns":[{"field":"colour","header":"x"}]}`, "columns.0.field is no field of actuals: colour"},
		{`{"kind":"actuals","columns":[{"field":"gl_code","header":""}]}`, "columns.0.position must be given"},
		{`{"kind":"actuals","columns":[{"field":"gl_code","header":"x","by":"id"}]}`, "columns.0.by must be code or name"},
		{`{"kind":"actuals","columns":[{"field":"gl_code","header":"x","period":1}]}`, "columns.0.period must be 1 to 12"},
		{`{"kind":"actuals","columns":[{"field":"gl_code","header":"x"}],"set":{"gl_code":"6100"}}`, "set.gl_code is given to a column too"},
		{`{"kind":"actuals","set":{"colour":"red"}}`, "set.colour is no field of actuals"},
		{`{"kind":"actuals","set":{"source":[]}}`, "set.source"},
		{`{"kind":"actuals","values":{"colour":{}}}`, "values.colour is no field of actuals"},
		{`{"kind":"actuals","name":"a/b"}`, "name must have at most 64 characters and no slash"},
		{`{"kind":"actuals","sign_rule":"x"}`, "sign_rule must be by_type or debit_credit or credit_debit, got x"},
		{`{"kind":`, "is no valid JSON"},
		{`{"kind":"actuals"}{}`, "is no valid JSON"},
		{`[]`, "map must be a JSON object (byte 0 of the map)"},
		{`{"kind":"actuals","match":"key"}`, "match must be id, got key"},
		{`{"kind":"actuals","columns":[{"field":"id","header":"id"}]}`, "columns.0.field is no field of actuals: id"},
		{`{"kind":"actuals","match":"id","columns":[{"field":"id","header":"id"}]}`, ""},
		{strings.Repeat(" ", 1<<20) + `{"kind":"actuals"}`, "at most 1048576 are read"},
	} {
		_, err := exchange.ParseMap([]byte(c.written), "actuals")
		said := ""
		if err != nil {
			said = strings.ReplaceAll(err.Error(), ",,", ",")
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("%s: got the kind %q, want invalid", c.written, fault.KindOf(err))
			}
			if e, is := errors.AsType[*fault.Error](err); is {
				for _, d := range e.Details {
					said += " " + d.Field + " " + strings.ReplaceAll(d.Message, "or ,,", "or ,")
				}
			}
		}
		if c.wants == "" && err != nil || !strings.Contains(said, c.wants) {
			t.Errorf("%.80s: got %q, want %q", c.written, said, c.wants)
		}
	}
	if _, err := exchange.ParseMap([]byte(`{"kind":"x"}`), "x"); fault.KindOf(err) != fault.Invalid {
		t.Errorf("an unknown kind: got %v, want invalid", err)
	}
}

// TestMapAgain: the map of a preview reads as the same map.
func TestMapAgain(t *testing.T) {
	file := actualsHead + "FIN,6100,2027,1,\"5,25\",EUR\n"
	p := preview(t, file, exchange.Source{Kind: "actuals", Store: newKnown(t)})
	written, err := json.Marshal(p.Map)
	if err != nil {
		t.Fatal(err)
	}
	m, err := exchange.ParseMap(written, "actuals")
	if err != nil {
		t.Fatalf("%s: %v", written, err)
	}
	again := preview(t, file, exchange.Source{Kind: "actuals", Store: newKnown(t), Map: m})
	rewritten, err := json.Marshal(again.Map)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, rewritten) || told(p) != told(again) {
		t.Errorf("got\n%s\n%s\nwant\n%s\n%s", rewritten, told(again), written, told(p))
	}
}
