package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/journal"
)

// heads is a journal that has one entry more each time its head is read.
type heads struct {
	journal.Store
	seq   journal.Seq
	fails error
}

func (h *heads) JournalHead(context.Context) (journal.Head, error) {
	h.seq++
	return journal.Head{Seq: h.seq - 1, Hash: journal.Hash{byte(h.seq - 1)}}, h.fails
}

// TestTheHeadIsLoggedDaily: the head of the journal is logged once a day, at whatever hour the server
// started. After days in which the machine slept, it is logged once. The head of an empty journal is
// not logged.
func TestTheHeadIsLoggedDaily(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 30, 0, 0, time.UTC)
	var out strings.Builder
	plain := slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.String("at", now.Format("02T15"))
		}
		return a
	}})
	ctx, stop := context.WithCancel(t.Context())
	naps := 0
	h := headLog{journal: &heads{}, log: slog.New(plain), now: func() time.Time { return now }}
	h.after = func(d time.Duration) <-chan time.Time {
		passed := make(chan time.Time, 1)
		naps++
		if naps == 60 {
			d = 50 * time.Hour // the machine slept
		}
		if now = now.Add(d); naps == 80 {
			stop()
			return nil
		}
		passed <- now
		return passed
	}
	h.run(ctx)
	const hash = "00000000000000000000000000000000000000000000000000000000000000"
	want := []string{ // nothing on the second day, because the journal was empty
		"at=03T00 level=INFO msg=\"head of the journal\" head=1:01" + hash,
		"at=06T01 level=INFO msg=\"head of the journal\" head=2:02" + hash,
	}
	if got := strings.Split(strings.TrimSpace(out.String()), "\n"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAHeadThatCannotBeReadIsLogged: an error while reading the head is logged as a warning, and the
// server goes on.
func TestAHeadThatCannotBeReadIsLogged(t *testing.T) {
	var out strings.Builder
	h := headLog{journal: &heads{fails: errors.New("no disk")}, log: slog.New(slog.NewTextHandler(&out, nil))}
	h.write(t.Context())
	if got := out.String(); !strings.Contains(got, "level=WARN") || !strings.Contains(got, "no disk") {
		t.Errorf("got %q, want a warning", got)
	}
}
