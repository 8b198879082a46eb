package records

import (
	"encoding/hex"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/internal/access"
	"daybook/internal/backup"
	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/journal"
	"daybook/internal/mapping"
	"daybook/internal/trading"
)

// frozen returns values of every entity, each with its record: some with every field set, and some
// without every field that may be absent.
func frozen() map[journal.Entity][]described {
	day := time.Date(2026, 3, 31, 23, 59, 58, 123456789, time.UTC)
	second := time.Date(2026, 4, 1, 0, 0, 0, 123456000, time.UTC)
	key := budget.Key{DepartmentID: 2, AccountID: 3, Year: 2026, Period: 12}
	var digest access.Digest
	var hash journal.Hash
	for i := range digest {
		digest[i], hash[i] = byte(i), byte(255-i)
	}
	return map[journal.Entity][]described{
		journal.Currencies: {
			describe(Currency, trading.CurrencyFields, trading.Currency{ID: 1, Code: "EUR", Name: "Euro \"€\"\\\u2028"}),
		},
		journal.Companies: {
			describe(Company, trading.CompanyFields, trading.Company{ID: 1, Name: "ACME", SharesOutstanding: 1_000_000, Price: 12_345_678, CurrencyID: 7}),
			describe(Company, trading.CompanyFields, trading.Company{ID: 2, Name: "Zürich", SharesOutstanding: 1}),
		},
		journal.Revenues: {
			describe(Revenue, trading.RevenueFields, trading.Revenue{ID: 1, CompanyID: 2, Category: "Rent", Amount: -1_0050, FiscalYear: 2026, CurrencyCode: "EUR"}),
			describe(Revenue, trading.RevenueFields, trading.Revenue{ID: 2, CompanyID: 2, Category: "{}", Amount: 999_999_999_999_999_999}),
		},
		journal.Trades: {
			describe(Trade, TradeFields, trading.Trade{
				ID: 1, Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD", Product: 1},
				Shares: 10, Side: trading.Buy, Price: 500, Date: day,
			}),
			describe(Trade, TradeFields, trading.Trade{
				ID: 2, Instrument: trading.Instrument{Symbol: "A", Currency: "EUR"},
				Shares: 9, Side: trading.Sell, Price: 1, Date: second,
			}),
		},
		journal.Departments: {
			describe(Department, budget.DepartmentFields, budget.Department{ID: 1, Code: "D-1", Name: "Parks", CostCenter: "CC 7", Active: true}),
			describe(Department, budget.DepartmentFields, budget.Department{ID: 2, Code: "d", Name: "d"}),
		},
		journal.Accounts: {
			describe(Account, budget.AccountFields, budget.Account{ID: 1, Code: "4000", Description: "a\nb\tc", Type: budget.Opex, FavourHigh: true}),
			describe(Account, budget.AccountFields, budget.Account{ID: 2, Code: "4001", Type: budget.Opex}),
		},
		journal.BudgetLines: {
			describe(Line, budget.LineFields, budget.Line{
				ID: 1, LineKey: budget.LineKey{Key: key, Version: budget.Original}, Amount: -999_999_999_999_999_999, Currency: "EUR", Notes: "{\"amount\":1}",
			}),
			describe(Line, budget.LineFields, budget.Line{ID: 2, LineKey: budget.LineKey{Key: key, Version: budget.Forecast3}, Currency: "€"}),
		},
		journal.Actuals: {
			describe(Actual, budget.ActualFields, budget.Actual{ID: 1, Key: key, Amount: 12_3400, Currency: "EUR", Source: "erp"}),
			describe(Actual, budget.ActualFields, budget.Actual{ID: 2, Key: key, Currency: "CHF"}),
		},
		journal.Tokens: {
			describe(Token, tokenFields, access.Token{ID: 1, Name: "feed", Scope: "write", Digest: digest, Created: second, Expires: second.Add(time.Hour), Revoked: second.Add(time.Minute)}),
			describe(Token, tokenFields, access.Token{ID: 2, Name: "page", Scope: "read", Digest: digest, Created: second}),
		},
		journal.Batches: {
			describe(Batch, batch.Fields, batch.Batch{
				ID: 2, Origin: batch.Origin{Kind: "budgets", Via: batch.Import, File: "Q4 \"2026\".csv", SHA256: hash.String(), Map: "city", Source: "erp"},
				State: batch.Undone, Actor: "A (token 1)", At: second,
				Counts: batch.Counts{New: 1, Changed: 2, Unchanged: 3, Already: 4, Cleared: 5, Skipped: 6, Wrong: 7},
				Undoes: 1, UndoneBy: 3, Entries: journal.Range{First: 8, Last: 9},
			}),
			describe(Batch, batch.Fields, batch.Batch{
				ID: 1, Origin: batch.Origin{Kind: "trades", Via: batch.Bulk}, State: batch.Committed, At: second,
				Counts: batch.Counts{New: 1}, Entries: journal.Range{First: 1, Last: 2},
			}),
			describe(Batch, batch.Fields, batch.Batch{
				ID: 3, Origin: batch.Origin{Kind: "trades", Via: batch.Import}, State: batch.Committed, At: second,
				Counts: batch.Counts{New: 1, Wrong: 2, Doubtful: 3}, Entries: journal.Range{First: 10, Last: 11},
			}),
		},
		journal.Maps: {
			describe(Map, mapping.Fields, mapping.Map{ID: 1, Name: "city-cash", Kind: "budgets", Text: `{"kind":"budgets"}`, At: second}),
		},
		journal.Restores: {
			describe(Restored, restoredFields, backup.Restored{ID: 10, File: "a.db", Link: journal.Head{Seq: 9, Hash: hash}}),
		},
	}
}

