package tables_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"daybook/internal/tables"
)

// The mark is decided for the file, by the texts that prove one: -1.000 alone would be a
// question.
func Example() {
	const upload = "Konto;Betrag\n6100;1.488,69\n6200;-1.000\n"
	file, err := tables.Open(strings.NewReader(upload), int64(len(upload)), tables.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = file.Close() }()

	var evidence tables.MarkEvidence
	each(file, func(r tables.Record) { evidence.Add(r.Line, 2, r.Cell(2).Value) })
	mark, decided := evidence.Decided()
	fmt.Println(mark, decided)

	each(file, func(r tables.Record) {
		amount, err := r.Cell(2).Number(mark)
		if err != nil {
			fmt.Printf("line %d: Betrag %v\n", r.Line, err)
			return
		}
		fmt.Printf("line %d: %s\n", r.Line, amount.Value)
	})
	// Output:
	// decimal comma true
	// line 1: Betrag must be a number, got Betrag
	// line 2: 1488.69
	// line 3: -1000
}

func each(file *tables.File, use func(tables.Record)) {
	rows, err := file.Records(tables.Dialect{})
	if err != nil {
		log.Fatal(err)
	}
	for {
		record, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		use(record)
	}
}
