package field_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/text"
)

type note struct {
	ID     int64        `json:"id"`
	Title  text.Name    `json:"title"`
	Length int          `json:"length"`
	Fee    money.Amount `json:"fee"`
	Price  money.Price  `json:"price"`
	Loud   bool         `json:"loud"`
	Date   time.Time    `json:"date"`
	Parent *int64       `json:"parent"`
	parent int64
}

func anyNumber(n int64) (int, error) {
	if n < 0 {
		return 0, errors.New("must be 0 or more")
	}
	return int(n), nil
}

func parseDate(raw string) (time.Time, error) { return time.Parse(time.RFC3339, raw) }

var noteFields = field.List[note]{
	field.ID("id", func(n *note) *int64 { return &n.ID }).Assigned(),
	field.Text("title", text.ParseName, func(n *note) *text.Name { return &n.Title }),
	field.Integer("length", anyNumber, func(n *note) *int { return &n.Length }),
	field.Amount("fee", func(n *note) *money.Amount { return &n.Fee }).Default(func(n *note) { n.Fee = money.Units(1) }),
	field.Price("price", money.ParsePrice, money.ParseComputedPrice, func(n *note) *money.Price { return &n.Price }).Optional(),
	field.Flag("loud", func(n *note) *bool { return &n.Loud }).Default(func(n *note) { n.Loud = n.Length > 9 }),
	field.Date("date", parseDate, func(n *note) *time.Time { return &n.Date }).Optional(),
	field.ID("parent", func(n *note) *int64 { return &n.parent }).OrNull().Optional(),
}

func anyNote(t *rapid.T) note {
	n := note{
		ID:     rapid.Int64().Draw(t, "id"),
		Title:  text.Name(rapid.String().Draw(t, "title")),
		Length: rapid.Int().Draw(t, "length"),
		Fee:    money.Amount(rapid.Int64Range(-999_999_999_999_999_999, 999_999_999_999_999_999).Draw(t, "fee")),
		Price:  money.Price(rapid.Int64Range(-999_999_999_999_999_999, 999_999_999_999_999_999).Draw(t, "price")),
		Loud:   rapid.Bool().Draw(t, "loud"),
		Date:   time.Unix(rapid.Int64Range(-2_208_988_800, 7_289_654_399).Draw(t, "date"), rapid.Int64Range(0, 999_999_999).Draw(t, "fraction")).UTC(),
		parent: rapid.SampledFrom([]int64{0, -1, 7}).Draw(t, "parent"),
	}
	if n.parent != 0 {
		n.Parent = &n.parent
	}
	return n
}

// TestARecordIsWrittenAndReadBack: Append writes what the JSON package writes, and Scan reads the same record from it.
func TestARecordIsWrittenAndReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNote(t)
		got, err := noteFields.Append([]byte("before"), &n)
		want, wantErr := json.Marshal(n)
		if err != nil || wantErr != nil || string(got) != "before"+string(want) {
			t.Fatalf("got %s, %v, want before%s", got, err, want)
		}
		var read note
		if is := noteFields.Scan(want, &read); !is {
			t.Fatalf("got %s refused", want)
		}
		if n.Parent = nil; read != n {
			t.Errorf("got %+v from %s, want %+v", read, want, n)
		}
	})
}

// TestOnlyAWholeRecordIsReadBack: Scan refuses a part of a record, and a record with another byte in the place of one
// that is not in a value.
func TestOnlyAWholeRecordIsReadBack(t *testing.T) {
	record, _ := noteFields.Append(nil, &note{Title: "a", Date: time.Unix(0, 0).UTC()})
	var read note
	for i, was := range record {
		if noteFields.Scan(record[:i], &read) {
			t.Errorf("got %s accepted, want a part of a record refused", record[:i])
		}
		if was == '{' || was == '}' || was == ',' || was == ':' {
			changed := slices.Clone(record)
			changed[i] = ';'
			if noteFields.Scan(changed, &read) {
				t.Errorf("got %s accepted, want it refused", changed)
			}
		}
	}
}

