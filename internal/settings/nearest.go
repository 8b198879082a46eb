package settings

// nearest returns the name that a mistyped one most likely stands for; "" if none has at least four letters
// and differs by at most a quarter of them.
func nearest(typed string, names []string) (like string) {
	least := len(typed) + 1
	for _, name := range names {
		if n := distance(typed, name); n <= len(name)/4 && n < least {
			like, least = name, n
		}
	}
	return like
}

// distance is the number of letters to insert, remove, replace, or swap with the next one, to make one text
// the other.
func distance(a, b string) int {
	before, last := []int{}, make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
