package quality_test

import (
	"slices"
	"testing"

	"daybook/internal/quality"
)

func TestOrder(t *testing.T) {
	finding := func(kind quality.Kind, severity quality.Severity, title string) quality.Finding {
		return quality.Finding{Kind: kind, Severity: severity, Title: title}
	}
	got := quality.Order([]quality.Finding{
		finding("a", quality.Low, "a1"), finding("b", quality.Medium, "b1"), finding("a", quality.High, "a2"),
		finding("a", quality.Medium, "a3"), finding("b", quality.Medium, "b2"), finding("b", quality.Medium, "b3"),
	}, 2)
	var titles []string
	for _, f := range got {
		titles = append(titles, f.Title)
	}
	if want := []string{"a2", "b1", "a3", "b2"}; !slices.Equal(titles, want) {
		t.Errorf("got %v, want the most severe first, equal ones in their order, and at most two of a kind: %v", titles, want)
	}
}

// TestSome: Some lists at most ten names, and says how many more there are.
func TestSome(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "n", 10: "n, n, n, n, n, n, n, n, n, n", 12: "n, n, n, n, n, n, n, n, n, n and 2 more"} {
		if got := quality.Some(slices.Repeat([]string{"n"}, n), n); got != want {
			t.Errorf("%d names: got %q, want %q", n, got, want)
		}
	}
}
