package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"
)

// licensesCommand prints the licences, which are files of the page.
func licensesCommand(page fs.FS) *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of this program and of all that it is made of",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := licenses(page)
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
}

func licenses(page fs.FS) ([]byte, error) {
	file, err := page.Open("licenses.txt.gz")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("this program was built without its page and without the licences; `make build` puts both into bin/app")
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was read
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("the licences cannot be read: %w", err)
	}
	return io.ReadAll(unpacked)
}
