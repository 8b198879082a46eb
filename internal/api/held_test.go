package api_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"daybook/internal/budget"
	"daybook/internal/text"
)

// TestAListHoldsWhatIsCountedForIt: a client stops reading a list of the longest texts. The server then
// holds no more memory for it than it counts against the bound on answers.
func TestAListHoldsWhatIsCountedForIt(t *testing.T) {
	const accounts, counted = 100, 512 << 10
	synctest.Test(t, func(t *testing.T) {
		s, w := serveOnWire(t)
		ledger := s.config().Ledger
		for i := range accounts {
			if _, err := ledger.CreateAccount(t.Context(), budget.Account{
				Code: text.Code(fmt.Sprintf("A%03d", i)), Description: text.Note(strings.Repeat("🙂", text.MaxNote)), Type: budget.Opex,
			}); err != nil {
				t.Fatal(err)
			}
		}
		l, part := lineOn(t, w), make([]byte, 600<<10)
		before := heap()
		if _, err := fmt.Fprintf(l, "GET /api/v1/gl-accounts HTTP/1.1\r\nHost: %s\r\n\r\n", publishedHost); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(l, part); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if held := heap() - before; held > counted {
			t.Errorf("got %d KiB of memory held, want at most %d", held>>10, counted>>10)
		}
	})
}
