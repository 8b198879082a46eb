package sqlite

import (
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite/internal/gen"
)

// A page of categories searches once for each category, and neither reads every row of a
// company nor sorts.
func TestCategoriesAreSearchedAlongAnIndex(t *testing.T) {
	plan := wholePlanOf(t, openStore(t), gen.ListRevenueCategories, 250, "", 1)
	const search = "SEARCH r USING COVERING INDEX revenues_by_category (company_id=? AND category>?)"
	if !slices.Contains(plan, search) || slices.ContainsFunc(plan, func(step string) bool {
		return strings.HasPrefix(step, "SCAN r") || strings.Contains(step, "TEMP B-TREE")
	}) {
		t.Errorf("got the plan %q, want %q, and no scan of the table or sort", plan, search)
	}
}
