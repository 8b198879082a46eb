package seed

import (
	"fmt"

	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/text"
)

// department is a department and the currency that it budgets in.
type department struct {
	budget.Department
	currency money.Currency
	size     int64 // percent of a usual department, where every one takes all accounts
}

// The codes of the departments that the chart of accounts names.
const (
	sal = "SAL"
	eng = "ENG"
	ops = "OPS"
	mkt = "MKT"
	fin = "FIN"
	hrd = "HRD"
	ldn = "LDN"
	lab = "LAB"
)

// office returns a department of the demo company. The laboratory closed at the end
// of the fiscal year before the last.
func office(code text.Code, name text.Name, costCenter text.Label) department {
	d := department{
		Department: budget.Department{Code: code, Name: name, CostCenter: costCenter, Active: code != lab},
		currency:   "USD",
		size:       100,
	}
	if code == ldn {
		d.currency = "GBP"
	}
	return d
}

// departments returns n departments: those of the demo company, then as many
// branches as it takes.
func departments(n int) []department {
	all := []department{
		office(sal, "Sales", "CC-1100"),
		office(eng, "Engineering", "CC-2100"),
		office(ops, "Customer Operations", "CC-3100"),
		office(mkt, "Marketing", "CC-1200"),
		office(fin, "Finance and Administration", "CC-9100"),
		office(hrd, "People", "CC-9200"),
		office(ldn, "London Office", "CC-5100"),
		office(lab, "Hardware Laboratory", "CC-2900"),
	}
	r := random(departmentStream)
	for i := len(all); i < n; i++ {
		all = append(all, branch(i-DefaultDepartments, 60+r.Int64N(90)))
	}
	return all[:n]
}

var functions = []struct {
	code string
	name string
}{
	{"SLS", "Sales"}, {"SVC", "Field Service"}, {"SUP", "Customer Support"}, {"CON", "Consulting"},
	{"ENG", "Engineering"}, {"QAS", "Quality Assurance"}, {"MKT", "Marketing"}, {"LOG", "Logistics"},
	{"PUR", "Purchasing"}, {"ACC", "Accounting"}, {"LEG", "Legal"}, {"PPL", "People"},
	{"ITS", "Information Systems"}, {"FAC", "Facilities"}, {"TRN", "Training"}, {"PMO", "Project Office"},
}

var places = []struct {
	code     string
	name     string
	currency money.Currency
}{
	{"BOS", "Boston", "USD"}, {"CHI", "Chicago", "USD"}, {"DEN", "Denver", "USD"}, {"MAN", "Manchester", "GBP"},
	{"ATL", "Atlanta", "USD"}, {"SEA", "Seattle", "USD"}, {"AUS", "Austin", "USD"}, {"MUC", "Munich", "EUR"},
	{"PHX", "Phoenix", "USD"}, {"PDX", "Portland", "USD"}, {"MSP", "Minneapolis", "USD"}, {"TOR", "Toronto", "CAD"},
	{"RDU", "Raleigh", "USD"}, {"SLC", "Salt Lake City", "USD"}, {"PIT", "Pittsburgh", "USD"}, {"LYS", "Lyon", "EUR"},
}

// branch returns the nth branch: a function at a place, numbered once all of these
// are taken.
func branch(n int, size int64) department {
	function := functions[n%len(functions)]
	place := places[n/len(functions)%len(places)]
	code, name := place.code+"-"+function.code, place.name+" "+function.name
	if round := n / (len(functions) * len(places)); round > 0 {
		code, name = fmt.Sprintf("%s-%d", code, round+1), fmt.Sprintf("%s %d", name, round+1)
	}
	return department{
		Department: budget.Department{
			Code:       text.Code(code),
			Name:       text.Name(name),
			CostCenter: text.Label(fmt.Sprintf("CC-%05d", 10_000+10*n)),
			Active:     true,
		},
		currency: place.currency,
		size:     size,
	}
}
