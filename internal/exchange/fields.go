package exchange

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"daybook/internal/money"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// values are the fields of a record that a row gives, in the columns of its kind; "" is an empty or absent cell.
type values struct {
	Record
	at     map[string]int // the place of each column
	column string         // in the wide form, the header of the cell that it is of
	id     int64          // of the stored record that the row names, 0 for none
}

func (v values) get(column string) string { return v.Record[v.at[column]] }

func (v values) set(column, value string) {
	if i, has := v.at[column]; has {
		v.Record[i] = value
	}
}

// fields reads all fields of a row but those of its amounts. The currency is first: the numbers must fit it.
func (r *reading) fields() values {
	v := values{Record: make(Record, len(r.s.columns)), at: r.places, id: r.id}
	for _, column := range []string{colCurrency, colTraded} {
		if _, has := r.places[column]; has && r.s.refs[column] == "" {
			v.set(column, r.money(column))
			r.currency = cmp.Or(v.get(column), r.currency)
		}
	}
	for _, column := range r.s.columns {
		switch holds := r.s.holds[column]; {
		case r.s.refs[column] != "":
			v.set(column, r.reference(column))
		case column == colCurrency || column == colTraded, column == colAmount, column == colShares, column == colSide, column == colNth:
		case column == colPrice:
			v.set(column, r.price(column))
		case r.s.wide && (column == colYear || column == colPeriod):
			v.set(column, r.fiscal(column))
			if column == colPeriod {
				r.compareYear(v)
			}
		case holds == Date:
			v.set(column, r.checked(column, r.date(column)))
		case column == "type":
			v.set(column, r.namedType(column))
		case holds == Product:
			v.set(column, r.meaning(column, products))
		case holds == Flag:
			v.set(column, r.meaning(column, flags))
		case holds == Integer && slices.Contains(numeric, column):
			v.set(column, r.whole(column))
		default:
			v.set(column, r.plainText(column))
		}
	}
	if _, trades := r.places[colSide]; trades {
		r.quantity(v)
	}
	for _, column := range r.s.key {
		if v.get(column) == "" && !slices.Contains(r.s.required, column) {
			v.set(column, r.s.defaults(v)[column])
		}
	}
	if r.s.refs[colCompany] != "" && v.get(colCompany) != "" {
		v.set(colNth, r.nth)
	}
	return v
}

// whole reads a whole number that may have groups of digits.
func (r *reading) whole(column string) string {
	cell, position := r.cell(column)
	n := r.number(column, position, cell)
	if !n.filled {
		return ""
	}
	return r.ruled(column, n.value, position, cell)
}

// plainText reads a text or a whole number by the rule of its column.
func (r *reading) plainText(column string) string {
	s, position, cell := r.text(column)
	if s == "" {
		return ""
	}
	if r.s.holds[column] == Code && tables.Mangled(s) {
		r.add(wrong, codeMangled, column, position, cell, "A program has written the code as a number with an exponent. Write the code again, as text.")
		return ""
	}
	return r.ruled(column, s, position, cell)
}

// checked applies the rule of a column to a value that was read.
func (r *reading) checked(column, value string) string {
	if value == "" {
		return ""
	}
	cell, position := r.cell(column)
	return r.ruled(column, value, position, cell)
}

// mostRemembered is how many values of a column are remembered with what its rule makes of them. Years, periods,
// currencies and versions come again in every row.
const mostRemembered = 1000

// ruled applies the rule of a column, and adds why a value breaks it.
func (r *reading) ruled(column, value string, position int, cell tables.Cell) string {
	if value == "" {
		return ""
	}
	if read, known := r.memo[column][value]; known {
		return read
	}
	read, err := r.s.rules[column](value)
	if err == nil && r.s.holds[column] != Decimal && len(r.memo[column]) < mostRemembered {
		if r.memo[column] == nil {
			r.memo[column] = map[string]string{}
		}
		r.memo[column][strings.Clone(value)] = read
	}
	if err != nil {
		r.add(wrong, codeOf(column, value), column, position, cell, "The field %s %v.", column, err)
		return ""
	}
	return read
}

// codeOf is the code of a value that breaks the rule of its column.
func codeOf(column, value string) string {
	switch column {
	case colVersion, "type":
		return codeUnknownWord
	case colDate:
		if _, err := time.Parse(time.DateOnly, value[:min(len(value), len(time.DateOnly))]); err != nil {
			return codeNotADate
		}
		return codeOutOfRange
	case colYear, colPeriod, colAmount, colPrice, colShares, "shares_outstanding":
		if _, err := tables.ParseNumber(value, tables.Point); err != nil || strings.ContainsAny(value, ",'’") {
			return codeNotANumber
		}
		return codeOutOfRange
	}
	if len([]rune(value)) > text.MaxCode {
		return codeTooLong
	}
	return codeNotAText
}

