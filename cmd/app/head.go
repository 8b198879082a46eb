package main

import (
	"context"
	"log/slog"
	"time"

	"daybook/internal/journal"
)

// headLog writes the head of the journal to the log, where somebody who rewrites the database file cannot
// change it. app verify --against compares a database with it.
type headLog struct {
	journal journal.Store
	log     *slog.Logger
	now     func() time.Time
	after   func(time.Duration) <-chan time.Time // time.After
}

// run writes the head once a day, within an hour after midnight UTC, until ctx ends. It reads the clock every
// hour, because timers stop while a machine sleeps.
func (h headLog) run(ctx context.Context) {
	for day := h.today(); ; {
		select {
		case <-ctx.Done():
			return
		case <-h.after(time.Hour):
		}
		if today := h.today(); !today.Equal(day) {
			day = today
			h.write(ctx)
		}
	}
}

func (h headLog) today() time.Time { return h.now().UTC().Truncate(24 * time.Hour) }

// write writes the head, if there is one.
func (h headLog) write(ctx context.Context) {
	head, err := h.journal.JournalHead(ctx)
	switch {
	case err != nil:
		h.log.Warn("the head of the journal cannot be read", "error", err)
	case head.Seq > 0:
		h.log.Info("head of the journal", "head", head.String())
	}
}
