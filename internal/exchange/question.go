package exchange

// Question is what a file leaves open. Nothing is stored until it is answered, by a field of the Map.
type Question struct {
	Code     string   `json:"code"`
	Field    string   `json:"field,omitzero"` // of the record
	Message  string   `json:"message"`
	Proposed string   `json:"proposed,omitzero"` // the likeliest answer
	Choices  []Choice `json:"choices"`
	Cells    []Place  `json:"cells"` // at most 100
}

// Choice is an answer, and how the cells of the question read under it.
type Choice struct {
	Value string  `json:"value"`
	Cells []Place `json:"cells"`
	Fits  bool    `json:"fits,omitzero"` // the rows add up to their totals under this answer only
}

// Place is a cell of a file.
type Place struct {
	Line   int    `json:"line"`
	Column string `json:"column,omitzero"` // its header, or its place as "column 3" where the header is blank
	Value  string `json:"value"`
}

// The codes of the questions.
const (
	askDelimiter = "delimiter"
	askEncoding  = "encoding"
	askSheet     = "sheet"
	askHeaderRow = "header_row"
	askColumn    = "column"
)

// choices are answers without cells.
func choices(values ...string) []Choice {
	list := make([]Choice, len(values))
	for i, value := range values {
		list[i].Value = value
	}
	return list
}

// propose returns the answers with the proposed one first.
func propose(values []string, proposed string) []Choice {
	list := choices(proposed)
	for _, value := range values {
		if value != proposed {
			list = append(list, Choice{Value: value})
		}
	}
	return list
}

const (
	askYearStarts  = "year_starts"
	askDecimalMark = "decimal_mark"
	askRound       = "round"
	askSuffixM     = "suffix_m"
	askDash        = "dash"
	askScale       = "scale"
	askDateOrder   = "date_order"
	askCentury     = "century"
	askSignRule    = "sign_rule"
	askMinorUnit   = "minor_unit"
	askFillDown    = "fill_down"
	askDuplicates  = "duplicates"
	askRowOrder    = "row_order"
)
