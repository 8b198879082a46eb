package budget

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"slices"

	"daybook/internal/quality"
)

// chart collects findings about all departments and accounts. Of each department it keeps a few
// bytes, since there may be many.
type chart struct {
	most        int // findings of a kind
	names       []labelled
	againstType []Account // that favour what their type does not
}

// labelled is a department under its name.
type labelled struct {
	label labelSum
	id    DepartmentID
}

// labelSum is the sum of a name. Two of 2^64 names are likely to share a sum.
type labelSum [16]byte

func labelSumOf[T ~string](label T) labelSum {
	sum := sha256.Sum256([]byte(label))
	return labelSum(sum[:])
}

func (c *chart) department(d Department) {
	c.names = append(c.names, labelled{labelSumOf(d.Name), d.ID})
}

func (c *chart) account(a Account) {
	if a.Contra() && len(c.againstType) < c.most {
		c.againstType = append(c.againstType, a)
	}
}

// namesakes are the departments that share a name, in the order of the first of them, by their ids.
// Departments that share a cost centre are none: that is how cost centres are used.
func (c *chart) namesakes() (found []Namesakes) {
	all := c.names
	slices.SortFunc(all, func(a, b labelled) int { return cmp.Or(bytes.Compare(a.label[:], b.label[:]), cmp.Compare(a.id, b.id)) })
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].label == all[0].label {
			n++
		}
		if n > 1 {
			same := Namesakes{Total: n}
			for _, one := range all[:min(n, quality.MostListed)] {
				same.First = append(same.First, Department{ID: one.id})
			}
			found = append(found, same)
		}
		all = all[n:]
	}
	slices.SortFunc(found, func(a, b Namesakes) int { return cmp.Compare(a.First[0].ID, b.First[0].ID) })
	return upTo(c.most, found)
}
