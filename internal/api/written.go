package api

import (
	"errors"
	"net/url"

	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// A write may say why in reasonHeader, percent-encoded because a header has ASCII only. Its response gives
// the numbers of its journal entries in writtenHeader.
const (
	reasonHeader  = "X-Reason"
	writtenHeader = "X-Journal-Seq"
)

// checkWrite refuses a write with an invalid key or reason, and takes the reason. A read may have both, which
// have no effect. Invalid.
func (a *api) checkWrite(c *request) error {
	if a.reads.have(c) {
		return nil
	}
	var wrong fault.Fields
	checkKey(c, &wrong)
	if raw, sent := header(c, reasonHeader, &wrong); sent {
		reason, err := parseReason(raw)
		wrong.Check(reasonHeader, err)
		origin := c.origin
		origin.Reason = string(reason)
		c.from(origin)
	}
	return wrong.Err()
}

func parseReason(raw string) (text.Reason, error) {
	decoded, err := url.PathUnescape(raw)
	if err != nil {
		return "", errors.New("must be percent-encoded, such as Invoice%204711: a % stands before two hexadecimal digits")
	}
	return text.ParseReason(decoded)
}

// header returns a header that may be given once.
func header(c *request, name string, wrong *fault.Fields) (value string, sent bool) {
	values := c.Request.Header[name]
	if len(values) == 0 {
		return "", false
	}
	if len(values) > 1 {
		wrong.Add(name, "must be given once, not %d times", len(values))
	}
	return values[0], true
}

// tellWritten says in the response which journal entries the request left. A repeated request has those of
// the first time.
func tellWritten(c *request) {
	if written := journal.WrittenIn(c.Request.Context()); written != (journal.Range{}) {
		c.Header(writtenHeader, written.String())
	}
}
