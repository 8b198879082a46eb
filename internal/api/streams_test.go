package api_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/api"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// TestLongListIsStreamed: the memory that the server needs for a list does not grow with its length.
func TestLongListIsStreamed(t *testing.T) {
	const trades, most = 200_000 / shorterBy, 768 << 10 // the JSON of the whole list has more than twice as much
	s := serve(t)
	s.record(t, trades)
	piece := make([]byte, 256<<10)
	before := heap()

	body := s.openList(t)
	listed, size, highest := 0, 0, before
	for {
		n, err := io.ReadFull(body, piece)
		listed += bytes.Count(piece[:n], []byte("}"))
		size += n
		highest = max(highest, heap())
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			t.Fatalf("after %d trades: %v", listed, err)
		}
	}
	if listed != trades || size < 2*most {
		t.Errorf("got %d trades in %d KiB, want %d in more than %d", listed, size>>10, trades, 2*most>>10)
	}
	if grown := highest - before; grown > most {
		t.Errorf("got a heap that grew by %d KiB, want at most %d", grown>>10, most>>10)
	}
}

// TestSlowReaderHoldsUpNoWrite: a client reads a list slowly, and a write succeeds meanwhile. The list
// does not have the new trade, because it shows the state at its beginning.
func TestSlowReaderHoldsUpNoWrite(t *testing.T) {
	const trades = 100_000 / shorterBy // more than the buffers of the sockets hold
	s := serve(t)
	s.record(t, trades)
	body := s.openList(t)
	first := make([]byte, 1)
	if _, err := io.ReadFull(body, first); err != nil {
		t.Fatal(err)
	}

	s.create(t, "/trade/add", `{"symbol":"LATER","currency_code":"USD","shares":1,"product":0,"type":true,"price":1}`)

	rest, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	list := slices.Concat(first, rest)
	if got := bytes.Count(list, []byte("}")); got != trades || !json.Valid(list) {
		t.Errorf("got %d trades in the list that began before the write, want %d", got, trades)
	}
	if !strings.Contains(s.get(t, "/trade/list"), "LATER") {
		t.Error("the list that began after the write: got no LATER, want it")
	}
}

