package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// largestEngine is what the engine may have with gzip -9.
const largestEngine = 1_500_000

func TestSite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the engine")
	}
	s, err := build(t.Context())
	require.NoError(t, err)

	assert.Less(t, len(s[engineName+".gz"]), largestEngine)
	r, err := gzip.NewReader(bytes.NewReader(s[engineName+".gz"]))
	require.NoError(t, err)
	plain, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(plain, s[engineName]), "the compressed engine is the engine")

	// The service worker keeps everything that the page loads.
	worker := string(s["sw.js"])
	for name := range s {
		if name != engineName && name != "sw.js" {
			assert.Contains(t, worker, `"`+name+`"`)
		}
	}
	assert.NotContains(t, worker, "VERSION")
	assert.Equal(t, "export default [\"en\",\"zh\"];\n", string(s["lang/index.js"]))

	dir := t.TempDir()
	require.NoError(t, s.write(dir))
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.Equal(t, string(s["index.html"]), string(index))
}

// The page works from any folder of any host: nothing refers to the root or to
// another host, and what it refers to is there.
func TestReferences(t *testing.T) {
	refs := regexp.MustCompile(`(?:href=|src=|from |import\(|importScripts\()["']([^"'$#]+)["']`)
	made := map[string]bool{"lang/index.js": true, "js/wasm_exec.js": true}
	files := site{}
	require.NoError(t, files.embed())
	for name, text := range files {
		for _, ref := range refs.FindAllStringSubmatch(string(text), -1) {
			target := ref[1]
			assert.NotRegexp(t, `^(/|[a-z]+:)`, target, name)
			path := filepath.ToSlash(filepath.Join(filepath.Dir(name), target))
			assert.True(t, files[path] != nil || made[path], "%s refers to %s", name, target)
		}
	}
}

// Every language has the texts that English has, and no others.
func TestLanguages(t *testing.T) {
	files := site{}
	require.NoError(t, files.embed())
	keys := func(name string) []string {
		var list []string
		for _, m := range regexp.MustCompile(`(?m)^    '([^']+)':`).FindAllStringSubmatch(string(files[name]), -1) {
			list = append(list, m[1])
		}
		return list
	}
	english := keys("lang/en.js")
	require.NotEmpty(t, english)
	for name := range files {
		if strings.HasPrefix(name, "lang/") {
			assert.Equal(t, english, keys(name), name)
		}
	}
	// What the page asks for is there.
	uses := regexp.MustCompile(`(?:\bt\(|data-t(?:-\w+)?=)['"]([\w.]+)['"]`)
	for name, text := range files {
		for _, m := range uses.FindAllStringSubmatch(string(text), -1) {
			assert.Contains(t, english, m[1], name)
		}
	}
}

func TestServeHTTP(t *testing.T) {
	s := site{"index.html": []byte("<p>"), "a.wasm": []byte("x")}
	get := func(method, path string, header ...string) *http.Response {
		r := httptest.NewRequest(method, path, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Result()
	}
	root := get("GET", "/")
	assert.Equal(t, 200, root.StatusCode)
	assert.Equal(t, "text/html; charset=utf-8", root.Header.Get("Content-Type"))
	assert.Equal(t, "application/wasm", get("GET", "/a.wasm").Header.Get("Content-Type"))
	assert.Equal(t, 404, get("GET", "/b").StatusCode)
	assert.Equal(t, 404, get("GET", "/../site.go").StatusCode)
	assert.Equal(t, 405, get("POST", "/").StatusCode)
	assert.Equal(t, 304, get("GET", "/", "If-None-Match", root.Header.Get("ETag")).StatusCode)
}

func TestCommandLine(t *testing.T) {
	var out, err bytes.Buffer
	assert.Equal(t, 0, run(t.Context(), []string{"-help"}, &out, &err))
	assert.Equal(t, 2, run(t.Context(), []string{"-nonsense"}, &out, &err))
	assert.Equal(t, 2, run(t.Context(), []string{"argument"}, &out, &err))
}
