package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"daybook/internal/disk"
	"daybook/internal/text"
)

// fromFile sets flags by a file of TOML, one line for each: name = value. Every name must be that of a
// setting, also where this command has no such flag.
func fromFile(flags *pflag.FlagSet, known []string, path string, from map[string]Setting) error {
	lines, err := readFile(path)
	if err != nil {
		return err
	}
	for _, line := range lines {
		where := fmt.Sprintf("%s:%d", path, line.number)
		if !slices.Contains(known, line.name) {
			return fmt.Errorf("%s: %s", where, unknown(line, known))
		}
		f := flags.Lookup(line.name)
		if f == nil {
			continue
		}
		if _, set := from[line.name]; set {
			if err := fits(f, line.value); err != nil {
				return fmt.Errorf("%s: %s %w", where, line.name, err)
			}
			continue
		}
		if err := assign(flags, f, line.value); err != nil {
			return fmt.Errorf("%s: %s %w", where, line.name, err)
		}
		from[line.name] = Setting{Origin: File, Where: where}
	}
	return nil
}

func unknown(l line, known []string) string {
	if _, table := l.value.(map[string]any); table {
		return fmt.Sprintf("[%s] is a table; write the settings without tables, a line each, such as db = \"app.db\"", text.Shorten(l.name))
	}
	if like := nearest(l.name, known); like != "" {
		return fmt.Sprintf("%s is no setting; did you mean %s?", text.Shorten(l.name), like)
	}
	return text.Shorten(l.name) + " is no setting; app config shows all there are"
}

// line is a setting of a file.
type line struct {
	name   string
	value  any // as TOML has it
	number int
}

// readFile reads the settings of a file, in the order of their lines.
func readFile(path string) ([]line, error) {
	content, err := disk.ReadNamed(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the configuration file %s does not exist; make it, or leave --config out", path)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("the configuration file %s cannot be read; let this user read it, with chown, chgrp or chmod", path)
	case err != nil:
		return nil, fmt.Errorf("the configuration file %s cannot be read: %w", path, err)
	}
	values := map[string]any{}
	if err := toml.Unmarshal(content, &values); err != nil {
		return nil, notTOML(path, err)
	}
	numbers := numbersOf(content)
	lines := make([]line, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		lines = append(lines, line{name, values[name], numbers[name]})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.number - b.number })
	return lines, nil
}

// notTOML says where a file is not TOML.
func notTOML(path string, err error) error {
	const remedy = `write each setting as name = "text", name = 12, name = true or name = ["one", "two"]`
	reason := strings.TrimPrefix(err.Error(), "toml: ")
	if at, is := errors.AsType[*toml.DecodeError](err); is {
		row, _ := at.Position()
		return fmt.Errorf("%s:%d is not TOML: %s; %s", path, row, reason, remedy)
	}
	return fmt.Errorf("%s is not TOML: %s; %s", path, reason, remedy)
}

// numbersOf returns the lines of the names in a valid file. A struct without fields knows none of them, and
// the error for each says its line.
func numbersOf(content []byte) map[string]int {
	numbers := map[string]int{}
	err := toml.NewDecoder(strings.NewReader(string(content))).DisallowUnknownFields().Decode(&struct{}{})
	if all, is := errors.AsType[*toml.StrictMissingError](err); is {
		for _, one := range all.Errors {
			number, _ := one.Position()
			if name := one.Key()[0]; numbers[name] == 0 {
				numbers[name] = number
			}
		}
	}
	return numbers
}

// fits refuses a value of another type than a flag has.
func fits(f *pflag.Flag, value any) error {
	var is bool
	want := "a text in quotes"
	switch _, list := f.Value.(pflag.SliceValue); {
	case list:
		want = `a list of texts, such as ["one", "two"]`
		_, is = textsOf(value)
	case f.Value.Type() == "bool":
		want = "true or false, without quotes"
		_, is = value.(bool)
	case f.Value.Type() == "int":
		want = "a whole number, without quotes"
		_, is = value.(int64)
	default:
		_, is = value.(string)
	}
	if !is {
		return fmt.Errorf("must be %s", want)
	}
	return nil
}

// textsOf returns a list of texts, if the value is one.
func textsOf(value any) (texts []string, is bool) {
	all, is := value.([]any)
	for _, one := range all {
		each, fits := one.(string)
		texts, is = append(texts, each), is && fits
	}
	return texts, is
}

// assign sets a flag to a value of a file.
func assign(flags *pflag.FlagSet, f *pflag.Flag, value any) error {
	if err := fits(f, value); err != nil {
		return err
	}
	if texts, list := textsOf(value); list {
		value = texts
	}
	return give(flags, f.Name, value)
}
