package sqlite

import (
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/text"
)

// TestReportsHoldTheDescriptionsThatTheyShow: a report has the descriptions of the accounts with
// postings only, and an overview has none. A description can have 16,000 bytes, and there can be many
// accounts, so others are not read.
func TestReportsHoldTheDescriptionsThatTheyShow(t *testing.T) {
	s := openStore(t)
	ctx := t.Context()
	ops, err := s.CreateDepartment(ctx, budget.Department{Code: "OPS", Name: "Operations"})
	if err != nil {
		t.Fatal(err)
	}
	var accounts []budget.Account
	for _, a := range []budget.Account{{Code: "1", Description: "Rent", Type: budget.Opex}, {Code: "2", Description: "Power", Type: budget.Opex}} {
		if a, err = s.CreateAccount(ctx, a); err != nil {
			t.Fatal(err)
		}
		accounts = append(accounts, a)
	}
	posted := budget.Actual{Key: budget.Key{DepartmentID: ops.ID, AccountID: accounts[0].ID, Year: 2025, Period: 1}, Amount: 1, Currency: "USD"}
	if _, err := s.IngestActuals(ctx, []budget.Actual{posted}); err != nil {
		t.Fatal(err)
	}
	query := budget.OverviewDataQuery{Month: budget.Month{Year: 2025, Period: 1}, Version: budget.Original}
	for name, c := range map[string]struct {
		read      func() (map[budget.AccountID]budget.Account, error)
		described bool
	}{
		"postings": {func() (map[budget.AccountID]budget.Account, error) {
			p, err := s.Postings(ctx, 2025, 1, budget.Original, 0)
			return p.Accounts, err
		}, true},
		"months": {func() (map[budget.AccountID]budget.Account, error) {
			months, err := s.Months(ctx, 2025, budget.Original, 0)
			return months.Accounts, err
		}, true},
		"year to date of a department": {func() (map[budget.AccountID]budget.Account, error) {
			year, err := s.YearToDate(ctx, 2025, 1, budget.Original, ops.ID)
			return year.Accounts, err
		}, true},
		"overview": {func() (map[budget.AccountID]budget.Account, error) {
			look, err := s.OverviewData(ctx, query)
			return look.Postings.Accounts, err
		}, false},
	} {
		got, err := c.read()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if shown := got[1].Description == "Rent"; len(got) != 1 || got[1].Code != "1" || shown != c.described {
			t.Errorf("%s: got %v, want the account with a posting, with its description: %v", name, got, c.described)
		}
	}
}

// TestDescriptionsAreBounded: a report is refused if its descriptions are larger than the limit of a
// response. A report at the limit is not.
func TestDescriptionsAreBounded(t *testing.T) {
	s := openStore(t)
	var ids []budget.AccountID
	for _, code := range []string{"1", "2", "3"} {
		a, err := s.CreateAccount(t.Context(), budget.Account{Code: text.Code(code), Description: "Rent", Type: budget.Opex})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, a.ID)
	}
	for most, refused := range map[int]bool{12: false, 11: true} {
		err := s.scan(t.Context(), func(c *scanner) error {
			_, err := c.accountsByID(ids, most)
			return err
		})
		if (err != nil) != refused || refused && fault.KindOf(err) != fault.Invalid {
			t.Errorf("12 bytes, at most %d: got %v, want it refused: %v", most, err, refused)
		}
	}
}
