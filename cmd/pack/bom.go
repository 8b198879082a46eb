package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// bom is a software bill of materials in CycloneDX: what a program is made of, for scanners that know the faults of
// each part.
type bom struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp time.Time `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PURL    string `json:"purl,omitempty"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// list writes what a program is made of into dist: its modules of Go, as they stand in the program, and what is in
// its page, as it stands in the licences.
func list(dist, name, version string, program []byte, documents []entry, date time.Time) error {
	components, err := modules(program)
	if err != nil {
		return err
	}
	inPage, err := packages(documents)
	if err != nil {
		return err
	}
	components = append(components, inPage...)
	slices.SortFunc(components, func(a, b component) int { return cmp.Compare(a.Ref, b.Ref) })
	of := dependency{Ref: "daybook"}
	for _, c := range components {
		of.DependsOn = append(of.DependsOn, c.Ref)
	}
	content, err := json.MarshalIndent(bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{date, component{
			Type: "application", Ref: of.Ref, Name: "daybook", Version: version,
			Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(program))}},
		}},
		Components: components, Dependencies: []dependency{of},
	}, "", "  ")
	if err != nil {
		return err
	}
	return write(filepath.Join(dist, name+".cdx.json"), append(content, '\n'))
}

// modules are Go's standard library and the modules that a program was linked from.
func modules(program []byte) ([]component, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	found := []component{library("golang", "stdlib", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		found = append(found, library("golang", m.Path, m.Version))
	}
	return found, nil
}

// heading is that of a part in the licences. A part of the page has a version without the v of Go's, or is a font.
var heading = regexp.MustCompile(`(?m)^={80}\n(?:(\S+) ([0-9]\S*)|The font (.+))\n={80}$`)

// packages are the packages and the fonts of the page.
func packages(documents []entry) (found []component, err error) {
	const file = "LICENSES.txt"
	i := slices.IndexFunc(documents, func(e entry) bool { return e.name == file })
	if i < 0 {
		return nil, errors.New("there is no " + file)
	}
	for _, part := range heading.FindAllSubmatch(documents[i].content, -1) {
		if font := string(part[3]); font != "" {
			found = append(found, component{Type: "file", Ref: "font:" + font, Name: "The font " + font})
			continue
		}
		found = append(found, library("npm", string(part[1]), string(part[2])))
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s names no package of the page", file)
	}
	return found, nil
}

// library is a package of a kind that package URLs know.
func library(kind, name, version string) component {
	purl := "pkg:" + kind + "/" + strings.ReplaceAll(name, "@", "%40") + "@" + version // nothing else in them needs an escape
	return component{Type: "library", Ref: purl, Name: name, Version: version, PURL: purl}
}
