// Command compress keeps each file below a folder as its .gz only: that is what the
// program embeds and sends. It is in Go, so that the bytes of a release depend on the
// Go that go.mod names, and not on the zlib of whoever builds the page.
package main

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: compress folder")
	}
	if err := compress(os.Args[1]); err != nil {
		log.Fatalf("compress: %v", err)
	}
}

// compress leaves what is compressed, and what begins with a dot, as it is.
func compress(folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // the files in it are closed already
	return fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || strings.HasSuffix(name, ".gz") {
			return err
		}
		return replace(root, name)
	})
}

func replace(root *os.Root, name string) error {
	whole, err := root.ReadFile(name)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(whole); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := root.WriteFile(name+".gz", packed.Bytes(), 0o600); err != nil {
		return err
	}
	return root.Remove(name)
}
