package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"time"
)

// tarred returns the entries as a tar.
func tarred(entries []entry, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := tar.Header{Format: tar.FormatPAX, Typeflag: tar.TypeReg, Name: e.name, Mode: int64(e.mode), Uid: e.owner, Gid: e.owner, Size: int64(len(e.content)), ModTime: date}
		if e.folder {
			h.Typeflag, h.Name = tar.TypeDir, e.name+"/"
		}
		if err := w.WriteHeader(&h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// tarGz returns the entries as a compressed tar.
func tarGz(entries []entry, date time.Time) ([]byte, error) {
	whole, err := tarred(entries, date)
	if err != nil {
		return nil, err
	}
	return gzipped(whole)
}

func gzipped(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(content)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// zipped returns the entries as a zip.
func zipped(entries []entry, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: date}
		if e.folder {
			h.Name, h.Method = e.name+"/", zip.Store
			h.SetMode(fs.ModeDir | e.mode)
		} else {
			h.SetMode(e.mode)
		}
		f, err := w.CreateHeader(&h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
