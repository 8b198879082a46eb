package exchange

import "strings"

// flags are the words for true and false.
var flags = wordsOf("true", "true yes y 1 ja wahr oui vrai", "false", "false no n 0 nein falsch non faux nej")

// sides are the words for the side of a trade.
var sides = wordsOf("buy", "buy b bought bot kauf k achat a köp true", "sell", "sell s sold sld verkauf v vente sälj false")

// products are the products of a trade by their words and numbers.
var products = wordsOf("stock", "stock 0", "call", "call 1", "put", "put 2", "currency", "currency 3", "bond", "bond 4")

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
