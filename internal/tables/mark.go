package tables

// MarkProof says what one text tells about the decimal mark of its file.
type MarkProof uint8

// The proofs. A mark follows another mark or a group; or other than three digits follow it; or
// nothing, a lone 0 or over three digits precede it; or the other mark comes twice, so that it
// separates groups. Then the text is a number under one mark only.
const (
	NoMark      MarkProof = iota // no number, or the same under both marks
	ProvesPoint                  // a number with a decimal point only
	ProvesComma                  // a number with a decimal comma only
	EitherMark                   // two numbers, as 1.234
)

// ProofOf returns what a text tells about the decimal mark. The numbers are those under a
// decimal point and a decimal comma, where there are such.
func ProofOf(s string) (proof MarkProof, point, comma Number) {
	point, withPoint := parseNumber(s, Point)
	comma, withComma := parseNumber(s, Comma)
	switch {
	case withPoint == "" && withComma == "" && point.Value != comma.Value:
		return EitherMark, point, comma
	case withPoint == "" && withComma != "":
		return ProvesPoint, point, comma
	case withPoint != "" && withComma == "":
		return ProvesComma, point, comma
	}
	return NoMark, point, comma
}

// Spot is the place of a text in a file.
type Spot struct {
	Line, Column int
	Text         string
}

// Spots counts texts, and keeps the first of them to show.
type Spots struct {
	Count int
	First []Spot // at most 100
}

// shownSpots is how many texts Spots keeps.
const shownSpots = 100

// Add counts the text at a spot.
func (s *Spots) Add(spot Spot) {
	s.Count++
	if len(s.First) < shownSpots {
		s.First = append(s.First, spot)
	}
}

// MarkEvidence collects what the texts of a file, or of a column, tell about its decimal mark.
// Numbers of a sheet or of JSON are no evidence: only texts are.
type MarkEvidence struct {
	Point, Comma, Either Spots
}

// Add adds the text of a cell.
func (e *MarkEvidence) Add(line, column int, s string) {
	switch proof, _, _ := ProofOf(s); proof {
	case ProvesPoint:
		e.Point.Add(Spot{line, column, s})
	case ProvesComma:
		e.Comma.Add(Spot{line, column, s})
	case EitherMark:
		e.Either.Add(Spot{line, column, s})
	}
}

// Decided returns the mark that the evidence proves, or Point if no number has a mark. It reports false if
// somebody must be asked: some numbers prove one mark and some the other, or no number proves a mark and
// one fits both.
func (e *MarkEvidence) Decided() (Mark, bool) {
	switch {
	case e.Point.Count > 0 && e.Comma.Count > 0:
		return Point, false
	case e.Comma.Count > 0:
		return Comma, true
	case e.Point.Count > 0:
		return Point, true
	}
	return Point, e.Either.Count == 0
}
