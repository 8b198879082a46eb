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
	"daybook/db/sqlite/internal/wal"
	"daybook/db/sqlite/verify"
)

// TestPageIn: the newest link of the journal and the note that PageIn finds in the pages of a file
// are those that SQLite reads.
func TestPageIn(t *testing.T) {
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
	base, err := gen.New(db).GetLogBase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	newest, noted := int64(0), []wal.Note(nil)
	for ; len(content) >= 4096; content = content[4096:] {
		found := file.PageIn(content[:4096])
		newest = max(newest, found.Newest)
		if found.Note != (wal.Note{}) {
			noted = append(noted, found.Note)
		}
	}
	if newest != int64(want.Seq) {
		t.Errorf("got the link %d in the pages, want %d", newest, want.Seq)
	}
	if len(noted) != 1 || !bytes.Equal(noted[0].Base[:], base.Header) || !bytes.Equal(noted[0].Log[:], base.Log) {
		t.Errorf("got the notes %x in the pages, want only %x", noted, base)
	}
	for cut := range 4096 { // reading a page does not panic, whatever its content is
		page := bytes.Repeat([]byte{0xff, 0x23, 0x0d}, 1366)[:4096]
		page[0] = 0x0d
		file.PageIn(page[:max(cut, 8)])
	}
}
