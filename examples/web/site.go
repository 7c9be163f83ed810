package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomoku-go/gomoku/examples/internal/savefile"
)

//go:embed static
var static embed.FS

const (
	library       = "github.com/gomoku-go/gomoku"
	enginePackage = library + "/examples/web/engine"
	engineName    = "engine.wasm"
)

// A site is a static web site: files by their slash-separated paths.
type site map[string][]byte

// build makes the site: the embedded files, the engine, Go's script that runs it,
// the list of languages, and a service worker that knows all the files.
func build(ctx context.Context) (site, error) {
	s := site{}
	err := s.embed()
	if err != nil {
		return nil, err
	}
	if s[engineName], err = compile(ctx); err != nil {
		return nil, err
	}
	if s[engineName+".gz"], err = compress(s[engineName]); err != nil {
		return nil, err
	}
	root, err := goCommand(ctx, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	script := filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js")
	if s["js/wasm_exec.js"], err = os.ReadFile(script); err != nil {
		return nil, err
	}
	s["lang/index.js"] = languages(s)
	s["sw.js"], err = serviceWorker(s)
	return s, err
}

// embed adds the files of the folder static.
func (s site) embed() error {
	files, err := fs.Sub(static, "static")
	if err != nil {
		return err
	}
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s[name], err = fs.ReadFile(files, name)
		return err
	})
}

// smaller are the flags that keep the engine below 1.5 MB with gzip -9: no symbol
// table, and no inlining but in the library, which needs it to be fast. That saves
// 80 kB and costs the search less than a tenth of its speed.
var smaller = []string{"-ldflags=-s -w", "-gcflags=all=-l", "-gcflags=" + library + "="}

// compile builds the engine for the browser.
func compile(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp("", "gomoku-web-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, engineName)
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-o", name}, smaller...)
	if _, err := goCommand(ctx, []string{"GOOS=js", "GOARCH=wasm"}, append(args, enginePackage)...); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// goCommand runs the go command and returns what it prints.
func goCommand(ctx context.Context, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}

func compress(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// languages makes the module that lists the languages: a file in lang is all that
// a language needs.
func languages(s site) []byte {
	var codes []string
	for name := range s {
		if dir, file := path.Split(name); dir == "lang/" {
			codes = append(codes, strings.TrimSuffix(file, ".js"))
		}
	}
	slices.Sort(codes)
	list, _ := json.Marshal(codes)
	return fmt.Appendf(nil, "export default %s;\n", list)
}

// serviceWorker fills in the files to keep for use without a network, and a
// version that changes with any of them.
func serviceWorker(s site) ([]byte, error) {
	files := []string{"./"}
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(hash, "%s %d\n", name, len(s[name]))
		hash.Write(s[name])
		if name != engineName && name != "sw.js" { // the compressed engine is enough
			files = append(files, name)
		}
	}
	list, err := json.Marshal(files)
	if err != nil {
		return nil, err
	}
	text := string(s["sw.js"])
	text = strings.Replace(text, "'VERSION'", fmt.Sprintf("'%x'", hash.Sum(nil)[:8]), 1)
	text = strings.Replace(text, "['FILES']", string(list), 1)
	return []byte(text), nil
}

// write writes the site into a folder. What else is there stays.
func (s site) write(dir string) error {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := savefile.Write(file, s[name]); err != nil {
			return err
		}
	}
	return nil
}

var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".wasm": "application/wasm", ".gz": "application/gzip",
	".webmanifest": "application/manifest+json", ".png": "image/png",
}

// ServeHTTP serves the files.
func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" || name == "." {
		name = "index.html"
	}
	data, ok := s[name]
	switch {
	case !ok:
		http.NotFound(w, r)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	kind := types[path.Ext(name)]
	if kind == "" {
		kind = mime.TypeByExtension(path.Ext(name))
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(data)))
	if r.Header.Get("If-None-Match") == w.Header().Get("ETag") {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	if r.Method == http.MethodGet {
		w.Write(data) // an error is the reader's, who has gone
	}
}
