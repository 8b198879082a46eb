package tables

import "strconv"

// Limits bound what a file may ask of memory and time. Beyond a limit, reading ends with an
// Error.
type Limits struct {
	Bytes      int64 // of a file
	Packed     int64 // of a workbook, as it is stored
	Unpacked   int64 // of all parts of a workbook that are read
	Ratio      int64 // of a part's unpacked to its packed bytes, beyond RatioFrom
	RatioFrom  int64 // the unpacked bytes of a part that need no ratio
	Rows       int   // filled rows, and one more for a header
	Columns    int   // of a row; empty cells beyond do not count
	Characters int   // of a cell
	Record     int   // bytes of a record
}

// DefaultLimits returns the limits of the manual's section "Files".
func DefaultLimits() Limits {
	return Limits{
		Bytes:      256 << 20,
		Packed:     64 << 20,
		Unpacked:   1 << 30,
		Ratio:      150,
		RatioFrom:  8 << 20,
		Rows:       1_000_000,
		Columns:    1_000,
		Characters: 32_767,
		Record:     1 << 20,
	}
}

// bytesOf is a number of bytes for a message.
func bytesOf(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return grouped(n>>30) + " GiB"
	case n >= 1<<20 && n%(1<<20) == 0:
		return grouped(n>>20) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return grouped(n>>10) + " KiB"
	}
	return grouped(n) + " bytes"
}

// grouped is a whole number with commas between its thousands.
func grouped[N int | int64](n N) string {
	if n < 1000 {
		return strconv.Itoa(int(n))
	}
	return grouped(n/1000) + "," + strconv.Itoa(int(n%1000) + 1000)[1:]
}
