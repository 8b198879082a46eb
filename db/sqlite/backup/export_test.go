package backup

// What the tests of the room look at, and no other room needs.
const (
	AsideDraft = asideDraft
	CopyDraft  = copyDraft
)

var (
	KeepCopy  = keepCopy
	RemoveAll = removeAll
)
