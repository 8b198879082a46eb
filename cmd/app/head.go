package main

import (
	"context"
	"log/slog"
	"time"

	"daybook/internal/journal"
)

// headLog writes the newest link of the journal's chain to the log, where somebody who
// rewrites the database file does not reach it: app verify --against takes it from there.
type headLog struct {
	journal journal.Store
	log     *slog.Logger
	now     func() time.Time
	after   func(time.Duration) <-chan time.Time // time.After
}

// run writes the link once a day, within an hour of its beginning in UTC, until ctx ends.
// It looks at the clock every hour because a machine that sleeps does not count the time.
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

// write writes the link, where there is one.
func (h headLog) write(ctx context.Context) {
	head, err := h.journal.JournalHead(ctx)
	switch {
	case err != nil:
		h.log.Warn("the head of the journal cannot be read", "error", err)
	case head.Seq > 0:
		h.log.Info("head of the journal", "head", head)
	}
}
