package file

// LongestWait is exported for the tests of this folder only.
const LongestWait = longestWait
