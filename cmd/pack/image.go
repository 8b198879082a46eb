package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// nobody is the user of the image, and the owner of its volume. It is the one that images without a system
// commonly have.
const nobody = 65532

// descriptor names a blob of an image.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// layout is an image in OCI layout, while it is made. The first failure is kept in err.
type layout struct {
	entries []entry
	err     error
}

func (l *layout) add(name string, content []byte) {
	l.entries = append(l.entries, entry{name: name, mode: 0o644, content: content})
}

// blob adds content, and returns its descriptor.
func (l *layout) blob(kind string, content []byte) descriptor {
	d := descriptor{MediaType: "application/vnd.oci.image." + kind, Digest: digest(content), Size: len(content)}
	l.add(place(d), content)
	return d
}

func (l *layout) json(value any) []byte {
	content, err := json.Marshal(value)
	if err != nil && l.err == nil {
		l.err = err
	}
	return content
}

func digest(content []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(content)) }

func place(d descriptor) string { return "blobs/" + strings.Replace(d.Digest, ":", "/", 1) }

// image writes an image of the program for a platform, like linux-amd64, into dist: a tar that docker and podman
// load. It has nothing but the program, the name localhost, a folder for temporary files, and the volume /data.
func image(dist, name, version, platform string, program []byte, date time.Time) error {
	files, err := tarred([]entry{
		{name: "data", folder: true, mode: 0o700, owner: nobody},
		{name: "etc", folder: true, mode: 0o755},
		{name: "etc/hosts", mode: 0o644, content: []byte("127.0.0.1 localhost\n::1 localhost\n")}, // for the check
		{name: "tmp", folder: true, mode: 0o1777},
		{name: "usr", folder: true, mode: 0o755},
		{name: "usr/bin", folder: true, mode: 0o755},
		{name: "usr/bin/daybook", mode: 0o755, content: program},
	}, date)
	if err != nil {
		return err
	}
	packed, err := gzipped(files)
	if err != nil {
		return err
	}
	var l layout
	system, processor, _ := strings.Cut(platform, "-")
	layer := l.blob("layer.v1.tar+gzip", packed)
	config := l.blob("config.v1+json", l.json(map[string]any{
		"created": date, "architecture": processor, "os": system,
		"config":  settings(version),
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{digest(files)}},
		"history": []any{map[string]any{"created": date, "created_by": "make dist"}},
	}))
	manifest := l.blob("manifest.v1+json", l.json(map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": []descriptor{layer},
	}))
	manifest.Platform = map[string]string{"architecture": processor, "os": system}
	manifest.Annotations = map[string]string{"org.opencontainers.image.ref.name": version, "io.containerd.image.name": "docker.io/library/daybook:" + version}
	l.add("index.json", l.json(map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": []descriptor{manifest}}))
	l.add("oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`))
	// Docker before 25 reads this instead.
	l.add("manifest.json", l.json([]any{map[string]any{"Config": place(config), "RepoTags": []string{"daybook:" + version}, "Layers": []string{place(layer)}}}))
	if l.err != nil {
		return l.err
	}
	whole, err := tarred(l.entries, date)
	if err != nil {
		return err
	}
	return write(filepath.Join(dist, name+".oci.tar"), whole)
}

// settings is how the image runs: as a user, on an address that others can reach, and so with tokens.
func settings(version string) map[string]any {
	const program = "/usr/bin/daybook"
	return map[string]any{
		"User":         fmt.Sprintf("%d:%d", nobody, nobody),
		"Env":          []string{"APP_DB=/data/app.db", "APP_ADDR=:8080"},
		"Entrypoint":   []string{program},
		"Cmd":          []string{"serve"},
		"WorkingDir":   "/data",
		"Volumes":      map[string]any{"/data": struct{}{}},
		"ExposedPorts": map[string]any{"8080/tcp": struct{}{}},
		"StopSignal":   "SIGTERM",
		"Labels":       map[string]string{"org.opencontainers.image.title": "Daybook", "org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "MIT"},
		// Docker's; OCI has none.
		"Healthcheck": map[string]any{"Test": []string{"CMD", program, "health"}, "Interval": 30 * time.Second, "Timeout": 10 * time.Second, "StartPeriod": time.Minute},
	}
}
