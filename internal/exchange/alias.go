package exchange

import "strings"

// aliases are the names that files have for a field, beside its own name: in English, German, French and
// Swedish, as normal writes them. A name may stand for several fields, because a kind has only one of them.
var aliases = map[string]string{ //nolint:gosec // one of the names looks like a password to it
	"department":      "dept, abteilung, service, avdelning",
	"cost_center":     "kostenstelle, kostnadsställe",
	"gl_code":         "account, gl, gl account, account code, account number, account no, ledger account, konto, sachkonto, kontonummer, compte",
	"fiscal_year":     "year, fy, financial year, jahr, geschäftsjahr, exercice, år",
	"fiscal_period":   "period, month, posting date, monat, periode, buchungsperiode, buchungsdatum, mois, période, månad",
	"version":         "scenario",
	"amount":          "value, betrag, montant, belopp",
	"currency":        "ccy, currency code, währung, devise, valuta",
	"currency_code":   "currency, ccy, währung, devise, valuta",
	"notes":           "memo, bemerkung",
	"symbol":          "ticker, isin, security, wertpapier",
	"shares":          "quantity, qty, stück, anzahl, quantité, antal",
	"side":            "b/s, type, action, sens",
	"price":           "unit price, trade price, kurs, preis, cours, prix, pris",
	"date":            "trade date, trade time, execution time, handelsdatum, datum",
	"name":            "bezeichnung, nom",
	"description":     "name, bezeichnung, nom",
	fieldDebit:        "soll, débit, debet, paid out",
	fieldCredit:       "haben, crédit, kredit, paid in",
	fieldSign:         "s/h, d/c, dr/cr, dc, debit/credit, soll/haben",
	fieldTime:         "time of day, uhrzeit, zeit, heure, tid",
	fieldTotal:        "summe, gesamt, somme, summa",
	"department_code": "department, dept, abteilung, service, avdelning",                                                                                   // of a department itself
	"account_code":    "gl code, account, gl, gl account, account code, account number, account no, ledger account, konto, sachkonto, kontonummer, compte", // of an account itself
}

// The fields of a file that are none of a record.
const (
	fieldPeriod   = "period" // the amount of one period, in the wide form
	fieldTotal    = "total"  // the sum of the periods, in the wide form
	fieldDebit    = "debit"  // with credit, in the place of an amount
	fieldCredit   = "credit"
	fieldSign     = "sign"        // a letter that says debit or credit, beside an amount
	fieldGross    = "gross"       // shares x price
	fieldTime     = "time"        // of a trade whose date has none
	fieldExternal = "external_id" // of a trade, where it came from
	fieldLabel    = "label"       // a text that is none of the record's; a map skips rows by it

	fieldDepartmentID = "department_id" // an id of this database, in the place of a code
	fieldAccountID    = "gl_account_id"
	fieldCompanyID    = "company_id"
	fieldCurrencyID   = "currency_id"
)

// names finds the field that a header names.
type names struct {
	fields  map[string]string // by the header as normal writes it
	periods bool              // a header may name a period
}

// newNames returns the names of fields. A field "code" has the aliases of another name, which says what
// it is the code of.
func newNames(fields []string, codeOf string, periods bool) names {
	n := names{fields: map[string]string{}, periods: periods}
	for _, field := range fields {
		key, _ := normal(field)
		n.fields[key] = field
	}
	for _, field := range fields {
		listed := aliases[field]
		if field == "code" {
			listed = aliases[codeOf]
		}
		for alias := range strings.SplitSeq(listed, ", ") {
			if _, named := n.fields[alias]; alias != "" && !named {
				n.fields[alias] = field
			}
		}
	}
	return n
}
