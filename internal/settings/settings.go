// Package settings gives the flags of a command their values: from the command line, else from the
// environment, else from a file, else by default. It remembers where each value came from.
//
// It must not know which flags there are, or what they mean.
package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"daybook/internal/text"
)

// Names are the names of flags that may be set from outside the command line, of whichever command.
type Names struct {
	Prefix      string   // of each variable, like APP_
	Config      string   // the flag that names the file
	Environment []string // flags that a variable may set
	File        []string // the settings: flags that a file may set
}

// Origin says where a value came from.
type Origin string

// The origins, the strongest first.
const (
	Flag        Origin = "flag"
	Environment Origin = "environment"
	File        Origin = "file"
	Default     Origin = "default"
)

// Setting is the value of a flag that is in force, and where it came from.
type Setting struct {
	Name   string `json:"name"`
	Value  any    `json:"value"` // a string, bool, int64 or []string
	Origin Origin `json:"origin"`
	Where  string `json:"where"` // the flag, the variable, or the file with its line; "" by default
}

// String names the setting where it was given.
func (s Setting) String() string {
	switch s.Origin {
	case Environment:
		return "the environment variable " + s.Where
	case File:
		return s.Where + ": " + s.Name
	}
	return "--" + s.Name
}

// Given reports whether the value was given outside the command line.
func (s Setting) Given() bool { return s.Origin == Environment || s.Origin == File }

// Empty reports whether the value is one that a script gives if its variable is not set. For some flags that
// would mean less protection than intended.
func (s Setting) Empty() bool {
	list, is := s.Value.([]string)
	return s.Value == "" || is && (len(list) == 0 || slices.Contains(list, ""))
}

// Settings are those of one command.
type Settings struct {
	List   []Setting // in the order of their names
	Unused []string  // variables with the prefix that no flag has

	names   Names
	environ []string
}

// Settle sets the flags that the command line has not set. A value of another command is no error, and sets
// nothing.
func Settle(flags *pflag.FlagSet, names Names, environ []string) (s Settings, err error) {
	s.names, s.environ = names, environ
	from := map[string]Setting{}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			from[f.Name] = Setting{Origin: Flag, Where: "--" + f.Name}
		}
	})
	if s.Unused, err = fromEnvironment(flags, names, environ, from); err != nil {
		return s, err
	}
	if path := flags.Lookup(names.Config).Value.String(); path != "" {
		if err := fromFile(flags, names.File, path, from); err != nil {
			return s, err
		}
	}
	flags.VisitAll(func(f *pflag.Flag) {
		setting, found := from[f.Name]
		if !found {
			setting.Origin = Default
		}
		setting.Name, setting.Value = f.Name, valueOf(f)
		if err == nil && setting.Origin != Default && setting.Empty() {
			err = fmt.Errorf("%s is empty; give it a value, or leave it out", setting)
		}
		s.List = append(s.List, setting)
	})
	return s, err
}

// Again settles other flags with the same command line and environment, and with what is in the file now.
func (s Settings) Again(flags *pflag.FlagSet) (Settings, error) {
	for _, setting := range s.List {
		if setting.Origin != Flag {
			continue
		}
		if err := give(flags, setting.Name, setting.Value); err != nil {
			return Settings{}, err
		}
	}
	return Settle(flags, s.names, s.environ)
}

// Differ returns the settings whose values are not those of before.
func (s Settings) Differ(before Settings) (changed []Setting) {
	values := map[string]string{}
	for _, setting := range before.List {
		values[setting.Name] = fmt.Sprintf("%q", setting.Value)
	}
	for _, setting := range s.List {
		if fmt.Sprintf("%q", setting.Value) != values[setting.Name] {
			changed = append(changed, setting)
		}
	}
	return changed
}

// Take takes the values of some settings from others of the same command.
func (s *Settings) Take(others Settings, names []string) {
	list := slices.Clone(s.List)
	for i, setting := range list {
		at := slices.IndexFunc(others.List, func(other Setting) bool { return other.Name == setting.Name })
		if at >= 0 && slices.Contains(names, setting.Name) {
			list[i] = others.List[at]
		}
	}
	s.List = list
}

// give sets a flag to a value.
func give(flags *pflag.FlagSet, name string, value any) error {
	f := flags.Lookup(name)
	texts, list := value.([]string)
	if !list {
		return set(flags, f, fmt.Sprint(value))
	}
	slice, _ := f.Value.(pflag.SliceValue) // as its value is a list
	f.Changed = true
	return slice.Replace(texts)
}

// valueOf is the value of a flag as JSON and TOML have it.
func valueOf(f *pflag.Flag) any {
	if list, is := f.Value.(pflag.SliceValue); is {
		return append([]string{}, list.GetSlice()...) // [] in JSON, also where there is none
	}
	var value any = f.Value.String()
	switch f.Value.Type() {
	case "bool":
		value = value == "true"
	case "int":
		value, _ = strconv.ParseInt(f.Value.String(), 10, 64) // the flag is a number
	}
	return value
}

// fromEnvironment sets flags by variables: APP_DB sets --db. A variable that no flag has is an error if its
// name is nearly that of a setting. Others may belong to the system: a pod of Kubernetes beside a service called
// app has APP_PORT.
func fromEnvironment(flags *pflag.FlagSet, names Names, environ []string, from map[string]Setting) (unused []string, err error) {
	byVariable := map[string]string{}
	for _, name := range names.Environment {
		byVariable[names.Variable(name)] = name
	}
	for _, entry := range environ {
		variable, value, _ := strings.Cut(entry, "=")
		typed, ours := strings.CutPrefix(variable, names.Prefix)
		if !ours {
			continue
		}
		name, known := byVariable[variable]
		if !known {
			typed = strings.ToLower(strings.ReplaceAll(typed, "_", "-"))
			if like := nearest(typed, names.File); like != "" {
				return nil, fmt.Errorf("the environment variable %s is unknown; did you mean %s?", text.Shorten(variable), names.Variable(like))
			}
			unused = append(unused, variable)
			continue
		}
		f := flags.Lookup(name)
		if _, set := from[name]; f == nil || set {
			continue
		}
		if err := set(flags, f, value); err != nil {
			return nil, fmt.Errorf("the environment variable %s is wrong: %w", variable, err)
		}
		from[name] = Setting{Origin: Environment, Where: variable}
	}
	slices.Sort(unused)
	return unused, nil
}

// Variable is the name of the variable that sets a flag.
func (n Names) Variable(flag string) string {
	return n.Prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func set(flags *pflag.FlagSet, f *pflag.Flag, value string) error {
	if err := flags.Set(f.Name, value); err != nil {
		return Complaint(err)
	}
	return nil
}

// Complaint says in plain words what a flag expects, of an error that setting it gave.
func Complaint(err error) error {
	wrong, is := errors.AsType[*pflag.InvalidValueError](err)
	if !is {
		return err
	}
	switch wrong.GetFlag().Value.Type() {
	case "bool":
		return fmt.Errorf("must be true or false, got %q", text.Shorten(wrong.GetValue()))
	case "int":
		return fmt.Errorf("must be a whole number, got %q", text.Shorten(wrong.GetValue()))
	}
	return wrong.Unwrap()
}
