package sqlite

import (
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite/internal/gen"
)

// TestCategoriesAreSearchedAlongAnIndex: a page of categories searches an index once for each category.
// It does not read every row of a company, and does not sort.
func TestCategoriesAreSearchedAlongAnIndex(t *testing.T) {
	plan := wholePlanOf(t, openStore(t), gen.ListRevenueCategories, 250, "", 1)
	const search = "SEARCH r USING COVERING INDEX revenues_by_category (company_id=? AND category>?)"
	if !slices.Contains(plan, search) || slices.ContainsFunc(plan, func(step string) bool {
		return strings.HasPrefix(step, "SCAN r") || strings.Contains(step, "TEMP B-TREE")
	}) {
		t.Errorf("got the plan %q, want %q, and no scan of the table or sort", plan, search)
	}
}

// TestRevenuesOfACompanyAreSearchedAlongAnIndex: the revenues of a company are found along an index,
// without reading those of other companies.
func TestRevenuesOfACompanyAreSearchedAlongAnIndex(t *testing.T) {
	s := openStore(t)
	const search = "SEARCH r USING INDEX revenues_by_company (company_id=? AND rowid>?)"
	plan := wholePlanOf(t, s, gen.PageCompanyRevenues, 1, 0, 10)
	if !slices.Contains(plan, search) || slices.ContainsFunc(plan, scansOrSorts) {
		t.Errorf("a page: got the plan %q, want %q, and no scan or sort", plan, search)
	}
	plan = wholePlanOf(t, s, gen.ListRevenues, 1, 0, 9, 10)
	if slices.ContainsFunc(plan, scansOrSorts) || !strings.Contains(strings.Join(plan, "\n"), "USING INDEX revenues_by_company (company_id=? AND rowid>?") {
		t.Errorf("a list: got the plan %q, want a search along revenues_by_company, and no scan or sort", plan)
	}
}

func scansOrSorts(step string) bool {
	return strings.HasPrefix(step, "SCAN") || strings.Contains(step, "TEMP B-TREE")
}
