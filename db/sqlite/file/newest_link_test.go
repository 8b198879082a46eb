package file_test

import (
	"bytes"
	"os"
	"testing"

	"daybook/db/sqlite"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
)

// TestNewestLink: the newest link of the journal that NewestLink finds in the pages of the file is the
// one that SQLite reads.
func TestNewestLink(t *testing.T) {
	for _, c := range []struct {
		bytes []byte
		want  int64
	}{
		{[]byte{0x7f}, 127}, {[]byte{0x81, 0x00}, 128}, {[]byte{0xff, 0x7f}, 1<<14 - 1}, {nil, 0},
		{[]byte{0x81, 0x80}, 0}, {[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 0x02}, 258},
	} {
		if got, _ := file.Varint(c.bytes); got != c.want {
			t.Errorf("%x: got %d, want %d", c.bytes, got, c.want)
		}
	}
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	f, err := file.Locate(path, verify.Whole)
	if err != nil {
		t.Fatal(err)
	}
	db, err := file.OpenWithoutLog(f)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	want, err := chain.End(t.Context(), gen.New(db))
	if err != nil || want.Seq == 0 {
		t.Fatalf("got the newest link %d, %v, want one above 0", want.Seq, err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	newest := int64(0)
	for ; len(content) >= 4096; content = content[4096:] {
		newest = max(newest, file.NewestLink(content[:4096]))
	}
	if newest != int64(want.Seq) {
		t.Errorf("got the link %d in the pages, want %d", newest, want.Seq)
	}
	for cut := range 4096 { // reading a page does not panic, whatever its content is
		page := bytes.Repeat([]byte{0xff, 0x23, 0x0d}, 1366)[:4096]
		page[0] = 0x0d
		file.NewestLink(page[:max(cut, 8)])
	}
}

// TestFollowedIn: FollowedIn reads the number of a link in each form in which SQLite stores an integer,
// and finds none in other records.
func TestFollowedIn(t *testing.T) {
	hash := bytes.Repeat([]byte{7}, 32)
	for _, c := range []struct {
		record []byte
		want   int64
	}{
		{[]byte{4, 0, 9, 76}, 1}, {[]byte{4, 0, 1, 76, 100}, 100}, {[]byte{4, 0, 2, 76, 1, 0}, 256}, {[]byte{4, 0, 3, 76, 1, 0, 0}, 1 << 16},
		{[]byte{4, 0, 4, 76, 1, 0, 0, 0}, 1 << 24}, {[]byte{4, 0, 5, 76, 1, 0, 0, 0, 0, 0}, 1 << 40}, {[]byte{4, 0, 6, 76, 1, 0, 0, 0, 0, 0, 0, 0}, 1 << 56},
		{[]byte{4, 0, 7, 76, 1, 0, 0, 0, 0, 0, 0, 0}, 0}, {[]byte{4, 0, 8, 76}, 0}, {[]byte{4, 1, 1, 76, 100}, 0}, {[]byte{5, 0, 1, 76, 100}, 0},
		{[]byte{4, 0, 1, 75, 100}, 0}, {[]byte{4, 0, 2, 76, 1}, 0},
	} {
		if got := file.FollowedIn(append(c.record, hash...)); got != c.want {
			t.Errorf("% x: got the link %d, want %d", c.record, got, c.want)
		}
	}
	for cut := range 36 {
		if got := file.FollowedIn(append([]byte{4, 0, 9, 76}, hash...)[:cut]); got != 0 {
			t.Errorf("%d bytes of a record: got the link %d, want none", cut, got)
		}
	}
}
