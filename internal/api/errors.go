package api

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/imports"
)

// The kinds of faults that only HTTP has.
const (
	invalidJSON      fault.Kind = "invalid JSON"           // the body is not one JSON value of the wanted type
	methodNotAllowed fault.Kind = "method not allowed"     // the path serves other methods
	tooLarge         fault.Kind = "too large"              // a body over its limit
	tooSlow          fault.Kind = "too slow"               // a body that did not arrive in time
	unsupportedMedia fault.Kind = "unsupported media type" // a body that is not labelled as JSON
)

// errorResponses is the one table of the response to each kind of fault.
var errorResponses = map[fault.Kind]errorResponse{
	fault.Internal:               {http.StatusInternalServerError, "internal"},
	fault.Invalid:                {http.StatusBadRequest, "validation_failed"},
	fault.UnknownReference:       {http.StatusBadRequest, "unknown_reference"},
	fault.MissingIdentifier:      {http.StatusBadRequest, "missing_identifier"},
	fault.ConflictingIdentifiers: {http.StatusConflict, "conflicting_identifiers"},
	fault.AmbiguousIdentifier:    {http.StatusConflict, "ambiguous_identifier"},
	fault.NotFound:               {http.StatusNotFound, "not_found"},
	fault.AlreadyExists:          {http.StatusConflict, "already_exists"},
	fault.ChangedSince:           {http.StatusConflict, "changed_since"},
	fault.NotEmpty:               {http.StatusConflict, "not_empty"},
	fault.InUse:                  {http.StatusConflict, "in_use"},
	fault.NotUndoable:            {http.StatusConflict, "not_undoable"},
	fault.RowsRefused:            {http.StatusBadRequest, "rows_refused"},
	fault.TooManyRows:            {http.StatusBadRequest, "too_many_rows"},
	fault.KeyReused:              {http.StatusUnprocessableEntity, "idempotency_key_reused"},
	fault.Unauthorized:           {http.StatusUnauthorized, "unauthorized"},
	fault.Unavailable:            {http.StatusServiceUnavailable, "unavailable"},
	fault.OutcomeUnknown:         {http.StatusServiceUnavailable, "outcome_unknown"},

	gate.Forbidden:      {http.StatusForbidden, "forbidden"},
	gate.HostNotAllowed: {http.StatusMisdirectedRequest, "host_not_allowed"},
	gate.TooMany:        {http.StatusTooManyRequests, "too_many_requests"},

	invalidJSON:           {http.StatusBadRequest, "invalid_json"},
	methodNotAllowed:      {http.StatusMethodNotAllowed, "method_not_allowed"},
	tooLarge:              {http.StatusRequestEntityTooLarge, "payload_too_large"},
	tooSlow:               {http.StatusRequestTimeout, "request_timeout"},
	imports.TooMany:       {http.StatusTooManyRequests, "too_many_imports"},
	imports.QuestionsOpen: {http.StatusConflict, "questions_open"},
	imports.NotReady:      {http.StatusConflict, "not_ready"},
	imports.Unreadable:    {http.StatusBadRequest, "unreadable_file"},
	imports.TooLarge:      {http.StatusRequestEntityTooLarge, "payload_too_large"},
	unsupportedMedia:      {http.StatusUnsupportedMediaType, "unsupported_media_type"},
}

type errorResponse struct {
	status int
	code   string
}

// errorBody is the body of every error.
type errorBody struct {
	Error      string        `json:"error"`
	Code       string        `json:"code"`
	Details    []errorDetail `json:"details,omitempty"`
	ExistingID int64         `json:"existing_id,omitzero"`
	Count      int           `json:"count,omitzero"`
	*changedBody
	*refusedBody
	*conflictsBody
}

// changedBody is the newest journal entry of a record that has other values than the client saw.
type changedBody struct {
	Seq   int64     `json:"seq"`
	At    time.Time `json:"at"`
	Actor string    `json:"actor"`
}

type errorDetail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
	Is      any    `json:"is,omitzero"`
	*obstacleBody
}

// obstacleBody is a record that cannot be taken back, and the entry in the way.
type obstacleBody struct {
	Entity   string    `json:"entity"`
	EntityID int64     `json:"entity_id"`
	Record   string    `json:"record"`
	Why      fault.Why `json:"why"`
	Seq      int64     `json:"seq,omitzero"`
	Actor    string    `json:"actor,omitzero"`
}

// errorResponseOf is the response to an error. It never tells the cause, and of a defect of this
// program only that there is one. A kind that the table lacks is such a defect.
func errorResponseOf(err error) (errorResponse, errorBody) {
	e, ok := errors.AsType[*fault.Error](err)
	r, known := errorResponses[fault.KindOf(err)]
	if !ok || !known || e.Kind == fault.Internal {
		r = errorResponses[fault.Internal]
		return r, errorBody{Error: "the server made a mistake; its log says which, under this X-Request-Id", Code: r.code}
	}
	body := errorBody{Error: printable(e.Message), Code: r.code, ExistingID: e.ExistingID, Count: e.Count}
	const mostDetails = 100 // a request may repeat one wrong field
	body.Details = detailsOf(e.Details[:min(len(e.Details), mostDetails)])
	body.refusedBody = refusedOf(err)
	if conflicts, total := conflictsOf(err); conflicts != nil {
		body.conflictsBody, body.Count = conflicts, total
	}
	if e.Since != nil {
		body.changedBody = &changedBody{e.Since.Seq, e.Since.At, e.Since.Actor}
	}
	return r, body
}

func detailsOf(of []fault.Detail) []errorDetail {
	details := make([]errorDetail, len(of))
	for i, d := range of {
		details[i] = errorDetail{Field: printable(d.Field), Message: printable(d.Message), Is: d.Is}
		if o := d.Obstacle; o != nil {
			details[i].obstacleBody = &obstacleBody{o.Entity, o.ID, printable(o.Record), o.Why, o.Seq, o.Actor}
		}
	}
	return details
}

// printable makes a message valid UTF-8 of at most 1,000 bytes. It may repeat bytes of a request, which need not be
// text and may be many.
func printable(message string) string {
	const most = 1000
	valid := strings.ToValidUTF8(message, "\uFFFD")
	if len(valid) <= most {
		return valid
	}
	return strings.ToValidUTF8(valid[:most], "") + "…" // without a part of a character
}
