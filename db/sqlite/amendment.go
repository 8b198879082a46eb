package sqlite

import (
	"maps"
	"slices"
	"sort"
)

// amendment is what is to be another in a sorted list that others read meanwhile: it is
// changed beside the list, and a new one is made of both.
type amendment[T comparable] struct {
	list    []T
	compare func(a, b *T) int
	amended map[T]*T // by what it is of
}

func amend[T comparable](list []T, compare func(a, b *T) int) amendment[T] {
	return amendment[T]{list, compare, map[T]*T{}}
}

// at is the one that is of the same, to be changed; as given where there is none yet.
func (a *amendment[T]) at(of T) *T {
	one := a.amended[of]
	if one == nil {
		one = new(of)
		if i, known := a.find(a.list, one); known {
			*one = a.list[i]
		}
		a.amended[of] = one
	}
	return one
}

func (a *amendment[T]) find(list []T, of *T) (int, bool) {
	return sort.Find(len(list), func(i int) int { return a.compare(of, &list[i]) })
}

// made is the list as amended, without what is nothing any more.
func (a *amendment[T]) made(nothing func(*T) bool) []T {
	if len(a.amended) == 0 {
		return a.list
	}
	made, rest := make([]T, 0, len(a.list)+len(a.amended)), a.list
	for _, one := range slices.SortedFunc(maps.Values(a.amended), a.compare) {
		i, known := a.find(rest, one)
		made = append(made, rest[:i]...)
		if known {
			i++
		}
		rest = rest[i:]
		if !nothing(one) {
			made = append(made, *one)
		}
	}
	return append(made, rest...)
}