// meaning reads one of some words.
func (r *reading) meaning(column string, of map[string]string) string {
	s, position, cell := r.text(column)
	if s == "" {
		return ""
	}
	meant, known := of[folded(s)]
	if !known {
		r.add(wrong, codeUnknownWord, column, position, cell, "The word %s is not known in the field %s.%s", text.Printable(text.Shorten(s)), column, r.inMap(" Say in the map what it stands for."))
	}
	return meant
}

// money reads a currency. The prices may be in hundredths of it, such as pence.
func (r *reading) money(column string) string {
	s, position, cell := r.text(column)
	if of := minorUnits[strings.TrimSpace(s)]; of != "" {
		switch r.m.MinorUnit {
		case "divide":
			r.minor = true
			return of
		case "":
			r.pending = true
		default:
			r.add(wrong, codeMinorUnit, column, position, cell, "The currency %s is a hundredth of %s%s.", strings.TrimSpace(s), of, r.inMap(", and the map refuses it"))
		}
		return ""
	}
	if s == "" {
		return ""
	}
	read := r.ruled(column, s, position, cell)
	if read == "" || money.Currency(read).Plain() || len(r.registers["currencies"].named("", read)) > 0 {
		return read
	}
	r.add(wrong, codeUnknown, column, position, cell, "None of the currencies has the code %s. Use a code of letters, such as EUR%s.", text.Printable(text.Shorten(s)), r.inMap(", or say in the map what it stands for"))
	return ""
}

// price reads a price, or the gross by the shares where there is none.
func (r *reading) price(column string) string {
	cell, position := r.cell(column)
	n := r.number(column, position, cell)
	if r.minor && n.filled {
		n.value = tables.Shift(n.value, -2)
	}
	n = r.fit(column, position, cell, n, 8)
	if !n.filled {
		return ""
	}
	return r.ruled(column, n.value, position, cell)
}

// quantity reads the side and the shares of a trade, and compares its gross.
func (r *reading) quantity(v values) {
	cell, position := r.cell(colShares)
	n := r.number(colShares, position, cell)
	shares, negative := strings.CutPrefix(n.value, "-")
	switch {
	case r.m.Set[colSide] != "sign":
		v.set(colSide, r.meaning(colSide, sides))
	case n.filled || !r.corrects(): // else the stored side stays
		v.set(colSide, sideNames[!negative])
	}
	if negative && cmp.Or(v.get(colSide), r.was(colSide)) == sideNames[true] {
		r.add(wrong, codeNegativeSide, colShares, position, cell, "A purchase has a negative number of shares. Mend the sign or the side.")
		return
	}
	if !n.filled {
		r.grossAlone()
		return
	}
	v.set(colShares, r.ruled(colShares, shares, position, cell))
	r.gross(v)
}

// gross compares the gross with shares x price, or takes the price from it.
func (r *reading) gross(v values) {
	cell, position := r.cell(fieldGross)
	n := r.number(fieldGross, position, cell)
	shares, ok := new(big.Rat).SetString(v.get(colShares))
	gross, is := new(big.Rat).SetString(n.value)
	if !n.filled || !ok || !is || shares.Sign() == 0 {
		return
	}
	gross.Abs(gross)
	if r.minor {
		gross.Quo(gross, big.NewRat(100, 1))
	}
	if _, has := r.c.at(colPrice); !has {
		quotient := new(big.Rat).Quo(gross, shares)
		price := number{value: plain(quotient.FloatString(12)), filled: true}
		if exact, _ := new(big.Rat).SetString(quotient.FloatString(8)); exact.Cmp(quotient) != 0 {
			price = r.round(fieldGross, position, cell, price, 8)
		}
		if price.filled {
			v.set(colPrice, r.ruled(colPrice, price.value, position, cell))
		}
		return
	}
	price, ok := new(big.Rat).SetString(v.get(colPrice))
	if !ok {
		return
	}
	product := new(big.Rat).Mul(shares, price)
	difference := new(big.Rat).Sub(product, gross)
	if difference.Abs(difference).Cmp(big.NewRat(1, 100)) <= 0 {
		return
	}
	f := r.add(doubtful, codeGrossDiffers, fieldGross, position, cell, "Shares times price is %s, but the gross is %s.", plain(product.FloatString(8)), plain(gross.FloatString(8)))
	times := slices.IndexFunc(factors, func(times int64) bool { return near(product, gross, times) || near(gross, product, times) })
	if times >= 0 {
		f.Message += fmt.Sprintf(" They differ by the factor %d: the price may be a percentage, or the number may have a contract size or a wrong digit.", factors[times])
	}
}

