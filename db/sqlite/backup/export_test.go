package backup

import (
	"context"

	"daybook/db/sqlite/file"
	"daybook/internal/backup"
)

// AsideDraft and the others are exported for the tests of this folder only.
const AsideDraft = asideDraft

var (
	CopyTo     = copyTo
	KeepCopy   = keepCopy
	OpenSource = openSource
	RemoveAll  = removeAll
	Replaced   = replaced
)

// CopyTo is copyTo.
func (s *Source) CopyTo(ctx context.Context, to file.File) (size int64, c backup.Contents, err error) {
	return s.copyTo(ctx, to)
}
