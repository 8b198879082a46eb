package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// shape says how records of a kind are read.
type shape struct {
	kind     string
	columns  []string                       // of a Record
	required []string                       // those without a default
	key      []string                       // two records with the same are one record
	wide     bool                           // it has a wide form
	refs     map[string]string              // the kind that a column names a record of
	extra    []string                       // fields of a file that are no columns
	codeOf   string                         // the name under which aliases has the record's own code
	figure   string                         // the column without which a row is a heading, or ""
	byID     bool                           // under match: id, a record is found by its id; else by its key, and the id must agree
	nth      []string                       // the n-th record with the same in a file is the n-th that is stored
	same     []string                       // the columns by which a file has a record twice
	holds    map[string]Value               // by column
	currency string                         // the column of the currency, or ""
	rules    map[string]rule                // by column
	defaults func(values) map[string]string // of the columns that a new record may leave empty
}

// rule reads a text as the domain does, and returns it as the domain writes it. The error continues the name
// of the column.
type rule func(string) (string, error)

// amounts are the fields of a file that stand for amounts.
var amounts = []string{fieldPeriod, fieldTotal, fieldDebit, fieldCredit, fieldSign}

// postings are the fields of a file of budgets or actuals that are no columns.
var postings = slices.Concat(amounts, []string{fieldDepartmentID, fieldAccountID, fieldLabel})

// shapes are the shapes by kind.
var shapes = func() map[string]*shape {
	for name, s := range list {
		s.follow(kindOf(name))
	}
	return list
}()

var list = map[string]*shape{
	"companies": {
		nth: []string{colName}, extra: []string{fieldCurrencyID},
		rules: withRules(rulesOf(trading.CompanyFields), rulesOf(trading.TradeFields.Select(colTraded))), defaults: defaultsOf(trading.CompanyFields),
	},
	"revenue": {
		nth: []string{colCompany, colNth, "category", colYear, colTraded}, extra: []string{fieldCompanyID, fieldLabel}, figure: colAmount,
		rules: withRules(rulesOf(trading.RevenueFields), map[string]rule{colNth: ordinal}), defaults: defaultsOf(trading.RevenueFields),
	},
	"currencies":  {rules: rulesOf(trading.CurrencyFields), defaults: defaultsOf(trading.CurrencyFields)},
	"departments": {codeOf: "department_code", rules: rulesOf(budget.DepartmentFields), defaults: defaultsOf(budget.DepartmentFields)},
	"accounts":    {codeOf: "account_code", rules: rulesOf(budget.AccountFields), defaults: defaultsOf(budget.AccountFields)},
	"budgets":     {extra: postings, figure: colAmount, rules: rulesOf(budget.LineFields), defaults: defaultsOf(budget.LineFields)},
	"actuals":     {extra: postings, figure: colAmount, rules: rulesOf(budget.ActualFields), defaults: defaultsOf(budget.ActualFields)},
	"trades":      {extra: []string{fieldTime, fieldGross, fieldExternal, fieldLabel}, figure: colShares, rules: rulesOf(trading.TradeFields), defaults: defaultsOf(trading.TradeFields)},
}

// follow takes the columns of a kind.
func (s *shape) follow(k *Kind) {
	s.kind, s.key, s.wide, s.refs = k.Name, k.Key, k.Wide, map[string]string{}
	s.holds = map[string]Value{}
	for _, column := range k.Columns {
		s.columns = append(s.columns, column.Name)
		s.holds[column.Name] = column.Value
		if column.Name == colCurrency || column.Name == colTraded {
			s.currency = column.Name
		}
		if column.Required {
			s.required = append(s.required, column.Name)
		}
		if column.Of != "" {
			s.refs[column.Name] = column.Of
		}
	}
	s.same = s.columns
	for _, some := range [][]string{s.nth, s.key} {
		if len(some) > 0 {
			s.same = some
		}
	}
}

// reads reports whether a file of the kind may have a field.
func (s *shape) reads(name string) bool {
	return slices.Contains(s.columns, name) || slices.Contains(s.extra, name)
}

// names are the names of the kind's fields.
func (s *shape) names() names {
	fields := slices.Concat(s.columns, s.extra)
	fields = slices.DeleteFunc(fields, func(name string) bool { return name == fieldPeriod })
	return newNames(fields, s.codeOf, s.wide)
}

// complete is a new record with the defaults of the columns that a row leaves empty.
func (s *shape) complete(v values) Record {
	if !slices.Contains(v.Record, "") {
		return v.Record
	}
	defaults := s.defaults(v)
	record := slices.Clone(v.Record)
	for i, column := range s.columns {
		if record[i] == "" {
			record[i] = defaults[column]
		}
	}
	return record
}

// one is a record with one field.
type one field.Value

// Get implements field.Values.
func (v one) Get(string) (field.Value, bool) { return field.Value(v), true }

// rulesOf are the rules of a list of fields, by name.
func rulesOf[R any](list field.List[R]) map[string]rule {
	rules := map[string]rule{}
	for _, f := range list {
		alone := list.Select(f.Name)
		rules[f.Name] = func(s string) (string, error) {
			var wrong fault.Fields
			record := alone.Read(one{Kind: field.Untyped, Text: s}, &wrong)
			if len(wrong) > 0 {
				return "", ruleError(wrong[0].Message)
			}
			return string(alone[0].AppendText(nil, &record)), nil
		}
	}
	return rules
}

// withRules are the rules of two lists.
func withRules(rules, more map[string]rule) map[string]rule {
	maps.Copy(rules, more)
	return rules
}

// ordinal reads which of several records with one name is meant, from 1.
func ordinal(s string) (string, error) {
	n, err := money.ParseInteger(s)
	if err == nil && n < 1 {
		err = fmt.Errorf("must be 1 or more, got %d", n)
	}
	return strconv.FormatInt(n, 10), err
}

// ruleError continues the name of a column.
type ruleError string

func (e ruleError) Error() string { return string(e) }

// given is the fields of a record that a row gives.
type given struct{ values }

// Get implements field.Values.
func (g given) Get(name string) (field.Value, bool) {
	i, has := g.at[name]
	if !has || g.Record[i] == "" {
		return field.Value{}, false
	}
	return field.Value{Kind: field.Untyped, Text: g.Record[i]}, true
}

// defaultsOf returns the texts of a new record with the defaults of a list of fields.
func defaultsOf[R any](list field.List[R]) func(values) map[string]string {
	return func(v values) map[string]string {
		var ignored fault.Fields
		record := list.Read(given{v}, &ignored)
		texts := map[string]string{}
		for _, f := range list {
			texts[f.Name] = string(f.AppendText(nil, &record))
		}
		return texts
	}
}
