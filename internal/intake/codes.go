package intake

import (
	"strings"

	"daybook/internal/text"
)

// Codes are the ids of records by their codes. A code is found without regard to case, except if another one
// differs from it only by that.
type Codes struct {
	exact, folded map[string]int64
	ids           map[int64]bool
}

// NewCodes returns no codes.
func NewCodes() *Codes {
	return &Codes{exact: map[string]int64{}, folded: map[string]int64{}, ids: map[int64]bool{}}
}

// Add adds the code of a record.
func (c *Codes) Add(code text.Code, id int64) {
	c.exact[strings.Clone(string(code))], c.ids[id] = id, true
	if key := code.Fold(); c.folded[key] == 0 {
		c.folded[key] = id
	}
}

func (c *Codes) find(code string) (int64, bool) {
	if id, is := c.exact[code]; is {
		return id, true
	}
	id, is := c.folded[text.Code(code).Fold()]
	return id, is
}

func (c *Codes) has(id int64) bool { return c.ids[id] }
