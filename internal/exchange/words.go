package exchange

import (
	"strconv"
	"strings"

	"daybook/internal/trading"
)

// The words for the sides and the products of trades in CSV and XLSX.
var (
	sideNames    = map[bool]string{true: "buy", false: "sell"}
	productNames = []string{"stock", "call", "put", "currency", "bond"}
)

// ProductName is the word for a product in CSV and XLSX.
func ProductName(p trading.Product) string { return productNames[p] }

// flags are the words for true and false.
var flags = wordsOf("true", "true yes y 1 ja wahr oui vrai", "false", "false no n 0 nein falsch non faux nej")

// sides are the words for the side of a trade.
var sides = wordsOf(sideNames[true], "buy b bought bot kauf k achat a köp true", sideNames[false], "sell s sold sld verkauf v vente sälj false")

// products are the products of a trade by their words and numbers.
var products = func() map[string]string {
	meanings := map[string]string{}
	for i, name := range productNames {
		meanings[name], meanings[strconv.Itoa(i)] = name, name
	}
	return meanings
}()

// accountTypes are the types of accounts by what the page calls them. Other words are not guessed.
var accountTypes = map[string]string{
	"cost of goods sold": "cogs", "operating expenses": "opex", "headcount costs": "headcount", "capital expenditure": "capex",
}

// namedType reads the type of an account, which a file may name as the page does.
func (r *reading) namedType(column string) string {
	s, position, cell := r.text(column)
	if meant, is := accountTypes[folded(s)]; is {
		return r.ruled(column, meant, position, cell)
	}
	return r.plainText(column)
}

// debits are the letters and words for debit and credit.
var debits = wordsOf("debit", "d dr dr. s soll debit débit debet", "credit", "c cr cr. h k haben credit crédit kredit")

// wordsOf returns what each word means.
func wordsOf(pairs ...string) map[string]string {
	meanings := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		for word := range strings.FieldsSeq(pairs[i+1]) {
			meanings[word] = pairs[i]
		}
	}
	return meanings
}
