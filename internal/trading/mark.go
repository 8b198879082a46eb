package trading

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"iter"
	"slices"
	"time"

	"daybook/internal/money"
	"daybook/internal/text"
)

// Mark is the price that a position is valued at.
type Mark struct {
	Price  money.Price
	Source MarkSource
	At     time.Time // when the price was made; zero if unknown
}

// MarkSource is where a mark comes from.
type MarkSource string

// The sources of marks.
const (
	CompanyMark   MarkSource = "company"
	LastTradeMark MarkSource = "last_trade"
)

// Quote is the price of a share of a company, more than 0, in the company's currency. A company without
// a currency has none.
type Quote struct {
	Company  text.Name
	Price    money.Price
	Currency money.Currency
}

// marks are the prices of companies, sorted by name and currency. There may be many, so each is small.
type marks []quoted

type quoted struct {
	name     nameSum
	currency money.Currency
	price    money.Price
}

// nameSum is a hash of a name without regard to case. Two of 2^64 names are likely to share one.
type nameSum [16]byte

func sumOf[T ~string](name T) nameSum {
	sum := sha256.Sum256([]byte(text.Code(name).Fold()))
	return nameSum(sum[:])
}

func marksOf(quotes iter.Seq2[Quote, error]) (m marks, err error) {
	for q, err := range quotes {
		if err != nil {
			return nil, err
		}
		m = append(m, quoted{name: sumOf(q.Company), currency: q.Currency, price: q.Price})
	}
	slices.SortFunc(m, quoted.compare)
	return m, nil
}

func (q quoted) compare(o quoted) int {
	return cmp.Or(bytes.Compare(q.name[:], o.name[:]), cmp.Compare(q.currency, o.currency))
}

// of is the mark of a position. A stock is valued at the price of the company whose name is its symbol,
// without regard to case, and whose currency is that of the position. If there is no such company or
// several, and for any other product, the mark is the price of the latest trade.
func (m marks) of(p Position) Mark {
	if p.Product == StockTrade && len(m) > 0 {
		if found := m.two(quoted{name: sumOf(p.Symbol), currency: p.Currency}); len(found) == 1 {
			return Mark{Price: found[0].price, Source: CompanyMark}
		}
	}
	return Mark{Price: p.Last, Source: LastTradeMark, At: p.Date}
}

// two are the first two quotes of a name in a currency.
func (m marks) two(of quoted) marks {
	i, _ := slices.BinarySearchFunc(m, of, quoted.compare)
	n := 0
	for n < 2 && i+n < len(m) && m[i+n].compare(of) == 0 {
		n++
	}
	return m[i : i+n]
}
