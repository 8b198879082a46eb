package api

import (
	"errors"
	"net/http"
	"strings"

	"daybook/internal/fault"
)

// refusals is the one table of what a fault becomes (contract, "Errors").
var refusals = map[fault.Kind]refusal{
	fault.Internal:               {http.StatusInternalServerError, "internal"},
	fault.InvalidJSON:            {http.StatusBadRequest, "invalid_json"},
	fault.Invalid:                {http.StatusBadRequest, "validation_failed"},
	fault.UnknownReference:       {http.StatusBadRequest, "unknown_reference"},
	fault.MissingIdentifier:      {http.StatusBadRequest, "missing_identifier"},
	fault.Unauthorized:           {http.StatusUnauthorized, "unauthorized"},
	fault.Forbidden:              {http.StatusForbidden, "forbidden"},
	fault.NotFound:               {http.StatusNotFound, "not_found"},
	fault.MethodNotAllowed:       {http.StatusMethodNotAllowed, "method_not_allowed"},
	fault.ConflictingIdentifiers: {http.StatusConflict, "conflicting_identifiers"},
	fault.AmbiguousIdentifier:    {http.StatusConflict, "ambiguous_identifier"},
	fault.AlreadyExists:          {http.StatusConflict, "already_exists"},
	fault.NotEmpty:               {http.StatusConflict, "not_empty"},
	fault.InUse:                  {http.StatusConflict, "in_use"},
	fault.TooLarge:               {http.StatusRequestEntityTooLarge, "payload_too_large"},
	fault.TooSlow:                {http.StatusRequestTimeout, "request_timeout"},
	fault.TooMany:                {http.StatusTooManyRequests, "too_many_requests"},
	fault.UnsupportedMedia:       {http.StatusUnsupportedMediaType, "unsupported_media_type"},
	fault.HostNotAllowed:         {http.StatusMisdirectedRequest, "host_not_allowed"},
	fault.KeyReused:              {http.StatusUnprocessableEntity, "idempotency_key_reused"},
	fault.Unavailable:            {http.StatusServiceUnavailable, "unavailable"},
	fault.OutcomeUnknown:         {http.StatusServiceUnavailable, "outcome_unknown"},
}

type refusal struct {
	status int
	code   string
}

// errorBody is the body of every error.
type errorBody struct {
	Error      string        `json:"error"`
	Code       string        `json:"code"`
	Details    []errorDetail `json:"details,omitempty"`
	ExistingID int64         `json:"existing_id,omitzero"`
}

type errorDetail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// refusalOf is what a client learns of an error: never the cause, and of a defect
// here nothing but that there is one.
func refusalOf(err error) (refusal, errorBody) {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || e.Kind == fault.Internal {
		r := refusals[fault.Internal]
		return r, errorBody{Error: "the server made a mistake; its log says which, under this X-Request-Id", Code: r.code}
	}
	r := refusals[e.Kind]
	body := errorBody{Error: printable(e.Message), Code: r.code, ExistingID: e.ExistingID}
	for _, d := range e.Details {
		body.Details = append(body.Details, errorDetail{printable(d.Field), printable(d.Message)})
	}
	return r, body
}

// printable is a sentence that may echo bytes of an address, which need not be UTF-8.
func printable(sentence string) string { return strings.ToValidUTF8(sentence, "\uFFFD") }
