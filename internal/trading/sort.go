package trading

// Sort is what a page of trades is sorted by. Equal trades are by id, in the same direction.
type Sort string

// What a page can be sorted by.
const (
	SortByID     Sort = "id"
	SortByDate   Sort = "date"
	SortBySymbol Sort = "symbol"
	SortByShares Sort = "shares"
	SortByPrice  Sort = "price"
)

// Sorts returns them all; the first is the default.
func Sorts() []Sort {
	return []Sort{SortByID, SortByDate, SortBySymbol, SortByShares, SortByPrice}
}
