package schema

// ReleasedSum is for the tests of this room.
const ReleasedSum = releasedSum
