package schema

// ReleasedSum is exported for the tests of this folder only.
const ReleasedSum = releasedSum
