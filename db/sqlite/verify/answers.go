package verify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
)

// answers checks the answers that are stored for retries. The journal has no answers, but each answer
// belongs to an entry of the journal: it was stored with the write, for the principal who made it, and
// no two answers belong to the same entry. The answer to a request that changed one record is that record.
// latest is the time of the newest entry.
func (v *verifier) answers(ctx context.Context, tx *sql.Tx, latest time.Time) error {
	q, answered, walked := gen.New(tx), map[int64]bool{}, int64(0)
	rising := func(a, b *gen.PageAnswersRow) int {
		return cmp.Or(cmp.Compare(a.Principal, b.Principal), cmp.Compare(a.RunningBytes, b.RunningBytes), cmp.Compare(a.Key, b.Key))
	}
	var before gen.PageAnswersRow
	list := rows.Pages(rows.PageSize, rising, func(last *gen.PageAnswersRow, most int64) ([]gen.PageAnswersRow, error) {
		if last == nil {
			last = &gen.PageAnswersRow{RunningBytes: math.MinInt64}
		}
		return q.PageAnswers(ctx, gen.PageAnswersParams{Principal: last.Principal, RunningBytes: last.RunningBytes, Key: last.Key, Most: most})
	})
	for row, err := range list {
		if err != nil {
			return err
		}
		if problem := WrongAnswer(row); problem != "" {
			v.Findings.Add("idempotency_keys", 0, "the stored answer for %q %s", row.Key, problem)
		} else if answered[row.Seq] {
			v.Findings.Add("idempotency_keys", 0, "the stored answer for %q belongs to entry %d, whose answer is also stored for another key", row.Key, row.Seq)
		}
		if follows, err := followsAnswer(ctx, q, before, row, latest); err != nil {
			return err
		} else if !follows {
			v.Findings.Add("idempotency_keys", 0, "the stored answer for %q does not count the bytes of the answers since the one for %q", row.Key, before.Key)
		}
		answered[row.Seq], before = true, row
		walked++
	}
	return v.count(ctx, tx, map[string]int64{"idempotency_keys": walked})
}

// followsAnswer reports whether the byte count of an answer is at least the count of the answer before
// it plus its own size. If it is larger, answers between the two were deleted. Answers are deleted out
// of this order only if they were older than all that are stored.
func followsAnswer(ctx context.Context, q *gen.Queries, before, row gen.PageAnswersRow, latest time.Time) (bool, error) {
	if before.Principal != row.Principal {
		return true, nil
	}
	request := idempotency.Request{Principal: row.Principal, Key: idempotency.Key(row.Key)}
	switch more := row.RunningBytes - before.RunningBytes - request.Size(idempotency.Answer{Body: row.Body}); {
	case more < 0 || row.Seq <= before.Seq:
		return false, nil
	case more == 0:
		return true, nil
	}
	return q.HasOldEntry(ctx, before.Seq, row.Seq, latest.Add(-idempotency.KeptFor).UnixMicro())
}

// mostAnswer is an upper bound, in bytes, for an answer and its key. A record is smaller than a request
// body of at most 1 MiB, even if each of its bytes is escaped.
const mostAnswer = 8 << 20

// WrongAnswer says what is wrong with a stored answer, "" for nothing. The text follows the key of the
// answer.
func WrongAnswer(row gen.PageAnswersRow) string {
	switch {
	case !jsontext.Value(row.Body).IsValid(), len(row.Fingerprint) != sha256.Size, row.Status != 200 && row.Status != 201:
		return "is not an answer of Daybook"
	case row.WrittenAt == nil || *row.WrittenAt != row.At:
		return "belongs to a write that is not in the journal"
	case !wrote(row.Principal, *row.Actor):
		return "belongs to a write of another principal"
	case row.RunningBytes > row.Seq*mostAnswer:
		return "counts more bytes than all earlier answers can have"
	case row.First == nil && !counts(row.Body) && !agree(row.Body, chain.Entry(gen.Journal{
		Entity: *row.Entity, EntityID: *row.EntityID, Before: row.Before, After: row.After,
	})):
		return "differs from its write in the journal"
	}
	return ""
}

// counts reports whether an answer counts rows, which it does for a request with many: not even one that changed one
// record is answered with it.
func counts(answer []byte) bool {
	members, err := membersOf(answer)
	return err == nil && slices.ContainsFunc(members, func(m member) bool { return m.name == "counts" })
}

// wrote reports whether the actor of an entry is the principal of a key.
func wrote(principal, actor string) bool {
	if principal == idempotency.Local {
		return !strings.Contains(actor, " (token ")
	}
	return strings.HasSuffix(actor, " (token "+principal+")")
}

// A member is a member of a JSON object: its name without case and underscores, and its value as
// written.
type member struct{ name, value string }

// membersOf reads the members of a JSON object.
func membersOf(object []byte) (members []member, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(object))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, errors.Join(err, errNoObject)
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		folded := strings.ToLower(strings.ReplaceAll(name.String(), "_", ""))
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		members = append(members, member{folded, string(value)})
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errNoObject
	}
	return members, nil
}

var errNoObject = errors.New("is no JSON object")

// agree reports whether an answer is the record that an entry left or removed: the same members, each
// with the same value. In answers two members of a trade have other names, and a saved map is an object.
func agree(answer []byte, e journal.Entry) bool {
	record := e.After
	if record == nil {
		record = e.Before
	}
	said, sayErr := membersOf(answer)
	told, tellErr := membersOf(record)
	if sayErr != nil || tellErr != nil || len(said) != len(told) {
		return false
	}
	values := map[string]string{}
	for _, m := range told {
		switch {
		case e.Entity == journal.Trades:
			m = answeredAs(m)
		case e.Entity == journal.Maps && m.name == "map":
			unquoted, _ := jsontext.AppendUnquote(nil, m.value) // of a damaged record it has a part
			m.value = string(unquoted)
		}
		values[m.name] = m.value
	}
	for _, m := range said {
		if value, is := values[m.name]; !is || value != m.value {
			return false
		}
		delete(values, m.name)
	}
	return true
}

// answeredAs returns a member of a trade as answers have it.
func answeredAs(m member) member {
	switch m.name {
	case "tradedat":
		m.name = "date"
	case "side":
		m = member{"type", map[string]string{"1": "true", "-1": "false"}[m.value]}
	}
	return m
}
