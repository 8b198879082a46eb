package tables

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// format is what a number format of a sheet says about a number.
type format struct {
	date    bool
	percent bool
	// mask is a format of digits and texts only, such as 0000 or "K-"000, as pieces: '0' and '#'
	// stand for digits, other bytes for themselves. It is "" for other formats.
	mask string
}

// readStyles returns the number formats of the cell styles, in their order.
func readStyles(a *archive, name string) ([]format, error) {
	custom := map[int]format{}
	var formats []format
	inCells := false
	err := a.each(name, func(t xml.StartElement, _ *markup) error {
		switch t.Name.Local {
		case "numFmt":
			if id, err := strconv.Atoi(attribute(t, "numFmtId")); err == nil && len(custom) < maxStyles {
				custom[id] = readFormat(attribute(t, "formatCode"))
			}
		case "cellStyleXfs", "cellStyles", "dxfs":
			inCells = false
		case "cellXfs":
			inCells = true
		case "xf":
			if inCells && len(formats) < maxStyles {
				id, _ := strconv.Atoi(attribute(t, "numFmtId"))
				f, known := custom[id]
				if !known {
					f = builtIn(id)
				}
				formats = append(formats, f)
			}
		}
		return nil
	})
	return formats, err
}

// maxStyles bounds the styles. Excel has at most 65,490.
const maxStyles = 100_000

// builtIn returns a format that every workbook has without saying it (ECMA-376, 18.8.30). The
// numbers 27 to 36 and 50 to 58 are dates of East Asia.
func builtIn(id int) format {
	switch {
	case id == 9 || id == 10:
		return format{percent: true}
	case 14 <= id && id <= 22, 27 <= id && id <= 36, 45 <= id && id <= 47, 50 <= id && id <= 58:
		return format{date: true}
	}
	return format{}
}

// general is the format of a number as it is, alone or within a longer format.
const general = "General"

// readFormat reads the code of a format: its first section, which is for positive numbers.
func readFormat(code string) format {
	var f format
	var mask []byte
	masked := len(code) <= 100
	for i := 0; i < len(code); i++ {
		if c := code[i]; (c == 'G' || c == 'g') && len(code)-i >= len(general) && strings.EqualFold(code[i:i+len(general)], general) {
			i, masked = i+len(general)-1, false
			continue
		}
		switch c := code[i]; c {
		case ';':
			i = len(code)
		case '"':
			end := strings.IndexByte(code[i+1:], '"')
			if end < 0 {
				end = len(code) - i - 1
			}
			mask = append(mask, literal(code[i+1:i+1+end])...)
			i += end + 1
		case '\\':
			i++
			if i < len(code) {
				mask = append(mask, literal(code[i:i+1])...)
			}
		case '_', '*': // room for a character, or a character that fills the cell
			i++
		case '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				end = len(code) - i - 1
			}
			f.date = f.date || isElapsed(code[i+1:i+end])
			i += end
		case 'e', 'E':
			f.date = f.date || i+1 >= len(code) || code[i+1] != '+' && code[i+1] != '-'
			masked = false
		case 'y', 'Y', 'm', 'M', 'd', 'D', 'h', 'H', 's', 'S', 'g', 'G', 'b', 'B':
			f.date, masked = true, false
		case '%':
			f.percent, masked = true, false
		case '0', '#', '-', ' ', '(', ')':
			mask = append(mask, c)
		default:
			masked = false
		}
	}
	if masked && !f.date && strings.Count(string(mask), "0") > 1 {
		f.mask = string(mask)
	}
	return f
}

// literal is text of a format in a mask, where 0 and # stand for digits: they are written as
// bytes that no text has.
func literal(s string) string {
	return strings.NewReplacer("0", "\x00", "#", "\x01").Replace(s)
}

// isElapsed reports whether the brackets of a format have hours, minutes or seconds, as [h]:mm,
// and not a colour, a condition or a language.
func isElapsed(s string) bool {
	return s != "" && (strings.Trim(s, "hH") == "" || strings.Trim(s, "mM") == "" || strings.Trim(s, "sS") == "")
}

// shown returns a number as it stands for a code: a whole number fills the digits of a mask, 0420
// for 420 in 0000. Any other is as in the format General, with at most 15 digits.
func (f format) shown(number string) string {
	if f.mask == "" || strings.ContainsAny(number, "-.eE") {
		return significant(number)
	}
	out := make([]byte, 0, len(f.mask)+len(number))
	rest := number
	first := strings.IndexAny(f.mask, "0#")
	for i := len(f.mask) - 1; i >= 0; i-- {
		c := f.mask[i]
		switch {
		case c != '0' && c != '#':
			out = append(out, strings.NewReplacer("\x00", "0", "\x01", "#").Replace(string(c))[0])
		case i == first: // the first digit takes all that is left
			if rest == "" && c == '0' {
				rest = "0"
			}
			for j := len(rest) - 1; j >= 0; j-- {
				out = append(out, rest[j])
			}
		case rest != "":
			out, rest = append(out, rest[len(rest)-1]), rest[:len(rest)-1]
		case c == '0':
			out = append(out, '0')
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return string(out)
}

// significant is a decimal rounded to 15 significant digits, half away from zero, as a sheet
// shows it: a float has no more, and 1.1 is kept as 1.1000000000000001.
func significant(number string) string {
	magnitude, negative := strings.CutPrefix(number, "-")
	whole, decimals, _ := strings.Cut(magnitude, ".")
	digits := strings.TrimLeft(whole+decimals, "0")
	zeros := len(whole) + len(decimals) - len(digits)
	if len(digits) <= 15 || strings.ContainsAny(number, "eE") {
		return number
	}
	kept := []byte(digits[:15])
	if digits[15] >= '5' {
		i := 14
		for ; i >= 0 && kept[i] == '9'; i-- {
			kept[i] = '0'
		}
		if i >= 0 {
			kept[i]++
		} else {
			kept, zeros = append([]byte("1"), kept...), zeros-1
		}
	}
	all := strings.Repeat("0", max(zeros, 0)) + string(kept) + strings.Repeat("0", len(digits)-15)
	point := len(whole)
	if zeros < 0 {
		point++
	}
	return plain(negative, all[:point], all[point:], 0)
}
