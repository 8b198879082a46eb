package fault

import "fmt"

// Why says why a record cannot be taken back.
type Why string

// The reasons.
const (
	ChangedLater  Why = "changed_since" // it has a newer entry
	UsedByOthers  Why = "in_use"        // other records refer to it
	KeyTaken      Why = "taken"         // another record has its code or key
	ReferenceGone Why = "reference"     // what it refers to is not there
	NeverUndone   Why = "never"         // no undo takes back changes of such records
)

// Obstacle is a record that cannot be taken back.
type Obstacle struct {
	Entity  string
	ID      int64
	Record  string // the same as people know it, such as the account 4000
	Why     Why
	Seq     int64 // with ChangedLater, an entry that stands in the way
	Actor   string
	Message string // what is wrong, where it is said
}

// Words are a sentence about the record, as people know it.
func (o *Obstacle) Words() string { return o.Record + " " + o.says() }

// message continues the name of the entity into a sentence.
func (o *Obstacle) message() string { return fmt.Sprintf("%d (%s) %s", o.ID, o.Record, o.says()) }

func (o *Obstacle) says() string {
	switch {
	case o.Message != "":
		return "cannot be taken back: " + o.Message
	case o.Why == ChangedLater:
		return fmt.Sprintf("was changed later, in entry %d by %s", o.Seq, o.Actor)
	}
	return fmt.Sprintf("cannot be taken back: changes of %s are never undone", o.Entity)
}

// Obstacles are the records that cannot be taken back, and how many they are. It has at most 100 of them.
type Obstacles struct {
	Of    []Obstacle
	Count int
}

const mostObstacles = 100

// Add adds a record.
func (o *Obstacles) Add(one Obstacle) {
	o.Count++
	if !o.Full() {
		o.Of = append(o.Of, one)
	}
}

// Full reports whether another record is only counted.
func (o *Obstacles) Full() bool { return len(o.Of) >= mostObstacles }

// Refuse is NotUndoable if there is an obstacle, else nil.
func (o *Obstacles) Refuse() error {
	if o.Count == 0 {
		return nil
	}
	first := &o.Of[0]
	e := New(NotUndoable, "nothing was undone: %s %s", first.Entity, first.message())
	if o.Count > 1 {
		e = New(NotUndoable, "nothing was undone, because %d records are in the way; the first: %s %s", o.Count, first.Entity, first.message())
	}
	e.Count, e.Details = o.Count, o.Details()
	return e
}

// Details are the records as the details of an error.
func (o *Obstacles) Details() []Detail {
	details := make([]Detail, len(o.Of))
	for i := range o.Of {
		one := &o.Of[i]
		details[i] = Detail{Field: one.Entity, Message: one.message(), Obstacle: one}
	}
	return details
}
