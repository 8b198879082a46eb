// Command licenses writes the licence texts of all that the program is made of, as
// licenses.txt into the folder of the built page: of Daybook, of Go, of the modules that
// the program is linked from on any of the platforms, and of the packages in the page.
// Those the build of the page lists in licenses.json, which is removed.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	tags := flag.String("tags", "", "the build `tags` of the program")
	flag.Parse()
	if flag.NArg() < 2 {
		log.Fatal("usage: licenses [-tags TAGS] FOLDER PLATFORM...")
	}
	if err := write(context.Background(), *tags, flag.Arg(0), flag.Args()[1:]); err != nil {
		log.Fatalf("licenses: %v", err)
	}
}

// part is what the program is made of, and the texts that its licence asks to pass on.
type part struct {
	Name  string   `json:"name"`
	Texts []string `json:"texts"`
}

func write(ctx context.Context, tags, folder string, platforms []string) error {
	parts, err := linked(ctx, ".", tags, platforms)
	if err != nil {
		return err
	}
	listed := filepath.Join(folder, "licenses.json")
	list, err := os.ReadFile(listed) //nolint:gosec // the page's
	if err != nil {
		return err
	}
	var packages []part
	if err := json.Unmarshal(list, &packages); err != nil {
		return fmt.Errorf("%s: %w", listed, err)
	}
	text, err := render(append(parts, packages...))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "licenses.txt"), []byte(text), 0o600); err != nil {
		return err
	}
	return os.Remove(listed)
}

// linked are Daybook, Go, and the modules that the program is linked from, by path. It is
// asked of the source in a folder.
func linked(ctx context.Context, source, tags string, platforms []string) ([]part, error) {
	root, err := output(ctx, source, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	daybook, err := partOf("Daybook", source, nil)
	if err != nil {
		return nil, err
	}
	standard, err := partOf("Go and its standard library", strings.TrimSpace(root), nil)
	if err != nil {
		return nil, err
	}
	modules, err := modulesOf(ctx, source, tags, platforms)
	if err != nil {
		return nil, err
	}
	parts := []part{daybook, standard}
	for _, m := range modules {
		p, err := partOf(m.name, m.folder, m.packages)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// module is one that is linked, and the folders of its packages that are.
type module struct {
	name, folder string
	packages     []string
}

// perPackage prints what modulesOf reads of each package of a module.
const perPackage = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{"\t"}}{{.Dir}}{{"\t"}}{{$.Dir}}{{end}}{{end}}`

func modulesOf(ctx context.Context, source, tags string, platforms []string) ([]module, error) {
	byName := map[string]module{}
	for _, platform := range platforms {
		system, processor, is := strings.Cut(platform, "/")
		if !is {
			return nil, fmt.Errorf("%q is no platform like linux/amd64", platform)
		}
		environment := []string{"GOOS=" + system, "GOARCH=" + processor, "CGO_ENABLED=0"}
		list, err := output(ctx, source, environment, "list", "-deps", "-tags", tags, "-f", perPackage, "./cmd/app")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(list) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(fields) != 3 {
				return nil, fmt.Errorf("go list printed %q", line)
			}
			m := byName[fields[0]]
			m.name, m.folder = fields[0], fields[1]
			m.packages = append(m.packages, fields[2])
			byName[m.name] = m
		}
	}
	modules := make([]module, 0, len(byName))
	for _, m := range byName {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.name, b.name) })
	return modules, nil
}

// output runs the go command in a folder.
func output(ctx context.Context, folder string, environment []string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are this program's
	command.Dir, command.Env = folder, append(os.Environ(), environment...)
	printed, err := command.Output()
	if failed, is := errors.AsType[*exec.ExitError](err); is {
		err = fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, failed.Stderr)
	}
	return string(printed), err
}

// partOf reads the texts in a folder, and in those between it and some folders below it.
func partOf(name, folder string, below []string) (p part, err error) {
	folders := []string{folder}
	for _, inner := range below {
		for ; inner != folder && len(inner) > len(folder); inner = filepath.Dir(inner) {
			folders = append(folders, inner)
		}
	}
	slices.Sort(folders) // what is above comes first
	p.Name = name
	for _, one := range slices.Compact(folders) {
		texts, err := textsIn(one)
		if err != nil {
			return p, err
		}
		p.Texts = append(p.Texts, texts...)
	}
	return p, nil
}

// The names of the files that hold a licence, and of those that go with one.
var (
	licence = regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|copyright)([-_.]|$)`)
	notice  = regexp.MustCompile(`(?i)^(notices?|patents)([-_.]|$)`)
)

// textsIn are the licences in a folder and what goes with them; none where there is no
// licence.
func textsIn(folder string) (texts []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	licensed := false
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || filepath.Ext(name) == ".go" || !licence.MatchString(name) && !notice.MatchString(name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, name)) //nolint:gosec // of a module that is linked
		if err != nil {
			return nil, err
		}
		licensed = licensed || licence.MatchString(name) && strings.TrimSpace(string(text)) != ""
		texts = append(texts, string(text))
	}
	if !licensed {
		return nil, nil
	}
	return texts, nil
}

// render writes the parts one after another. It is an error where one has no text.
func render(parts []part) (string, error) {
	var all strings.Builder
	var bare []string
	all.WriteString("Daybook is under the licence that comes first. It is made of the parts that follow, each under its own.\n")
	rule := strings.Repeat("=", 80) + "\n"
	for _, p := range parts {
		if len(p.Texts) == 0 {
			bare = append(bare, p.Name)
		}
		all.WriteString("\n" + rule + p.Name + "\n" + rule)
		for _, text := range p.Texts {
			all.WriteString("\n" + strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) + "\n")
		}
	}
	if len(bare) > 0 {
		return "", fmt.Errorf("there is no licence text in %s", strings.Join(bare, ", "))
	}
	return all.String(), nil
}
