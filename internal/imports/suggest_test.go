package imports_test

import (
	"path/filepath"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/imports"
	"daybook/internal/mapping"
	"daybook/internal/spool"
	"daybook/internal/text"
)

// TestSuggestedMap: a file whose columns a saved map knows is read without it, and the newest such map of its kind is named.
func TestSuggestedMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	store, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	service := imports.New(spool.Beside(path), store)
	t.Cleanup(func() {
		service.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, m := range []struct{ name, kind, columns string }{
		{"older", "departments", `{"field":"code","header":"Nr"},{"field":"name","header":"Name"}`},
		{"newer", "departments", `{"field":"code","header":"NR"},{"field":"name","header":"Titel"}`},
		{"more columns", "departments", `{"field":"code","header":"Nr"},{"field":"name","header":"Titel"},{"field":"cost_center","header":"KS"}`},
		{"another kind", "accounts", `{"field":"code","header":"Nr"},{"field":"description","header":"Titel"}`},
		{"no columns", "departments", ""},
	} {
		written := `{"kind":"` + m.kind + `","columns":[` + m.columns + `]}`
		if _, err := store.PutMap(t.Context(), mapping.Map{Name: text.Code(m.name), Kind: m.kind, Text: written}); err != nil {
			t.Fatal(err)
		}
	}
	for header, want := range map[string]text.Code{"Nr,Name,Titel": "newer", "Nr,Name": "older", "Nr,Text": ""} {
		u := upload(t, spool.Beside(path), "departments", header+"\nFIN,Finance,x\n")
		one, err := service.Add(t.Context(), u)
		for err == nil && one.State == "reading" {
			one, err = service.Get(t.Context(), "me", one.ID)
		}
		if err != nil || one.Suggested != want || one.Map.Name != "" {
			t.Errorf("%s: got %+v, %v, want the map %q suggested and not taken", header, one, err, want)
		}
	}
}
