package sqlitetest

import (
	"encoding/binary"
	"os"
	"slices"
	"testing"
)

// RollbackJournal is a rollback journal that holds all pages of a database. SQLite plays it back into
// any database that it lies beside. https://sqlite.org/fileformat2.html#the_rollback_journal
func RollbackJournal(t *testing.T, of string) []byte {
	t.Helper()
	const nonce, sector = 0x12345678, 512
	pages, err := os.ReadFile(of) //nolint:gosec // a file of the test
	if err != nil {
		t.Fatal(err)
	}
	size := int(binary.BigEndian.Uint16(pages[16:]))
	count := uint32(len(pages) / size)
	journal := []byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}
	for _, field := range []uint32{count, nonce, count, sector, uint32(size)} {
		journal = binary.BigEndian.AppendUint32(journal, field)
	}
	journal = append(journal, make([]byte, sector-len(journal))...)
	number := uint32(0)
	for page := range slices.Chunk(pages, size) {
		number++
		sum := uint32(nonce)
		for at := size - 200; at > 0; at -= 200 {
			sum += uint32(page[at])
		}
		journal = binary.BigEndian.AppendUint32(journal, number)
		journal = binary.BigEndian.AppendUint32(append(journal, page...), sum)
	}
	return journal
}