// described is a value, its record, and a function that decodes a record.
type described struct {
	value  any
	record []byte
	read   func(record []byte) (value any, is bool)
}

func describe[T any](write func(T) []byte, fields field.List[T], v T) described {
	return described{value: v, record: write(v), read: func(record []byte) (any, bool) {
		var read T
		is := fields.Scan(record, &read)
		return read, is
	}}
}

// TestRecordsAreFrozen: the record of a value never changes. Databases have these bytes in their journals
// and hashes of them in their chains, so every later version must write the same bytes.
func TestRecordsAreFrozen(t *testing.T) {
	want, err := os.ReadFile("testdata/records.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	values := frozen()
	for _, entity := range append(journal.Kept(), journal.Restores) {
		if len(values[entity]) == 0 {
			t.Errorf("%s: add values of the new entity to frozen, and their records to testdata/records.txt", entity)
		}
		for _, d := range values[entity] {
			fmt.Fprintf(&got, "%s %s\n", entity, d.record)
		}
	}
	was, is := strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")
	for i := range max(len(was), len(is)) {
		if i >= len(was) || i >= len(is) || was[i] != is[i] {
			t.Fatalf(`the record of a value that could be stored before has changed:
was %s
is  %s
app verify would fail on every database that has such a record. Change no line of testdata/records.txt:
lines are only added, for values of new entities and values with new fields, where frozen has them.
  - A new field comes after the others, absent while it has its default: see field.Field.Later.
  - Where the meaning of a field changes, the field gets a new name, and the old one stays.`, at(was, i), at(is, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// TestRecordsAreReadBack: for every entity, the value that is decoded from a record is the value that was
// encoded, and a part of a record is refused.
func TestRecordsAreReadBack(t *testing.T) {
	for entity, values := range frozen() {
		for _, d := range values {
			if got, is := d.read(d.record); !is || !reflect.DeepEqual(got, d.value) {
				t.Errorf("%s %s: got %+v (%t), want %+v", entity, d.record, got, is, d.value)
			}
			for cut := range d.record {
				if got, is := d.read(d.record[:cut]); is {
					t.Errorf("%s: got %+v from a part of a record, want it refused", d.record[:cut], got)
				}
			}
		}
	}
	digest := hex.EncodeToString(make([]byte, 32))
	for _, wrong := range []string{`"` + digest[2:] + `"`, `"` + digest + `00"`, `"` + strings.Repeat("x", 64) + `"`, `null`} {
		if tokenFields.Select("sha256").Scan([]byte(`{"sha256":`+wrong+`}`), &access.Token{}) {
			t.Errorf("got a digest from %s, want it refused", wrong)
		}
	}
}