// factors are those by which a gross commonly differs.
var factors = []int64{100, 10, 1000}

// near reports whether a is b times a factor, to a cent of the factor.
func near(a, b *big.Rat, times int64) bool {
	difference := new(big.Rat).Sub(a, new(big.Rat).Mul(b, big.NewRat(times, 1)))
	return difference.Abs(difference).Cmp(big.NewRat(times, 100)) <= 0
}

// amount reads the amount of a row in the long form: its own, with the sign of a letter, or that of debit and credit.
func (r *reading) amount(accountType string) string {
	if r.c.has(fieldDebit) && r.c.has(fieldCredit) && !r.c.has(colAmount) {
		return r.balance(accountType)
	}
	cell, position := r.cell(colAmount)
	n := r.scaled(colAmount, position, cell)
	if !n.filled {
		return ""
	}
	if _, has := r.c.at(fieldSign); has {
		n.value = r.signed(n.value, accountType)
	}
	return r.ruled(colAmount, n.value, position, cell)
}

// scaled reads an amount in the unit of the file.
func (r *reading) scaled(field string, position int, cell tables.Cell) number {
	n := r.number(field, position, cell)
	power := r.scale
	if r.minor {
		power -= 2
	}
	if n.filled {
		n.value = tables.Shift(n.value, power)
	}
	return r.fit(field, position, cell, n, 4)
}

// signed gives an amount the sign that a letter says.
func (r *reading) signed(value, accountType string) string {
	s, position, cell := r.text(fieldSign)
	side, known := debits[folded(s)]
	switch {
	case !known:
		r.add(wrong, codeNoSign, fieldSign, position, cell, "The cell must say debit or credit, such as S or H, D or C, got %s.", text.Printable(text.Shorten(s)))
		return ""
	case r.m.SignRule == "":
		r.pending = true
		return value
	case (side == "debit") == r.debitIsPositive(accountType):
		return value
	}
	return negated(value)
}

// balance is debit minus credit, or credit minus debit.
func (r *reading) balance(accountType string) string {
	if r.m.SignRule == "" {
		r.pending = true
	}
	sum, filled := new(big.Rat), false
	for _, field := range []string{fieldDebit, fieldCredit} {
		cell, position := r.cell(field)
		n := r.scaled(field, position, cell)
		exact, ok := new(big.Rat).SetString(n.value)
		if !n.filled || !ok {
			continue
		}
		filled = true
		if (field == fieldDebit) != r.debitIsPositive(accountType) {
			exact.Neg(exact)
		}
		sum.Add(sum, exact)
	}
	if !filled {
		return ""
	}
	column, _ := r.c.at(fieldDebit)
	return r.ruled(colAmount, plain(sum.FloatString(4)), column.position, tables.Cell{})
}

// debitIsPositive says which sign a debit has.
func (r *reading) debitIsPositive(accountType string) bool {
	switch r.m.SignRule {
	case "credit_debit":
		return false
	case "by_type":
		return accountType != "revenue"
	}
	return true
}

func negated(value string) string {
	if rest, negative := strings.CutPrefix(value, "-"); negative || value == "0" {
		return rest
	}
	return "-" + value
}

// missing adds the required columns that are empty.
func (r *reading) missing(v values) {
	if r.corrects() {
		return
	}
	for _, column := range r.s.required {
		if v.get(column) != "" || column == colAmount && r.clears(v) || r.faulty(column) || r.c.asked(column) || r.pending || r.c.wide && (column == colAmount || column == colPeriod || column == colYear && r.c.stands(column)) {
			continue
		}
		position := 0
		if c, has := r.c.at(column); has {
			position = c.position
		} else if !r.exact && !r.c.stands(column) && !r.c.wide && !r.s.byID {
			continue // a question is open about the column
		}
		if position > len(r.record.Cells) && !r.h.named {
			r.add(wrong, codeFieldCount, column, position, tables.Cell{}, "The row has %d cells, so it has none for the field %s.", len(r.record.Cells), column)
			continue
		}
		r.add(wrong, codeMissing, column, position, tables.Cell{}, "The field %s is empty. It must be given.", column)
	}
}
