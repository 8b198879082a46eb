package api

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"strconv"
	"testing"

	"daybook/internal/fault"
)

// TestEveryKindHasAResponse: errorResponses has a row for each kind of fault that a package declares. A
// kind without a row would be answered as a defect of the server.
func TestEveryKindHasAResponse(t *testing.T) {
	declared := 0
	for _, file := range []string{"../fault/fault.go", "gate/gate.go", "../imports/bulk.go", "../imports/revision.go", "../imports/imports.go", "../imports/commit.go", "../imports/rows.go", "errors.go"} {
		for name, kind := range kindsIn(t, file) {
			declared++
			if _, known := errorResponses[kind]; !known {
				t.Errorf("%s declares %s, want a row for it in errorResponses", file, name)
			}
		}
	}
	if declared != len(errorResponses) || declared < 20 {
		t.Errorf("got %d kinds and %d rows in errorResponses, want as many of both, at least 20", declared, len(errorResponses))
	}
}

// kindsIn returns the constants of the type Kind that a file declares.
func kindsIn(t *testing.T, path string) map[string]fault.Kind {
	t.Helper()
	file, err := goparser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]fault.Kind{}
	ast.Inspect(file, func(n ast.Node) bool {
		constant, is := n.(*ast.ValueSpec)
		if !is || !isKind(constant.Type) || len(constant.Values) != 1 {
			return true
		}
		text, err := strconv.Unquote(constant.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		kinds[constant.Names[0].Name] = fault.Kind(text)
		return true
	})
	return kinds
}

func isKind(of ast.Expr) bool {
	switch of := of.(type) {
	case *ast.Ident:
		return of.Name == "Kind"
	case *ast.SelectorExpr:
		return of.Sel.Name == "Kind"
	}
	return false
}
