package wal

import (
	"encoding/binary"
	"testing"
)

// TestTheLogHasWhatTheFileLacks: a log fits a file only if it holds each page behind the end of the
// file, except the one that SQLite never writes.
func TestTheLogHasWhatTheFileLacks(t *testing.T) {
	const lock = lockByte/4096 + 1
	for name, c := range map[string]struct {
		pages  int64      // of the file
		frames [][2]int64 // the page, and the size of the database if the frame ends a transaction
		apart  bool
	}{
		"an empty log":                 {5, nil, false},
		"no new page":                  {5, [][2]int64{{3, 5}}, false},
		"new pages":                    {5, [][2]int64{{7, 0}, {6, 0}, {6, 7}}, false},
		"a page that neither has":      {5, [][2]int64{{7, 7}}, true},
		"a page twice":                 {5, [][2]int64{{7, 0}, {7, 7}}, true},
		"a page that comes too late":   {5, [][2]int64{{7, 7}, {6, 0}}, true},
		"only an incomplete one":       {5, [][2]int64{{7, 0}}, false},
		"a file after a VACUUM":        {9, [][2]int64{{3, 8}}, false},
		"a new database":               {0, [][2]int64{{1, 0}, {2, 2}}, false},
		"the page of the locks":        {lock - 1, [][2]int64{{lock + 1, lock + 1}}, false},
		"a page before that one":       {lock - 2, [][2]int64{{lock + 1, lock + 1}}, true},
		"a page behind that one":       {lock, [][2]int64{{lock + 2, lock + 2}}, true},
		"a new page behind that one":   {lock, [][2]int64{{lock + 1, lock + 1}}, false},
		"a size that ends with it":     {lock - 1, [][2]int64{{1, lock}}, false},
		"a size that ends before that": {lock - 2, [][2]int64{{1, lock - 1}}, true},
	} {
		g := Database{Page: 4096, Bytes: c.pages*4096 + 100}.growth()
		for _, f := range c.frames {
			frame := binary.BigEndian.AppendUint32(nil, uint32(f[0]))
			g.add(binary.BigEndian.AppendUint32(frame, uint32(f[1])))
		}
		if g.apart() != c.apart {
			t.Errorf("%s: got apart %t, want %t", name, g.apart(), c.apart)
		}
	}
}