// TestATextThatIsNotUTF8: its valid part is written, with an error.
func TestATextThatIsNotUTF8(t *testing.T) {
	fields := noteFields.Select("title", "loud")
	damaged := note{Title: "a\xff"}
	const want = "{\"title\":\"a\uFFFD\",\"loud\":false}"
	if got, err := fields.Append(nil, &damaged); err == nil || string(got) != want {
		t.Errorf("got %s, %v, want %s and an error", got, err, want)
	}
}

// TestAFieldThatIsAddedLater: the record of a value that was stored before the field existed keeps its bytes, and a
// value with the field is read back with it.
func TestAFieldThatIsAddedLater(t *testing.T) {
	fields := field.List[note]{noteFields.Select("title")[0], noteFields.Select("fee")[0].Later(), noteFields.Select("loud")[0].Later()}
	for record, n := range map[string]note{
		`{"title":"n"}`:                        {Title: "n"},
		`{"title":"n","fee":1}`:                {Title: "n", Fee: money.Units(1)},
		`{"title":"n","loud":true}`:            {Title: "n", Loud: true},
		`{"title":"n","fee":-1.5,"loud":true}`: {Title: "n", Fee: -1_5000, Loud: true},
	} {
		if got, err := fields.Append(nil, &n); string(got) != record || err != nil {
			t.Errorf("got %s, %v, want %s", got, err, record)
		}
		var read note
		if !fields.Scan([]byte(record), &read) || read != n {
			t.Errorf("%s: got %+v, want %+v", record, read, n)
		}
	}
}

// sent is what a client sent.
type sent map[string]field.Value

func (s sent) Get(name string) (field.Value, bool) { v, found := s[name]; return v, found }

func word(s string) field.Value   { return field.Value{Kind: '"', Text: s} }
func number(s string) field.Value { return field.Value{Kind: '0', Text: s} }

// TestANewRecordHasItsDefaults: a field that the client did not send has its default, and the id is not read.
func TestANewRecordHasItsDefaults(t *testing.T) {
	var wrong fault.Fields
	got := noteFields.Read(sent{"id": number("7"), "title": word(" n "), "length": word("10.0")}, &wrong)
	if want := (note{Title: "n", Length: 10, Fee: money.Units(1), Loud: true}); got != want || wrong.Err() != nil {
		t.Errorf("got %+v, %v, want %+v", got, wrong.Err(), want)
	}
}

// TestAllWrongFieldsAreNamed: a field that is missing or breaks its rule is an error, and all are found at once.
func TestAllWrongFieldsAreNamed(t *testing.T) {
	var wrong fault.Fields
	noteFields.Read(sent{"length": number("-1"), "loud": word("true"), "fee": number("x")}, &wrong)
	const want = `title must be given; length must be 0 or more; fee must be a number, got "x"; loud must be true or false, got "true"`
	if err := wrong.Err(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestAChange: it sets the fields that were sent, unless the record has other values than the writer saw.
func TestAChange(t *testing.T) {
	var wrong fault.Fields
	n := note{ID: 7, Title: "n", Length: 1, Fee: money.Units(2)}
	change := field.Change[note]{
		To:  noteFields.ReadPart(sent{"id": number("8"), "title": word("m"), "fee": number("0")}, &wrong),
		Was: noteFields.Part(note{Length: 1}, "length"),
	}
	if got, err := change.Apply(n); err != nil || got != (note{ID: 7, Title: "m", Length: 1}) || wrong != nil {
		t.Errorf("got %+v, %v, %v, want title and fee changed", got, err, wrong)
	}
	change.Was = noteFields.Part(note{Title: "k", Fee: money.Units(2), Length: 3}, "title", "fee", "length")
	_, err := change.Apply(n)
	const want = `title is now "n"; length is now 1`
	if fault.KindOf(err) != fault.ChangedSince || err.Error() != want {
		t.Errorf("got %v, want changed since: %s", err, want)
	}
	fields := noteFields.Select("id", "title", "length", "fee")
	if err := fields.Check(change); err != nil {
		t.Errorf("got %v, want the change accepted", err)
	}
	const none = "title must be given, or length or fee"
	if err := fields.Check(field.Change[note]{Was: change.Was}); err == nil || err.Error() != none {
		t.Errorf("got %v, want %s", err, none)
	}
}