// TestAListArrivesWholeAfterABody: the body of a list is ignored. A client that sends one, and reads the list
// slowly over a connection that then closes, gets the whole list.
func TestAListArrivesWholeAfterABody(t *testing.T) {
	const trades = 2_000 // fewer than the buffers of the sockets hold, so that the server is done before the client reads
	s := serve(t)
	s.record(t, trades)
	for _, c := range []struct {
		connection string
		size       int
	}{{"close", 100_000}, {"keep-alive", 300_000}} { // net/http closes a connection over that rest of a body
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Repeat(" ", c.size)
		if _, err := fmt.Fprintf(conn, "POST /trade/list HTTP/1.1\r\nHost: localhost\r\nConnection: %s\r\nContent-Length: %d\r\n\r\n%s", c.connection, c.size, body); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // meanwhile the server writes the list and closes the connection
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := io.ReadAll(answer.Body)
		if got := bytes.Count(list, []byte("}")); err != nil || got != trades {
			t.Errorf("Connection: %s: got %d trades, %v, want %d", c.connection, got, err, trades)
		}
		if err := errors.Join(answer.Body.Close(), conn.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestFirstTradesArriveBeforeTheLastAreRead: the client gets the first trades of a list before the store
// has read half of it.
func TestFirstTradesArriveBeforeTheLastAreRead(t *testing.T) {
	s := open(t)
	s.record(t, 4000)
	arrived := make(chan struct{})
	s.serveTrades(t, func(yield func(trading.Trade, error) bool) {
		read := 0
		for trade, err := range s.store.Trades(t.Context()) {
			read++
			if read == 2000 {
				select {
				case <-arrived:
				case <-time.After(patience):
					t.Error("got no trades after the store read 2,000, want the first ones")
				}
			}
			if !yield(trade, err) {
				return
			}
		}
	})
	body := s.openList(t)
	if _, err := io.ReadFull(body, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	close(arrived)
	if _, err := io.Copy(io.Discard, body); err != nil {
		t.Error(err)
	}
}

// TestStoreErrorInsideAList: an error of the store never gives a partial list that looks complete.
// Before anything was sent, the answer is an error response; later the connection is cut off.
func TestStoreErrorInsideAList(t *testing.T) {
	for _, c := range []struct {
		after int
		want  string // "" for a connection that is cut off
	}{
		{0, `{"error":"the disk does not answer","code":"unavailable"}`},
		{10, `{"error":"the disk does not answer","code":"unavailable"}`},
		{5000, ""},
	} {
		t.Run(fmt.Sprint(c.after), func(t *testing.T) {
			s := open(t)
			s.serveTrades(t, func(yield func(trading.Trade, error) bool) {
				for range c.after {
					if !yield(aTrade, nil) {
						return
					}
				}
				yield(trading.Trade{}, fault.New(fault.Unavailable, "the disk does not answer"))
			})
			response, err := s.client.Do(s.prepare(t, request{method: http.MethodGet, target: "/trade/list"}))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			body, err := io.ReadAll(response.Body)
			if c.want == "" {
				if !errors.Is(err, io.ErrUnexpectedEOF) || json.Valid(body) {
					t.Errorf("got %v and %d bytes, want a connection that is cut off", err, len(body))
				}
				return
			}
			if response.StatusCode != http.StatusServiceUnavailable || string(body) != c.want {
				t.Errorf("got %d %s, %v, want 503 %s", response.StatusCode, body, err, c.want)
			}
		})
	}
}

// TestRecordThatCannotBeEncodedInsideAList: the same holds for a text of a damaged file that cannot be
// written as JSON.
func TestRecordThatCannotBeEncodedInsideAList(t *testing.T) {
	s := open(t)
	damaged := aTrade
	damaged.Symbol = "\xff"
	s.serveTrades(t, func(yield func(trading.Trade, error) bool) {
		_ = yield(aTrade, nil) && yield(damaged, nil) && yield(aTrade, nil)
	})
	got := s.do(t, request{method: http.MethodGet, target: "/trade/list"})
	if got.status != http.StatusInternalServerError || !strings.Contains(string(got.body), `"code":"internal"`) {
		t.Errorf("got %d %s, want 500 internal", got.status, got.body)
	}
}

// serveTrades starts the server with a store that lists these trades.
func (s *server) serveTrades(t *testing.T, trades iter.Seq2[trading.Trade, error]) {
	t.Helper()
	config := s.config()
	config.Book = trading.NewBook(tradeStore{s.store, trades})
	s.listen(t, api.New(config))
}

// tradeStore is a store whose list of trades is replaced.
type tradeStore struct {
	*sqlite.Store
	trades iter.Seq2[trading.Trade, error]
}

func (s tradeStore) Trades(context.Context) iter.Seq2[trading.Trade, error] { return s.trades }

var aTrade = trading.Trade{
	Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD", Product: trading.StockTrade},
	Shares:     100, Side: trading.Buy, Price: 95 * 100_000_000, Date: frozen,
}

// record stores trades in a hundred instruments with the longest symbols.
func (s *server) record(t *testing.T, trades int) {
	t.Helper()
	book := s.config().Book
	const chunk = 10_000
	for first := 0; first < trades; first += chunk {
		batch := make([]trading.Trade, min(chunk, trades-first))
		for i := range batch {
			batch[i] = aTrade
			batch[i].Symbol = trading.Symbol(fmt.Sprintf("%064d", i%100))
			batch[i].Price += money.Price(i)
		}
		if _, err := book.AddTrades(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
}

// openList requests the list of trades, and returns its unread body.
func (s *server) openList(t *testing.T) io.Reader {
	t.Helper()
	response, err := s.client.Do(s.prepare(t, request{method: http.MethodGet, target: "/trade/list"}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	if response.StatusCode != http.StatusOK {
		t.Fatalf("got %d, want 200", response.StatusCode)
	}
	return response.Body
}

// heap returns the bytes of the live objects on the heap.
func heap() int64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
