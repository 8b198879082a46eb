package api_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/internal/api"
	"daybook/internal/backup"
)

// TestStatus: the status has the database file, the head of the journal, the addresses of the server,
// and the number of its connections.
func TestStatus(t *testing.T) {
	s := open(t)
	config := s.config()
	config.Addresses = []string{"http://127.0.0.1:8080", "http://[::1]:8080"}
	config.Connections = func() int { return 7 }
	s.listen(t, api.New(config))
	type status struct {
		Addresses   []string
		Connections int
		Goroutines  int
		MemoryBytes int64 `json:"memory_bytes"`
		Database    struct {
			Path     string
			Bytes    int64
			LogBytes int64 `json:"log_bytes"`
		}
		Journal struct {
			Seq  int64
			Hash string
		}
	}
	empty := read[status](t, s.get(t, "/api/v1/status"))
	if want := strings.Repeat("0", 64); empty.Journal.Seq != 0 || empty.Journal.Hash != want {
		t.Errorf("an empty journal: got %v, want 0 and %s", empty.Journal, want)
	}
	s.create(t, "/currency/add", `{"code":"EUR"}`)
	got := read[status](t, s.get(t, "/api/v1/status"))
	if strings.Join(got.Addresses, " ") != "http://127.0.0.1:8080 http://[::1]:8080" || got.Connections != 7 {
		t.Errorf("got %v and %d connections, want the two addresses and the 7 connections of the server", got.Addresses, got.Connections)
	}
	if got.Goroutines < 1 || got.MemoryBytes < 1<<20 {
		t.Errorf("got %d goroutines and %d bytes of memory, want at least 1 and %d", got.Goroutines, got.MemoryBytes, 1<<20)
	}
	if got.Database.Path != "app.db" || got.Database.Bytes < 4096 || got.Database.LogBytes < 4096 {
		t.Errorf("got %+v, want the name and the sizes of app.db and its log", got.Database)
	}
	head, err := s.store.JournalHead(t.Context())
	if err != nil || got.Journal.Seq != 1 || got.Journal.Hash != head.Hash.String() {
		t.Errorf("got %v, want entry 1 and %v, %v", got.Journal, head.Hash, err)
	}
}

// TestStatusWarnsOfStrays: the status warns of a backup in the folder that is of another database.
func TestStatusWarnsOfStrays(t *testing.T) {
	s := serve(t)
	type status struct{ Backup struct{ Warning *string } }
	s.create(t, "/currency/add", `{"code":"EUR"}`)
	s.create(t, "/currency/add", `{"code":"USD"}`)
	taken := read[backup.Manifest](t, s.send(t, "POST", "/api/v1/backups", "{}", 201))
	if got := read[status](t, s.get(t, "/api/v1/status")).Backup.Warning; got != nil {
		t.Errorf("got %q, want no warning", *got)
	}
	path := backup.ManifestOf(filepath.Join(filepath.Dir(s.path), taken.File))
	manifest, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(manifest), taken.Head, strings.Repeat("0", 64), 1)
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	s.send(t, "POST", "/api/v1/backups", "{}", 201)
	got := read[status](t, s.get(t, "/api/v1/status")).Backup.Warning
	if want := "the backup " + taken.File + " holds entries that this database does not have"; got == nil || !strings.HasPrefix(*got, want) {
		t.Errorf("got %v, want %q", got, want)
	}
}
