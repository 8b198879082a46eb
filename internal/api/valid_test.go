//go:build !race

package api_test

import (
	"testing"
)

func TestOpenAPIDocumentIsValid(t *testing.T) {
	if err := publishedContract(t).Validate(t.Context()); err != nil {
		t.Error(err)
	}
}
