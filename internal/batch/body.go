package batch

import (
	"time"

	"daybook/internal/journal"
	"daybook/internal/text"
)

// Body is a batch as the interface tells it.
type Body struct {
	ID       ID          `json:"id"`
	Kind     string      `json:"kind"`
	Via      Via         `json:"via"`
	State    State       `json:"state"`
	File     string      `json:"file"`
	SHA256   string      `json:"sha256"`
	Map      string      `json:"map"`
	Source   text.Source `json:"source"`
	Actor    string      `json:"actor"`
	At       time.Time   `json:"at"`
	Counts   Counts      `json:"counts"`
	Undoes   *ID         `json:"undoes"`
	UndoneBy *ID         `json:"undone_by"`
	First    journal.Seq `json:"first"`
	Last     journal.Seq `json:"last"`
}

// BodyOf is a batch as the interface tells it.
func BodyOf(b Batch) Body {
	body := Body{
		ID: b.ID, Kind: b.Kind, Via: b.Via, State: b.State, File: b.File, SHA256: b.SHA256, Map: b.Map, Source: b.Source,
		Actor: b.Actor, At: b.At, Counts: b.Counts, First: b.Entries.First, Last: b.Entries.Last,
	}
	if b.Undoes != 0 {
		body.Undoes = &b.Undoes
	}
	if b.UndoneBy != 0 {
		body.UndoneBy = &b.UndoneBy
	}
	return body
}
