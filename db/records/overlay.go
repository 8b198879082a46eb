package records

import (
	"maps"
	"slices"
	"sort"
)

// overlay holds changes to a sorted list that other readers use meanwhile. The list does not change;
// merged makes a new one.
type overlay[T comparable] struct {
	list    []T
	compare func(a, b *T) int
	changed map[T]*T // by the original element
}

func newOverlay[T comparable](list []T, compare func(a, b *T) int) overlay[T] {
	return overlay[T]{list, compare, map[T]*T{}}
}

// at returns a copy of the equal element for the caller to change. If the list has none, it is a copy
// of the argument.
func (o *overlay[T]) at(other T) *T {
	one := o.changed[other]
	if one == nil {
		one = new(other)
		if i, known := o.find(o.list, one); known {
			*one = o.list[i]
		}
		o.changed[other] = one
	}
	return one
}

func (o *overlay[T]) find(list []T, other *T) (int, bool) {
	return sort.Find(len(list), func(i int) int { return o.compare(other, &list[i]) })
}

// merged returns the list with the changes, without elements that are now empty.
func (o *overlay[T]) merged(empty func(*T) bool) []T {
	if len(o.changed) == 0 {
		return o.list
	}
	merged, rest := make([]T, 0, len(o.list)+len(o.changed)), o.list
	for _, one := range slices.SortedFunc(maps.Values(o.changed), o.compare) {
		i, known := o.find(rest, one)
		merged = append(merged, rest[:i]...)
		if known {
			i++
		}
		rest = rest[i:]
		if !empty(one) {
			merged = append(merged, *one)
		}
	}
	return append(merged, rest...)
}
