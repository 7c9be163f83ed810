package savefile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a.txt"), filepath.Join(dir, "link")
	require.NoError(t, Write(name, []byte("one")))
	require.NoError(t, os.Symlink(name, link))
	require.NoError(t, Write(link, []byte("two")))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "two", string(text))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink, "the link stays")

	assert.ErrorContains(t, Write(dir, nil), "not a regular file")
	assert.Error(t, Write(filepath.Join(dir, "none", "a.txt"), nil))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "no temporary file is left")
}
