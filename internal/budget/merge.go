package budget

// merge visits the places of a comparison in order. Both sides are sorted by the same order,
// in which no two elements of a side are equal. At a place that one side lacks, its argument
// is nil.
func merge[T any](budgeted, actual []T, order func(a, b *T) int, visit func(budgeted, actual *T)) {
	for len(budgeted) > 0 && len(actual) > 0 {
		switch o := order(&budgeted[0], &actual[0]); {
		case o < 0:
			visit(&budgeted[0], nil)
			budgeted = budgeted[1:]
		case o > 0:
			visit(nil, &actual[0])
			actual = actual[1:]
		default:
			visit(&budgeted[0], &actual[0])
			budgeted, actual = budgeted[1:], actual[1:]
		}
	}
	for i := range budgeted {
		visit(&budgeted[i], nil)
	}
	for i := range actual {
		visit(nil, &actual[i])
	}
}

// places counts the places that either side has.
func places[T any](budgeted, actual []T, order func(a, b *T) int) (n int) {
	merge(budgeted, actual, order, func(*T, *T) { n++ })
	return n
}

// either is the side of a visit that is there.
func either[T any](budgeted, actual *T) *T {
	if budgeted != nil {
		return budgeted
	}
	return actual
}
