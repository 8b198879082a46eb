package budget

// Sort is what a page of budget lines or actuals is sorted by. Equal ones are by id, in the same
// direction.
type Sort string

// What a page can be sorted by.
const (
	SortByID         Sort = "id"
	SortByAmount     Sort = "amount"
	SortByDepartment Sort = "department" // by its code, without regard to case
	SortByAccount    Sort = "account"    // by its code, without regard to case
	SortByPeriod     Sort = "period"     // by fiscal year and period
)

// Sorts returns them all; the first is the default.
func Sorts() []Sort {
	return []Sort{SortByID, SortByAmount, SortByDepartment, SortByAccount, SortByPeriod}
}
