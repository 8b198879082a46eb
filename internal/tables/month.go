package tables

import (
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// monthNames are the names of the months and their short forms in English, German, French and
// Swedish. No name is that of two months.
var monthNames = [12]string{
	"jan january januar jänner janvier janv januari",
	"feb february februar février févr fév februari febr",
	"mar march märz mär mrz mars",
	"apr april avril avr",
	"may mai maj",
	"jun june juni juin",
	"jul july juli juillet juil",
	"aug august août aou aoû augusti",
	"sep september sept septembre",
	"oct october okt oktober octobre",
	"nov november novembre",
	"dec december dez dezember décembre déc",
}

// monthsByName has every name of monthNames.
var monthsByName = func() map[string]time.Month {
	byName := map[string]time.Month{}
	for i, names := range monthNames {
		for name := range strings.FieldsSeq(names) {
			byName[name] = time.Month(i + 1)
		}
	}
	return byName
}()

// ParseMonth reads the name of a month or its short form, in English, German, French or
// Swedish and in any case, with or without a point.
func ParseMonth(name string) (time.Month, bool) {
	month, ok := monthsByName[strings.ToLower(norm.NFC.String(strings.TrimSuffix(name, ".")))]
	return month, ok
}
