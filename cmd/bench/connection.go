package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// connection is a kept-alive connection. It reads only as much of HTTP as the responses need, because it
// shares the processors with the server.
type connection struct {
	net.Conn
	held  []byte // the received part of the response
	space []byte
}

func dial(ctx context.Context, addr string) (*connection, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: conn, space: make([]byte, 64<<10)}, nil
}

// get returns the bytes of a request without a body.
func get(path string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

// closing is get for a connection that ends after the response.
func closing(path string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
}

// postHead returns the head of a request with a body of that length.
func postHead(path string, length int) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, length)
}

var (
	headEnd       = []byte("\r\n\r\n")
	contentLength = []byte("\r\nContent-Length: ")
	good          = [][]byte{[]byte("HTTP/1.1 200 "), []byte("HTTP/1.1 201 ")}
)

// ask sends a request and returns the body of the response, which the next call overwrites. A response
// other than 200 or 201 is an error.
func (c *connection) ask(request []byte) ([]byte, error) {
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	if _, err := c.Write(request); err != nil {
		return nil, err
	}
	c.held = c.space[:0]
	head, err := c.head()
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(c.held, good[0]) && !bytes.HasPrefix(c.held, good[1]) {
		return nil, fmt.Errorf("answered %q", c.held)
	}
	at := bytes.Index(c.held[:head], contentLength)
	if at < 0 {
		return c.chunks(head)
	}
	length := 0
	for _, digit := range c.held[at+len(contentLength) : head] {
		if digit < '0' || digit > '9' {
			break
		}
		length = length*10 + int(digit-'0')
	}
	return c.upTo(head, head+length)
}

// head reads to the end of the head, and returns its position.
func (c *connection) head() (int, error) {
	for {
		if err := c.more(); err != nil {
			return 0, err
		}
		if at := bytes.Index(c.held, headEnd); at >= 0 {
			return at + len(headEnd), nil
		}
	}
}

// upTo reads up to a position, and returns the bytes between the two.
func (c *connection) upTo(from, end int) ([]byte, error) {
	for len(c.held) < end {
		if err := c.more(); err != nil {
			return nil, err
		}
	}
	return c.held[from:end], nil
}

// chunks reads a body in chunks, beginning at a position.
func (c *connection) chunks(from int) ([]byte, error) {
	var body []byte
	for {
		line := bytes.Index(c.held[from:], []byte("\r\n"))
		if line < 0 {
			if err := c.more(); err != nil {
				return nil, err
			}
			continue
		}
		size, err := strconv.ParseInt(string(c.held[from:from+line]), 16, 32)
		if err != nil {
			return nil, fmt.Errorf("a chunk has no size: %w", err)
		}
		from += line + 2
		chunk, err := c.upTo(from, from+int(size)+2)
		if err != nil {
			return nil, err
		}
		if size == 0 {
			return body, nil
		}
		body = append(body, chunk[:size]...)
		from += int(size) + 2
	}
}

// more reads the bytes that have arrived.
func (c *connection) more() error {
	if len(c.held) == len(c.space) {
		c.space = append(c.space, make([]byte, len(c.space))...)
		c.held = c.space[:len(c.held)]
	}
	n, err := c.Read(c.space[len(c.held):])
	c.held = c.space[:len(c.held)+n]
	if n == 0 && err == nil {
		err = errors.New("no bytes arrived")
	}
	if n > 0 {
		return nil
	}
	return err
}
